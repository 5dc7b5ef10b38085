"""Streams of prompts: each request is answered, or refused, while the stream stays open."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any

import grpc.aio

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import CallerSettings
from festinger.errors import (
    FestingerError,
    InvalidArgument,
    Overloaded,
    ServedElsewhere,
    Unauthenticated,
)
from festinger.rpc.recollection.queueing import QuestionQueue
from festinger.rpc.recollection.recollecting import tell
from festinger.rpc.system.callers import CALLER, Context, Credentials, RpcCaller
from festinger.rpc.system.interceptors import UnreadableRequest
from festinger.rpc.system.limits import TenantLimits
from festinger.rpc.system.status import status_of
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory

METHOD = "/festinger.api.v1.MemoryService/RecollectStream"

WAITING_MAX = 32
"""Maximum number of requests of one stream that wait for their memories at once."""

UNANSWERED_MAX = 256
"""Maximum number of requests of one stream that are read ahead of the answers."""

UNSENT_MAX = 32
"""Unsent answers of one stream beyond which no further request is read."""


@dataclass(eq=False)
class Streams:
    """The open streams of a server.

    Args:
        queue: Orders the requests of all streams and calls.
        streams_max: Maximum number of open streams.
        waiting_max: Maximum number of requests of all streams that wait for their
            memories at once.
        seconds_max: Maximum time that each of those waits, in seconds.
        limits: The limits of the tenants.
    """

    memories: Memories
    queue: QuestionQueue
    _: KW_ONLY
    streams_max: int
    waiting_max: int
    seconds_max: float
    limits: TenantLimits
    _open: set[_Stream] = field(default_factory=set, init=False)
    _waiting: int = field(default=0, init=False)
    _ended: bool = field(default=False, init=False)

    async def serve(self, context: Context) -> None:
        """Answer the requests of a stream until its client or the server ends it.

        Raises:
            Overloaded: The server is stopping, or has too many streams.
        """
        # Streams stay open, so that they must leave room for calls.
        if len(self._open) >= self.streams_max:
            raise Overloaded(
                f"{self.streams_max} streams are open, which is all that this server "
                "permits; use Recollect, or try again"
            )
        # The stream's caller; each request may speak for somebody else.
        stream = _Stream(self, context, CALLER.get())
        self._open.add(stream)
        try:
            if not self._ended:
                await stream.serve()
        finally:
            self._open.discard(stream)
        # UNAVAILABLE, so that the client opens a stream to the next server.
        if self._ended:
            raise Overloaded("the server stops; try again")
        if stream.ended_by is not None:
            raise stream.ended_by

    def end(self) -> None:
        """End each stream once it has answered what it read, and refuse new streams."""
        self._ended = True
        for stream in self._open:  # each stream answers what it has read, and then ends
            stream.end()

    def end_unknown(self, credentials: Credentials) -> None:
        """End the streams whose credential is not known any more, or was changed."""
        # A call is refused by its credential; a stream was let in by one that was valid then.
        for stream in self._open:
            if not credentials.holds(stream.credential):
                stream.end(
                    Unauthenticated("the token of this stream is not valid any more")
                )

    async def wait_for(self, caller: RpcCaller) -> TenantMemory:
        """Return the caller's memory after loading it, or waiting for its version.

        Raises:
            Overloaded: Too many requests wait already.
            TimeoutError: It takes too long.
            FestingerError: The memory does not exist, or cannot be read.
        """
        # Loading takes time: waiting requests must not pile up for all streams.
        if self._waiting >= self.waiting_max:
            raise Overloaded("too many requests wait for their memories; try again")
        self._waiting += 1
        try:
            async with asyncio.timeout(self.seconds_max):
                return await self.memories.get(*caller.wanted)
        finally:
            self._waiting -= 1


class _Stream:
    """An open stream.

    Args:
        caller: The caller that opened the stream.

    Attributes:
        ended_by: Why the server ends the stream; None if it does not, or stops.
    """

    def __init__(self, streams: Streams, context: Context, caller: RpcCaller) -> None:
        self._streams = streams
        self._memories = streams.memories
        self._context = context
        self._caller = caller
        self._waiting: set[asyncio.Task[None]] = set()
        self._unanswered = 0
        # Answers in the order in which they were made.
        self._unsent: deque[pb.RecollectStreamResponse] = deque()
        self._news = asyncio.Event()
        """Set when there is an answer to send; the sender waits for it."""
        self._progress = asyncio.Event()
        """Set when an answer was made or sent; the reader waits for it."""
        self._reading: asyncio.Task[Any] | None = None
        self._ended = self._left = False  # by the server; by the client
        self.ended_by: FestingerError | None = None

    @property
    def credential(self) -> CallerSettings:
        """The credential that opened the stream."""
        return self._caller.credential

    async def serve(self) -> None:
        """Answer requests until the client sends no more, or `end` is called."""
        # Tells the client that it is let in, before its first prompt.
        await self._context.send_initial_metadata(())
        # A task of its own sends, so that a client that reads slowly does not stop the reading.
        sending = asyncio.create_task(self._send_all())
        try:
            while request := await self._read():
                self._take(request)
            # What was read is answered before the end, unless the client is gone.
            while (self._unanswered or self._unsent) and not sending.done():
                await self._wait_for_progress()
            if sending.done():
                sending.result()  # raises what ended the sender
        finally:
            self._left = True
            for task in (sending, *self._waiting):
                task.cancel()

    def end(self, error: FestingerError | None = None) -> None:
        """Stop reading requests."""
        self.ended_by = error
        self._ended = True
        if self._reading:  # it waits in `read`, perhaps for ever
            self._reading.cancel()

    async def _read(self) -> pb.RecollectStreamRequest | UnreadableRequest | None:
        """Return the next request; None at the end of the stream."""
        task = asyncio.current_task()
        if self._ended or task is None:
            return None
        # Known to `end`, which has no other way out of gRPC's `read`.
        self._reading = task
        try:
            # Not read, so that gRPC's flow control holds back the client and memory stays bounded.
            while self._is_full and not self._left:
                await self._wait_for_progress()
            request: Any = await self._context.read()
        except asyncio.CancelledError:
            # Cancelled by `end`, unless the task was cancelled from outside as well.
            # `uncancel` takes back the cancellation by `end`, and counts those that are left.
            if not self._ended or task.uncancel():
                raise
            return None
        finally:
            self._reading = None
        return None if request is grpc.aio.EOF else request

    def _take(self, request: pb.RecollectStreamRequest | UnreadableRequest) -> None:
        """Enqueue a request, or wait for its memory first."""
        # Counted before anything can fail, since each request is answered, also by a refusal.
        self._unanswered += 1
        number = 0  # an unreadable request has none
        try:
            if isinstance(request, UnreadableRequest):
                raise request.error
            number = request.id
            caller = self._speaker(request)
            # As calls are in the interceptor: a stream is no way around the limit.
            self._streams.limits.count(caller)
            memory = self._memories.ready(*caller.wanted)
            if memory is None:
                # In a task, so that other memories' requests are answered meanwhile.
                self._wait(request, caller)
            else:
                self._line_up(request, caller, memory)
        # One bad request, or a defect in it, does not end the stream.
        except Exception as error:
            self._refuse(number, error)

    def _line_up(
        self,
        request: pb.RecollectStreamRequest,
        caller: RpcCaller,
        memory: TenantMemory,
    ) -> None:
        """Enqueue a request whose memory is ready."""
        self._streams.queue.add(
            partial(self._answer, request, caller, memory),
            partial(self._refuse, request.id),
        )

    def _say(self, answer: pb.RecollectStreamResponse) -> None:
        """Pass an answer to the sender."""
        self._unanswered -= 1
        self._unsent.append(answer)
        self._news.set()
        self._progress.set()

    def _refuse(self, number: int, error: Exception) -> None:
        """Answer a request with an error."""
        self._say(_refusal(number, error))
        # A stream whose tenant has moved ends, so that a router sends the next one to the new
        # server; a single request for another tenant that moved does not end it.
        if (
            isinstance(error, ServedElsewhere)
            and self._caller.tenant == (error.metadata["tenant"])
        ):
            self.end(error)

    async def _send_all(self) -> None:
        """Send the answers one at a time."""
        try:
            while await self._news.wait():
                self._news.clear()
                while self._unsent:
                    # Blocks while the client does not read.
                    await self._context.write(self._unsent[0])
                    # After the write: an answer is unsent until then.
                    self._unsent.popleft()
                    self._progress.set()
        finally:
            self._left = True  # the client left, or the stream ends
            self._progress.set()

    @property
    def _is_full(self) -> bool:
        """True if no further request is to be read now."""
        return len(self._unsent) >= UNSENT_MAX or self._unanswered >= UNANSWERED_MAX

    async def _wait_for_progress(self) -> None:
        await self._progress.wait()
        self._progress.clear()

    def _speaker(self, request: pb.RecollectStreamRequest) -> RpcCaller:
        """Return the caller of a request."""
        # 0 is the id of the answer to an unreadable request.
        if request.id < 1:
            raise InvalidArgument("id must be positive", field="id")
        return self._caller.on_behalf(
            principal=request.principal,
            subject=request.subject,
            tenant=request.tenant,
            min_version=request.min_version,
            project=request.project,
        )

    def _answer(
        self,
        request: pb.RecollectStreamRequest,
        caller: RpcCaller,
        memory: TenantMemory,
    ) -> None:
        """Process a request, and pass the answer to the sender."""
        if self._left:
            return  # the client is gone
        as_of = self._memories.stale_since
        try:
            told = tell(memory, request.request, caller, as_of=as_of)
            answer = pb.RecollectStreamResponse(id=request.id, response=told)
        except Exception as error:
            answer = _refusal(request.id, error)
        self._say(answer)

    def _wait(self, request: pb.RecollectStreamRequest, caller: RpcCaller) -> None:
        # For each stream, so that one tenant's slow loading does not take all places.
        if len(self._waiting) >= WAITING_MAX:
            raise Overloaded(
                f"{WAITING_MAX} requests of this stream wait for their memories; try "
                "again"
            )
        task = asyncio.create_task(self._answer_later(request, caller))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def _answer_later(
        self, request: pb.RecollectStreamRequest, caller: RpcCaller
    ) -> None:
        try:
            memory = await self._streams.wait_for(caller)
        # Also TimeoutError: the client can ask again.
        except Exception as error:
            self._refuse(request.id, error)
        else:
            self._line_up(request, caller, memory)


def _refusal(number: int, error: Exception) -> pb.RecollectStreamResponse:
    # The same conversion as for a call, so that clients handle both alike.
    status = status_of(error, METHOD)
    return pb.RecollectStreamResponse(
        id=number,
        error={
            "code": status.code,
            "message": status.message,
            "details": status.details,
        },
    )
