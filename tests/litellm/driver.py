"""LiteLLM as a process in an environment of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tests.apart import ROOT, environment_without_proxies

ENVIRONMENTS = ROOT / ".venv-litellm"
SCRIPT = Path(__file__).with_name("scripts") / "client.py"

VERSIONS = ("1.79.3", "current")
"""The environments: what Agent Zero pins, and the newest that we have tried."""

MODEL = "llama3.1"
"""LiteLLM has it in its list, so it need not ask an Ollama what the model can do."""

DEADLINE_SECONDS = 60.0
"""For what takes a moment, on a machine that does other things as well."""

START_SECONDS = 300.0
"""For the first import, which compiles all of LiteLLM."""

_LINE_BYTES_MAX = 2**20


@dataclass(frozen=True)
class Provider:
    """One of LiteLLM's ways to Ollama.

    Attributes:
        name: What stands before the model's name.
        route: The route that it posts to.
        base: What stands after Ollama's URL.
    """

    name: str
    route: str
    base: str = ""

    def at(self, url: str) -> dict[str, Any]:
        """Return the arguments that send a request to an Ollama."""
        arguments = {
            "model": f"{self.name}/{MODEL}",
            "api_base": url + self.base,
            "timeout": DEADLINE_SECONDS,
            "max_retries": 0,
        }
        if self.base:
            # OpenAI's client, which is below, sends nothing without a key.
            arguments["api_key"] = "none"
        return arguments


FLATTENED = Provider("ollama", "/api/generate")
CHAT = Provider("ollama_chat", "/api/chat")
OPENAI = Provider("openai", "/v1/chat/completions", "/v1")
PROVIDERS = (FLATTENED, CHAT, OPENAI)


@dataclass
class Answer:
    """Answer of LiteLLM to its caller.

    Attributes:
        parts: The chunks of a stream, or the one answer.
        error: What it raised, as text.
        kinds: The names of the exception's classes, its own first.
    """

    parts: list[dict[str, Any]] = field(default_factory=list)
    error: str | None = None
    kinds: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that was said."""
        return "".join(part["text"] for part in self.parts)


class LiteLLM:
    """A LiteLLM, which answers one request after the other.

    One that falls silent is ended, and the next request starts another: it keeps
    nobody waiting but who asked.

    Args:
        environment: One of `VERSIONS`.
    """

    def __init__(self, environment: str) -> None:
        self.environment = environment
        self.version = ""
        self._process: subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()

    async def _start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            ENVIRONMENTS / self.environment / "bin" / "python",
            "-I",
            SCRIPT,
            env={
                **environment_without_proxies(),
                "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            limit=_LINE_BYTES_MAX,
        )
        self.version = (await self._event(START_SECONDS))["version"]

    async def ask(self, function: str, **arguments: Any) -> Answer:
        """Call one of LiteLLM's functions, and wait for all that it gives."""
        await self._send(function, arguments)
        answer = Answer()
        while "chunk" in (event := await self._event()):
            answer.parts.append(event["chunk"])
        if "error" in event:
            answer.error, answer.kinds = event["error"], event["kinds"]
        elif event["answer"]:
            answer.parts.append(event["answer"])
        return answer

    async def leave(self, function: str, after: list[str], **arguments: Any) -> None:
        """Call a function from a process that is killed once it was given some words.

        To start another LiteLLM for that takes many seconds.
        """
        await self._send(function, arguments, apart=True)
        pid, words = (await self._event())["pid"], ""
        while words.split() != after:
            words += (await self._event())["chunk"]["text"]
        os.kill(pid, signal.SIGKILL)
        assert (await self._event())["killed"]

    async def _send(
        self, function: str, arguments: dict[str, Any], apart: bool = False
    ) -> None:
        if self._process is None:
            await self._start()
        assert self._process
        assert self._process.stdin
        request = {"function": function, "arguments": arguments, "apart": apart}
        self._process.stdin.write(json.dumps(request).encode() + b"\n")

    async def _event(self, seconds: float = DEADLINE_SECONDS) -> dict[str, Any]:
        assert self._process
        assert self._process.stdout
        try:
            async with asyncio.timeout(seconds):
                line = await self._process.stdout.readline()
        except TimeoutError:
            await self._end()
            raise TimeoutError(
                f"LiteLLM ({self.environment}) was silent for {seconds:.0f} s"
            ) from None
        if not line:
            raise EOFError(f"LiteLLM ({self.environment}) ended; its output says why")
        event: dict[str, Any] = json.loads(line)
        return event
