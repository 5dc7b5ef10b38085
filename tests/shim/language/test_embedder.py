from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import grpc
import pytest

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.api.v1 import learning_service_pb2_grpc
from festinger.config import EmbeddingSettings, ServerSettings, ShimSettings
from festinger.shim.app import Shim
from festinger.shim.language.embedder import REST_SECONDS, Embedder
from festinger.shim.language.traffic import Traffic
from festinger.shim.proxy.upstreams import Upstreams
from festinger.shim.system.calls import call
from tests.shim.conftest import FakeMemory
from tests.shim.language.test_reading import Ticking
from tests.shim.models import LoadedOllama, loaded_ollama
from tests.waiting import until

MODEL = "all-minilm"
LOADED = {"model": "all-minilm:latest", "name": "all-minilm:latest"}


@dataclass
class FakeLines(learning_service_pb2_grpc.LearningServiceServicer):
    """A learning service with lines that wait for embeddings, over real gRPC."""

    waiting: dict[bytes, str] = field(default_factory=dict)
    taken: dict[bytes, bytes] = field(default_factory=dict)
    listed: int = 0
    supported: bool = True

    async def ListUnembeddedLines(self, request, context):
        """List what waits."""
        self.listed += 1
        line = pb.ListUnembeddedLinesResponse.Line
        return pb.ListUnembeddedLinesResponse(
            lines=[line(key=key, text=it) for key, it in self.waiting.items()],
            waiting_count=len(self.waiting),
            supported=self.supported,
        )

    async def SubmitEmbeddings(self, request, context):
        """Take what is brought."""
        for line in request.lines:
            self.taken[line.key] = line.vector
            del self.waiting[line.key]
        return pb.SubmitEmbeddingsResponse(embedded_count=len(request.lines))


@dataclass
class Setting:
    """An embedder between its memory and its model; `clock` is its time."""

    embedder: Embedder
    lines: FakeLines
    ollama: LoadedOllama
    traffic: Traffic
    clock: Ticking


@asynccontextmanager
async def embedding(**settings: Any) -> AsyncIterator[Setting]:
    """An embedder whose upstream has the model loaded."""
    fake, server, clock = FakeLines(), grpc.aio.server(), Ticking()
    learning_service_pb2_grpc.add_LearningServiceServicer_to_server(fake, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with (
        loaded_ollama() as ollama,
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        ollama.models = [dict(LOADED)]
        upstreams, traffic = (
            Upstreams(ShimSettings(upstream=ollama.url)),
            Traffic(clock),
        )
        upstreams.start()
        chosen = EmbeddingSettings.model_validate({"model": MODEL, **settings})
        calls = partial(call, channel)
        try:
            yield Setting(
                Embedder(chosen, calls, upstreams, traffic, clock),
                fake,
                ollama,
                traffic,
                clock,
            )
        finally:
            await upstreams.stop()
            await server.stop(None)


async def test_lines_are_embedded_once_nobody_asks() -> None:
    """Not before the pause, and then as signed bytes."""
    async with embedding(idle_seconds=5) as it:
        it.lines.waiting = {b"a": "prod is on pg 14", b"b": "lunch is at noon"}
        it.ollama.vectors = {"prod": [0.5, -1.0]}
        with it.traffic.prompt("/api/chat"):
            await it.embedder.step()
        assert await it.embedder.step() == pytest.approx(5)
        assert it.ollama.embedded == []

        it.clock.now += 6
        assert await it.embedder.step() == 0.0

        assert it.lines.taken == {b"a": bytes([64, 129]), b"b": bytes([0, 127])}
        assert it.embedder.statistics.lines == 2


async def test_prompt_ends_the_embedding_of_lines() -> None:
    """The request is cancelled at once, and the lines wait on."""
    async with embedding(idle_seconds=0) as it:
        it.lines.waiting = {b"a": "prod is on pg 14"}
        it.ollama.embedding_seconds = 30
        it.clock.now += 1
        step = asyncio.create_task(it.embedder.step())
        await until(lambda: it.ollama.embedded)

        with it.traffic.prompt("/api/chat"):
            await step

        await until(lambda: it.ollama.hung_up == 1)
        assert it.lines.taken == {}
        assert it.embedder.statistics.state == "it gave way to a prompt"


async def test_model_is_not_loaded_unless_it_may_be() -> None:
    """While it is not loaded, neither lines nor prompts are sent to it."""
    for load in (False, True):
        async with embedding(idle_seconds=0, load=load) as it:
            it.lines.waiting = {b"a": "prod is on pg 14"}
            it.ollama.models = []
            it.clock.now += 1

            await it.embedder.step()
            await it.embedder.embed("which pg?")

            assert bool(it.ollama.embedded) is load
            assert (it.ollama.looked == 0) is load


async def test_slow_upstream_holds_up_one_prompt_only() -> None:
    """It goes on without an embedding after the budget, the next ones at once."""
    async with embedding(prompt_milliseconds_max=500) as it:
        it.ollama.embedding_seconds = 30
        assert await it.embedder.embed("which pg?") is None
        assert await it.embedder.embed("which pg?") is None
        assert len(it.ollama.embedded) == 1

        it.ollama.embedding_seconds = 0
        it.clock.now += REST_SECONDS + 1
        it.embedder.apply(EmbeddingSettings(model=MODEL, prompt_milliseconds_max=1_000))
        found = await it.embedder.embed("which pg?")

        assert found is not None
        assert (found.model, found.vector) == (MODEL, bytes([0, 127]))
        assert it.embedder.statistics.missed == 1


@pytest.mark.parametrize(
    "answer",
    [[], [[]], [["x"]], [[0, 0]], [[float("inf")]], [[1], [2]], {"a": 1}, [None]],
)
async def test_answer_of_another_form_is_no_embedding(answer: Any) -> None:
    """Neither for a prompt nor for lines, which wait on."""
    async with embedding(idle_seconds=0, prompt_milliseconds_max=1_000) as it:
        it.lines.waiting = {b"a": "prod is on pg 14"}
        it.ollama.embeddings = answer
        it.clock.now += 1

        await it.embedder.step()

        assert await it.embedder.embed("which pg?") is None
        assert it.lines.taken == {}


async def test_model_without_weights_is_told() -> None:
    """Nothing is sent to it, and the state says why."""
    async with embedding(idle_seconds=0) as it:
        it.lines.supported = False

        await it.embedder.step()

        assert it.ollama.embedded == []
        assert it.embedder.statistics.state == f"there are no weights for {MODEL}"


async def test_nothing_is_embedded_by_default() -> None:
    """Without a model neither the memory nor the upstream is asked."""
    async with embedding(model="", idle_seconds=0) as it:
        await it.embedder.step()

        assert await it.embedder.embed("which pg?") is None
        assert (it.lines.listed, it.ollama.looked, it.ollama.embedded) == (0, 0, [])


async def test_lines_are_embedded_over_a_new_connection(memory: FakeMemory) -> None:
    """After the first connection was replaced lines are listed and brought as before."""
    fake = FakeLines()
    learning_service_pb2_grpc.add_LearningServiceServicer_to_server(fake, memory.server)
    async with loaded_ollama() as ollama:
        ollama.models = [dict(LOADED)]
        shim = Shim(
            ShimSettings(address="127.0.0.1:0", upstream=ollama.url),
            ServerSettings(address=memory.address),
            embeddings=EmbeddingSettings(model=MODEL, idle_seconds=0),
        )
        await shim.start()
        try:
            await until(lambda: fake.listed)
            await shim._memory.reopen()
            fake.waiting = {b"a": "prod is on pg 14"}
            await until(lambda: fake.taken)
        finally:
            await shim.stop()
