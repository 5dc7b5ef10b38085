"""A `festinger system shim` of the test's own, and agents that talk through it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from festinger.standin import Received, StandIn
from tests.kill.program import FORKED, Program, run
from tests.kill.server import (
    END_SECONDS_MAX,
    START_SECONDS_MAX,
    environment,
    free_port,
)

PAUSE_SECONDS = 0.3
"""Between two prompts of one agent: the machine is not ours alone."""


class Shimming(Program):
    """
    A shim process before a stand-in for Ollama.

    Args:
        data_dir: Where the shim's token is.
        server: Where the memory server listens.
        upstream: The URL of the stand-in.
        variables: What is added to its environment.
    """

    def __init__(self, data_dir: Path, server: str, upstream: str, **variables: str):
        address = f"127.0.0.1:{free_port()}"
        self.url = f"http://{address}"
        super().__init__(data_dir.parent / "shim-output")
        self._arguments = (
            *("system", "shim", "--data-dir", str(data_dir), "--server", server),
            *("--upstream", upstream, "--shim", address),
        )
        self._variables = variables

    async def start(self) -> None:
        """Start the process, and wait until it answers."""
        with self._output.open("ab") as output:
            self._process = await run(
                *(*FORKED, *self._arguments),
                environment=environment() | self._variables,
                output=output.fileno(),
            )
        deadline = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < deadline:
            if self.code is not None:
                break
            with suppress(aiohttp.ClientError):
                await self.health()
                return
            await asyncio.sleep(0.05)
        pytest.fail(f"the shim does not answer:\n{self.output()}")

    async def health(self) -> dict[str, int]:
        """Return the number of enrichments by result."""
        async with (
            aiohttp.ClientSession() as http,
            http.get(f"{self.url}/festinger/health") as response,
        ):
            answer = await response.json()
        counts: dict[str, int] = answer["shim"]["recollections"]
        return counts

    def resident_bytes(self) -> int:
        """Return the bytes of memory it takes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    async def kill(self) -> None:
        """End it as the kernel does: it cannot even notice."""
        assert self._process is not None, "it was not started"
        self._process.kill()
        await self._process.wait()

    async def end(self) -> None:
        """End the process, however it takes it."""
        if self._process is None or self.code is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(END_SECONDS_MAX):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


@dataclass(frozen=True)
class Prompt:
    """
    A prompt that was answered.

    Attributes:
        began: When it was sent.
        ended: When its answer had come.
        result: What the shim says about it.
        added_ms: How long the shim took for it before it sent it on.
    """

    began: float
    ended: float
    status: int
    result: str
    added_ms: float
    answer: str


@dataclass
class Agent:
    """An agent that sends its whole conversation with every prompt."""

    name: str
    shim: Shimming
    said: list[dict[str, str]] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)

    async def say(self, http: aiohttp.ClientSession, text: str) -> Prompt:
        """Say something, and keep the answer in the conversation."""
        self.said.append({"role": "user", "content": text})
        prompt = await self.repeat(http)
        self.said.append({"role": "assistant", "content": prompt.answer})
        return prompt

    async def repeat(self, http: aiohttp.ClientSession) -> Prompt:
        """Send the conversation as it is."""
        body = {"model": "llama3", "stream": False, "messages": self.said}
        began = time.monotonic()
        async with http.post(
            f"{self.shim.url}/api/chat",
            json=body,
            headers={"X-Festinger-Session": self.name, "X-Agent": self.name},
        ) as response:
            answer = await response.json()
            headers = response.headers
        prompt = Prompt(
            began,
            time.monotonic(),
            response.status,
            headers.get("X-Festinger-Recollection", ""),
            float(headers.get("X-Festinger-Added-Ms", "nan")),
            answer.get("message", {}).get("content", ""),
        )
        self.prompts.append(prompt)
        return prompt

    def received(self, ollama: StandIn) -> list[list[dict[str, Any]]]:
        """Return the messages of its prompts, as Ollama got them."""
        return [
            json.loads(prompt.body)["messages"]
            for prompt in ollama.prompts
            if _agent_of(prompt) == self.name
        ]

    def last(self, ollama: StandIn) -> str:
        """Return the newest of them as text."""
        return "\n".join(it["content"] for it in self.received(ollama)[-1])


def _agent_of(prompt: Received) -> str | None:
    return prompt.header("X-Agent")


def results(agents: list[Agent]) -> Counter[str]:
    """Return the number of results that agents were told, by kind."""
    return Counter(prompt.result for agent in agents for prompt in agent.prompts)
