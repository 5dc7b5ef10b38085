"""What nobody decided in time is over, and waits for dreaming (4-validation)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from festinger.core.graph.candidates import Factoid, FactoidState
from festinger.core.validation.lifecycle import TIME_OVER
from festinger.core.world.draft import Draft
from festinger.errors import DatabaseUnavailable, FestingerError, Overloaded
from festinger.services.world.jobs import Job
from festinger.services.world.memory import Memories
from festinger.services.world.writer import Writer
from festinger.store.world.batches import Batch, Committed, Ruling
from festinger.store.world.reads import PostgresReads

EXPIRED_MAX = 200
"""Candidates that end in one transaction."""


class Answers(Protocol):
    """Where people's answers are kept, of all tenants."""

    async def tenants_over(self, now: float) -> list[str]:
        """The memories with a candidate whose time is over."""


class Expiring(Job[Sequence[Factoid]]):
    """Ends the candidates of a memory whose time is over, each once.

    Of several servers whoever has the pen does it; the next finds nothing left.
    """

    alone = True

    def __init__(self, now: float) -> None:
        super().__init__()
        self._now = now
        self._over: Sequence[Factoid] = ()

    async def load(self, reads: PostgresReads) -> None:
        """Reads whose time is over."""
        self._over = await reads.factoids_over(self._now, EXPIRED_MAX)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Ends them, and the asking; they wait for dreaming."""
        for factoid in self._over:
            ended = replace(
                factoid,
                state=FactoidState.EXPIRED,
                decided=draft.now,
                decision_rule=TIME_OVER,
            )
            batch.rulings.append(Ruling(ended, closes="expired", backlog="expired"))

    def answer(self, committed: Committed) -> Sequence[Factoid]:
        """What ended."""
        return self._over


class Expirer:
    """Looks whose time is over, whether or not their memory is open.

    Args:
        now: The time, in seconds since the epoch.
        complain: Gets a sentence for each memory in which nothing can end.
    """

    def __init__(
        self,
        memories: Memories,
        answers: Answers,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self._memories = memories
        self._answers = answers
        self._now = now
        self._complain = complain

    async def look(self) -> None:
        """Ends whatever is over now.

        Raises:
            DatabaseUnavailable: Nobody can say.
            Overloaded: The same.
        """
        now = self._now()
        for tenant in await self._answers.tenants_over(now):
            try:
                memory = await self._memories.get(tenant)
                await _end_all(memory.writer, now)
            except (DatabaseUnavailable, Overloaded):
                raise
            except FestingerError as error:
                # What is wrong with one memory keeps no other waiting.
                self._complain(f"tenant {tenant}: candidates do not expire: {error}")


async def _end_all(writer: Writer, now: float) -> None:
    """Ends whatever is over in a memory, some at a time."""
    ended = await writer.submit(Expiring(now))
    while len(ended) == EXPIRED_MAX:
        ended = await writer.submit(Expiring(now))
