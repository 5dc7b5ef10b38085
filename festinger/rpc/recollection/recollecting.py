"""Answers to Recollect calls and to the prompts of Recollect streams."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from time import perf_counter
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
from festinger.rpc.filling import fill_response
from festinger.rpc.recollection.decoding import (
    conversation_of,
    hinted_of,
    told_of,
    turns_of,
)
from festinger.rpc.recollection.queueing import QuestionQueue
from festinger.rpc.system.callers import CALLER, Context, Credentials, RpcCaller
from festinger.rpc.system.interceptors import UnreadableRequest
from festinger.rpc.system.limits import TenantLimits
from festinger.rpc.system.status import status_of
from festinger.services.recollection.recollect import answer_prompt
from festinger.services.world.memory import Memories, TenantMemory

METHOD = "/festinger.api.v1.MemoryService/RecollectStream"

WAITING_MAX = 32
"""Maximum number of requests of one stream that wait for their memories at once."""

UNANSWERED_MAX = 256
"""Maximum number of requests of one stream that are read ahead of the answers."""

UNSENT_MAX = 32
"""Unsent answers of one stream beyond which no further request is read."""


def tell(
    memory: TenantMemory,
    asked: pb.RecollectRequest,
    caller: RpcCaller,
    *,
    as_of: float | None,
) -> pb.RecollectResponse:
    """Answer a prompt.

    Args:
        as_of: When the database last answered, in seconds since the epoch, if its
            silence makes the answer stale; else None.

    Raises:
        InvalidArgument: A digest or the session's name is invalid.
    """
    began = perf_counter()
    recollection, keep = answer_prompt(
        memory,
        turns_of(asked.turns),
        principal=caller.principal,
        subject=caller.subject,
        hinted=hinted_of(asked),
        told=told_of(asked),
        where=conversation_of(asked, caller.project),
    )
    try:
        if as_of is not None:
            recollection = recollection.marked(as_of)
        response = pb.RecollectResponse()
        fill_response(response, recollection, as_of is not None)
        return response
    finally:
        # Two iterations of the loop later, since the next one sends the answer; and
        # even if the call fails.
        seconds = perf_counter() - began
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.call_soon, _keep, keep, memory, seconds)


def _keep(keep: Callable[[], None], memory: TenantMemory, seconds: float) -> None:
    """Run the deferred work of a prompt, and count its duration."""
    keep()
    memory.statistics.recollections.add(seconds)


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

    def __init__(
        self,
        memories: Memories,
        queue: QuestionQueue,
        *,
        streams_max: int,
        waiting_max: int,
        seconds_max: float,
        limits: TenantLimits,
    ) -> None:
        self.limits = limits
        self.memories = memories
        self.queue = queue
        self._streams_max = streams_max
        self._waiting_max = waiting_max
        self._seconds_max = seconds_max
        self._open: set[_Stream] = set()
        self._waiting = 0
        self._ended = False

    async def serve(self, context: Context) -> None:
        """Answer the requests of a stream until its client or the server ends it.

        Raises:
            Overloaded: The server is stopping, or has too many streams.
        """
        if len(self._open) >= self._streams_max:
            raise Overloaded(
                f"{self._streams_max} streams are open, which is all that this server "
                "permits; use Recollect, or try again"
            )
        stream = _Stream(self, context, CALLER.get())
        self._open.add(stream)
        try:
            if not self._ended:
                await stream.serve()
        finally:
            self._open.discard(stream)
        if self._ended:
            raise Overloaded("the server stops; try again")
        if stream.ended_by is not None:
            raise stream.ended_by

    def end(self) -> None:
        """End each stream once it has answered what it read, and refuse new streams."""
        self._ended = True
        for stream in self._open:
            stream.end()

    def end_unknown(self, credentials: Credentials) -> None:
        """End the streams whose credential is not known any more, or was changed."""
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
        if self._waiting >= self._waiting_max:
            raise Overloaded("too many requests wait for their memories; try again")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._seconds_max):
                return await self.memories.get(*caller.wanted)
        finally:
            self._waiting -= 1


class _Stream:
    """An open stream.

    One task reads ahead of the answers, so that the length of the queue is known;
    another sends. A request whose memory is not ready waits in a task of its own.

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
        self._unsent: deque[pb.RecollectStreamResponse] = deque()
        self._news = asyncio.Event()
        """Set when there is an answer to send; the sender waits for it."""
        self._progress = asyncio.Event()
        """Set when an answer was made or sent; the reader waits for it."""
        self._reading: asyncio.Task[Any] | None = None
        self._ended = self._left = False
        self.ended_by: FestingerError | None = None

    @property
    def credential(self) -> CallerSettings:
        """The credential that opened the stream."""
        return self._caller.credential

    async def serve(self) -> None:
        """Answer requests until the client sends no more, or `end` is called."""
        await self._context.send_initial_metadata(())
        sending = asyncio.create_task(self._send_all())
        try:
            while request := await self._read():
                self._take(request)
            while (self._unanswered or self._unsent) and not sending.done():
                await self._wait_for_progress()
            if sending.done():
                sending.result()
        finally:
            self._left = True
            for task in (sending, *self._waiting):
                task.cancel()

    def end(self, error: FestingerError | None = None) -> None:
        """Stop reading requests."""
        self.ended_by = error
        self._ended = True
        if self._reading:
            self._reading.cancel()

    async def _read(self) -> pb.RecollectStreamRequest | UnreadableRequest | None:
        """Return the next request; None at the end of the stream.

        Does not read while the client leaves too many answers unread.
        """
        task = asyncio.current_task()
        if self._ended or task is None:
            return None
        self._reading = task
        try:
            while self._is_full and not self._left:
                await self._wait_for_progress()
            request: Any = await self._context.read()
        except asyncio.CancelledError:
            # Cancelled by `end`, unless the task was cancelled from outside as well.
            if not self._ended or task.uncancel():
                raise
            return None
        finally:
            self._reading = None
        return None if request is grpc.aio.EOF else request

    def _take(self, request: pb.RecollectStreamRequest | UnreadableRequest) -> None:
        """Enqueue a request, or wait for its memory first."""
        self._unanswered += 1
        number = 0
        try:
            if isinstance(request, UnreadableRequest):
                raise request.error
            number = request.id
            caller = self._speaker(request)
            self._streams.limits.count(caller)
            memory = self._memories.ready(*caller.wanted)
            if memory is None:
                self._wait(request, caller)
            else:
                self._line_up(request, caller, memory)
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
        """Answer a request with an error.

        The stream ends if its tenant has moved, so that a router directs the next one to
        the server that has it.
        """
        self._say(_refusal(number, error))
        if (
            isinstance(error, ServedElsewhere)
            and self._caller.tenant == (error.metadata["tenant"])
        ):
            self.end(error)

    async def _send_all(self) -> None:
        """Send the answers one at a time.

        A write blocks while the client does not read.
        """
        try:
            while await self._news.wait():
                self._news.clear()
                while self._unsent:
                    await self._context.write(self._unsent[0])
                    self._unsent.popleft()
                    self._progress.set()
        finally:
            self._left = True
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
        except Exception as error:
            self._refuse(request.id, error)
        else:
            self._line_up(request, caller, memory)


def _refusal(number: int, error: Exception) -> pb.RecollectStreamResponse:
    status = status_of(error, METHOD)
    return pb.RecollectStreamResponse(
        id=number,
        error={
            "code": status.code,
            "message": status.message,
            "details": status.details,
        },
    )
