"""What the memory server refuses, with its reason."""

from __future__ import annotations

from typing import Any, Self

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from grpc_status import rpc_status


class MemoryRefused(Exception):
    """The memory refused a call, or cannot be reached.

    Args:
        code: The gRPC status.
        message: What was wrong and what to do, in the server's words.
        reason: One word for programs; empty if the server gave none.
    """

    def __init__(self, code: grpc.StatusCode, message: str, reason: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason

    @classmethod
    def of(cls, error: grpc.aio.AioRpcError) -> Self:
        """Return the refusal that an error of a call stands for."""
        return cls(error.code(), error.details() or "", _reason(error))


def _reason(error: grpc.aio.AioRpcError) -> str:
    """Return the `reason` of the `google.rpc.ErrorInfo` that an error carries."""
    call: Any = error  # it answers like a call
    try:
        status = rpc_status.from_call(call)
    except (ValueError, DecodeError):
        return ""
    for detail in status.details if status else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason).removeprefix("ERROR_REASON_").lower()
    return ""
