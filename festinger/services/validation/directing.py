"""An operator says what is to be done with a candidate; nothing is decided about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from festinger.core.graph.candidates import Factoid, FactoidState, Priority
from festinger.core.system.principals import is_same
from festinger.core.validation.lifecycle import SENT_TO_DREAMING
from festinger.core.world.draft import Draft
from festinger.errors import FactoidClosed
from festinger.services.validation.answering import closed
from festinger.services.validation.ruling import Reference
from festinger.services.world.jobs import Job
from festinger.store.world.batches import Answered, Batch, Committed, RequestKey, Ruling
from festinger.store.world.reads import PostgresReads


class Direction(StrEnum):
    """What is to be done with a candidate."""

    DREAM = "dream"
    """It is looked into at night, and nobody is asked any more."""
    REQUEST_EVIDENCE = "request_evidence"
    """Its author is asked for evidence."""
    RAISE = "raise"
    """It is more urgent."""
    UNFLAG = "unflag"
    """A moderator has looked at it."""


class Directing(Job[Factoid]):
    """Does what an operator wants with a candidate.

    Args:
        ttl_seconds: How long candidates wait for people.
    """

    alone = True

    def __init__(
        self,
        reference: Reference,
        direction: Direction,
        *,
        principal: str,
        ttl_seconds: Mapping[Priority, float],
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(request)
        self._reference = reference
        self._direction = direction
        self._principal = principal
        self._ttl_seconds = ttl_seconds
        self._factoid: Factoid | None = None

    @property
    def factoid(self) -> Factoid:
        """The candidate, once it is read."""
        assert self._factoid is not None, "a decision follows a load"
        return self._factoid

    async def load(self, reads: PostgresReads) -> None:
        """Reads the candidate."""
        self._factoid = await self._reference.read(reads)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Has it written.

        Raises:
            FactoidClosed: Nobody is asked about it any more.
        """
        factoid = self.factoid
        if self._direction is Direction.UNFLAG:
            batch.rulings.append(Ruling(replace(factoid, flagged=False)))
        else:
            self._check_open(draft.now)
            batch.rulings.append(self._directed(factoid, draft.now))
        self.remember(batch, None, Answered(factoid_id=factoid.id))

    async def read_back(self, reads: PostgresReads) -> None:
        """Reads the candidate as it is now."""
        self._factoid = await reads.factoid(self.factoid.id)

    def answer(self, committed: Committed) -> Factoid:
        """The candidate as it is now."""
        return self.factoid

    async def replay(self, reads: PostgresReads, answered: Answered) -> Factoid:
        """The candidate as it is now."""
        return await reads.factoid(answered.factoid_id)

    def _directed(self, factoid: Factoid, now: float) -> Ruling:
        if self._direction is Direction.REQUEST_EVIDENCE:
            return Ruling(replace(factoid, evidence_wanted=True))
        if self._direction is Direction.RAISE:
            if factoid.priority is Priority.CRITICAL:
                return Ruling(factoid)
            expires = now + self._ttl_seconds[Priority.HIGH]
            return Ruling(replace(factoid, priority=Priority.HIGH, expires=expires))
        # Who put it forward does not decide about it, in whatever way (E6).
        is_proposer = is_same(factoid.proposer, self._principal)
        dreamt = replace(
            factoid,
            state=FactoidState.EXPIRED,
            decider="" if is_proposer else self._principal,
            decided=now,
            decision_rule=SENT_TO_DREAMING,
        )
        return Ruling(dreamt, closes="decided", backlog="requested")

    def _check_open(self, now: float) -> None:
        factoid = self.factoid
        if factoid.state is not FactoidState.PENDING:
            raise FactoidClosed(
                f"candidate #{factoid.id} is {factoid.state}: nobody is asked about it",
                factoid_id=str(factoid.id),
                principal=factoid.decider,
            )
        if factoid.is_over(now):
            raise closed(factoid)
