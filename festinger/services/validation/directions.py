"""Operators' directions for candidates, which do not decide about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum

from festinger.core.graph.candidates import Candidate, CandidateState, Priority
from festinger.core.system.principals import is_same
from festinger.core.validation.lifecycle import SENT_TO_DREAMING, CandidateMover, move
from festinger.core.world.draft import Draft
from festinger.errors import CandidateClosed
from festinger.services.validation.reference import CandidateReference
from festinger.services.validation.responders import closed
from festinger.services.world.jobs import Job
from festinger.store.validation.answers import AnswerWrites
from festinger.store.validation.records import CandidateUpdate
from festinger.store.world.batches import Batch, CallResult
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
    FLAG = "flag"
    """Have a moderator look at it."""


@dataclass(eq=False)
class DirectCandidate(Job[Candidate]):
    """Job that applies an operator's direction to a candidate.

    Args:
        ttl_seconds: Seconds until candidates expire, by priority.
    """

    alone = True

    reference: CandidateReference
    direction: Direction
    _: KW_ONLY
    principal: str
    ttl_seconds: Mapping[Priority, float]
    _candidate: Candidate | None = field(default=None, init=False)

    @property
    def candidate(self) -> Candidate:
        """The candidate, after `load`."""
        assert self._candidate is not None, "a decision follows a load"
        return self._candidate

    async def load(self, reads: PostgresReads) -> None:
        """Read the candidate."""
        self._candidate = await self.reference.read(reads)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Add the changed candidate to the batch. Raises `CandidateClosed`."""
        candidate = self.candidate
        # A flag may be set on a decided candidate, too; the others only while it is open.
        if self.direction in (Direction.FLAG, Direction.UNFLAG):
            flagged = self.direction is Direction.FLAG
            batch.of(AnswerWrites).candidate_updates.append(
                CandidateUpdate(replace(candidate, flagged=flagged))
            )
        else:
            self._check_open(draft.now)
            batch.of(AnswerWrites).candidate_updates.append(
                self._directed(candidate, draft.now)
            )
        self.remember(batch, None, CallResult(candidate_id=candidate.id))

    async def read_back(self, reads: PostgresReads) -> None:
        """Read the candidate as it is after the change."""
        self._candidate = await reads.candidate(self.candidate.id)

    def answer(self, version: int) -> Candidate:
        """Return the candidate as it is now."""
        return self.candidate

    async def replay(self, reads: PostgresReads, answered: CallResult) -> Candidate:
        """Return the candidate as it is now."""
        return await reads.candidate(answered.candidate_id)

    def _directed(self, candidate: Candidate, now: float) -> CandidateUpdate:
        if self.direction is Direction.REQUEST_EVIDENCE:
            return CandidateUpdate(replace(candidate, evidence_wanted=True))
        if self.direction is Direction.RAISE:
            # It is at the top already; another deadline would only delay it.
            if candidate.priority is Priority.CRITICAL:
                return CandidateUpdate(candidate)
            # It gets the time of its new priority, counted from now.
            expires = now + self.ttl_seconds[Priority.HIGH]
            return CandidateUpdate(
                replace(candidate, priority=Priority.HIGH, expires=expires)
            )
        # The proposer of a candidate does not count as its decider (E6).
        is_proposer = is_same(candidate.proposer, self.principal)
        dreamt = move(
            candidate,
            CandidateState.EXPIRED,
            CandidateMover.OPERATOR,
            decider="" if is_proposer else self.principal,
            decided=now,
            decision_rule=SENT_TO_DREAMING,
        )
        # Expired instead of decided: dreaming is no answer about the statement.
        return CandidateUpdate(dreamt, closes="decided", backlog="requested")

    def _check_open(self, now: float) -> None:
        candidate = self.candidate
        if candidate.state is not CandidateState.PENDING:
            raise CandidateClosed(
                f"candidate #{candidate.id} is {candidate.state}: nobody is asked about it",
                candidate_id=str(candidate.id),
                principal=candidate.decider,
            )
        # Its time is over, though the sweep has not come by yet.
        if candidate.is_over(now):
            raise closed(candidate)
