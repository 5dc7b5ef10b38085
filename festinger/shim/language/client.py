"""The memory server's unread turns, as the shim asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import grpc

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.api.v1 import learning_service_pb2_grpc
from festinger.shim.recollection.stream import Metadata
from festinger.shim.system.refusals import MemoryRefused

SECONDS_MAX: Final = 30.0
"""How long an answer may take: nobody waits for it."""
STATUS_SECONDS_MAX: Final = 1.0
"""How long the numbers for a health check may take."""


class LearningClient:
    """Calls the memory server's learning service, on nobody's behalf.

    Every method raises `MemoryRefused` if the server refuses or cannot be reached.

    Args:
        channel: Leads to the server.
        metadata: Makes the shim's own.
    """

    def __init__(
        self, channel: grpc.aio.Channel, metadata: Callable[[], Metadata]
    ) -> None:
        # The generated stubs carry no types.
        stub: Any = learning_service_pb2_grpc.LearningServiceStub
        self._learning = stub(channel)
        self._metadata = metadata

    async def lease(self, tokens_max: int) -> pb.LeaseTurnsResponse:
        """Lease the next turns, as many as have room; none if nothing waits."""
        request = pb.LeaseTurnsRequest(tokens_max=tokens_max)
        leased: pb.LeaseTurnsResponse = await self._call(
            self._learning.LeaseTurns, request
        )
        return leased

    async def submit(
        self, lease: str, answer: str, tokens: int
    ) -> pb.SubmitAnswerResponse:
        """Bring an answer, and return what was learnt from it."""
        request = pb.SubmitAnswerRequest(lease=lease, answer=answer, token_count=tokens)
        learnt: pb.SubmitAnswerResponse = await self._call(
            self._learning.SubmitAnswer, request
        )
        return learnt

    async def release(self, lease: str, failure: str = "") -> None:
        """Give turns back, and say why reading failed, if it did."""
        request = pb.ReleaseTurnsRequest(lease=lease, failure=failure)
        await self._call(self._learning.ReleaseTurns, request)

    async def status(self) -> pb.GetLearningResponse:
        """Return how much waits, and what came of reading."""
        status: pb.GetLearningResponse = await self._call(
            self._learning.GetLearning, pb.GetLearningRequest(), STATUS_SECONDS_MAX
        )
        return status

    async def _call(
        self, method: Any, request: object, seconds: float = SECONDS_MAX
    ) -> Any:
        try:
            return await method(request, metadata=self._metadata(), timeout=seconds)
        except grpc.aio.AioRpcError as error:
            raise MemoryRefused.of(error) from None
