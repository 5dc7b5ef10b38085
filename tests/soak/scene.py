"""Scene of the soak test: the programs as users run them, and their users."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from festinger.standin import StandIn
from festinger.store.embedded import processes
from tests.faults.disk import Disk
from tests.kill.clients import Clients, answered_after
from tests.kill.script import CONCEPTS
from tests.kill.server import Serving
from tests.kill.shim import Shimming
from tests.shim.faults import FaultProxy
from tests.waiting import running

AGENTS = 4
PAUSE_SECONDS = 0.4
"""Between two prompts of one agent."""
CONVERSATION = 8
"""Prompts of a conversation, after which an agent begins another one."""
REPLY = "Very well."
SETTLE_SECONDS = 0.3
ANSWERED = frozenset(("full", "partial", "none"))
"""Results that need an answer of the memory server: a shim replays by itself."""
UNTOLD = "skipped:"
"""What the result of a prompt begins with that went on without what is known."""


@dataclass
class Outcomes:
    """
    Results of the prompts.

    Attributes:
        results: How often each result came about.
        unreached: When prompts found no shim that listens.
        wrong: What is amiss with prompts that were changed or failed by us.
        answered: When prompts were sent that the memory server answered.
    """

    results: Counter[str] = field(default_factory=Counter)
    unreached: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)

    @property
    def untold(self) -> float:
        """The share of the prompts that went on without what is known."""
        untold = sum(
            count for name, count in self.results.items() if name.startswith(UNTOLD)
        )
        return untold / max(1, self.results.total())


@dataclass
class Scene:
    """
    A memory server with its Postgres, a shim, a proxy between them, and a stand-in for
    Ollama, which runs in this process, as the proxy does.
    """

    serving: Serving
    shim: Shimming
    proxy: FaultProxy
    ollama: StandIn
    disk: Disk
    clients: Clients
    outcomes: Outcomes = field(default_factory=Outcomes)

    def database(self) -> list[int]:
        """Return all processes of Postgres."""
        return processes.of_server(self.serving.place.name)

    @asynccontextmanager
    async def frozen(self, pids: list[int]) -> AsyncIterator[None]:
        """Has processes hang for the length of a block."""
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def memory(self) -> dict[str, float]:
        """
        MB that each program takes, and the largest process of Postgres, of which there
        are as many as there are connections. Its cache, which fills up to its size, and
        other pages that several share do not count, or in part.
        """
        programs = {
            "server": [self.serving.pid],
            "shim": [self.shim.pid],
            "postgres": self.database(),
        }
        return {
            name: max(map(_megabytes, pids), default=0.0)
            for name, pids in programs.items()
        }

    async def back_after(self, moment: float) -> float:
        """
        Wait until a write is acknowledged and a prompt answered from the memory; say
        how long after a moment that was.
        """
        # What was on its way at the moment may still arrive.
        later = moment + SETTLE_SECONDS
        written = await self.clients.ledger.answered_after(later)
        answered = await answered_after(self.outcomes.answered, later)
        return max(written, answered) - moment

    @asynccontextmanager
    async def talking(self) -> AsyncIterator[None]:
        """Has agents talk for the length of a block."""
        over = asyncio.Event()
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as http:
            talks = [
                self._talk(http, f"agent{number}", over) for number in range(AGENTS)
            ]
            async with running(*talks, end=over.set, seconds=60):
                yield

    async def _talk(
        self, http: aiohttp.ClientSession, agent: str, over: asyncio.Event
    ) -> None:
        said: list[dict[str, str]] = []
        for number in itertools.count():
            if over.is_set():
                return
            if number % CONVERSATION == 0:
                said = []
            text = f"What is {random.choice(CONCEPTS)}? I ask time {number}."
            said.append({"role": "user", "content": text})
            name = f"{agent}-{number}"
            body = {"model": "llama3", "stream": False, "messages": said}
            headers = {
                "X-Festinger-Session": f"{agent}-{number // CONVERSATION}",
                "X-Prompt": name,
            }
            await self._prompt(http, name, body, headers)
            said.append({"role": "assistant", "content": REPLY})
            await asyncio.sleep(PAUSE_SECONDS)

    async def _prompt(
        self, http: aiohttp.ClientSession, name: str, body: Any, headers: Any
    ) -> None:
        """Send a prompt until a shim takes it, and look what became of it."""
        outcomes = self.outcomes
        while True:
            began = time.monotonic()
            try:
                async with http.post(
                    f"{self.shim.url}/api/chat", json=body, headers=headers
                ) as response:
                    answer = await response.json()
                    result = response.headers.get("X-Festinger-Recollection", "")
                break
            except (aiohttp.ClientError, OSError):
                outcomes.unreached.append(began)
                await asyncio.sleep(0.1)
        outcomes.results[result] += 1
        if result in ANSWERED:
            outcomes.answered.append(began)
        content = answer.get("message", {}).get("content")
        if response.status != 200 or content != REPLY:
            outcomes.wrong.append(f"{name}: {response.status}, {answer}")
        self._compare(name, body)

    def _compare(self, name: str, body: Any) -> None:
        """Note a prompt that did not arrive as it was sent, but for what is added."""
        arrived = [it for it in self.ollama.prompts if it.header("X-Prompt") == name]
        for each in arrived:
            self.ollama.requests.remove(each)
        if not arrived:
            self.outcomes.wrong.append(f"{name} did not arrive")
        for each in arrived:
            got = each.json
            others = iter(got["messages"])
            kept = all(
                any(_is(message, other) for other in others)
                for message in body["messages"]
            )
            added = len(got["messages"]) - len(body["messages"])
            rest = {**got, "messages": None} == {**body, "messages": None}
            if not (kept and added <= 1 and rest):
                self.outcomes.wrong.append(f"{name} was changed: {got}")


def _is(sent: Any, arrived: Any) -> bool:
    return sent["role"] == arrived["role"] and sent["content"] in arrived["content"]


def _megabytes(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    sizes = {name: int(size.split()[0]) for name, _, size in map(_parted, lines[1:])}
    return (sizes["Pss"] - sizes.get("Pss_Shmem", 0)) / 1024


def _parted(line: str) -> tuple[str, str, str]:
    return line.partition(":")
