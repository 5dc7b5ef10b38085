"""A persistent stream to the memory server, reopened whenever it breaks."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from random import uniform
from typing import Final, TypeAlias

import grpc
import structlog
from google.protobuf.any_pb2 import Any

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.client.channel import Metadata
from festinger.client.details import reason_in, retry_seconds
from festinger.client.failures import code_of
from festinger.client.stream import PATH
from festinger.lifetimes import cancel_all
from festinger.shim.system.identity import RequestCaller

log = structlog.get_logger(__name__)

REQUEST_BYTES_MAX: Final = 2**20
"""Maximum size of a request on the stream. One that exceeds the server's limit would
end the stream for all requests."""
# What was stated should still be read, but not without a bound.
LATE_MAX: Final = 64
"""Maximum number of cancelled requests that are sent nevertheless."""

PAUSE_SECONDS_MIN: Final = 0.1
"""Initial pause in seconds before reopening; doubled while streams break unused."""
PAUSE_SECONDS_MAX: Final = 1.0
REFUSED_SECONDS: Final = 30.0
"""Pause in seconds after a refused stream; long, since the server's version and
limits rarely change."""

_Call: TypeAlias = "grpc.aio.StreamStreamCall[bytes, pb.RecollectStreamResponse]"
_Method: TypeAlias = (
    "grpc.aio.StreamStreamMultiCallable[bytes, pb.RecollectStreamResponse]"
)

_PASSING: Final = {
    grpc.StatusCode.OK,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
}
"""Status codes of a stream that was interrupted, not refused."""


class NotSent(Exception):
    """A request was not sent by the stream: the server has not read it."""


class UnansweredQuery(Exception):
    """The server refused a request, or the stream broke after it may have read it.

    Attributes:
        reason: The memory server's reason; empty for none.
        retry_seconds: When to try again; 0 if the server does not say.
    """

    def __init__(self, code: grpc.StatusCode, details: Sequence[Any] = ()) -> None:
        super().__init__(code.name)
        self.code = code
        self.reason = reason_in(details)
        self.retry_seconds = retry_seconds(details)


class Stream:
    """A stream of queries and their answers, kept open by a background task.

    Args:
        refused: Called with each refusal of a request, even of a cancelled one.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        metadata: Callable[[], Metadata],
        refused: Callable[[UnansweredQuery], None] = lambda refusal: None,
    ) -> None:
        self._metadata = metadata
        self._on_refusal = refused
        # By its path: requests are serialised by the caller, so the stub does not fit.
        self._call: _Method = channel.stream_stream(
            PATH, response_deserializer=pb.RecollectStreamResponse.FromString
        )
        self._numbers = itertools.count(1)
        # Requests by number, as bytes; removed once they are written.
        self._unsent: dict[int, bytes] = {}
        self._news = asyncio.Event()
        self._waiting: dict[int, asyncio.Future[pb.RecollectResponse]] = {}
        self._ready = False
        # Whether the current stream has answered anything, so that it works.
        self._answered = False
        self._refused: grpc.StatusCode | None = None
        self._keeping = asyncio.create_task(self._keep())

    @property
    def ready(self) -> bool:
        """True if the server has accepted the stream and it is not known as broken."""
        return self._ready

    async def stop(self) -> None:
        """Close the stream for good."""
        self._keeping.cancel()
        await asyncio.wait([self._keeping])

    async def ask(
        self, request: pb.RecollectRequest, caller: RequestCaller
    ) -> pb.RecollectResponse:
        """Send a query and return its answer.

        Raises:
            NotSent: The stream is not open, or the request is too large for it.
            UnansweredQuery: The server refused it, or the stream broke.
        """
        if not self._ready:
            raise NotSent
        number = next(self._numbers)
        # The caller stands in each request: one stream serves all of them (E5).
        data = pb.RecollectStreamRequest(
            id=number,
            request=request,
            principal=caller.principal,
            subject=caller.subject,
            project=caller.project,
        ).SerializeToString()
        # A unary call carries it, and fails alone.
        if len(data) > REQUEST_BYTES_MAX:
            raise NotSent
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[pb.RecollectResponse] = loop.create_future()
        self._waiting[number] = answer
        self._unsent[number] = data
        self._news.set()
        try:
            return await answer
        finally:
            del self._waiting[number]
            # Otherwise a cancelled query is sent nevertheless, and read for its statements.
            if len(self._unsent) > LATE_MAX:
                self._unsent.pop(number, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # marks it as retrieved, if cancelled just now

    async def _keep(self) -> None:
        """Keep a stream open: reopen it after a pause whenever it ends."""
        pause = PAUSE_SECONDS_MIN
        while True:
            self._answered = False
            refused = await self._hold()
            # A server without this method, or with a lower limit, does not change soon.
            if refused:
                pause = REFUSED_SECONDS
            elif self._answered:
                pause = PAUSE_SECONDS_MIN
            else:
                pause = min(2 * pause, PAUSE_SECONDS_MAX)
            # Spread, so that several shims do not return at the same moment.
            await asyncio.sleep(pause * uniform(0.5, 1.0))

    async def _hold(self) -> bool:
        """Open a stream and process its answers until it breaks.

        Returns:
            Whether the server refused it.
        """
        # The channel handles reconnection; meanwhile queries raise `NotSent` at once.
        call = self._call(metadata=self._metadata(), wait_for_ready=True)
        sending: asyncio.Task[None] | None = None
        code = grpc.StatusCode.CANCELLED
        try:
            # The server sends it at once when it accepts the stream.
            await call.initial_metadata()
            self._ready = not call.done()
            sending = asyncio.create_task(self._send(call))
            while isinstance(answer := await call.read(), pb.RecollectStreamResponse):
                self._deliver(answer)
            code = await call.code()
        except grpc.aio.AioRpcError as error:
            code = error.code()
        except Exception:
            # Queries use unary calls until the stream is reopened.
            log.exception("memory_stream_failed")
        finally:
            self._ready = False
            call.cancel()
            await cancel_all([sending])
            self._fail(code)
        return self._is_refusal(code)

    async def _send(self, call: _Call) -> None:
        """Send queued requests, oldest first, one at a time as gRPC requires."""
        while await self._news.wait():
            self._news.clear()
            while self._unsent:
                # Removed before it is written: what the server may have read is not repeated.
                await call.write(self._unsent.pop(next(iter(self._unsent))))

    def _deliver(self, answer: pb.RecollectStreamResponse) -> None:
        self._answered = True
        waiting = self._waiting.get(answer.id)
        is_awaited = waiting is not None and not waiting.done()
        if answer.HasField("response"):
            if waiting and is_awaited:
                waiting.set_result(answer.response)
            return
        refusal = UnansweredQuery(code_of(answer.error.code), answer.error.details)
        # Also if nobody waits any more: a retry delay holds for the next queries.
        self._on_refusal(refusal)
        if waiting and is_awaited:
            waiting.set_exception(refusal)

    def _fail(self, code: grpc.StatusCode) -> None:
        """Fail all waiting queries after the stream ended with a status code."""
        # Then no request reached any code that reads it.
        unread = code is grpc.StatusCode.UNIMPLEMENTED
        if code in _PASSING:
            code = grpc.StatusCode.UNAVAILABLE
        for number, waiting in self._waiting.items():
            if not waiting.done():
                sent = number not in self._unsent and not unread
                # `NotSent` allows a unary call; what may have been read must not be read twice.
                waiting.set_exception(UnansweredQuery(code) if sent else NotSent())
        self._unsent.clear()

    def _is_refusal(self, code: grpc.StatusCode) -> bool:
        """Return whether the server refused a stream; log it once per code."""
        refused = not self._answered and code not in _PASSING
        # Only the first time: refusals repeat with every attempt.
        if refused and code is not self._refused:
            log.info("memory_stream_refused", code=code.name, used="calls")
        self._refused = code if refused else None
        return refused
