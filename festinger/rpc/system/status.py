"""Conversion of errors to gRPC statuses with an ErrorInfo."""

from __future__ import annotations

from math import ceil

import grpc
import structlog
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2

from festinger import errors

log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0  # for errors that do not know when it is worth trying again

# By the class or its nearest base, so that a new error has the code of its parent.
_CODES: dict[type[errors.FestingerError], grpc.StatusCode] = {
    errors.InvalidArgument: grpc.StatusCode.INVALID_ARGUMENT,
    errors.NotFound: grpc.StatusCode.NOT_FOUND,
    errors.AlreadyDecided: grpc.StatusCode.FAILED_PRECONDITION,
    errors.RecordStatus: grpc.StatusCode.FAILED_PRECONDITION,
    errors.SourceGone: grpc.StatusCode.FAILED_PRECONDITION,
    errors.RecordExists: grpc.StatusCode.ALREADY_EXISTS,
    errors.LeaseLost: grpc.StatusCode.FAILED_PRECONDITION,
    errors.NothingKept: grpc.StatusCode.FAILED_PRECONDITION,
    errors.ConflictNotSettled: grpc.StatusCode.FAILED_PRECONDITION,
    errors.CannotUndo: grpc.StatusCode.FAILED_PRECONDITION,
    errors.ModelInUse: grpc.StatusCode.FAILED_PRECONDITION,
    errors.KeyUnreadable: grpc.StatusCode.FAILED_PRECONDITION,
    errors.ModelError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.ModelUnavailable: grpc.StatusCode.UNAVAILABLE,
    errors.ModelExhausted: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.EtagMismatch: grpc.StatusCode.ABORTED,
    errors.Unauthenticated: grpc.StatusCode.UNAUTHENTICATED,
    errors.PermissionDenied: grpc.StatusCode.PERMISSION_DENIED,
    errors.CorruptMemory: grpc.StatusCode.DATA_LOSS,
    errors.VersionNotReached: grpc.StatusCode.UNAVAILABLE,
    errors.ServedElsewhere: grpc.StatusCode.UNAVAILABLE,
    errors.Overloaded: grpc.StatusCode.UNAVAILABLE,
    errors.LimitExceeded: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.DatabaseUnavailable: grpc.StatusCode.UNAVAILABLE,
}
# UNAVAILABLE alone does not tell clients when; RetryInfo does, for those of these kinds.
_TRY_AGAIN = (
    errors.ModelUnavailable,
    errors.VersionNotReached,
    errors.ServedElsewhere,
    errors.Overloaded,
    errors.DatabaseUnavailable,
)


def code_of(error: errors.FestingerError) -> grpc.StatusCode:
    """Return the canonical gRPC code of an error."""
    # The method resolution order goes from the class to its bases.
    for kind in type(error).__mro__:
        if kind in _CODES:
            return _CODES[kind]
    return grpc.StatusCode.INTERNAL  # an error without a code is a defect


def status_of(error: Exception, method: str) -> status_pb2.Status:
    """Convert any exception to the status that the caller gets."""
    if isinstance(error, errors.FestingerError):
        return _status(error)
    # `asyncio.timeout` raises it, whether ours or the client's deadline passed.
    if isinstance(error, TimeoutError):
        code: int = grpc.StatusCode.DEADLINE_EXCEEDED.value[0]
        return status_pb2.Status(code=code, message="the call took too long")
    # The traceback goes to the log, not to the caller.
    log.error("call_failed", method=method, exc_info=error)
    # Without the exception's text, which may hold anybody's words.
    return _status(errors.FestingerError("a defect of the server; its log says more"))


def _status(error: errors.FestingerError) -> status_pb2.Status:
    """Convert an error to a status: code, message and details such as ErrorInfo."""
    info = error_details_pb2.ErrorInfo(
        reason=f"ERROR_REASON_{error.reason}",
        domain=errors.DOMAIN,
        metadata=error.metadata,
    )
    details = [_packed(info)]
    # Common clients show the field of a BadRequest; ErrorInfo is for programs.
    if isinstance(error, errors.InvalidArgument) and "field" in error.metadata:
        details.append(
            _packed(
                error_details_pb2.BadRequest(
                    field_violations=[
                        error_details_pb2.BadRequest.FieldViolation(
                            field=error.metadata["field"], description=error.message
                        )
                    ]
                )
            )
        )
    if isinstance(error, _TRY_AGAIN):
        seconds = RETRY_SECONDS
        if isinstance(error, errors.Overloaded):
            seconds = error.retry_seconds
        delay = Duration()
        # Rounded up: whoever comes a fraction too early is refused again.
        delay.FromMilliseconds(ceil(seconds * 1000))
        details.append(_packed(error_details_pb2.RetryInfo(retry_delay=delay)))
    return status_pb2.Status(
        code=code_of(error).value[0], message=error.message, details=details
    )


def _packed(
    detail: error_details_pb2.ErrorInfo
    | error_details_pb2.BadRequest
    | error_details_pb2.RetryInfo,
) -> Any:
    packed = Any()
    packed.Pack(detail)
    return packed
