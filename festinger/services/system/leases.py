"""Work under a lease."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from festinger.errors import FestingerError


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
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


async def _is_ours(extend: Callable[[], Awaitable[bool]]) -> bool:
    """Extend the lease; return False if it is lost."""
    # While the database is away no other process can take it.
    try:
        return await extend()
    except FestingerError:
        return True
