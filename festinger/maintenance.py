"""Maintenance of a database beside the servers: backup and restore."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Protocol

from festinger.config import Settings
from festinger.errors import InvalidArgument
from festinger.opening import open_database, prepare, sole_server
from festinger.store.embedded.place import has_cluster
from festinger.store.system import backup
from festinger.store.system.archive import Manifest


class Report(Protocol):
    """Display of the progress."""

    def say(self, message: str) -> None:
        """Show a message."""

    def step(self, name: str, done: int, total: int) -> None:
        """Show the progress of a step, in items done of a total."""


async def back_up(
    settings: Settings,
    file: Path,
    report: Report,
) -> Manifest:
    """Write a backup of all memories, while servers use them.

    Raises:
        FestingerError: It fails; the message says why and what to do.
    """
    if settings.database.dsn is None and not has_cluster(settings.data_dir):
        raise InvalidArgument(
            f"{settings.data_dir} holds no database, so there is nothing to back up. "
            "Name the server's data directory with --data-dir, or its database with "
            "--dsn"
        )
    async with AsyncExitStack() as stack:
        dsn, _ = await open_database(settings, report.say, stack)
        return await backup.back_up(dsn, file, report=report.step)


async def restore(
    settings: Settings,
    file: Path,
    report: Report,
    *,
    replace: bool = False,
) -> Manifest:
    """Make the memories of the database those of a backup, while no server runs.

    Raises:
        FestingerError: It fails, and nothing was changed; the message says why.
    """
    async with AsyncExitStack() as stack:
        prepare(settings.data_dir)
        stack.enter_context(sole_server(settings.data_dir))
        dsn, _ = await open_database(settings, report.say, stack)
        return await backup.restore(dsn, file, replace=replace, report=report.step)
