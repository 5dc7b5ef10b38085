"""Somebody takes back a fact (C5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.graph.changes import Retraction
from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.world.draft import Draft
from festinger.services.world.jobs import Job
from festinger.services.world.memory import TenantMemory
from festinger.services.world.waiting import FreedConflicts
from festinger.store.world.batches import Answered, Batch, Committed, RequestKey
from festinger.store.world.reads import PostgresReads


@dataclass(frozen=True, slots=True)
class Retracted:
    """What a retraction led to.

    Attributes:
        settled: The conflicts whose statements waited for it and are held now.
        version: The tenant's version after it.
    """

    retraction: Retraction
    settled: Sequence[int]
    version: int


class Forgetting(Job[Retracted]):
    """A fact or a denial is taken back, and what it kept waiting is judged again."""

    alone = True

    def __init__(
        self,
        triple: Triple,
        *,
        principal: str,
        subject: str,
        why: str,
        request: RequestKey | None,
    ) -> None:
        super().__init__(request)
        self._triple = triple
        self._principal = principal
        self._subject = subject
        self._why = why
        self._waiting = FreedConflicts()
        self._retraction: Retraction | None = None
        self._settled: list[int] = []

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that may be held in its place."""
        return self._waiting.proposals(self._principal)

    async def load(self, reads: PostgresReads) -> None:
        """Reads what may wait for it."""
        self._waiting = await FreedConflicts.beside(reads, [self._triple.concept])

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Takes it back, and holds what ran against nothing else.

        Raises:
            FactNotHeld: Nothing of the kind is held.
        """
        self._retraction = draft.retract(
            self._triple,
            principal=self._principal,
            subject=self._subject,
            why=self._why,
        )
        self._settled = self._waiting.release(
            draft,
            by=self._principal,
            reasoning=f"free since retraction {self._retraction.id}",
        )
        answered = Answered(
            assertion_id=self._retraction.id, settled=tuple(self._settled)
        )
        self.remember(batch, None, answered)

    def answer(self, committed: Committed) -> Retracted:
        """What was held, and what is held in its place."""
        assert self._retraction is not None, "an answer follows a decision"
        return Retracted(self._retraction, self._settled, committed.version)

    async def replay(self, reads: PostgresReads, answered: Answered) -> Retracted:
        """The retraction as the ledger has it."""
        retraction = await reads.retraction(answered.assertion_id)
        return Retracted(retraction, answered.settled, answered.version)


async def retract_fact(
    memory: TenantMemory,
    triple: Triple,
    *,
    principal: str,
    subject: str = "",
    why: str = "",
    request: RequestKey | None = None,
) -> Retracted:
    """Takes back a fact, and answers after the commit.

    Raises:
        FactNotHeld: Nothing of the kind is held.
        RequestIdReused: The request's id came with another statement.
        DatabaseUnavailable: Repeat the request under its id.
        Overloaded: Try again.
    """
    return await memory.writer.submit(
        Forgetting(
            triple, principal=principal, subject=subject, why=why, request=request
        )
    )
