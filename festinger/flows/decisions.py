"""What people decide about candidates: one is confirmed, or rejected."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.candidates import Factoid, FactoidState
from festinger.core.changes import Entry
from festinger.core.draft import Draft
from festinger.core.outcome import Outcome
from festinger.core.proposal import Proposal
from festinger.core.settled import Ending, Tombstone
from festinger.errors import (
    FactoidClosed,
    PermissionDenied,
)
from festinger.flows.jobs import Job, numbered
from festinger.flows.ports import (
    Answered,
    Batch,
    Committed,
    Reads,
    RequestKey,
    Ruling,
)


class Confirmation(Job[tuple[Factoid, Outcome, int]]):
    """A person confirms a candidate, which then goes through the gate."""

    alone = True

    def __init__(
        self, factoid_id: int, *, principal: str, request: RequestKey | None
    ) -> None:
        super().__init__(request)
        self._factoid_id = factoid_id
        self._principal = principal
        self._factoid: Factoid | None = None
        self._entry: Entry | None = None

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statement, once it is read."""
        return [self._factoid.confirmed(self._principal)] if self._factoid else ()

    async def load(self, reads: Reads) -> None:
        """Reads the candidate."""
        self._factoid = await reads.factoid(self._factoid_id)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Puts the statement through the gate once more, without its doubt.

        Raises:
            FactoidClosed: It is decided already.
            PermissionDenied: Whoever proposed it does not decide about it (E6).
        """
        factoid = check(self._factoid, self._principal)
        self._entry = draft.propose(factoid.confirmed(self._principal))
        batch.rulings.append(
            Ruling(factoid.id, FactoidState.CONFIRMED, self._principal)
        )
        self.remember(batch, self._entry, Answered(factoid_id=factoid.id))

    async def read_back(self, reads: Reads) -> None:
        """Reads the candidate as it is now."""
        self._factoid = await reads.factoid(self._factoid_id)

    def answer(self, committed: Committed) -> tuple[Factoid, Outcome, int]:
        """The candidate, what became of its statement, and the version after it."""
        assert self._factoid is not None, "an answer follows a decision"
        assert self._entry is not None, "an answer follows a decision"
        return self._factoid, numbered(self._entry, committed), committed.version

    async def replay(
        self, reads: Reads, answered: Answered
    ) -> tuple[Factoid, Outcome, int]:
        """The candidate as it is now, and the first outcome."""
        factoid = await reads.factoid(answered.factoid_id)
        outcome = await reads.outcome(answered.assertion_id)
        return factoid, outcome, answered.version


class Rejection(Job[tuple[Factoid, int]]):
    """A person rejects a candidate."""

    alone = True

    def __init__(
        self, factoid_id: int, *, principal: str, request: RequestKey | None
    ) -> None:
        super().__init__(request)
        self._factoid_id = factoid_id
        self._principal = principal
        self._factoid: Factoid | None = None

    async def load(self, reads: Reads) -> None:
        """Reads the candidate."""
        self._factoid = await reads.factoid(self._factoid_id)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Drops the statement; it does not come back by itself.

        Raises:
            FactoidClosed: It is decided already.
            PermissionDenied: Whoever proposed it does not decide about it (E6).
        """
        factoid = check(self._factoid, self._principal)
        draft.bury(factoid.triple, Tombstone(Ending.REJECTED))
        batch.rulings.append(Ruling(factoid.id, FactoidState.REJECTED, self._principal))
        self.remember(batch, None, Answered(factoid_id=factoid.id))

    async def read_back(self, reads: Reads) -> None:
        """Reads the candidate as it is now."""
        self._factoid = await reads.factoid(self._factoid_id)

    def answer(self, committed: Committed) -> tuple[Factoid, int]:
        """The candidate as it is now, and the version after it."""
        assert self._factoid, "an answer follows a decision"
        return self._factoid, committed.version

    async def replay(self, reads: Reads, answered: Answered) -> tuple[Factoid, int]:
        """The candidate as it is now."""
        return await reads.factoid(answered.factoid_id), answered.version


def check(factoid: Factoid | None, principal: str) -> Factoid:
    """A candidate about which this principal may decide.

    Raises:
        FactoidClosed: It is decided already.
        PermissionDenied: The principal proposed it (E6).
    """
    assert factoid is not None, "a decision follows a load"
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
    return factoid
