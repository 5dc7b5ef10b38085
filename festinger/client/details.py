"""Details of the errors of calls: `google.rpc.Status` with `ErrorInfo` and `RetryInfo`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from festinger.errors import DOMAIN


def status_in(error: object) -> status_pb2.Status | None:
    """Return the `google.rpc.Status` of an error; None if it has none."""
    call: Any = error  # it has the interface of a call
    try:
        return rpc_status.from_call(call)
    # A server or a proxy in between may send anything, such as details of another code.
    except (ValueError, DecodeError):
        return None


def info_in(details: Iterable[Any]) -> error_details_pb2.ErrorInfo:
    """Return this server's `ErrorInfo` in a status' details; an empty one for none."""
    info = error_details_pb2.ErrorInfo()
    for detail in details:
        if _unpack(detail, info) and info.domain == DOMAIN:
            return info
    return error_details_pb2.ErrorInfo()


def reason_in(details: Iterable[Any]) -> str:
    """Return the machine-readable reason in a status' details; empty for none."""
    # `ERROR_REASON_FACT_SYNTAX` becomes `fact_syntax`.
    return str(info_in(details).reason).removeprefix("ERROR_REASON_").lower()


def info_of(error: object) -> error_details_pb2.ErrorInfo:
    """Return the `ErrorInfo` of an error; an empty one for none."""
    return info_in(_details_of(error))


def reason_of(error: object) -> str:
    """Return the machine-readable reason of an error; empty for none."""
    return reason_in(_details_of(error))


def retry_seconds(details: Iterable[Any]) -> float:
    """Return the retry delay in a status' details, in seconds; 0 for none."""
    info = error_details_pb2.RetryInfo()
    for detail in details:
        if _unpack(detail, info):
            delay = info.retry_delay
            return float(delay.seconds) + float(delay.nanos) / 1e9
    return 0.0


def _details_of(error: object) -> Iterable[Any]:
    status = status_in(error)
    return status.details if status else ()


def _unpack(detail: Any, message: Message) -> bool:
    """Unpack a detail into a message; return False if it is of another type."""
    try:
        return bool(detail.Unpack(message))
    except DecodeError:
        return False
