"""The memory server goes away under the shim, and agents do not notice (D8)."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import statistics
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from string import ascii_lowercase

import aiohttp
import pytest

from festinger.standin import StandIn
from tests.kill.conftest import Report
from tests.kill.server import Serving
from tests.kill.shim import PAUSE_SECONDS, Agent, Shimming, results
from tests.waiting import running, until

pytestmark = pytest.mark.slow

AGENTS = 20
PROMPTS_AWAY = 3
"""How many prompts of each agent fall into the time without a memory, at least."""
BACK_SECONDS_MAX = LEARNED_SECONDS_MAX = 120.0
"""Some seconds where nothing else runs."""

BUDGET_MS = "500"
"""A busy machine misses the usual 50 ms again and again, and is told nothing then."""
ADDED_MS_MAX = 5000.0
"""What a prompt may wait at most: the budget, and what a busy machine adds."""

NAMES = ["".join(pair) for pair in itertools.product(ascii_lowercase, repeat=2)]


@dataclass
class Scene:
    """
    Agents, a shim and what is behind it.

    Attributes:
        states: Whether agents state something in what they say next.
    """

    serving: Serving
    shim: Shimming
    ollama: StandIn
    http: aiohttp.ClientSession
    agents: list[Agent] = field(default_factory=list)
    askers: list[Agent] = field(default_factory=list)
    states: bool = False

    async def ask(self, question: str) -> str:
        """Return the messages that the model is given with a question of somebody new."""
        agent = Agent(f"asker-{len(self.askers)}", self.shim)
        self.askers.append(agent)
        await agent.say(self.http, question)
        return agent.last(self.ollama)

    async def told(self, concept: str, parent: str, seconds: float) -> float:
        """Wait until somebody is told about a concept; say how long it took."""
        began = time.monotonic()

        async def is_told() -> bool:
            return f"{concept}: {parent}" in await self.ask(f"What is {concept}?")

        await until(is_told, seconds, PAUSE_SECONDS)
        return time.monotonic() - began

    async def introduce(self, agent: Agent) -> None:
        """Has an agent state a fact, and be told it in the next prompt."""
        await agent.say(self.http, f"Gnomm{agent.name} is a repo.")
        async with asyncio.timeout(BACK_SECONDS_MAX):
            while f"gnomm{agent.name}: [type] repo" not in agent.last(self.ollama):
                await asyncio.sleep(PAUSE_SECONDS)
                await agent.say(self.http, f"What is gnomm{agent.name}?")

    @asynccontextmanager
    async def talking(self) -> AsyncIterator[None]:
        """Has all agents talk for the length of a block."""
        over = asyncio.Event()
        talks = [self._talk(it, over) for it in self.agents]
        async with running(*talks, end=over.set, seconds=60):
            yield

    async def _talk(self, agent: Agent, over: asyncio.Event) -> None:
        stated = False
        while not over.is_set():
            # Nothing that is remembered: what is told must stay in its place.
            text = "Go on."
            if self.states and not stated:
                stated, text = True, f"Drobb{agent.name} is a repo."
            await agent.say(self.http, text)
            await asyncio.sleep(PAUSE_SECONDS)


@pytest.fixture
async def scene(serving: Serving) -> AsyncIterator[Scene]:
    """Agent that were told something already, each in a conversation of its own."""
    async with StandIn() as ollama:
        ollama.knobs.reply = "Very well."
        await serving.start()
        shim = Shimming(
            serving.data_dir,
            serving.address,
            ollama.url,
            FESTINGER_SHIM__MEMORY_MILLISECONDS_MAX=BUDGET_MS,
        )
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as http:
            try:
                await shim.start()
                scene = Scene(serving, shim, ollama, http)
                scene.agents += [Agent(name, shim) for name in NAMES[:AGENTS]]
                await asyncio.gather(*map(scene.introduce, scene.agents))
                yield scene
            finally:
                print(shim.output())
                await shim.end()


Fault = Callable[[Serving], AsyncIterator[None]]


async def killed(serving: Serving) -> AsyncIterator[None]:
    """Kill the server and start it again."""
    await serving.kill()
    yield
    await serving.start()


async def stopped(serving: Serving) -> AsyncIterator[None]:
    """Has the server hang, and go on."""
    os.kill(serving.pid, signal.SIGSTOP)
    yield
    os.kill(serving.pid, signal.SIGCONT)


async def restarted(serving: Serving) -> AsyncIterator[None]:
    """End the server in good order and start it again."""
    assert await serving.end() == 0, serving.output()
    yield
    await serving.start()


async def hung_and_killed(serving: Serving) -> AsyncIterator[None]:
    """Has the server hang, kills it then, and starts it again."""
    os.kill(serving.pid, signal.SIGSTOP)
    yield
    await serving.kill()
    await serving.start()


@pytest.mark.parametrize("fault", [killed, stopped, restarted, hung_and_killed])
async def test_agents_do_not_notice(scene: Scene, fault: Fault, report: Report) -> None:
    """
    Every prompt gets its answer while the memory is away, and none waits for it; what
    was told stays in its place, byte for byte; what went without is counted. When the
    memory is back so are recollections, and what was said meanwhile is learned.
    """
    agents, pid = scene.agents, scene.shim.pid
    told = {agent.name: len(agent.received(scene.ollama)) - 1 for agent in agents}

    async with scene.talking():
        await asyncio.sleep(1)
        course = fault(scene.serving)
        await anext(course)
        away, scene.states = time.monotonic(), True
        # The agents go on by themselves.
        await until(
            lambda: all(
                sum(prompt.began > away for prompt in agent.prompts) > PROMPTS_AWAY
                for agent in agents
            ),
            BACK_SECONDS_MAX,
        )
        back = time.monotonic()
        async for _ in course:
            pass
        seconds = await scene.told("gnommaa", "[type] repo", BACK_SECONDS_MAX)
        # Agents go on meanwhile: a query that was dropped is read with the next prompt.
        for agent in agents:
            await scene.told(f"drobb{agent.name}", "[type] repo", LEARNED_SECONDS_MAX)

    everybody = [*agents, *scene.askers]
    counts = await scene.shim.health()
    without = [
        prompt
        for agent in agents
        for prompt in agent.prompts
        if prompt.began > away and prompt.ended < back
    ]
    waited = [prompt.added_ms for prompt in without]
    report(
        f"{len(without)} prompts without a memory waited {statistics.median(waited):.0f} "
        f"ms, {max(waited):.0f} ms at most; told again {seconds:.1f} s after its return"
    )
    # All are answered, by the model.
    answers = {(p.status, p.answer) for agent in everybody for p in agent.prompts}
    assert answers == {(200, "Very well.")}
    assert len(without) >= AGENTS * PROMPTS_AWAY
    assert max(waited) < ADDED_MS_MAX
    # What was told stays.
    for agent in agents:
        received = agent.received(scene.ollama)[told[agent.name] :]
        for before, after in itertools.pairwise(received):
            assert after[: len(before)] == before
        assert f"gnomm{agent.name}: [type] repo" in agent.last(scene.ollama)
    # All are counted.
    assert {key: n for key, n in counts.items() if not key.startswith("missed")} == (
        results(everybody)
    )
    missed = sum(n for key, n in counts.items() if ":memory-" in key)
    assert missed >= len(without)
    assert (scene.shim.pid, scene.shim.code) == (pid, None)
