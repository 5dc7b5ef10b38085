"""A process of ours that a test starts and ends."""

from __future__ import annotations

import asyncio
from pathlib import Path


class Program:
    """
    A process that prints to a file.
    """

    def __init__(self, output: Path):
        self._output = output
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """
        The process.
        """
        assert self._process is not None, "it was not started"
        return self._process.pid

    @property
    def code(self) -> int | None:
        """
        Its exit code; None while it runs.
        """
        assert self._process is not None, "it was not started"
        return self._process.returncode

    def output(self) -> str:
        """
        Return the last of what it printed.
        """
        if not self._output.exists():
            return ""
        return self._output.read_text(errors="replace")[-20_000:]
