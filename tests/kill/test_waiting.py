"""What is queued for a model outlives the server that queued it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable, Iterator

import grpc
import pytest

from festinger.api.v1 import config_service_pb2 as config_pb
from festinger.api.v1 import (
    config_service_pb2_grpc,
    inquiry_service_pb2_grpc,
    memory_service_pb2_grpc,
)
from festinger.api.v1 import inquiry_service_pb2 as pb
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.api.v1.model_pb2 import Model
from festinger.credentials import OPERATOR, read_token
from tests.kill.server import OPTIONS, Serving

pytestmark = pytest.mark.slow

SENTENCE = "please update gnommoweb"
LISTED_SECONDS_MAX = 30.0


def operator(serving: Serving) -> tuple[tuple[str, str], ...]:
    """
    The metadata of whoever may choose models.
    """
    token = read_token(serving.data_dir, OPERATOR)
    return (("authorization", f"Bearer {token}"),)


@pytest.fixture
def silent() -> Iterator[str]:
    """
    Where a model takes questions and never answers.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


async def choose(serving: Serving, channel: grpc.aio.Channel, url: str) -> None:
    """
    Has a model be asked: without one, nothing is queued.
    """
    stub = config_service_pb2_grpc.ConfigServiceStub(channel)
    who = operator(serving)
    added = await stub.CreateModel(
        config_pb.CreateModelRequest(
            provider=Model.PROVIDER_OLLAMA, model_name="silent", base_url=url
        ),
        metadata=who,
    )
    await stub.UpdateSetting(
        config_pb.UpdateSettingRequest(key="write_model_id", value=str(added.model.id)),
        metadata=who,
    )


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
    metadata = operator(serving)
    async with asyncio.timeout(LISTED_SECONDS_MAX):
        while True:
            answer = await stub.ListInquiries(
                pb.ListInquiriesRequest(), metadata=metadata, wait_for_ready=True
            )
            if answer.inquiries:
                return list(answer.inquiries)
            await asyncio.sleep(0.1)


def waiting(found: Iterable[pb.Inquiry]) -> list[tuple[object, ...]]:
    """
    What is asked, and since when; not whether it is being asked just now.
    """
    return [
        (
            it.concept,
            it.state,
            it.encounter_count,
            list(it.sentences),
            it.create_time.ToMicroseconds(),
        )
        for it in found
    ]


async def test_queue_outlives_a_kill(serving, silent):
    """
    A concept that was listed as waiting for a model is there after SIGKILL, with its
    sentence.
    """
    await serving.start()
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        await choose(serving, channel, silent)
        await meet(channel)
        before = await listed(serving, channel)
        await serving.kill()
        await serving.start()

        after = await listed(serving, channel)

    assert waiting(after) == waiting(before)
    assert [list(it.sentences) for it in after] == [[SENTENCE]]
