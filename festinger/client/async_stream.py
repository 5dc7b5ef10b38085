"""An open stream that has prompts recollected, for programs with an event loop."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.client import failures
from festinger.client.channel import Metadata
from festinger.client.stream import PATH, answer_of
from festinger.lifetimes import AsyncCloseable


class AsyncRecollectStream(AsyncCloseable):
    """Has any number of prompts recollected over one call that stays open.

    Arguments, methods and errors are those of `RecollectStream`; any number of tasks may
    use it.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        metadata: Metadata,
        timeout: float,
        address: str,
    ) -> None:
        self._timeout = timeout
        self._address = address
        # Answers come in any order, so each request has a number.
        self._numbers = itertools.count(1)
        self._waiting: dict[
            int, asyncio.Future[pb.RecollectResponse | failures.CallFailure]
        ] = {}
        self._sent: asyncio.Queue[bytes] = asyncio.Queue()
        self._ended: failures.CallFailure | None = None
        calling: Any = channel.stream_stream(
            PATH, response_deserializer=pb.RecollectStreamResponse.FromString
        )
        # The scope stands in the call; a request may name another person or project.
        self._call: Any = calling(self._requests(), metadata=metadata)
        # One task reads for all that wait.
        self._reader = asyncio.create_task(self._read())

    async def close(self) -> None:
        """End the stream; prompts without an answer fail with `ServerUnreachable`."""
        self._call.cancel()
        await asyncio.wait([self._reader])

    async def recollect(
        self, request: pb.RecollectRequest, **fields: Any
    ) -> pb.RecollectResponse:
        """Read a prompt, and return what the memory can tell about it."""
        # Repeated only if the server says that it has not read the prompt.
        attempts = failures.Attempts(self._timeout, repeatable=False)
        while True:
            answer = await self._ask(request, fields, attempts.left)
            if isinstance(answer, pb.RecollectResponse):
                return answer
            pause = attempts.pause_after(answer)
            # A stream that has ended stays so, whatever its last error invites to.
            if pause is None or self._ended:
                raise answer.error
            await asyncio.sleep(pause)

    async def _ask(
        self, request: pb.RecollectRequest, fields: dict[str, Any], seconds: float
    ) -> pb.RecollectResponse | failures.CallFailure:
        if self._ended:
            return self._ended
        number = next(self._numbers)
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[pb.RecollectResponse | failures.CallFailure] = (
            loop.create_future()
        )
        self._waiting[number] = answered
        wanted = pb.RecollectStreamRequest(id=number, request=request, **fields)
        self._sent.put_nowait(wanted.SerializeToString())
        try:
            async with asyncio.timeout(seconds):
                return await answered
        except TimeoutError:
            return failures.too_late(self._address)
        finally:
            # A late answer finds nobody, and is dropped.
            del self._waiting[number]

    async def _requests(self) -> AsyncIterator[bytes]:
        while True:
            yield await self._sent.get()

    async def _read(self) -> None:
        ended = failures.stream_ended()
        try:
            async for answer in self._call:
                waiting = self._waiting.get(answer.id)
                if waiting and not waiting.done():
                    waiting.set_result(answer_of(answer, self._address))
        except grpc.aio.AioRpcError as error:
            # Cancelled: the stream was closed by this side.
            if error.code() is not grpc.StatusCode.CANCELLED:
                ended = failures.failure_of(error, self._address)
        except asyncio.CancelledError:
            pass  # it was closed
        self._ended = ended
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result(ended)
