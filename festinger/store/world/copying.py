"""Taking in what Postgres sends as COPY, while it sends it.

Postgres sends a row at a time and we would be woken for each eight kilobytes; that is
most of what receiving costs. So after each part there is a pause in which more comes, and
what has come is parsed on a thread of its own, without the GIL.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from festinger.store.system.pool import Connection

PARSED_BYTES = 256 * 1024
"""How much is parsed at a time: worth the way to another thread and back."""
PAUSE_SECONDS = 0.001
"""How long more may come; a socket holds about what Postgres sends meanwhile."""


async def copy(
    connection: Connection, query: str, tenant: str, feed: Callable[[bytes], None]
) -> None:
    """Feeds what a query of a tenant finds, as binary COPY, in parts.

    Raises:
        Exception: What `feed` raises; the rest is not asked for then.
    """
    parts: list[bytes] = []

    async def take(part: bytes) -> None:
        parts.append(part)
        if sum(map(len, parts)) < PARSED_BYTES:
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            await parse()

    async def parse() -> None:
        data = b"".join(parts)
        parts.clear()
        await asyncio.to_thread(feed, data)

    await connection.copy_from_query(query, tenant, output=take, format="binary")
    await parse()
