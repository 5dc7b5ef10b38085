"""Errors of calls, from what gRPC says.

FestingerError                  (all of festinger.errors, by the server's reason)
└── ServerUnreachable           no memory server answers at the address
    └── ServerTooSlow           … or not in time: whether it was read is not known
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import grpc
from google.rpc import status_pb2

from festinger import errors
from festinger.client.details import info_in, retry_seconds, status_in
from festinger.errors import FestingerError

# With pauses of 0.2, 0.8 and 1.8 s, each stretched up to twofold: 2.8 to 5.6 s in all.
TRIES_MAX: Final = 4
"""Maximum number of tries of a call that finds no server."""
PAUSE_SECONDS: Final = 0.2
"""Pause after the first of these, in seconds; it grows with the square of the tries."""


class ServerUnreachable(FestingerError, reason="UNREACHABLE"):
    """No memory server answers at the address, or the connection broke."""


class ServerTooSlow(ServerUnreachable, reason="TOO_SLOW"):
    """The server did not answer within the time allowed."""


def _tree(kind: type[FestingerError]) -> Iterator[type[FestingerError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _tree(each)


_BY_REASON: Final = {
    kind.reason: kind
    for kind in _tree(FestingerError)
    # Classes that inherit their reason would shadow the one that defines it.
    if "reason" in vars(kind) and kind.__module__ == errors.__name__
}
_BY_CODE: Final = {
    grpc.StatusCode.INVALID_ARGUMENT: errors.InvalidArgument,
    grpc.StatusCode.NOT_FOUND: errors.NotFound,
    grpc.StatusCode.UNAUTHENTICATED: errors.Unauthenticated,
    grpc.StatusCode.PERMISSION_DENIED: errors.PermissionDenied,
    grpc.StatusCode.RESOURCE_EXHAUSTED: errors.LimitExceeded,
}
"""For reasons that a newer server has."""
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}


class CallFailure(NamedTuple):
    """A failed call: the error, and when to come again.

    Attributes:
        error: The error that the caller gets.
        retry_seconds: When the server, which has not read the call, asks to come again;
            0 if it does not.
        is_away: Whether there is no server, or it stops: it may have read the call.
    """

    error: FestingerError
    retry_seconds: float = 0.0
    is_away: bool = False


class Attempts:
    """Decides whether, and when, a call is made again, until its deadline.

    Args:
        seconds: Time for all tries, in seconds.
        repeatable: Whether a call that was read twice changes nothing twice.
    """

    def __init__(self, seconds: float, *, repeatable: bool) -> None:
        self._until = time.monotonic() + seconds
        self._repeatable = repeatable
        self._away = 0

    @property
    def left(self) -> float:
        """The time that is left, in seconds."""
        return max(0.0, self._until - time.monotonic())

    def pause_after(self, failure: CallFailure) -> float | None:
        """Return the pause before the next try, in seconds; None for no more."""
        pause = failure.retry_seconds
        # The server has said nothing of a retry.
        if not pause:
            self._away += 1
            # Counted for the whole call, and repeated only if a second reading changes nothing.
            tried = self._away >= TRIES_MAX
            if tried or not (self._repeatable and failure.is_away):
                return None
            pause = PAUSE_SECONDS * self._away**2
        # Clients that were refused together must not come again together.
        pause *= random.uniform(1, 2)
        # No pause that would outlast the deadline: the error is told at once.
        return pause if pause < self.left else None


def failure_of(error: grpc.RpcError, address: str) -> CallFailure:
    """Convert gRPC's error of a call.

    Args:
        address: Where the server was looked for.
    """
    call: Any = error  # it has the interface of a call
    return explained(call.code(), call.details() or "", status_in(error), address)


def failure_in(told: Any, address: str) -> CallFailure:
    """Convert the error of a request of a stream, a `RecollectStreamResponse.Status`."""
    # The two messages have the same fields, so one is read as the other.
    status = status_pb2.Status.FromString(told.SerializeToString())
    return explained(code_of(status.code), status.message, status, address)


def code_of(number: int) -> grpc.StatusCode:
    """Return the status code of a number; UNKNOWN for one that gRPC does not have."""
    return _CODES.get(number, grpc.StatusCode.UNKNOWN)


def explained(
    code: grpc.StatusCode,
    message: str,
    told: status_pb2.Status | None,
    address: str,
) -> CallFailure:
    """Return the failure for a status code and the server's details, if it has any."""
    details = told.details if told else ()
    info = info_in(details)
    if not info.reason:
        return _unexplained(code, message, address)
    reason = info.reason.removeprefix("ERROR_REASON_")
    # The reason is exact, the code only a class of reasons.
    kind = _BY_REASON.get(reason) or _BY_CODE.get(code, FestingerError)
    error = kind(message)
    error.reason = reason
    error.metadata.update(info.metadata)
    seconds = retry_seconds(details)
    # For callers that want to come again by themselves.
    if isinstance(error, errors.Overloaded) and seconds:
        error.retry_seconds = seconds
    is_away = code is grpc.StatusCode.UNAVAILABLE
    return CallFailure(error, seconds, is_away)


def _unexplained(code: grpc.StatusCode, message: str, address: str) -> CallFailure:
    """Return the failure for an error that is not the server's own."""
    # Without details it is gRPC's own error: nobody listens, or the connection broke.
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
        lost = ServerUnreachable(
            f"no memory server at {address}. Start one with `festinger up`, or name "
            "the one that runs"
        )
        return CallFailure(lost, is_away=code is grpc.StatusCode.UNAVAILABLE)
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return too_late(address)
    kind = _BY_CODE.get(code, FestingerError)
    return CallFailure(kind(message or f"the memory server failed with {code.name}"))


def too_late(address: str) -> CallFailure:
    """Return the failure of a call that had no answer before its deadline."""
    late = f"the memory server at {address} did not answer in time"
    return CallFailure(ServerTooSlow(late))


def stream_ended() -> CallFailure:
    """Return the failure of a prompt whose stream was closed."""
    ended = "the stream has ended; open another one"
    return CallFailure(ServerUnreachable(ended))
