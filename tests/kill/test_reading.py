"""Waiting turns outlive the server that took them, and are read once."""

from __future__ import annotations

import json

import grpc
import pytest

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.api.v1 import learning_service_pb2_grpc, memory_service_pb2_grpc
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.credentials import SHIM, read_token
from tests.kill.server import OPTIONS, Serving
from tests.waiting import becomes

pytestmark = pytest.mark.slow

# No rule reads them.
PROD = "gnommoweb got stuck with pg14 in the spring"
STAGING = "glitchworks got its pg15 already"


class Shim:
    """A client that says things and reads them, as the shim does."""

    def __init__(self, serving: Serving, channel: grpc.aio.Channel):
        token = read_token(serving.data_dir, SHIM)
        self.who = (("authorization", f"Bearer {token}"),)
        self.memory = memory_service_pb2_grpc.MemoryServiceStub(channel)
        self.learning = learning_service_pb2_grpc.LearningServiceStub(channel)

    async def say(self, text: str) -> None:
        """Has a person say something."""
        turn = memory_pb.Turn(role=memory_pb.Turn.ROLE_USER, text=text)
        request = memory_pb.RecollectRequest(turns=[turn])
        await self.memory.Recollect(request, metadata=self.who, wait_for_ready=True)

    async def waiting(self) -> int:
        """Return the number of waiting turns."""
        status = await self.learning.GetLearning(
            pb.GetLearningRequest(), metadata=self.who, wait_for_ready=True
        )
        return int(status.waiting_count)

    async def until_waiting(self, count: int) -> None:
        """Wait until so many turns wait: they are committed behind the answer."""
        await becomes(self.waiting, count)

    async def lease(self) -> pb.LeaseTurnsResponse:
        """Lease what waits."""
        leased: pb.LeaseTurnsResponse = await self.learning.LeaseTurns(
            pb.LeaseTurnsRequest(tokens_max=2_000),
            metadata=self.who,
            wait_for_ready=True,
        )
        return leased

    async def submit(
        self, lease: str, quote: str, value: str
    ) -> pb.SubmitAnswerResponse:
        """Bring an answer."""
        statement = {
            "turn": 2,
            "quote": quote,
            "subject": quote.split()[0],
            "predicate": "runs_on",
            "value": value,
        }
        learnt: pb.SubmitAnswerResponse = await self.learning.SubmitAnswer(
            pb.SubmitAnswerRequest(
                lease=lease, answer=json.dumps({"statements": [statement]})
            ),
            metadata=self.who,
            wait_for_ready=True,
        )
        return learnt


async def test_queue_outlives_a_kill(serving):
    """
    A waiting turn waits after SIGKILL, the one being read can still be brought, and
    what was read is not read again.
    """
    await serving.start()
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        shim = Shim(serving, channel)
        await shim.say(PROD)
        await shim.until_waiting(1)
        await serving.kill()
        await serving.start()

        leased = await shim.lease()
        assert PROD in leased.prompt
        await serving.kill()
        await serving.start()
        learnt = await shim.submit(leased.lease, PROD, "pg14")
        assert learnt.held_count == 1
        await shim.say(STAGING)
        await shim.until_waiting(1)
        await serving.kill()
        await serving.start()

        assert await shim.waiting() == 1
        again = await shim.lease()
        assert STAGING in again.prompt
        assert PROD not in again.prompt
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await shim.submit(leased.lease, PROD, "pg14")

    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
