"""Maintenance of a database beside the servers: backup, restore, and its tenants."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Protocol

from festinger.config import Settings
from festinger.errors import InvalidArgument
from festinger.programs import SILENT
from festinger.startup import open_database, open_store, prepare, sole_server
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
    """Write a backup of all memories, while servers use them. Raises `FestingerError`."""
    # Opening it would create an empty database, whose backup looks like a good one.
    if settings.database.dsn is None and not has_cluster(settings.data_dir):
        raise InvalidArgument(
            f"{settings.data_dir} holds no database, so there is nothing to back up. "
            "Name the server's data directory with --data-dir, or its database with "
            "--dsn"
        )
    async with AsyncExitStack() as stack:
        # The embedded database may run for a server: this joins its users.
        dsn, _ = await open_database(settings, report.say, stack)
        return await backup.back_up(dsn, file, report=report.step)


async def restore(
    settings: Settings,
    file: Path,
    report: Report,
    *,
    replace: bool = False,
) -> Manifest:
    """Make the memories those of a backup, while no server runs. Raises `FestingerError`."""
    async with AsyncExitStack() as stack:
        prepare(settings.data_dir)
        # A server that ran would go on with what it has in memory.
        stack.enter_context(sole_server(settings.data_dir))
        dsn, _ = await open_database(settings, report.say, stack)
        return await backup.restore(dsn, file, replace=replace, report=report.step)


async def add_tenant(settings: Settings, tenant: str) -> bool:
    """Create a memory; return False if there is one. Raises `FestingerError`."""
    async with AsyncExitStack() as stack:
        store, _ = await open_store(settings, SILENT, stack)
        return await store.add_tenant(tenant)


async def directory(settings: Settings) -> dict[str, str]:
    """Return each memory's server; empty for any. Raises `FestingerError`."""
    async with AsyncExitStack() as stack:
        store, _ = await open_store(settings, SILENT, stack)
        return await store.directory()


async def assign_tenant(settings: Settings, tenant: str, server: str) -> None:
    """Have a server serve a memory; empty for any server. Raises `FestingerError`."""
    async with AsyncExitStack() as stack:
        store, _ = await open_store(settings, SILENT, stack)
        # The servers see it within a poll, without a restart.
        await store.assign_tenant(tenant, server)


async def move_tenants(settings: Settings, source: str, target: str) -> list[str]:
    """Have a server serve another's memories, and return them. Raises `FestingerError`."""
    async with AsyncExitStack() as stack:
        store, _ = await open_store(settings, SILENT, stack)
        moved = [it for it, name in (await store.directory()).items() if name == source]
        for tenant in moved:
            await store.assign_tenant(tenant, target)
        return moved
