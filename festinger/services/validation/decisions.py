"""Operators' decisions about candidates: they answer as moderators do."""

from __future__ import annotations

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.validation.decision import DecisionRule
from festinger.core.validation.events import EventResponse
from festinger.core.validation.policy import POLICY
from festinger.errors import CandidateClosed
from festinger.services.validation.answering import AnswerInput, AnswerJob
from festinger.services.validation.ruling import Reference
from festinger.services.world.jobs import Answer, numbered
from festinger.store.world.batches import Answered, Committed, RequestKey
from festinger.store.world.reads import PostgresReads


class _Decision(AnswerJob[Answer]):
    """An operator's answer, which decides about a pending candidate."""

    response: EventResponse

    def __init__(
        self, candidate_id: int, *, principal: str, request: RequestKey | None
    ) -> None:
        super().__init__(
            Reference(candidate_id),
            AnswerInput(principal, self.response, is_operator=True),
            policy=POLICY,
            request=request,
        )

    def _check_open(self, now: float) -> None:
        """Check that it is pending; later answers go through `AnswerJob` instead."""
        candidate = self.candidate
        if candidate.state is not CandidateState.PENDING:
            raise CandidateClosed(
                f"candidate #{candidate.id} was {candidate.state} by {candidate.decider}",
                candidate_id=str(candidate.id),
                principal=candidate.decider,
            )
        super()._check_open(now)


class ConfirmCandidate(_Decision[tuple[Candidate, Outcome, int]]):
    """Decision that confirms a candidate, which is then judged by the gate."""

    response = EventResponse.CONFIRMED

    def answer(self, committed: Committed) -> tuple[Candidate, Outcome, int]:
        """Return the candidate, the outcome of its statement, and the version."""
        if self._entry is None:
            return self.candidate, _undecided(self.candidate), committed.version
        return self.candidate, numbered(self._entry, committed), committed.version

    async def replay(
        self, reads: PostgresReads, answered: Answered
    ) -> tuple[Candidate, Outcome, int]:
        """Return the candidate as it is now, and the first outcome and version."""
        candidate = await reads.candidate(answered.candidate_id)
        if not answered.assertion_id:
            return candidate, _undecided(candidate), answered.version
        outcome = await reads.outcome(answered.assertion_id)
        return candidate, outcome, answered.version


class RejectCandidate(_Decision[tuple[Candidate, int]]):
    """Decision that rejects a candidate."""

    response = EventResponse.REJECTED

    def answer(self, committed: Committed) -> tuple[Candidate, int]:
        """Return the candidate as it is now, and the version after it."""
        return self.candidate, committed.version

    async def replay(
        self, reads: PostgresReads, answered: Answered
    ) -> tuple[Candidate, int]:
        """Return the candidate as it is now, and the version of the first answer."""
        return await reads.candidate(answered.candidate_id), answered.version


def _undecided(candidate: Candidate) -> Outcome:
    """Return the outcome for a candidate on which moderators differ."""
    return Outcome(
        Verdict.CANDIDATE,
        candidate.triple,
        reason=DecisionRule.MODERATORS_DIFFER,
        message="moderators differ about it: it waits",
        candidate_id=candidate.id,
    )
