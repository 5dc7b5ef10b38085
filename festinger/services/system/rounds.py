"""Rounds of a background worker over the memories that this server serves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from festinger.errors import DatabaseUnavailable, FestingerError, Overloaded
from festinger.services.world.memory import Memories


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
        Overloaded: The server is stopping, or has too much to do.
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
