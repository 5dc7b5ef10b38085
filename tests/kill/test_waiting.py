"""What is queued for a model outlives the server that queued it."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from festinger.api.v1 import inquiry_service_pb2 as pb
from festinger.api.v1 import inquiry_service_pb2_grpc, memory_service_pb2_grpc
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.credentials import OPERATOR, read_token
from tests.kill.server import OPTIONS, Serving

pytestmark = pytest.mark.slow

SENTENCE = "please update gnommoweb"
LISTED_SECONDS_MAX = 30.0


async def meet(channel: grpc.aio.Channel) -> None:
    """
    Says a concept so often that it crosses the write threshold.
    """
    stub = memory_service_pb2_grpc.MemoryServiceStub(channel)
    turn = memory_pb.Turn(role=memory_pb.Turn.ROLE_USER, text=SENTENCE)
    for _ in range(16):
        await stub.Recollect(memory_pb.RecollectRequest(turns=[turn]))


async def listed(serving: Serving, channel: grpc.aio.Channel) -> list[pb.Inquiry]:
    """
    What waits, as soon as anything does.
    """
    stub = inquiry_service_pb2_grpc.InquiryServiceStub(channel)
    token = read_token(serving.data_dir, OPERATOR)
    metadata = (("authorization", f"Bearer {token}"),)
    async with asyncio.timeout(LISTED_SECONDS_MAX):
        while True:
            answer = await stub.ListInquiries(
                pb.ListInquiriesRequest(), metadata=metadata, wait_for_ready=True
            )
            if answer.inquiries:
                return list(answer.inquiries)
            await asyncio.sleep(0.1)


async def test_queue_outlives_a_kill(serving):
    """
    A concept that was listed as waiting is there after SIGKILL, with its sentence.
    """
    await serving.start()
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        await meet(channel)
        before = await listed(serving, channel)
        await serving.kill()
        await serving.start()

        after = await listed(serving, channel)

    assert after == before
    assert [list(it.sentences) for it in after] == [[SENTENCE]]
