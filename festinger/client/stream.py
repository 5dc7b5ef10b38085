"""An open stream that has prompts recollected, for programs without an event loop."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

import grpc

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.client import failures
from festinger.client.channel import Metadata
from festinger.client.methods import path_of
from festinger.lifetimes import Closeable

PATH: Final = path_of("MemoryService.RecollectStream")


class RecollectStream(Closeable):
    """Has any number of prompts recollected over one call that stays open.

    It may be used by several threads: answers come when they are ready, in any order. A
    stream that has ended stays ended; open another one.

    Args:
        channel: The connection.
        metadata: Of every request that does not say otherwise.
        timeout: Time for an answer, in seconds.
        address: Of the server, for messages.
    """

    def __init__(
        self, channel: grpc.Channel, metadata: Metadata, timeout: float, address: str
    ) -> None:
        self._timeout = timeout
        self._address = address
        self._numbers = itertools.count(1)
        # Guards `_waiting` and `_ended`: callers' threads and the reader use them.
        self._lock = threading.Lock()
        self._waiting: dict[int, queue.SimpleQueue[Any]] = {}
        self._sent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._ended: failures.CallFailure | None = None
        calling: grpc.StreamStreamMultiCallable[Any, Any] = channel.stream_stream(
            PATH, response_deserializer=pb.RecollectStreamResponse.FromString
        )
        self._call: Any = calling(self._requests(), metadata=metadata)
        # A daemon, so that a forgotten stream does not keep the program from ending.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def close(self) -> None:
        """End the stream; prompts without an answer fail with `ServerUnreachable`."""
        # Ends `_requests`, which gRPC runs in a thread of its own.
        self._sent.put(None)
        self._call.cancel()
        self._reader.join()

    def recollect(
        self, request: pb.RecollectRequest, **fields: Any
    ) -> pb.RecollectResponse:
        """Read a prompt, and return what the memory can tell about it.

        Args:
            fields: Further fields of `RecollectStreamRequest` that name for whom, and
                where, this prompt alone is. Example: `project="shop"`.

        Raises:
            FestingerError: The server refused it, or the stream has ended.
        """
        # Repeated only if the server says that it has not read the prompt.
        attempts = failures.Attempts(self._timeout, repeatable=False)
        while True:
            answer = self._ask(request, fields, attempts.left)
            if isinstance(answer, pb.RecollectResponse):
                return answer
            pause = attempts.pause_after(answer)
            # A stream that has ended stays so, whatever its last error invites to.
            if pause is None or self._ended:
                raise answer.error
            time.sleep(pause)

    def _ask(
        self, request: pb.RecollectRequest, fields: dict[str, Any], seconds: float
    ) -> pb.RecollectResponse | failures.CallFailure:
        answered: queue.SimpleQueue[Any] = queue.SimpleQueue()
        number = next(self._numbers)
        with self._lock:
            # Checked under the lock: afterwards nobody would answer this request.
            if self._ended:
                return self._ended
            self._waiting[number] = answered
        wanted = pb.RecollectStreamRequest(id=number, request=request, **fields)
        self._sent.put(wanted.SerializeToString())
        try:
            answer: pb.RecollectResponse | failures.CallFailure = answered.get(
                timeout=seconds
            )
        except queue.Empty:
            return failures.too_late(self._address)
        finally:
            with self._lock:
                # A late answer finds nobody, and is dropped.
                self._waiting.pop(number, None)
        return answer

    def _requests(self) -> Iterator[bytes]:
        while (data := self._sent.get()) is not None:
            yield data

    def _read(self) -> None:
        ended = failures.stream_ended()
        try:
            for answer in self._call:
                with self._lock:
                    waiting = self._waiting.get(answer.id)
                if waiting:
                    waiting.put(answer_of(answer, self._address))
        except grpc.RpcError as error:
            # Cancelled: the stream was closed by this side.
            if error.code() is not grpc.StatusCode.CANCELLED:
                ended = failures.failure_of(error, self._address)
        with self._lock:
            self._ended = ended
            for waiting in self._waiting.values():
                waiting.put(ended)
        self._sent.put(None)


def answer_of(
    answer: pb.RecollectStreamResponse, address: str
) -> pb.RecollectResponse | failures.CallFailure:
    """Return the response that a stream's answer holds, or why there is none."""
    if answer.HasField("error"):
        return failures.failure_in(answer.error, address)
    return answer.response
