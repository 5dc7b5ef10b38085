"""Forget what people said: after a time, by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from festinger.core.draft import Draft
from festinger.core.saliency import DAY
from festinger.errors import FestingerError
from festinger.flows.batches import Batch, Committed
from festinger.flows.jobs import Job
from festinger.flows.memory import Memories
from festinger.flows.ports import Reads

TURNS_MAX: Final = 500
"""Turns that one transaction forgets."""


class ForgetOldTurns(Job[int]):
    """Forget some of the turns that were said before a moment.

    Args:
        before: In seconds since the epoch.
    """

    def __init__(self, before: float) -> None:
        super().__init__()
        self._before = before
        self._old: Sequence[int] = ()

    async def load(self, reads: Reads) -> None:
        """Read which turns are old."""
        self._old = await reads.old_turns(self._before, TURNS_MAX)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Have them removed, and the sentences that the ledger quotes of that time."""
        batch.removed.update(self._old)
        batch.evidence_before = self._before

    def answer(self, committed: Committed) -> int:
        """Return how many were forgotten."""
        return len(self._old)


class Forgetter:
    """Forgets what is too old, in all memories that have something of it.

    Whatever ends it between two transactions, the next look goes on: what is too old is
    found in the database, and nowhere noted.

    Args:
        days: How long what people say is kept.
        now: Gives the time in seconds since the epoch.
    """

    def __init__(
        self, memories: Memories, *, days: float, now: Callable[[], float]
    ) -> None:
        self._memories = memories
        self._days = days
        self._now = now

    async def look(self) -> None:
        """Forget whatever is too old now.

        Raises:
            DatabaseUnavailable: Some of it is still kept.
            Overloaded: The same.
        """
        failures: list[FestingerError] = []
        before = self._now() - self._days * DAY
        for tenant in await self._memories.with_old_words(before):
            try:
                memory = await self._memories.get(tenant)
                while await memory.writer.submit(ForgetOldTurns(before)) == TURNS_MAX:
                    pass
            except FestingerError as error:
                failures.append(error)
        if failures:
            raise failures[0]
