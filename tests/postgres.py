"""Postgres as an operator runs it: its own programs, in a shell, as its own user."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

from festinger.store.embedded import cluster
from festinger.store.embedded.place import SYSTEM_DIR, settle


class PostgresShell:
    """
    A shell in which PostgreSQL's programs are found, of the user that may run them.

    Args:
        directory: Where that user may write.
    """

    def __init__(self, directory: Path):
        self.directory = directory
        place = settle(directory, directory)
        self.owner = place.owner
        self.programs = cluster.programs(place, SYSTEM_DIR).directory
        self.owner.owns(directory)

    def environment(self, **variables: str) -> dict[str, str]:
        """Return the environment of the shell, without settings of whoever runs the tests."""
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        return {"PATH": path, "LC_ALL": "C", **variables}

    async def run(self, commands: str, **variables: str) -> str:
        """
        Run commands, and return what they print.

        Raises:
            AssertionError: One of them failed.
        """
        # Into a file, since what they start goes on and would hold a pipe open.
        output = self.directory / "output"
        with output.open("wb") as file:
            process = await asyncio.create_subprocess_exec(
                *("sh", "-euc", commands),
                cwd=self.directory,
                env=self.environment(**variables),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
                **self.owner.spawn_options(),
            )
            code = await process.wait()
        text = output.read_text(errors="replace")
        assert code == 0, f"{commands}\n{text}"
        return text
