"""Recollect's answer, and its streaming twin: many prompts of many people at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import grpc.aio

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.errors import InvalidArgument, Overloaded
from festinger.rpc.encoding import encode_answer, encode_response
from festinger.rpc.recollection.decoding import (
    conversation_of,
    hinted_of,
    told_of,
    turns_of,
)
from festinger.rpc.recollection.queueing import QuestionQueue
from festinger.rpc.system.callers import CALLER, Context, RpcCaller
from festinger.rpc.system.interceptors import UnreadableRequest
from festinger.rpc.system.status import status_of
from festinger.services.recollection.recollect import answer_prompt
from festinger.services.world.memory import Memories, TenantMemory

METHOD = "/festinger.api.v1.MemoryService/RecollectStream"

WAITING_MAX = 32
"""Requests of one stream that may wait for their memories at once."""

UNANSWERED_MAX = 256
"""Requests of one stream that are read ahead of the answers."""

UNSENT_MAX = 32
"""Answers of one stream that its client has not taken; beyond, it is not read."""


def tell(
    memory: TenantMemory, asked: pb.RecollectRequest, caller: RpcCaller, *, stale: bool
) -> bytes:
    """Reads a prompt.

    Returns:
        A `RecollectResponse`.

    Raises:
        InvalidArgument: A digest, or the session's name, cannot be one.
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
        return encode_response(recollection, stale)
    finally:
        # Behind the answer, which whoever waits for it sends in the loop's next turn,
        # and whatever becomes of the call.
        seconds = perf_counter() - began
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.call_soon, _keep, keep, memory, seconds)


def _keep(keep: Callable[[], None], memory: TenantMemory, seconds: float) -> None:
    """What is left to do of a prompt, and the count of it."""
    keep()
    memory.statistics.recollections.add(seconds)


class Streams:
    """The streams that are open.

    Args:
        queue: Says which question is answered next.
        streams_max: How many may be.
        waiting_max: Requests of all of them that may wait for their memories at once.
        seconds_max: How long each of these may.
    """

    def __init__(
        self,
        memories: Memories,
        queue: QuestionQueue,
        *,
        streams_max: int,
        waiting_max: int,
        seconds_max: float,
    ) -> None:
        self.memories = memories
        self.queue = queue
        self._streams_max = streams_max
        self._waiting_max = waiting_max
        self._seconds_max = seconds_max
        self._open: set[_Stream] = set()
        self._waiting = 0
        self._ended = False

    async def serve(self, context: Context) -> None:
        """Answers what comes by a stream, until its client or the server ends it.

        Raises:
            Overloaded: The server stops, or has too many streams.
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

    def end(self) -> None:
        """Has each stream answer what it has read, and end; lets no more in."""
        self._ended = True
        for stream in self._open:
            stream.end()

    async def wait_for(self, caller: RpcCaller) -> TenantMemory:
        """A memory that has to be loaded, or has to follow others first.

        Raises:
            Overloaded: Too many wait.
            TimeoutError: It takes too long.
            FestingerError: There is none, or it cannot be read.
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
    """A stream that is open.

    One task reads, ahead of the answers, so that it is known how long questions wait;
    another sends. What cannot be answered at once waits in a task of its own.

    Args:
        caller: Who opened it.
    """

    def __init__(self, streams: Streams, context: Context, caller: RpcCaller) -> None:
        self._streams = streams
        self._memories = streams.memories
        self._context = context
        self._caller = caller
        self._waiting: set[asyncio.Task[None]] = set()
        self._unanswered = 0
        self._unsent: deque[bytes] = deque()
        self._news = asyncio.Event()
        """There is an answer to send; the sender waits for it."""
        self._progress = asyncio.Event()
        """Something was answered or sent; the reader waits for it."""
        self._reading: asyncio.Task[Any] | None = None
        self._ended = self._left = False

    async def serve(self) -> None:
        """Answers what comes, until there is no more or it is told to end."""
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

    def end(self) -> None:
        """Has it read no more."""
        self._ended = True
        if self._reading:
            self._reading.cancel()

    async def _read(self) -> pb.RecollectStreamRequest | UnreadableRequest | None:
        """The next request; None if there is none.

        Waits for a client that does not take its answers.
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
            # Ours, unless somebody else wants it to end as well.
            if not self._ended or task.uncancel():
                raise
            return None
        finally:
            self._reading = None
        return None if request is grpc.aio.EOF else request

    def _take(self, request: pb.RecollectStreamRequest | UnreadableRequest) -> None:
        """Has a request answered when it is its turn, or wait for its memory."""
        self._unanswered += 1
        number = 0
        try:
            if isinstance(request, UnreadableRequest):
                raise request.error
            number = request.id
            caller = self._speaker(request)
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
        """Has a request answered when it is its turn."""
        self._streams.queue.add(
            partial(self._answer, request, caller, memory),
            partial(self._refuse, request.id),
        )

    def _say(self, answer: bytes) -> None:
        """Has an answer sent."""
        self._unanswered -= 1
        self._unsent.append(answer)
        self._news.set()
        self._progress.set()

    def _refuse(self, number: int, error: Exception) -> None:
        """Has it sent why a request has no answer."""
        self._say(_refusal(number, error))

    async def _send_all(self) -> None:
        """Sends the answers, one at a time as gRPC takes them.

        Who waits here waits for the client to read.
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
        """Whether no more is to be read now."""
        return len(self._unsent) >= UNSENT_MAX or self._unanswered >= UNANSWERED_MAX

    async def _wait_for_progress(self) -> None:
        await self._progress.wait()
        self._progress.clear()

    def _speaker(self, request: pb.RecollectStreamRequest) -> RpcCaller:
        """Who makes a request."""
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
        """Judges a request, and has the answer sent."""
        if self._left:
            return  # nobody is there to be told
        stale = self._memories.stale
        try:
            told = tell(memory, request.request, caller, stale=stale)
            answer = encode_answer(request.id, told)
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


def _refusal(number: int, error: Exception) -> bytes:
    status = status_of(error, METHOD)
    answer = pb.RecollectStreamResponse(
        id=number,
        error={
            "code": status.code,
            "message": status.message,
            "details": status.details,
        },
    )
    return answer.SerializeToString()
