from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import grpc
import pytest

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.api.v1 import learning_service_pb2_grpc
from festinger.config import LearningSettings, ServerSettings, ShimSettings
from festinger.core.language.reader.questions import SCHEMA, SYSTEM, TOKENS_MIN
from festinger.shim.app import Shim
from festinger.shim.language import reader as reader_module
from festinger.shim.language.rate import RATE_UNKNOWN, EvaluationRate, durations_in
from festinger.shim.language.reader import IdleReader
from festinger.shim.language.traffic import Traffic
from festinger.shim.proxy.upstreams import Upstreams
from festinger.shim.system.calls import call
from tests.shim.conftest import FakeMemory, chat
from tests.shim.models import LoadedOllama, loaded_ollama
from tests.waiting import until

IDLE = 90.0
ANSWER = json.dumps({"statements": [{"turn": 2, "quote": "prod is on pg 14"}]})


class Ticking:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 1_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@dataclass
class FakeLearning(learning_service_pb2_grpc.LearningServiceServicer):
    """A learning service that lends what a test says, over real gRPC."""

    prompts: list[str] = field(default_factory=list)
    rooms: list[int] = field(default_factory=list)
    submitted: list[pb.SubmitAnswerRequest] = field(default_factory=list)
    released: list[pb.ReleaseTurnsRequest] = field(default_factory=list)

    async def LeaseTurns(self, request, context):
        """Lend the next prompt."""
        self.rooms.append(request.tokens_max)
        if not self.prompts:
            return pb.LeaseTurnsResponse(tokens_min=TOKENS_MIN)
        return pb.LeaseTurnsResponse(
            lease=f"lease-{len(self.rooms)}",
            system=SYSTEM,
            prompt=self.prompts.pop(0),
            schema=json.dumps(SCHEMA),
            tokens=300,
            turn_count=1,
        )

    async def SubmitAnswer(self, request, context):
        """Take an answer."""
        self.submitted.append(request)
        return pb.SubmitAnswerResponse(held_count=2, corroborated_count=1)

    async def ReleaseTurns(self, request, context):
        """Take turns back."""
        self.released.append(request)
        return pb.ReleaseTurnsResponse()

    async def GetLearning(self, request, context):
        """Say how much waits."""
        return pb.GetLearningResponse(enabled=True, waiting_count=len(self.prompts))


@pytest.fixture
async def ollama() -> AsyncIterator[LoadedOllama]:
    """An Ollama with a model loaded."""
    async with loaded_ollama() as ollama:
        yield ollama


@pytest.fixture
async def learning() -> AsyncIterator[tuple[FakeLearning, str]]:
    """A learning service, and where it listens."""
    fake = FakeLearning()
    server = grpc.aio.server()
    learning_service_pb2_grpc.add_LearningServiceServicer_to_server(fake, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield fake, f"127.0.0.1:{port}"
    await server.stop(None)


@dataclass
class Setting:
    """A reader between its memory and its model; `clock` is its time."""

    reader: IdleReader
    traffic: Traffic
    clock: Ticking
    ollama: LoadedOllama
    memory: FakeLearning

    def idle(self, seconds: float) -> None:
        """Has nobody ask anything for so long."""
        with self.traffic.prompt("/api/chat"):
            pass
        self.clock.now += seconds

    def prompt(self) -> float | None:
        """Has a prompt come and go; for how long it may have been held up."""
        with self.traffic.prompt("/api/chat") as prompt:
            assert prompt
            return prompt.delay


@pytest.fixture
async def setting(
    ollama: LoadedOllama, learning: tuple[FakeLearning, str]
) -> AsyncIterator[Setting]:
    """A reader with something to read, and a model that evaluates fast."""
    memory, address = learning
    memory.prompts.append('{"turn": 2, "role": "user", "text": "prod is on pg 14"}')
    clock = Ticking()
    upstreams = Upstreams(ShimSettings(upstream=ollama.url))
    traffic = Traffic(clock)
    traffic.asked("llama3", {})
    traffic.rate.learn(
        durations_in(told(prompt_eval_count=5_000, prompt_eval_duration=10**9))
    )
    async with grpc.aio.insecure_channel(address) as channel:
        reader = IdleReader(
            LearningSettings(),
            partial(call, channel),
            upstreams,
            traffic,
            clock=clock,
            now=lambda: 1_760_000_000.0,
        )
        upstreams.start()
        yield Setting(reader, traffic, clock, ollama, memory)
        ollama.gate.set()
        await reader.stop()
        await upstreams.stop()


def told(**numbers: int) -> bytes:
    """Return the end of an answer of Ollama's."""
    return json.dumps({"done": True, **numbers}).encode()


# What is asked


@pytest.mark.parametrize("mode", ["stream", "whole"])
async def test_answer_is_brought_to_the_memory(setting, mode):
    """As the model wrote it, whether it streams or comes at once."""
    setting.ollama.mode, setting.ollama.reply = mode, ANSWER
    setting.ollama.durations = {"prompt_eval_count": 300, "eval_count": 40}
    setting.idle(IDLE)

    assert await setting.reader.step() == 0.0

    (submitted,) = setting.memory.submitted
    assert submitted.answer == ANSWER
    assert submitted.token_count == 340
    assert setting.memory.released == []
    assert setting.reader.statistics.learned == 3
    assert setting.reader.budget.total == 340


async def test_model_stays_as_it_is_loaded(setting):
    """Its context length, the agents' own options, and no other time to be kept."""
    setting.traffic.asked("llama3", {"num_thread": 4, "num_ctx": 99, "seed": 7})
    setting.ollama.models[0]["context_length"] = 12_345
    setting.idle(600)

    await setting.reader.step()

    (asked,) = setting.ollama.asked
    assert asked["model"] == "llama3:latest"
    assert "keep_alive" not in asked
    assert asked["think"] is False
    assert asked["stream"] is True
    assert asked["format"]["title"] == "statements"
    options = asked["options"]
    assert (options["num_ctx"], options["num_thread"]) == (12_345, 4)
    assert options["temperature"] == 0
    assert "seed" not in options
    assert [it["role"] for it in asked["messages"]] == ["system", "user"]


# When


async def test_nothing_is_asked_before_a_pause(setting):
    """Nor while somebody waits for an answer."""
    setting.idle(IDLE - 1)
    assert await setting.reader.step() == pytest.approx(1.0)
    with setting.traffic.prompt("/api/generate"):
        setting.clock.now += 10 * IDLE
        await setting.reader.step()

    assert setting.ollama.looked == 0
    assert setting.memory.rooms == []


@pytest.mark.parametrize(
    "models",
    [
        [],
        [{"model": "mistral:latest", "context_length": 4096}],
        [{"model": "nomic-embed-text:latest", "context_length": 2048}],
        [{"model": "llama3:latest"}],
        ["llama3", None, {"model": 3, "context_length": 4096}],
    ],
    ids=["none", "another", "embedding", "old", "nonsense"],
)
async def test_no_model_is_loaded_for_it(setting, models):
    """If the agents' own model is not loaded, or its state unknown, nobody is asked."""
    setting.ollama.models = models
    setting.idle(IDLE)

    await setting.reader.step()

    assert setting.memory.rooms == []
    assert setting.reader.statistics.state == "no model is loaded"


async def test_model_is_kept_no_longer_than_the_agents_keep_it(setting):
    """Reading extends the time; what holds is the time that the last prompt set."""
    setting.memory.prompts *= 3
    setting.ollama.models[0]["expires_at"] = "2025-10-09T08:55:00Z"
    setting.idle(IDLE)
    assert await setting.reader.step() == 0.0
    # Ollama counts from the reader's own request now.
    setting.ollama.models[0]["expires_at"] = "2025-10-09T09:55:00Z"
    setting.reader._now = lambda: 1_760_001_000.0

    await setting.reader.step()
    assert len(setting.memory.rooms) == 1
    setting.idle(IDLE)
    await setting.reader.step()

    assert len(setting.memory.rooms) == 2


async def test_model_that_is_about_to_go_is_not_asked(setting):
    """A request that came a moment too late would load it again."""
    setting.ollama.models[0]["expires_at"] = "2025-10-09T08:53:23Z"
    setting.idle(IDLE)

    await setting.reader.step()

    assert setting.memory.rooms == []


async def test_delay_is_bounded_by_what_is_sent(setting):
    """
    A machine that evaluates 100 tokens a second and does not notice that somebody hung
    up: after 90 s nothing is sent that takes 1.5 s, after 10 minutes nothing of 10 s.
    """
    setting.traffic.rate.forget()
    assert setting.traffic.rate.tokens_per_second == 100.0
    setting.idle(90)
    pause = await setting.reader.step()
    assert setting.memory.rooms == []
    assert pause is not None
    assert 0 < pause < 300
    assert "waits for a pause of" in setting.reader.statistics.state

    setting.idle(600)
    await setting.reader.step()
    setting.idle(86_400)
    await setting.reader.step()

    assert max(setting.memory.rooms) <= 1_000


async def test_machine_that_is_too_slow_says_so(setting):
    """It is never asked."""
    setting.traffic.rate.learn(
        durations_in(told(prompt_eval_count=100, prompt_eval_duration=10 * 10**9))
    )
    setting.idle(86_400)

    await setting.reader.step()

    assert setting.memory.rooms == []
    assert "too few to read" in setting.reader.statistics.state


async def test_budget_of_an_hour_holds(setting):
    """The turns it leaves no room for wait until the hour is over."""
    setting.reader.apply(LearningSettings(tokens_per_hour=1_000))
    setting.reader.budget.spend(1_000 - TOKENS_MIN + 1, setting.clock())
    setting.idle(IDLE)
    await setting.reader.step()
    assert setting.memory.rooms == []

    setting.idle(3_600)
    await setting.reader.step()

    assert len(setting.memory.rooms) == 1


async def test_switched_off_it_asks_nobody(setting):
    """From the moment on that the configuration says so."""
    setting.reader.apply(LearningSettings(model="off"))
    setting.idle(IDLE)

    await setting.reader.step()

    assert setting.ollama.looked == 0


# Giving way


@pytest.mark.parametrize("mode", ["evaluates", "generates"])
async def test_it_hangs_up_when_a_prompt_comes(setting, mode):
    """At once; the turns are read later, and nothing failed."""
    setting.ollama.mode = mode
    setting.idle(IDLE)
    step = asyncio.create_task(setting.reader.step())
    await setting.ollama.began.wait()
    await until(lambda: mode == "evaluates" or setting.reader._request.answer.began)

    delay = setting.prompt()

    await step
    await until(lambda: setting.ollama.hung_up)
    assert setting.memory.submitted == []
    assert [it.failure for it in setting.memory.released] == [""]
    assert setting.reader.statistics.yielded == 1
    # What is evaluated already holds it up; between two tokens nothing does.
    assert delay == (0.0 if mode == "generates" else pytest.approx(300 / 5_000))
    assert setting.reader.statistics.delayed == delay


async def test_delay_is_what_the_answer_says(setting):
    """Ollama tells for how long it worked on a prompt; the rest of the time it waited."""
    setting.ollama.mode = "evaluates"
    setting.idle(IDLE)
    step = asyncio.create_task(setting.reader.step())
    await setting.ollama.began.wait()

    with setting.traffic.prompt("/api/chat") as prompt:
        assert prompt
        tail = told(
            total_duration=900 * 10**6,
            load_duration=100 * 10**6,
            prompt_eval_count=200,
            prompt_eval_duration=200 * 10**6,
            eval_count=5,
            eval_duration=300 * 10**6,
        )
        setting.traffic.answered(prompt, b'"},{"eval_count": 9,' + tail)
    await step

    assert setting.reader.statistics.delayed == pytest.approx(0.3)
    assert setting.traffic.rate.tokens_per_second == pytest.approx(1_000)


# What goes wrong


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("endless", "does not end"),
        ("huge", "does not end"),
        ("broken", "no JSON"),
        ("cut", "broke off"),
    ],
)
async def test_answer_that_is_none_is_not_brought(setting, mode, why):
    """The turns are given back as failed, without any words of theirs."""
    setting.ollama.mode, setting.ollama.reply = mode, ANSWER
    setting.idle(IDLE)

    await setting.reader.step()

    assert setting.memory.submitted == []
    (released,) = setting.memory.released
    assert why in released.failure
    assert "pg 14" not in released.failure


async def test_model_that_never_answers_is_left(setting, monkeypatch):
    """After a while; the turns are given back as failed."""
    monkeypatch.setattr(reader_module, "ANSWER_SECONDS_MAX", 0.05)
    setting.ollama.mode = "evaluates"
    setting.idle(IDLE)

    await setting.reader.step()

    (released,) = setting.memory.released
    assert "too long" in released.failure
    await until(lambda: setting.ollama.hung_up)


async def test_model_that_declines_is_left_alone(setting):
    """It is none of the turns' business; the next prompt may change it."""
    setting.memory.prompts *= 3
    setting.ollama.mode = "refuses"
    setting.idle(IDLE)
    await setting.reader.step()
    assert [it.failure for it in setting.memory.released] == [""]

    assert (await setting.reader.step() or 0) > IDLE
    assert len(setting.ollama.asked) == 1
    setting.idle(IDLE)
    await setting.reader.step()

    assert len(setting.ollama.asked) == 2


async def test_stopping_gives_turns_back(setting):
    """Another server may read them at once."""
    setting.ollama.mode = "evaluates"
    setting.idle(IDLE)
    setting.reader.start()
    await setting.ollama.began.wait()

    await setting.reader.stop()

    assert [it.failure for it in setting.memory.released] == [""]


# How fast a machine is


def test_rate_is_that_of_the_slowest_answer():
    """If a prompt's beginning was cached, Ollama counts it and takes no time for it."""
    rate = EvaluationRate()
    assert rate.tokens_per_second == RATE_UNKNOWN
    for tokens, nanoseconds in ((5_000, 10**8), (2_000, 10**10), (6_000, 10**8)):
        rate.learn(
            durations_in(
                told(prompt_eval_count=tokens, prompt_eval_duration=nanoseconds)
            )
        )

    assert rate.tokens_per_second == pytest.approx(200)


@pytest.mark.parametrize(
    "tail", [b"", b"{}", told(prompt_eval_count=9_000), b"\xff" * 99]
)
def test_answer_that_says_nothing_teaches_nothing(tail):
    """Nor one of few tokens."""
    rate = EvaluationRate()
    rate.learn(durations_in(tail))

    assert rate.tokens_per_second == RATE_UNKNOWN


# The whole shim


@pytest.fixture
async def shim(
    memory: FakeMemory, ollama: LoadedOllama, learning: tuple[FakeLearning, str]
) -> AsyncIterator[tuple[Shim, FakeLearning]]:
    """A shim that reads as soon as nobody asks anything."""
    fake, _ = learning
    learning_service_pb2_grpc.add_LearningServiceServicer_to_server(fake, memory.server)
    settings = ShimSettings(
        address="127.0.0.1:0", upstream=ollama.url, memory_milliseconds_max=2_000
    )
    shim = Shim(
        settings,
        ServerSettings(address=memory.address),
        lambda: "secret",
        learning=LearningSettings(idle_seconds=0.05, delay_share=10_000),
    )
    await shim.start()
    yield shim, fake
    ollama.gate.set()
    await shim.stop()


async def test_prompt_is_answered_while_a_model_reads(shim, ollama, http):
    """Reading gives way, is told of, and is taken up again once nobody waits."""
    shim, fake = shim
    ollama.mode = "evaluates"
    async with http.post(f"{shim.url}/api/chat", json=chat("hello")) as answer:
        assert answer.status == 200
    fake.prompts += ['{"turn": 2, "role": "user", "text": "prod is on pg 14"}'] * 2
    await ollama.began.wait()

    async with http.post(f"{shim.url}/api/chat", json=chat("hello")) as answer:
        assert answer.status == 200
    await until(lambda: ollama.hung_up)
    ollama.mode = "stream"
    await until(lambda: fake.submitted)

    async with http.get(f"{shim.url}/festinger/health") as answer:
        health = (await answer.json())["learning"]
    assert health["yielded"] == 1
    assert health["delayed_ms"] >= 0
    assert health["enabled"] is True
    assert {"waiting", "reading", "learned", "tokens_used", "state"} <= health.keys()
    async with http.get(f"{shim.url}/festinger/metrics") as answer:
        text = await answer.text()
    assert "festinger_reader_yields_total 1.0" in text


async def test_old_server_has_nothing_to_read(start_shim, http, ollama):
    """A shim before a server that knows nothing of reading works as ever."""
    shim: Any = await start_shim(upstream=ollama.url)
    async with http.get(f"{shim.url}/festinger/health") as answer:
        assert (await answer.json())["learning"]["waiting"] is None


async def test_reading_goes_on_with_a_new_connection(shim, ollama, http):
    """Turns are leased over the connection that replaced the first one."""
    shim, fake = shim
    await until(lambda: fake.rooms)
    await shim._memory.reopen()

    fake.prompts.append('{"turn": 2, "role": "user", "text": "prod is on pg 14"}')
    # A prompt ends the reader's pauses, and says which model to ask.
    async with http.post(f"{shim.url}/api/chat", json=chat("hello")) as answer:
        assert answer.status == 200

    await until(lambda: fake.submitted)
