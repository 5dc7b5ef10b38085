"""Refusals of the memory server, parsed from gRPC errors."""

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
        code: The gRPC status code.
        message: The server's message: the cause and the remedy.
        reason: Machine-readable reason; empty if the server gives none.
    """

    def __init__(self, code: grpc.StatusCode, message: str, reason: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason

    @classmethod
    def of(cls, error: grpc.aio.AioRpcError) -> Self:
        """Return the refusal for the error of a call."""
        status = status_in(error)
        reason = reason_in(status.details) if status else ""
        # A connection that broke has a code and no details.
        return cls(error.code(), error.details() or "", reason)


def status_in(error: grpc.aio.AioRpcError) -> status_pb2.Status | None:
    """Return the `google.rpc.Status` of an error; None if it has none."""
    call: Any = error  # it has the interface of a call
    try:
        return rpc_status.from_call(call)
    # A server or a proxy in between may send anything.
    except (ValueError, DecodeError):
        return None


def reason_in(details: Iterable[Any]) -> str:
    """Return the machine-readable reason in a status' details; empty for none."""
    info = error_details_pb2.ErrorInfo()
    for detail in details:
        if _unpack(detail, info):
            # `ERROR_REASON_FACT_SYNTAX` becomes `fact_syntax`.
            return str(info.reason).removeprefix("ERROR_REASON_").lower()
    return ""


def retry_seconds(details: Iterable[Any]) -> float:
    """Return the retry delay in a status' details, in seconds; 0 for none."""
    info = error_details_pb2.RetryInfo()
    for detail in details:
        if _unpack(detail, info):
            delay = info.retry_delay
            return float(delay.seconds) + float(delay.nanos) / 1e9
    return 0.0


def _unpack(detail: Any, message: Message) -> bool:
    """Unpack a detail into a message; return False if it is of another type."""
    try:
        return bool(detail.Unpack(message))
    except DecodeError:
        return False
