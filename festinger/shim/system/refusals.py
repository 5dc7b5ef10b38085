"""What the memory server refuses, with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2
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
        status = status_in(error)
        reason = reason_in(status.details) if status else ""
        return cls(error.code(), error.details() or "", reason)


def status_in(error: grpc.aio.AioRpcError) -> status_pb2.Status | None:
    """Return the `google.rpc.Status` that an error carries; None if it carries none."""
    call: Any = error  # it answers like a call
    try:
        return rpc_status.from_call(call)
    except (ValueError, DecodeError):
        return None


def reason_in(details: Iterable[Any]) -> str:
    """Return the reason that a status gives in a word; empty if it gives none."""
    info = error_details_pb2.ErrorInfo()
    for detail in details:
        if _unpack(detail, info):
            return str(info.reason).removeprefix("ERROR_REASON_").lower()
    return ""


def retry_seconds(details: Iterable[Any]) -> float:
    """Return after how long a status says to try again; 0 if it does not."""
    info = error_details_pb2.RetryInfo()
    for detail in details:
        if _unpack(detail, info):
            delay = info.retry_delay
            return float(delay.seconds) + float(delay.nanos) / 1e9
    return 0.0


def _unpack(detail: Any, message: Message) -> bool:
    """Return whether a detail is such a message, which it is read into."""
    try:
        return bool(detail.Unpack(message))
    except DecodeError:
        return False
