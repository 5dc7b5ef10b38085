"""What people decide about candidates: one is confirmed, or rejected."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.candidates import Factoid, FactoidState
from festinger.core.changes import Entry
from festinger.core.draft import Draft
from festinger.core.outcome import Outcome
from festinger.core.proposal import Proposal
from festinger.core.settled import Ending, Tombstone
from festinger.errors import FactoidClosed, PermissionDenied
from festinger.flows.jobs import numbered
from festinger.flows.ports import (
    Answered,
    Batch,
    Committed,
    Reads,
    Ruling,
)
from festinger.flows.settling import AboutCandidate


class Confirmation(AboutCandidate[tuple[Factoid, Outcome, int]]):
    """A person confirms a candidate, which then goes through the gate."""

    _entry: Entry | None = None

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statement, once it is read."""
        return [self._factoid.confirmed(self._principal)] if self._factoid else ()

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Puts the statement through the gate once more, without its doubt.

        Raises:
            FactoidClosed: It is decided already.
            PermissionDenied: Whoever proposed it does not decide about it (E6).
        """
        factoid = self.factoid
        check(factoid, self._principal)
        self._entry = draft.propose(factoid.confirmed(self._principal))
        batch.rulings.append(
            Ruling(factoid.id, FactoidState.CONFIRMED, self._principal)
        )
        self.remember(batch, self._entry, Answered(factoid_id=factoid.id))

    def answer(self, committed: Committed) -> tuple[Factoid, Outcome, int]:
        """The candidate, what became of its statement, and the version after it."""
        assert self._entry is not None, "an answer follows a decision"
        return self.factoid, numbered(self._entry, committed), committed.version

    async def replay(
        self, reads: Reads, answered: Answered
    ) -> tuple[Factoid, Outcome, int]:
        """The candidate as it is now, and the first outcome."""
        factoid = await reads.factoid(answered.factoid_id)
        outcome = await reads.outcome(answered.assertion_id)
        return factoid, outcome, answered.version


class Rejection(AboutCandidate[tuple[Factoid, int]]):
    """A person rejects a candidate."""

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Drops the statement; it does not come back by itself.

        Raises:
            FactoidClosed: It is decided already.
            PermissionDenied: Whoever proposed it does not decide about it (E6).
        """
        factoid = self.factoid
        check(factoid, self._principal)
        draft.bury(factoid.triple, Tombstone(Ending.REJECTED))
        batch.rulings.append(Ruling(factoid.id, FactoidState.REJECTED, self._principal))
        self.remember(batch, None, Answered(factoid_id=factoid.id))

    def answer(self, committed: Committed) -> tuple[Factoid, int]:
        """The candidate as it is now, and the version after it."""
        return self.factoid, committed.version

    async def replay(self, reads: Reads, answered: Answered) -> tuple[Factoid, int]:
        """The candidate as it is now."""
        return await reads.factoid(answered.factoid_id), answered.version


def check(factoid: Factoid, principal: str) -> None:
    """Sees that this principal may decide about a candidate.

    Raises:
        FactoidClosed: It is decided already.
        PermissionDenied: The principal proposed it (E6).
    """
    if factoid.state is not FactoidState.PENDING:
        raise FactoidClosed(
            f"candidate #{factoid.id} was {factoid.state} by {factoid.decider}",
            factoid_id=str(factoid.id),
            principal=factoid.decider,
        )
    if factoid.proposer == principal:
        raise PermissionDenied(
            f"candidate #{factoid.id} was proposed by {principal}: another must decide"
        )
