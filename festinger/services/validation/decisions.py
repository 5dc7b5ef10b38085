"""Operators' decisions about candidates: they answer as moderators do."""

from __future__ import annotations

from festinger.core.graph.candidates import Factoid, FactoidState
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.validation.decision import DecisionRule
from festinger.core.validation.events import EventResponse
from festinger.core.validation.policy import POLICY
from festinger.errors import FactoidClosed
from festinger.services.validation.answering import AnswerInput, AnswerJob
from festinger.services.validation.ruling import Reference
from festinger.services.world.jobs import Answer, numbered
from festinger.store.world.batches import Answered, Committed, RequestKey
from festinger.store.world.reads import PostgresReads


class _Decision(AnswerJob[Answer]):
    """An operator's answer, which decides about a pending candidate."""

    response: EventResponse

    def __init__(
        self, factoid_id: int, *, principal: str, request: RequestKey | None
    ) -> None:
        super().__init__(
            Reference(factoid_id),
            AnswerInput(principal, self.response, is_operator=True),
            policy=POLICY,
            request=request,
        )

    def _check_open(self, now: float) -> None:
        """Check that it is pending; later answers go through `AnswerJob` instead."""
        factoid = self.factoid
        if factoid.state is not FactoidState.PENDING:
            raise FactoidClosed(
                f"candidate #{factoid.id} was {factoid.state} by {factoid.decider}",
                factoid_id=str(factoid.id),
                principal=factoid.decider,
            )
        super()._check_open(now)


class ConfirmCandidate(_Decision[tuple[Factoid, Outcome, int]]):
    """Decision that confirms a candidate, which is then judged by the gate."""

    response = EventResponse.CONFIRMED

    def answer(self, committed: Committed) -> tuple[Factoid, Outcome, int]:
        """Return the candidate, the outcome of its statement, and the version."""
        if self._entry is None:
            return self.factoid, _undecided(self.factoid), committed.version
        return self.factoid, numbered(self._entry, committed), committed.version

    async def replay(
        self, reads: PostgresReads, answered: Answered
    ) -> tuple[Factoid, Outcome, int]:
        """Return the candidate as it is now, and the first outcome and version."""
        factoid = await reads.factoid(answered.factoid_id)
        if not answered.assertion_id:
            return factoid, _undecided(factoid), answered.version
        outcome = await reads.outcome(answered.assertion_id)
        return factoid, outcome, answered.version


class RejectCandidate(_Decision[tuple[Factoid, int]]):
    """Decision that rejects a candidate."""

    response = EventResponse.REJECTED

    def answer(self, committed: Committed) -> tuple[Factoid, int]:
        """Return the candidate as it is now, and the version after it."""
        return self.factoid, committed.version

    async def replay(
        self, reads: PostgresReads, answered: Answered
    ) -> tuple[Factoid, int]:
        """Return the candidate as it is now, and the version of the first answer."""
        return await reads.factoid(answered.factoid_id), answered.version


def _undecided(factoid: Factoid) -> Outcome:
    """Return the outcome for a candidate on which moderators differ."""
    return Outcome(
        Verdict.CANDIDATE,
        factoid.triple,
        reason=DecisionRule.MODERATORS_DIFFER,
        message="moderators differ about it: it waits",
        factoid_id=factoid.id,
    )
