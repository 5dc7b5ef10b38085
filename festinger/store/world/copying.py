"""Incremental parsing of binary COPY data while it is received."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from festinger.store.system.pool import Connection

PARSED_BYTES = 256 * 1024
"""The number of bytes that are parsed at once, which outweighs a switch of threads."""
PAUSE_SECONDS = 0.001
"""The pause for more data; a socket buffers about what Postgres sends meanwhile."""


async def copy(
    connection: Connection, query: str, tenant: str, feed: Callable[[bytes], None]
) -> None:
    """Feed the result of a tenant's query, as binary COPY, in parts.

    Raises:
        Exception: An error that `feed` raised; it aborts the COPY.
    """
    parts: list[bytes] = []

    async def take(part: bytes) -> None:
        """Collect a part; parse when there are enough bytes."""
        parts.append(part)
        if sum(map(len, parts)) < PARSED_BYTES:
            # Postgres sends a row at a time: without a pause the event loop would wake for each
            # 8 KB, which is most of the cost of receiving.
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            await parse()

    async def parse() -> None:
        """Parse the collected parts in a thread."""
        data = b"".join(parts)
        parts.clear()
        # In another thread, as parsing holds no GIL.
        await asyncio.to_thread(feed, data)

    await connection.copy_from_query(query, tenant, output=take, format="binary")
    await parse()
