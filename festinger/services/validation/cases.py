"""Cases: a candidate with all that a decision about it depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.proposal import Proposal
from festinger.core.validation.enactment import enact
from festinger.core.validation.lifecycle import (
    STATED_AGAIN,
    CandidateStanding,
    decided,
    told,
)
from festinger.core.validation.votes import ValidationEvent
from festinger.core.world.draft import Draft
from festinger.services.world.waiting import FreedConflicts
from festinger.store.provenance.trail import TrailWrites
from festinger.store.validation.answers import AnswerWrites
from festinger.store.validation.records import CandidateUpdate, RaterState
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads


@dataclass(slots=True)
class CandidateCase:
    """A candidate, read under the writer's lock, on which a decision is carried out.

    Attributes:
        candidate: The candidate; after `decide` as the decision leaves it.
        events: All answers about it, oldest first.
        rated: The reputations of those who answered.
        waiting: The conflicts that may be free once its fact ends.
        shared: Whether others have stated it since it was confirmed.
        is_pending_anew: Whether its statement is pending as another candidate.
    """

    candidate: Candidate
    events: Sequence[ValidationEvent]
    rated: RaterState
    waiting: FreedConflicts = field(default_factory=FreedConflicts)
    shared: bool = False
    is_pending_anew: bool = False

    @classmethod
    async def read(
        cls, reads: PostgresReads, candidate: Candidate, rated: RaterState
    ) -> CandidateCase:
        """Read the answers about a candidate, and what else its decision depends on."""
        case = cls(candidate, await reads.events(candidate.id), rated)
        if candidate.state is CandidateState.CONFIRMED:
            case.waiting = await FreedConflicts.beside(
                reads, [candidate.triple.concept]
            )
            # What others stated since stays, even if the votes turn.
            case.shared = await reads.is_stated_since(candidate)
        # A decided statement may have been made again, and wait under another number.
        if candidate.state is not CandidateState.PENDING:
            pending = await reads.pending_candidates([candidate.triple])
            case.is_pending_anew = candidate.triple in pending
        return case

    def proposals(self, decider: str) -> list[Proposal]:
        """Return the statement as confirmed by each person, and those it may free."""
        # Each voter counts as a witness of the fact (C3).
        names = {decider, *(event.responder for event in self.events)}
        return [
            *(self.candidate.confirmed(name) for name in sorted(names)),
            *self.waiting.proposals(decider),
        ]

    def decide(
        self, standing: CandidateStanding, draft: Draft, batch: Batch, *, by: str
    ) -> LedgerEntry | None:
        """Carry out a decision through the gate, and add it to the batch.

        Args:
            by: Who releases the conflicts that it frees.

        Returns:
            The ledger row of the statement; None if it was not proposed.
        """
        candidate, events = self.candidate, self.events
        if standing.state is CandidateState.PENDING and self.is_pending_anew:
            # Another candidate with this statement is pending by now; one is enough.
            standing = replace(
                standing, state=CandidateState.EXPIRED, rule=STATED_AGAIN
            )
        reputations = self.rated.reputations
        enacted = enact(
            draft,
            candidate,
            standing,
            # As evidence, if the confirmed statement collides (I2).
            votes=told(events, reputations),
            shared=self.shared,
            conflicts=self.waiting.conflicts,
        )
        # Only what ended leaves a place for statements that waited.
        if enacted.ended:
            self.waiting.release(
                draft,
                by=by,
                reasoning=f"free since {candidate.name} is {standing.state}",
            )
        after = decided(candidate, standing, enacted.confirmed_as, draft.now)
        batch.of(AnswerWrites).candidate_updates.append(_update_of(candidate, after))
        # The trail names the votes behind a fact; what was not held has none.
        if enacted.entry and standing.decision:
            batch.of(TrailWrites).trail.fact(
                after,
                events,
                standing.decision,
                reputations,
                enacted.entry.outcome,
                draft.now,
            )
        self.candidate = after
        return enacted.entry


def _update_of(before: Candidate, after: Candidate) -> CandidateUpdate:
    """Return the candidate with what follows for its questions and the backlog."""
    rejected = after.state is CandidateState.REJECTED
    is_new = before.state is not after.state
    return CandidateUpdate(
        after,
        closes="" if after.state is CandidateState.PENDING else "decided",
        # Dreams look into what people have just rejected, and not again after each answer.
        backlog="rejected" if rejected and is_new else "",
    )
