"""Client of the memory server's learning service."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Final

import grpc

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.api.v1 import learning_service_pb2_grpc
from festinger.client.channel import Metadata
from festinger.shim.system.refusals import accepted

SECONDS_MAX: Final = 30.0
"""Timeout of a call in seconds; long, since no prompt waits for it."""
# A supervisor asks for the health, and restarts what does not answer soon.
STATUS_SECONDS_MAX: Final = 1.0
"""Timeout in seconds of the status call for a health check."""


class LearningClient:
    """Client of the memory server's learning service, without a principal.

    Every method raises `MemoryRefused` if the server refuses or cannot be reached.
    """

    def __init__(
        self, channel: grpc.aio.Channel, metadata: Callable[[], Metadata]
    ) -> None:
        # The generated stubs carry no types.
        stub: Any = learning_service_pb2_grpc.LearningServiceStub
        self._learning = stub(channel)
        self._metadata = metadata

    def lease(self, tokens_max: int) -> Awaitable[pb.LeaseTurnsResponse]:
        """Lease the next unread turns; the response has no lease if none wait.

        Args:
            tokens_max: Maximum number of tokens of the prompt that is built from them.
        """
        request = pb.LeaseTurnsRequest(tokens_max=tokens_max)
        return self._call(self._learning.LeaseTurns, request)

    def submit(
        self, lease: str, answer: str, tokens: int
    ) -> Awaitable[pb.SubmitAnswerResponse]:
        """Submit a model's answer, and return what was learnt from it."""
        request = pb.SubmitAnswerRequest(lease=lease, answer=answer, token_count=tokens)
        return self._call(self._learning.SubmitAnswer, request)

    def release(self, lease: str, failure: str) -> Awaitable[pb.ReleaseTurnsResponse]:
        """Release leased turns.

        Args:
            failure: Reason why reading failed; empty if it did not.
        """
        # A failure counts against the turns; without one they are leased again as if untouched.
        request = pb.ReleaseTurnsRequest(lease=lease, failure=failure)
        return self._call(self._learning.ReleaseTurns, request)

    def unembedded(
        self, model: str, most: int
    ) -> Awaitable[pb.ListUnembeddedLinesResponse]:
        """Return lines that have no embedding of a model yet."""
        request = pb.ListUnembeddedLinesRequest(model=model, page_size=most)
        return self._call(self._learning.ListUnembeddedLines, request)

    async def bring(self, model: str, found: Iterable[tuple[bytes, bytes]]) -> int:
        """Submit keys and vectors of lines; return how many were taken."""
        line = pb.SubmitEmbeddingsRequest.Line
        request = pb.SubmitEmbeddingsRequest(
            model=model, lines=[line(key=key, vector=it) for key, it in found]
        )
        taken = await self._call(self._learning.SubmitEmbeddings, request)
        return int(taken.embedded_count)

    def status(self) -> Awaitable[pb.GetLearningResponse]:
        """Return the number of waiting turns and the results of reading."""
        request = pb.GetLearningRequest()
        return self._call(self._learning.GetLearning, request, STATUS_SECONDS_MAX)

    def _call(
        self, method: Any, request: object, seconds: float = SECONDS_MAX
    ) -> Coroutine[Any, Any, Any]:
        # One error for all causes: the reader goes on later in any case.
        return accepted(method(request, metadata=self._metadata(), timeout=seconds))
