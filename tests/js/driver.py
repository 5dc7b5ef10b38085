"""Node.js as a process, with the official clients in it."""

from __future__ import annotations

import asyncio
import json
from asyncio import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tests.apart import ROOT, environment_without_proxies

ENVIRONMENT = ROOT / ".venv-js"
SCRIPT = Path(__file__).with_name("scripts") / "client.cjs"

DEADLINE_SECONDS = 60.0
"""For what takes a moment, on a machine that does other things as well."""


@dataclass
class Answer:
    """Answer of a client to its caller.

    Attributes:
        chunks: Those of a stream.
        whole: What ended it; None for a stream.
        error: The message of what it threw.
        kind: The name of the error's class.
        status: That the error names.
    """

    chunks: list[Any] = field(default_factory=list)
    whole: Any = None
    error: str | None = None
    kind: str = ""
    status: int | None = None


class Node:
    """A Node.js, whose clients answer one request after the other."""

    def __init__(self) -> None:
        self._process: subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            ENVIRONMENT / "bin" / "node",
            SCRIPT,
            ENVIRONMENT / "clients",
            env=environment_without_proxies(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            limit=2**20,
        )
        assert (await self._event())["ready"]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    async def ask(
        self, client: str, url: str, call: str, args: Any, abort_after: int = 0
    ) -> Answer:
        """Call one of a client's functions, and wait for all that it gives."""
        assert self._process
        assert self._process.stdin
        request = {"client": client, "url": url, "call": call, "args": args}
        request["abort_after"] = abort_after
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        answer = Answer()
        while "chunk" in (event := await self._event()):
            answer.chunks.append(event["chunk"])
        answer.whole = event.get("answer")
        answer.error = event.get("error")
        answer.kind = event.get("kind", "")
        answer.status = event.get("status")
        return answer

    async def _event(self) -> dict[str, Any]:
        assert self._process
        assert self._process.stdout
        async with asyncio.timeout(DEADLINE_SECONDS):
            line = await self._process.stdout.readline()
        if not line:
            raise EOFError("Node.js ended; its output says why")
        event: dict[str, Any] = json.loads(line)
        return event
