"""Encounters of words: their counters are written behind, each counted once."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Final

from festinger.core.world.world import World
from festinger.store.postgres import PostgresStore
from festinger.store.world.batches import Deltas, RaceLost

SELDOM_MAX: Final = 50_000
"""Maximum number of words met once that a memory remembers; the newest stay."""
_TWICE: Final = 2
"""Encounters after which a word gets a row: most words are never met again."""
_SEQUENCES: Final = count(1)
"""Sequence numbers that are unique in this process: a memory may be closed and opened
again, and its first batch must not be taken for one that was written before."""


class Counters:
    """Encounters that are not yet in Postgres."""

    def __init__(self, tenant: str, store: PostgresStore) -> None:
        self._tenant = tenant
        self._store = store
        self._sequence = 0
        self._sent: tuple[dict[int, str], Deltas] | None = None
        """Concepts and counts that were sent and not acknowledged. They may have been
        committed, so they are sent again unchanged under the same sequence number."""

    async def flush(self, world: World, *, everything: bool = False) -> None:
        """Write new concepts and the counts since the last flush.

        Args:
            everything: Whether encounters of everyday words are written, too.

        Raises:
            RaceLost: A concept has another number by now; the counts stay in memory.
            DatabaseUnavailable: The counts stay in memory and are sent again.
        """
        # Half of all words are met once: they stay in memory, and only the newest of them.
        world.forget_seldom(SELDOM_MAX)
        # What is in doubt goes first, since its counts are older and its sequence number smaller.
        if self._sent is not None:
            await self._send(world)
        # There are many everyday words in every prompt, and nothing depends on their counts.
        await self._send(world, everyday=everything)

    async def _send(self, world: World, *, everyday: bool = False) -> None:
        if self._sent is None:
            drained = world.vocabulary.drain(least=_TWICE, everyday=everyday)
            unsaved = world.unsaved
            concepts = {each: unsaved[each] for each, *_ in drained if each in unsaved}
            self._sent = (concepts, drained)
            self._sequence = next(_SEQUENCES)
        concepts, deltas = self._sent
        if concepts or deltas:
            try:
                await self._store.flush(self._tenant, concepts, deltas, self._sequence)
            except RaceLost:
                # Nothing was written; the counts go back before numbers change.
                self._sent = None
                world.vocabulary.restore(list(deltas))
                raise
            for number in concepts:
                world.unsaved.pop(number, None)
        self._sent = None


SELDOM_AT_A_TIME = 2_000
"""Words that are restored before control returns to the event loop."""


class SeldomWords:
    """Words that closed memories had met once, by tenant."""

    def __init__(self) -> None:
        # One text for each tenant takes a tenth of the space of objects.
        self._lines: dict[str, str] = {}

    def keep(self, tenant: str, world: World) -> None:
        """Keep the words of a world that is closed."""
        # Tokens have no spaces (B2), so that a space can stand between number and word.
        seldom = [f"{number} {token}" for number, token in world.seldom()]
        if seldom:
            self._lines[tenant] = "\n".join(seldom)

    async def give_back(self, tenant: str, world: World, *, now: float) -> None:
        """Restore the words in a world that is loaded again."""
        lines = self._lines.pop(tenant, "").splitlines()
        for start in range(0, len(lines), SELDOM_AT_A_TIME):
            pairs = [
                line.split(" ") for line in lines[start : start + SELDOM_AT_A_TIME]
            ]
            world.meet_again([(int(number), token) for number, token in pairs], now=now)
            await asyncio.sleep(0)
