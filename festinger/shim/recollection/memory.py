"""Client of the memory server: one open stream, and a short timeout for prompts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf
from typing import Any, Final

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc

from festinger.api.v1 import extraction_service_pb2 as extraction_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1 import memory_service_pb2_grpc
from festinger.channels import PLAIN, REOPEN_SECONDS, open_channel
from festinger.client.channel import Metadata
from festinger.client.details import status_in
from festinger.config import TlsSettings
from festinger.core.system.principals import as_metadata
from festinger.lifetimes import cancel_all
from festinger.shim.recollection.stream import (
    LATE_MAX,
    NotSent,
    Stream,
    UnansweredQuery,
)
from festinger.shim.system.calls import SECONDS_MAX, MemoryRefused, call
from festinger.shim.system.identity import RequestCaller

log = structlog.get_logger(__name__)

# No prompt waits for it, so it may wait for a commit.
CAPTURE_SECONDS_MAX: Final = 5.0
"""Timeout in seconds of storing turns."""

LATE_SECONDS_MAX: Final = 5.0
"""Timeout in seconds of a call whose prompt was forwarded without its answer."""

BUSY_SECONDS_MAX: Final = 5.0
"""Maximum pause in seconds after the server reports overload."""

LOG_SECONDS: Final = 10.0
"""Minimum interval in seconds of log messages about the same failure."""

_BUSY: Final = frozenset({"overloaded", "limit_exceeded"})
"""Reasons of a refusal that has a retry delay."""

# As they stand in `X-Festinger-Recollection: skipped:…` and in the metrics.
_CAUSES: Final = {
    grpc.StatusCode.UNAVAILABLE: "memory-down",
    grpc.StatusCode.DEADLINE_EXCEEDED: "memory-slow",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "memory-busy",
}


class MemoryUnavailable(Exception):
    """The memory did not answer in time; the prompt is forwarded without it (D8).

    Its text is the cause: `memory-down`, `memory-slow`, `memory-busy` or `memory-error`.
    """


class MemoryClient:
    """Client of the memory server.

    Args:
        token: Returns the shim's own credential, which may be replaced at any time;
            None if it has none.

    Attributes:
        budget_seconds: Maximum time that a prompt may wait; may be changed.
    """

    def __init__(
        self,
        address: str,
        token: Callable[[], str | None],
        *,
        tenant: str,
        budget_seconds: float,
        tls: TlsSettings = PLAIN,
    ) -> None:
        self._address = address
        self._tls = tls
        self._token = token
        self._tenant = tenant
        self.budget_seconds = budget_seconds
        self._channel: grpc.aio.Channel | None = None
        self._stream: Stream | None = None
        # Cause that was logged last; None while the memory answers.
        self._trouble: str | None = None
        self._logged: dict[str, float] = {}
        # Loop time until which no query is sent, as the server asked for.
        self._busy_until = -inf
        self._under_way: set[asyncio.Task[pb.RecollectResponse]] = set()

    async def start(self) -> None:
        """Open the channel and the stream, without waiting for the server."""
        self._channel = open_channel(self._address, self._tls)
        # The credential is asked for by each new stream: the token may be replaced any time.
        self._stream = Stream(
            self._channel, lambda: self._credential, self._note_refusal
        )
        # The generated stubs carry no types.
        stub: Any = memory_service_pb2_grpc.MemoryServiceStub
        self._memory = stub(self._channel)
        self._health: Any = health_pb2_grpc.HealthStub(self._channel)

    async def reopen(self) -> None:
        """Connect anew, with the certificates as they are now; calls may end first."""
        # The new channel opens first: an unreadable certificate leaves the old one in use.
        stream, channel = self._stream, self._channel
        await self.start()
        if stream:
            await stream.stop()
        if channel:
            await channel.close(REOPEN_SECONDS)

    async def stop(self) -> None:
        """Close the stream and the channel, and cancel late calls."""
        if self._stream:
            await self._stream.stop()
        await cancel_all(self._under_way)
        if self._channel:
            await self._channel.close()

    async def recollect(
        self, request: pb.RecollectRequest, caller: RequestCaller
    ) -> pb.RecollectResponse:
        """Query the memory about a prompt and return its answer.

        Raises:
            MemoryUnavailable: There is no answer within `budget_seconds`, or the server
                has reported overload and its retry delay is not over.
        """
        # The server has asked for a pause: refusing each question would cost it time too.
        if asyncio.get_running_loop().time() < self._busy_until:
            raise MemoryUnavailable("memory-busy")
        try:
            async with asyncio.timeout(self.budget_seconds):
                response = await self._ask(request, caller)
        except TimeoutError:
            # The prompt is forwarded, but the query is not cancelled: a client without
            # history sends a statement only once.
            raise self._unavailable("memory-slow") from None
        except grpc.aio.AioRpcError as error:
            status = status_in(error)
            refusal = UnansweredQuery(error.code(), status.details if status else ())
            # The stream notes refusals by itself, a unary call does not.
            self._note_refusal(refusal)
            raise self._unanswered(refusal) from None
        except UnansweredQuery as error:
            raise self._unanswered(error) from None
        if self._trouble:
            log.info("memory_back", address=self._address)
            self._trouble = None
        return response

    async def _ask(
        self, request: pb.RecollectRequest, caller: RequestCaller
    ) -> pb.RecollectResponse:
        """Send a query by the stream, or by a unary call if the stream is not ready."""
        assert self._stream is not None
        try:
            return await self._stream.ask(request, caller)
        except NotSent:
            pass
        # A task of its own, so that a timeout leaves it running: see `recollect`.
        call = asyncio.create_task(self._recollect(request, caller))
        self._under_way.add(call)
        call.add_done_callback(self._ended)
        try:
            return await asyncio.shield(call)
        except asyncio.CancelledError:
            # A server that never answers must not collect calls without end.
            if len(self._under_way) > LATE_MAX:
                call.cancel()
            raise

    async def _recollect(
        self, request: pb.RecollectRequest, caller: RequestCaller
    ) -> pb.RecollectResponse:
        response: pb.RecollectResponse = await self._memory.Recollect(
            request, metadata=self._metadata(caller), timeout=LATE_SECONDS_MAX
        )
        return response

    def _ended(self, call: asyncio.Task[pb.RecollectResponse]) -> None:
        self._under_way.discard(call)
        if not call.cancelled():
            call.exception()  # marks a late call's error as retrieved

    async def call(
        self,
        request: Any,
        caller: RequestCaller | None = None,
        seconds: float = SECONDS_MAX,
    ) -> Any:
        """Call the method that takes a request, and return its response.

        Args:
            caller: On whose behalf it is called; None for the shim itself.

        Raises:
            MemoryRefused: The server refuses it or cannot be reached.
        """
        assert self._channel is not None
        metadata = self._metadata(caller) if caller else self._credential
        return await call(self._channel, request, metadata, seconds)

    async def capture(
        self, request: extraction_pb.CaptureRequest, caller: RequestCaller
    ) -> None:
        """Store turns, and return once they are committed.

        Raises:
            MemoryUnavailable: The server is unavailable or too slow; the turns may be
                stored nevertheless.
            MemoryRefused: The server refuses them.
        """
        try:
            await self.call(request, caller, CAPTURE_SECONDS_MAX)
        except MemoryRefused as refusal:
            # These may pass, so the caller tries again; any other refusal is final.
            if refusal.code in _CAUSES:
                raise MemoryUnavailable(_CAUSES[refusal.code]) from None
            raise

    async def health(self, service: str, seconds: float) -> str:
        """Return the state of a service of the server.

        Args:
            service: Name in the standard health service; empty for the whole server.

        Returns:
            `ready`, `not-ready`, `unknown` (the server has no such service) or
            `unreachable`.
        """
        try:
            async with asyncio.timeout(seconds):
                response = await self._health.Check(
                    health_pb2.HealthCheckRequest(service=service), timeout=seconds
                )
        except TimeoutError:
            return "unreachable"
        except grpc.aio.AioRpcError as error:
            # An older server may lack a service, and is not unreachable for that.
            unknown = error.code() is grpc.StatusCode.NOT_FOUND
            return "unknown" if unknown else "unreachable"
        serving = response.status == health_pb2.HealthCheckResponse.SERVING
        return "ready" if serving else "not-ready"

    @property
    def _credential(self) -> Metadata:
        tenant = ("festinger-tenant", self._tenant)
        if (token := self._token()) is None:
            return (tenant,)
        return (("authorization", f"Bearer {token}"), tenant)

    def _metadata(self, caller: RequestCaller) -> Metadata:
        return (
            # The shim is trusted to speak for its callers (E5).
            *self._credential,
            ("festinger-principal", as_metadata(caller.principal)),
            ("festinger-subject", as_metadata(caller.subject)),
            ("festinger-project", as_metadata(caller.project)),
        )

    def _note_refusal(self, refusal: UnansweredQuery) -> None:
        """Record the retry delay of a refusal that reports overload."""
        if refusal.reason not in _BUSY:
            return
        # Limited, so that a wrong delay does not switch the memory off.
        seconds = min(refusal.retry_seconds, BUSY_SECONDS_MAX)
        until = asyncio.get_running_loop().time() + seconds
        self._busy_until = max(self._busy_until, until)

    def _unanswered(self, refusal: UnansweredQuery) -> MemoryUnavailable:
        why = _CAUSES.get(refusal.code, "memory-error")
        return self._unavailable("memory-busy" if refusal.reason in _BUSY else why)

    def _unavailable(self, why: str) -> MemoryUnavailable:
        # Logged once per change: a line for every prompt would flood the log. Under
        # overload the cause changes many times a second, hence the interval.
        now = asyncio.get_running_loop().time()
        if self._trouble != why and now - self._logged.get(why, -inf) >= LOG_SECONDS:
            log.warning("memory_unavailable", why=why, address=self._address)
            self._logged[why] = now
            self._trouble = why
        return MemoryUnavailable(why)
