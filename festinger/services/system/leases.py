"""Work that belongs to whoever has a lease on it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from festinger.errors import FestingerError


async def worked(
    work: asyncio.Task[None], extend: Callable[[], Awaitable[bool]], seconds: float
) -> bool:
    """Lets a task work as long as the lease is ours; whether it came to its end.

    Args:
        work: Cancelled if the lease is lost, or whoever waits here goes.
        extend: Extends the lease; False if it is another's by now.
        seconds: How long the lease is.
    """
    try:
        while not work.done():
            await asyncio.wait([work], timeout=seconds / 3)
            if not (work.done() or await _is_ours(extend)):
                return False
        return True
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


async def _is_ours(extend: Callable[[], Awaitable[bool]]) -> bool:
    """Whether we may go on; while the database is away, nobody else can begin."""
    try:
        return await extend()
    except FestingerError:
        return True
