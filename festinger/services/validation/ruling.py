"""Base class of decisions about candidates, each in one transaction.

The candidate is read under the lock of the writer, with all answers about it. The
decision goes through the gate, closes the questions about the candidate, and is
recorded in the provenance trail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.proposal import Proposal
from festinger.core.validation.enacting import Enacted, enact
from festinger.core.validation.events import ValidationEvent
from festinger.core.validation.lifecycle import (
    STATED_AGAIN,
    CandidateStanding,
    stand,
    told,
)
from festinger.core.validation.reputation import Reputations
from festinger.core.world.draft import Draft
from festinger.errors import CandidateNotFound, InvalidArgument
from festinger.services.world.jobs import Answer, Job
from festinger.services.world.waiting import FreedConflicts
from festinger.store.world.batches import Batch, Rated, RequestKey, Ruling
from festinger.store.world.reads import PostgresReads


class Reference(NamedTuple):
    """Reference to a candidate by exactly one of its names.

    Attributes:
        candidate_id: Number of the candidate; 0 if not given.
        cid: Content id of the candidate; empty if not given.
        external_id: The client's own id for it; empty if not given.
    """

    candidate_id: int = 0
    cid: str = ""
    external_id: str = ""

    async def read(self, reads: PostgresReads) -> Candidate:
        """Return the candidate.

        Raises:
            InvalidArgument: The reference is empty.
            CandidateNotFound: There is no such candidate.
        """
        if self.candidate_id:
            return await reads.candidate(self.candidate_id)
        if self.cid:
            return await reads.candidate_by_cid(self.cid)
        if not self.external_id:
            raise InvalidArgument(
                "name the candidate by its candidate_id, its candidate_cid or your own "
                "external_id",
                field="candidate_id",
            )
        found = await reads.candidate_by_external_id(self.external_id)
        if found is None:
            raise CandidateNotFound(
                f"there is no candidate of the external_id {self.external_id[:80]!r}",
                external_id=self.external_id[:80],
            )
        return found


class AboutCandidate(Job[Answer]):
    """A decision about a candidate."""

    alone = True

    def __init__(
        self, reference: Reference, *, principal: str, request: RequestKey | None
    ) -> None:
        super().__init__(request)
        self._reference = reference
        self._principal = principal
        self._candidate: Candidate | None = None
        self._events: list[ValidationEvent] = []
        self._rated = Rated(Reputations())
        self._waiting = FreedConflicts()
        self._shared = False
        self._is_pending_anew = False
        self._entry: LedgerEntry | None = None

    @property
    def candidate(self) -> Candidate:
        """The candidate, after `load`."""
        assert self._candidate is not None, "a decision follows a load"
        return self._candidate

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statement as confirmed by each responder, and statements it may free."""
        if self._candidate is None:
            return ()
        names = {self._principal, *(event.responder for event in self._events)}
        return [
            *(self._candidate.confirmed(name) for name in sorted(names)),
            *self._waiting.proposals(self._principal),
        ]

    async def load(self, reads: PostgresReads) -> None:
        """Read the candidate, its answers, and what else its decision depends on."""
        self._candidate = candidate = await self._reference.read(reads)
        self._events = await reads.events(candidate.id)
        self._rated = await reads.rated()
        if candidate.state is CandidateState.CONFIRMED:
            self._waiting = await FreedConflicts.beside(
                reads, [candidate.triple.concept]
            )
            self._shared = await reads.is_stated_since(candidate)
        if candidate.state is not CandidateState.PENDING:
            pending = await reads.pending_candidates([candidate.triple])
            self._is_pending_anew = candidate.triple in pending

    async def read_back(self, reads: PostgresReads) -> None:
        """Read the candidate as it is after the decision."""
        self._candidate = await reads.candidate(self.candidate.id)

    def _decide(
        self, draft: Draft, batch: Batch, events: Sequence[ValidationEvent]
    ) -> CandidateStanding:
        """Decide again from all answers, and add the decision to the batch.

        Args:
            events: All answers, the oldest first; each has a content id.
        """
        candidate, reputations = self.candidate, self._rated.reputations
        standing = stand(
            candidate,
            events,
            reputations,
            breaker_open=self._rated.open_until > draft.now,
        )
        if standing.state is CandidateState.PENDING and self._is_pending_anew:
            # Another candidate with this statement is pending by now; one is enough.
            standing = replace(
                standing, state=CandidateState.EXPIRED, rule=STATED_AGAIN
            )
        enacted = enact(
            draft,
            candidate,
            standing,
            votes=told(events),
            shared=self._shared,
            conflicts=self._waiting.conflicts,
        )
        self._entry = enacted.entry
        if enacted.ended:
            self._waiting.release(
                draft,
                by=self._principal,
                reasoning=f"free since {candidate.name} is {standing.state}",
            )
        after = _after(candidate, standing, enacted, draft.now)
        batch.rulings.append(_ruling(candidate, after))
        if enacted.entry and standing.decision:
            batch.trail.fact(
                after,
                events,
                standing.decision,
                reputations,
                enacted.entry.outcome,
                draft.now,
            )
        self._candidate = after
        return standing


def _after(
    candidate: Candidate, standing: CandidateStanding, enacted: Enacted, now: float
) -> Candidate:
    """Return the candidate as it is after a decision."""
    is_pending = standing.state is CandidateState.PENDING
    is_same = (candidate.state, candidate.decision_rule, candidate.decider) == (
        standing.state,
        standing.rule,
        standing.decider,
    )
    decided = candidate.decided if is_same else now
    return replace(
        candidate,
        state=standing.state,
        decider=standing.decider,
        decided=None if is_pending else decided,
        decision_rule=standing.rule,
        posterior=standing.posterior,
        belief=standing.belief,
        flagged=standing.flagged,
        lane=standing.lane,
        confirmed_as=enacted.confirmed_as,
    )


def _ruling(before: Candidate, after: Candidate) -> Ruling:
    """Return the candidate with what follows for its questions and the backlog."""
    rejected = after.state is CandidateState.REJECTED
    is_new = before.state is not after.state
    return Ruling(
        after,
        closes="" if after.state is CandidateState.PENDING else "decided",
        backlog="rejected" if rejected and is_new else "",
    )
