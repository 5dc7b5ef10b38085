"""Work under a lease, and rounds over the memories that this server serves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from festinger.errors import DatabaseUnavailable, FestingerError, Overloaded
from festinger.lifetimes import cancel_all
from festinger.services.world.memory import Memories
from festinger.store.system.tenancy import Leased

# Extended every ten seconds; a process that died is missed after thirty.
LEASE_SECONDS = 30.0
"""Duration of a lease in seconds, after which another process may take the work."""


async def work_alone(
    leases: Leased,
    tenant: str,
    seconds: float,
    work: Callable[[], Coroutine[Any, Any, None]],
) -> None:
    """Do work as long as its lease is held; do nothing if another process holds it.

    Args:
        seconds: Duration of the lease, which is extended until the work is done.

    Raises:
        Exception: Whatever the work raises.
    """
    if not await leases.take_lease(tenant, seconds):
        return
    task = asyncio.create_task(work())
    try:
        if await worked(task, partial(leases.take_lease, tenant, seconds), seconds):
            task.result()
    finally:
        # It expires anyway; others need not wait for that.
        with suppress(FestingerError):
            await leases.drop_lease(tenant)


async def worked(
    work: asyncio.Task[None], extend: Callable[[], Awaitable[bool]], seconds: float
) -> bool:
    """Wait for a task while extending its lease; return False if the lease is lost.

    Args:
        work: Task, cancelled if the lease is lost or the caller is cancelled.
        extend: Extends the lease; returns False if it is lost.
        seconds: Duration of the lease.
    """
    try:
        while not work.done():
            # Three attempts to extend before the lease expires.
            await asyncio.wait([work], timeout=seconds / 3)
            # Another process has the work now: this one must stop before it writes.
            if not (work.done() or await _is_ours(extend)):
                return False
        return True
    finally:
        await cancel_all([work])


async def _is_ours(extend: Callable[[], Awaitable[bool]]) -> bool:
    """Extend the lease; return False if it is lost."""
    # While the database is away no other process can take it.
    try:
        return await extend()
    except FestingerError:
        return True


async def each_served(
    memories: Memories,
    tenants: Sequence[str],
    do: Callable[[str], Awaitable[None]],
    *,
    complain: Callable[[str], None],
    lament: str,
) -> None:
    """Do something for each of some tenants that this server serves.

    Args:
        complain: Called with a sentence for each tenant for which it fails.
        lament: What fails, as a clause of that sentence.

    Raises:
        DatabaseUnavailable: The database cannot be reached; the others are left out.
    """
    for tenant in await memories.directory.served(tenants):
        try:
            await do(tenant)
        # What fails for one of them fails for all.
        except (DatabaseUnavailable, Overloaded):
            raise
        except FestingerError as error:
            # A failure in one memory must not keep the others waiting.
            complain(f"tenant {tenant}: {lament}: {error}")
