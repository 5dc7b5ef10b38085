"""What every call passes: who calls, may they, in time, and errors as statuses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import grpc
import grpc.aio
import structlog
from google.protobuf.message import DecodeError

from festinger.errors import FestingerError, InvalidArgument, PermissionDenied
from festinger.rpc.callers import CALLER, Context, Credentials
from festinger.rpc.status import to_status

_LOG = structlog.get_logger(__name__)

_PACKAGE = "/festinger.api.v1."
OPEN = frozenset(
    _PACKAGE + method
    for method in (
        "MemoryService/Tokenise",
        "MemoryService/Recollect",
        "MemoryService/Assert",
        "MemoryService/Retract",
        "ConceptService/GetConcept",
        "ConceptService/ListConcepts",
        "ConceptService/History",
        "ConflictService/GetConflict",
        "ConflictService/ListConflicts",
        "FactoidService/ListFactoids",
    )
)
"""What any caller may do."""
FOR_OPERATORS = frozenset(
    _PACKAGE + method
    for method in (
        "MemoryService/Resolve",
        "FactoidService/ConfirmFactoid",
        "FactoidService/RejectFactoid",
    )
)
"""What only operators may do; no agent's credential is one (E6)."""

Handler = Callable[[Any, Context], Awaitable[Any]]
Method: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A request that is no message, or holds text that is not UTF-8."""

    why: str


class Gatekeeper(grpc.aio.ServerInterceptor):
    """Lets calls in; denies whatever it does not know.

    Args:
        deadline_seconds_max: The longest a call may take, whatever the client asks.
    """

    def __init__(
        self, credentials: Credentials, *, deadline_seconds_max: float
    ) -> None:
        self._credentials = credentials
        self._deadline_seconds_max = deadline_seconds_max

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Method | None]],
        details: grpc.HandlerCallDetails,
    ) -> Method | None:
        """Wraps our own methods; health and reflection pass as they are."""
        handler = await continuation(details)
        if handler is None or not details.method.startswith(_PACKAGE):
            return handler
        # Every method of ours is unary.
        unary = cast(Handler, handler.unary_unary)
        return grpc.unary_unary_rpc_method_handler(
            self._guarded(details.method, unary),
            request_deserializer=_forgiving(handler.request_deserializer),
            response_serializer=handler.response_serializer,
        )

    def _guarded(self, method: str, handler: Handler) -> Handler:
        async def guarded(request: Any, context: Context) -> Any:
            try:
                if isinstance(request, Unreadable):
                    raise InvalidArgument(f"the request cannot be read: {request.why}")
                caller = self._credentials.identify(context.invocation_metadata())
                if method not in OPEN and not (
                    method in FOR_OPERATORS and caller.operator
                ):
                    raise PermissionDenied(
                        f"{caller.principal} may not call {method}: it is for "
                        "operators. Use the festinger command, or a token that is one",
                        method=method,
                    )
                CALLER.set(caller)
                async with asyncio.timeout(self._seconds(context)):
                    return await handler(request, context)
            except FestingerError as error:
                await context.abort_with_status(to_status(error))
            except TimeoutError:
                await context.abort(
                    grpc.StatusCode.DEADLINE_EXCEEDED, "the call took too long"
                )
            except (grpc.aio.AbortError, asyncio.CancelledError):
                raise
            except Exception:
                # The caller gets no traceback; the log does.
                _LOG.exception("call_failed", method=method)
                defect = FestingerError("a defect of the server; its log says more")
                await context.abort_with_status(to_status(defect))

        return guarded

    def _seconds(self, context: Context) -> float:
        remaining: float | None = context.time_remaining()
        if remaining is None:
            return self._deadline_seconds_max
        return min(remaining, self._deadline_seconds_max)


def _forgiving(
    deserialize: Callable[[bytes], Any] | None,
) -> Callable[[bytes], Any] | None:
    """Lets a request that cannot be read reach us, so that its error is a clear one."""
    if deserialize is None:
        return None

    def read(data: bytes) -> Any:
        try:
            return deserialize(data)
        except (DecodeError, UnicodeError) as error:
            return Unreadable(str(error))

    return read
