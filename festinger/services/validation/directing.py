"""Operators' directions for candidates, which do not decide about them."""

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
    """Direction of an operator for a candidate."""

    DREAM = "dream"
    """Queue it for dreaming, and stop asking people."""
    REQUEST_EVIDENCE = "request_evidence"
    """Ask its author for evidence."""
    RAISE = "raise"
    """Raise its priority."""
    UNFLAG = "unflag"
    """Remove its flag after a moderator's review."""


class Directing(Job[Factoid]):
    """Job that applies an operator's direction to a candidate.

    Args:
        ttl_seconds: Seconds until candidates expire, by priority.
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
        """The candidate, after `load`."""
        assert self._factoid is not None, "a decision follows a load"
        return self._factoid

    async def load(self, reads: PostgresReads) -> None:
        """Read the candidate."""
        self._factoid = await self._reference.read(reads)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Add the changed candidate to the batch.

        Raises:
            FactoidClosed: The candidate is decided or expired.
        """
        factoid = self.factoid
        if self._direction is Direction.UNFLAG:
            batch.rulings.append(Ruling(replace(factoid, flagged=False)))
        else:
            self._check_open(draft.now)
            batch.rulings.append(self._directed(factoid, draft.now))
        self.remember(batch, None, Answered(factoid_id=factoid.id))

    async def read_back(self, reads: PostgresReads) -> None:
        """Read the candidate as it is after the change."""
        self._factoid = await reads.factoid(self.factoid.id)

    def answer(self, committed: Committed) -> Factoid:
        """Return the candidate as it is now."""
        return self.factoid

    async def replay(self, reads: PostgresReads, answered: Answered) -> Factoid:
        """Return the candidate as it is now."""
        return await reads.factoid(answered.factoid_id)

    def _directed(self, factoid: Factoid, now: float) -> Ruling:
        if self._direction is Direction.REQUEST_EVIDENCE:
            return Ruling(replace(factoid, evidence_wanted=True))
        if self._direction is Direction.RAISE:
            if factoid.priority is Priority.CRITICAL:
                return Ruling(factoid)
            expires = now + self._ttl_seconds[Priority.HIGH]
            return Ruling(replace(factoid, priority=Priority.HIGH, expires=expires))
        # The proposer of a candidate does not count as its decider (E6).
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
