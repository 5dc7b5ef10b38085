"""Recollect's answer, and its streaming twin: many prompts of many people at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Any

import grpc.aio

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.errors import InvalidArgument, Overloaded
from festinger.flows.memory import Memories, Memory
from festinger.flows.recollect import answer_prompt
from festinger.rpc.callers import CALLER, Caller, Context
from festinger.rpc.decoding import conversation_of, hinted_of, told_of, turns_of
from festinger.rpc.encoding import encode_answer, encode_response
from festinger.rpc.interceptors import Unreadable
from festinger.rpc.status import status_of

METHOD = "/festinger.api.v1.MemoryService/RecollectStream"

WAITING_MAX = 32
"""Requests of one stream that may wait for their memories at once."""


def tell(
    memory: Memory, asked: pb.RecollectRequest, caller: Caller, *, stale: bool
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
        # Behind the answer, which is on its way before this task lets others run, and
        # whatever becomes of the call.
        seconds = perf_counter() - began
        asyncio.get_running_loop().call_soon(_keep, keep, memory, seconds)


def _keep(keep: Callable[[], None], memory: Memory, seconds: float) -> None:
    """What is left to do of a prompt, and the count of it."""
    keep()
    memory.statistics.recollections.add(seconds)


class Streams:
    """The streams that are open.

    Args:
        streams_max: How many may be.
        waiting_max: Requests of all of them that may wait for their memories at once.
        seconds_max: How long each of these may.
    """

    def __init__(
        self,
        memories: Memories,
        *,
        streams_max: int,
        waiting_max: int,
        seconds_max: float,
    ) -> None:
        self.memories = memories
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

    async def wait_for(self, caller: Caller) -> Memory:
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

    One task reads and answers. It waits for gRPC twice a request, so that others have
    their turn between two requests of a flood; and what cannot be answered at once
    waits in a task of its own.

    Args:
        caller: Who opened it.
    """

    def __init__(self, streams: Streams, context: Context, caller: Caller) -> None:
        self._streams = streams
        self._memories = streams.memories
        self._context = context
        self._caller = caller
        self._waiting: set[asyncio.Task[None]] = set()
        # gRPC takes one answer at a time. Who waits here waits for the client to read.
        self._sending = asyncio.Lock()
        self._reading: asyncio.Task[Any] | None = None
        self._ended = False

    async def serve(self) -> None:
        """Answers what comes, until there is no more or it is told to end."""
        await self._context.send_initial_metadata(())
        try:
            while request := await self._read():
                await self._take(request)
            if self._waiting:
                await asyncio.wait(self._waiting)
        finally:
            for task in self._waiting:
                task.cancel()

    def end(self) -> None:
        """Has it read no more."""
        self._ended = True
        if self._reading:
            self._reading.cancel()

    async def _read(self) -> pb.RecollectStreamRequest | Unreadable | None:
        """The next request; None if there is none."""
        task = asyncio.current_task()
        if self._ended or task is None:
            return None
        self._reading = task
        try:
            request: Any = await self._context.read()
        except asyncio.CancelledError:
            # Ours, unless somebody else wants it to end as well.
            if not self._ended or task.uncancel():
                raise
            return None
        finally:
            self._reading = None
        return None if request is grpc.aio.EOF else request

    async def _take(self, request: pb.RecollectStreamRequest | Unreadable) -> None:
        """Answers a request, or has it wait for its memory."""
        number = 0
        try:
            if isinstance(request, Unreadable):
                raise request.error
            number = request.id
            caller = self._speaker(request)
            memory = self._memories.ready(*caller.wanted)
            if memory is None:
                self._wait(request, caller)
                return
            answer = self._answer(request, caller, memory)
        except Exception as error:
            answer = _refusal(number, error)
        if self._waiting:
            await self._send(answer)
        else:
            # Nobody else sends, and nobody begins to wait while this task does not read.
            await self._context.write(answer)

    def _speaker(self, request: pb.RecollectStreamRequest) -> Caller:
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
        self, request: pb.RecollectStreamRequest, caller: Caller, memory: Memory
    ) -> bytes:
        stale = self._memories.stale
        return encode_answer(
            request.id, tell(memory, request.request, caller, stale=stale)
        )

    def _wait(self, request: pb.RecollectStreamRequest, caller: Caller) -> None:
        if len(self._waiting) >= WAITING_MAX:
            raise Overloaded(
                f"{WAITING_MAX} requests of this stream wait for their memories; try "
                "again"
            )
        task = asyncio.create_task(self._answer_later(request, caller))
        self._waiting.add(task)
        task.add_done_callback(self._waited)

    async def _answer_later(
        self, request: pb.RecollectStreamRequest, caller: Caller
    ) -> None:
        try:
            memory = await self._streams.wait_for(caller)
            answer = self._answer(request, caller, memory)
        except Exception as error:
            answer = _refusal(request.id, error)
        await self._send(answer)

    def _waited(self, task: asyncio.Task[None]) -> None:
        self._waiting.discard(task)
        if not task.cancelled():
            task.exception()  # the client is gone, which the reader learns as well

    async def _send(self, answer: bytes) -> None:
        async with self._sending:
            await self._context.write(answer)


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
