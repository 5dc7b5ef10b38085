"""Interceptor of every call: authentication, permissions, time limit, error status."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, TypeAlias, cast

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from festinger.audit import AuditLog
from festinger.errors import FestingerError, InvalidArgument, PermissionDenied
from festinger.rpc.system.auditing import PACKAGE, UNAUDITED, methods, write_call
from festinger.rpc.system.callers import (
    CALLER,
    Context,
    Credentials,
    RpcCaller,
    seconds_left,
)
from festinger.rpc.system.limits import CallLimit, TenantLimits
from festinger.rpc.system.status import status_of
from festinger.services.world.memory import Memories

HEALTH_CHECK = "/grpc.health.v1.Health/Check"
OPEN = methods(
    {
        "Memory": "Tokenise Recollect RecollectStream Assert Retract",
        "Line": "SearchLines Explain Say KeepNotes ForgetLines RateLine",
        "Concept": "GetConcept ListConcepts History",
        "Conflict": "GetConflict ListConflicts",
        "Candidate": "ListCandidates",
        "Promotion": "ListRecords GetRecord ListState",
        "Ingestion": "StartWave AddDocuments FinishWave GetWave ListWaves",
        "Validation": "ProposeCandidate GetCandidate GetQuestion ListPredicates",
        "Provenance": "Trace GetObject",
    }
)
"""Methods that any caller may call."""
FOR_OPERATORS = methods(
    {
        "Memory": "Resolve",
        "Candidate": "ConfirmCandidate RejectCandidate",
        "Promotion": (
            "GetQueue ProposeRecord PromoteRecord RejectRecord RevertRecord "
            "EditRecord DeferRecord DeleteRecord GraduateRecord ConfirmRecord "
            "ReExtractRecord UndoEdit ListEdits SetState"
        ),
        "Inbox": (
            "ListInbox CountInbox GetInboxItem DecideInbox UndoInbox ListInboxDecisions"
        ),
        "Conflict": "Run GetResolver Undo",
        "Admin": "Reload CheckWorld GetSize GetDay GetTrends",
        "Config": (
            "ListSettings UpdateSetting ListModels CreateModel DeleteModel "
            "TestModel RotateKeys"
        ),
        "Extraction": (
            "GetInteraction ListInteractions Extract ForgetInteraction "
            "ListRejections GetRejectionReport"
        ),
        "Ingestion": "ExtractWave",
        "Validation": (
            "ListQuestions DirectCandidate LeaseBacklog ReportBacklog ListBacklog "
            "Dream SetPredicate ExportLabels Learn ListRaters GetValidationMetrics"
        ),
        "Line": "ExportLines ImportLines ConfirmLine",
    }
)
"""Methods that only operators may call; no agent's credential is one (E6)."""
FOR_TRUSTED = methods(
    {
        "Extraction": "Capture",
        "Learning": (
            "LeaseTurns SubmitAnswer ReleaseTurns GetLearning ListUnembeddedLines "
            "SubmitEmbeddings"
        ),
        "Validation": "Answer LeaseQuestions ReportQuestion FindQuestion SetOptOut",
    }
)
"""Methods for callers that may speak for others, and for operators (E5)."""
ADDING = methods(
    {
        "Memory": "Assert",
        "Line": "Say KeepNotes ImportLines",
        "Extraction": "Capture",
        "Ingestion": "StartWave AddDocuments",
        "Validation": "ProposeCandidate",
    }
)
"""Methods that a full memory refuses. It answers prompts, and learns nothing of them."""
UNTIMED = methods({"Memory": "Recollect"})
"""Methods without a timer, since they rarely wait and set one themselves then."""

Handler = Callable[[Any, Context], Awaitable[Any]]
Method: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


@dataclass(frozen=True, slots=True)
class UnreadableRequest:
    """A request that cannot be decoded, or that holds text that is not UTF-8."""

    why: str

    @property
    def error(self) -> InvalidArgument:
        """The error to return to the client."""
        return InvalidArgument(f"the request cannot be read: {self.why}")


@dataclass(eq=False)
class Gatekeeper(grpc.aio.ServerInterceptor):
    """Interceptor that authorises calls and denies unknown methods.

    Args:
        limits: The limits of the tenants.
        calls: The limit of the calls under way.
        memories: The memories of the tenants, of which other servers may serve some.
        audit: The log of calls that change something; None for none.
        deadline_seconds_max: Maximum duration of a call in seconds, whatever deadline
            the client sets.
    """

    credentials: Credentials
    limits: TenantLimits
    calls: CallLimit
    memories: Memories
    _: KW_ONLY
    audit: AuditLog | None = None
    deadline_seconds_max: float
    # Wrapped once for each method, and not for each call.
    _methods: dict[str, Method] = field(default_factory=dict, init=False)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Method | None]],
        details: grpc.HandlerCallDetails,
    ) -> Method | None:
        """Wrap our own methods; health and reflection are served as they are.

        It runs in the context of the call, where the handler finds the caller.
        """
        method = self._methods.get(details.method)
        if method is None:
            handler = await continuation(details)
            # Load balancers call it without a token. Reflection and `Watch` need one: anybody could
            # hold their streams open.
            if handler is None or details.method == HEALTH_CHECK:
                return handler
            if not details.method.startswith(PACKAGE):
                return self._known_only(details, handler)
            method = self._wrapped(details.method, handler)
            self._methods[details.method] = method
        # Before the request is read, so that a stranger's is not even decoded.
        try:
            self.calls.enter()
            self._authorise(details)
        # An interceptor can refuse a call only by serving another handler for it.
        except FestingerError as error:
            return _refusing(details.method, method, error)
        return method

    def _known_only(self, details: grpc.HandlerCallDetails, handler: Method) -> Method:
        """Return a handler of the library, refusing those who are not known."""
        try:
            # Counted like our own calls, since a stream of it takes a place.
            self.calls.enter()
            self.credentials.identify(details.invocation_metadata)
        except FestingerError as error:
            return _refusing(details.method, handler, error)
        return handler

    def _wrapped(self, name: str, handler: Method) -> Method:
        """Wrap a method with the time limit and the conversion of errors."""
        if handler.unary_unary:
            make = grpc.unary_unary_rpc_method_handler
            serve = cast(Handler, handler.unary_unary)
            if name not in UNTIMED:
                serve = self._in_time(serve)
        elif handler.unary_stream:
            # No time limit: it runs as long as the work whose progress it streams.
            make = grpc.unary_stream_rpc_method_handler
            serve = cast(Handler, handler.unary_stream)
        elif handler.stream_stream:
            make = grpc.stream_stream_rpc_method_handler
            serve = cast(Handler, handler.stream_stream)
        else:
            # A new kind of method must say first how it is let in.
            raise NotImplementedError(f"nobody guards a method such as {name}")
        # Innermost: the room is looked at once the caller is known and served here.
        if name in ADDING:
            serve = self._with_room(serve)
        return make(
            self._guarded(name, serve),
            # gRPC's own error for unreadable bytes has no reason that a client could act on.
            request_deserializer=_forgiving(handler.request_deserializer),
            response_serializer=handler.response_serializer,
        )

    def _in_time(self, handler: Handler) -> Handler:
        """Add a time limit to a handler."""

        async def hurried(request: Any, context: Context) -> Any:
            """Handle the call within its deadline."""
            # The client's deadline or the server's limit, whichever is nearer.
            async with asyncio.timeout(
                seconds_left(context, self.deadline_seconds_max)
            ):
                return await handler(request, context)

        return hurried

    def _guarded(self, name: str, handler: Handler) -> Handler:
        """Abort a call with the status of the error that its handler raises."""
        # All methods that are not named as reading are audited, so that a new one is.
        audit = self.audit if name not in UNAUDITED else None

        def note(request: Any, **end: Any) -> None:
            """Write the call to the audit log, if there is one."""
            if audit is not None:
                write_call(audit, CALLER.get(), name, request, **end)

        # Streams answer the errors of single requests themselves.
        async def guarded(request: Any, context: Context) -> Any:
            """Handle the call; turn errors into statuses, and audit it."""
            try:
                if isinstance(request, UnreadableRequest):
                    raise request.error
                # Also for calls that need no memory: another server may serve this tenant.
                await self.memories.require_served(CALLER.get().tenant)
                answer = await handler(request, context)
            # Aborted on purpose, or given up by the client: there is no status left to send.
            except (grpc.aio.AbortError, asyncio.CancelledError) as error:
                note(request, error=error)
                raise
            except Exception as error:
                note(request, error=error)
                await _abort(context, error, name)  # raises AbortError
            else:
                note(request, answer=answer)
                return answer

        return guarded

    def _with_room(self, handler: Handler) -> Handler:
        """Have a handler run only if the memory is not full."""

        async def adding(request: Any, context: Context) -> Any:
            """Require room for more facts, then handle the call."""
            # Prompts are no such calls: a full memory answers them and learns nothing.
            await self.limits.require_room(CALLER.get())
            return await handler(request, context)

        return adding

    def _authorise(self, details: grpc.HandlerCallDetails) -> None:
        """Authenticate the caller, check the permission and set `CALLER`."""
        method = details.method
        caller = self.credentials.identify(details.invocation_metadata)
        # Default deny: a method in none of the sets is for nobody, operators included.
        if method not in OPEN and not _may(caller, method):
            whom = "operators"
            if method in FOR_TRUSTED:
                whom = "those who may speak for others, and for operators"
            raise PermissionDenied(
                f"{caller.principal} may not call {method}: it is for {whom}. Use the "
                "festinger command, or the token in operator.token",
                method=method,
            )
        # After the permission, so that refused calls use up no allowance.
        self.limits.count(caller)
        CALLER.set(caller)


def _may(caller: RpcCaller, method: str) -> bool:
    """Return whether a caller may call a method that is not open to all."""
    if method in FOR_TRUSTED:
        return caller.operator or caller.credential.trusted
    return method in FOR_OPERATORS and caller.operator  # trust is no operator's power


def _refusing(name: str, method: Method, error: FestingerError) -> Method:
    """Return a method that refuses one call with an error."""

    async def refuse(request: Any, context: Context) -> None:
        """Abort the call with the error."""
        await _abort(context, error, name)

    # gRPC asks a handler by its kind; one of another kind is a defect of the server.
    if method.request_streaming:
        return grpc.stream_stream_rpc_method_handler(refuse)
    if method.response_streaming:
        return grpc.unary_stream_rpc_method_handler(refuse)
    return grpc.unary_unary_rpc_method_handler(refuse)


async def _abort(context: Context, error: Exception, method: str) -> None:
    await context.abort_with_status(rpc_status.to_status(status_of(error, method)))


def _forgiving(
    deserialize: Callable[[bytes], Any] | None,
) -> Callable[[bytes], Any] | None:
    """Return a deserializer that turns unreadable data into `UnreadableRequest`."""
    if deserialize is None:
        return None

    def read(data: bytes) -> Any:
        """Return the message, or an UnreadableRequest."""
        try:
            return deserialize(data)
        except (DecodeError, UnicodeError) as error:
            return UnreadableRequest(str(error))

    return read
