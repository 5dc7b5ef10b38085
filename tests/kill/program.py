"""A process of ours that a test starts and ends."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from tests import forks

FORKED = ("festinger",)
"""The command as a fork of a process that has imported it: see `forks`."""
EARLY = ("tests.kill.early",)
"""The same with a defect."""

Process = asyncio.subprocess.Process | forks.ForkedProcess


class Program:
    """A process that prints to a file."""

    def __init__(self, output: Path):
        self._output = output
        self._process: Process | None = None

    @property
    def pid(self) -> int:
        """The process."""
        assert self._process is not None, "it was not started"
        return self._process.pid

    @property
    def code(self) -> int | None:
        """Its exit code; None while it runs."""
        assert self._process is not None, "it was not started"
        return self._process.returncode

    def output(self) -> str:
        """Return the last of what it printed."""
        if not self._output.exists():
            return ""
        return self._output.read_text(errors="replace")[-20_000:]


async def run(*command: str, environment: Mapping[str, str], output: int) -> Process:
    """Start a program that reads nothing, as a fork where it is one of ours."""
    program, *words = command
    if (program,) in (FORKED, EARLY):
        return forks.start(
            *words, environment=environment, output=output, program=program
        )
    return await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=output,
        stderr=output,
    )
