"""Expire candidates that were not decided in time, and queue them for dreaming."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.validation.lifecycle import TIME_OVER, CandidateMover, move
from festinger.core.world.draft import Draft
from festinger.services.system.leases import each_served
from festinger.services.world.jobs import Job
from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from festinger.store.validation.answers import AnswerWrites
from festinger.store.validation.records import CandidateUpdate
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads

EXPIRED_MAX = 200
"""Maximum number of candidates that expire in one transaction."""


@dataclass(eq=False)
class ExpireCandidates(Job[Sequence[Candidate]]):
    """Job that expires the candidates of a memory past their deadline, each once."""

    alone = True

    now: float
    _over: Sequence[Candidate] = field(default=(), init=False)

    async def load(self, reads: PostgresReads) -> None:
        """Read the candidates past their deadline."""
        # Under the lock: of several servers, the first expires them, and the next finds none.
        self._over = await reads.candidates_over(self.now, EXPIRED_MAX)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Expire the candidates, close their questions, and queue them for dreaming."""
        for candidate in self._over:
            ended = move(
                candidate,
                CandidateState.EXPIRED,
                CandidateMover.DEADLINE,
                decided=draft.now,
                decision_rule=TIME_OVER,
            )
            batch.of(AnswerWrites).candidate_updates.append(
                # What nobody decided is looked into by dreams.
                CandidateUpdate(ended, closes="expired", backlog="expired")
            )

    def answer(self, version: int) -> Sequence[Candidate]:
        """Return the candidates that expired."""
        return self._over


@dataclass(eq=False)
class Expirer:
    """Expiry of candidates in all memories, whether loaded or not.

    Args:
        complain: Called with a sentence for each memory in which it fails.
    """

    memories: Memories
    store: PostgresStore
    _: KW_ONLY
    now: Callable[[], float]
    complain: Callable[[str], None] = lambda message: None

    async def look(self) -> None:
        """Expire all candidates past their deadline."""
        now = self.now()
        over = await self.store.tenants_over(now)
        # Memories need not be loaded: deadlines pass while nobody talks.
        await each_served(
            self.memories,
            over,
            partial(self._end_all, now),
            complain=self.complain,
            lament="candidates do not expire",
        )

    async def _end_all(self, now: float, tenant: str) -> None:
        """Expire the candidates of a memory, in batches."""
        writer = (await self.memories.get(tenant)).writer
        ended = await writer.submit(ExpireCandidates(now))
        # A full batch may not be all of them.
        while len(ended) == EXPIRED_MAX:
            ended = await writer.submit(ExpireCandidates(now))
