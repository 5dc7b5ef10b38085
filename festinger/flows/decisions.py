"""What people decide: a conflict is settled, a candidate confirmed or rejected."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.candidates import Factoid, FactoidState
from festinger.core.draft import Draft, Entry
from festinger.core.gate import clash, judge
from festinger.core.outcome import Outcome, Verdict
from festinger.core.proposal import Evidence, Proposal
from festinger.core.resolution import Conflict, ConflictState, Decision
from festinger.errors import (
    ConflictClosed,
    EtagMismatch,
    FactoidClosed,
    InvalidArgument,
    PermissionDenied,
)
from festinger.flows.jobs import Job, numbered
from festinger.flows.ports import (
    Answered,
    Batch,
    Committed,
    RequestKey,
    Ruling,
    Settlement,
    Store,
)

OTHERS_MAX = 1000
"""Conflicts about one concept that a decision looks at, at most."""


class Resolution(Job[tuple[Conflict, int]]):
    """A person settles a conflict.

    Args:
        etag: The conflict as the person read it; empty if they do not care.
    """

    alone = True

    def __init__(
        self,
        conflict_id: int,
        decision: Decision,
        *,
        principal: str,
        reasoning: str,
        etag: str,
        request: RequestKey | None,
    ) -> None:
        super().__init__(request)
        self._conflict_id = conflict_id
        self._decision = decision
        self._principal = principal
        self._reasoning = reasoning
        self._etag = etag
        self._conflict: Conflict | None = None
        self._others: list[Conflict] = []

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statement, and those that may be settled with it."""
        if self._conflict is None or self._decision is not Decision.UPDATE:
            return ()
        return [self._proposal(each) for each in (self._conflict, *self._others)]

    async def load(self, tenant: str, store: Store) -> None:
        """Reads the conflict, and those that wait beside it."""
        self._conflict = conflict = await store.conflict(tenant, self._conflict_id)
        pending = await store.conflicts(
            tenant,
            states=[ConflictState.PENDING],
            concept=conflict.incoming.concept,
            after=0,
            limit=OTHERS_MAX,
        )
        self._others = [
            other
            for other in pending
            if other.id != conflict.id
            and other.incoming.dimension == conflict.incoming.dimension
        ]

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Replaces the fact by the statement, or lets it stand.

        Raises:
            ConflictClosed: It is settled already.
            EtagMismatch: It changed since it was read.
            InvalidArgument: The statement still cannot be held.
        """
        conflict = self._conflict
        assert conflict is not None, "a decision follows a load"
        self._check(conflict)
        self._settle(conflict, self._reasoning, draft, batch)
        if self._decision is Decision.UPDATE:
            self._replace(conflict, draft)
            self._settle_agreed(conflict, draft, batch)
        self.remember(batch, None, Answered(conflict_id=conflict.id))

    async def answer(
        self, tenant: str, store: Store, committed: Committed
    ) -> tuple[Conflict, int]:
        """The conflict as it is now, and the version after it."""
        return await store.conflict(tenant, self._conflict_id), committed.version

    async def replay(
        self, tenant: str, store: Store, answered: Answered
    ) -> tuple[Conflict, int]:
        """The conflict as it is now."""
        conflict = await store.conflict(tenant, answered.conflict_id)
        return conflict, answered.version

    def _check(self, conflict: Conflict) -> None:
        if conflict.state is not ConflictState.PENDING:
            raise ConflictClosed(
                f"conflict #{conflict.id} was {conflict.state} by {conflict.decider}",
                conflict_id=str(conflict.id),
                principal=conflict.decider,
            )
        if self._etag and self._etag != conflict.etag:
            raise EtagMismatch(
                f"conflict #{conflict.id} changed since it was read; read it again",
                conflict_id=str(conflict.id),
            )

    def _replace(self, conflict: Conflict, draft: Draft) -> None:
        draft.close(conflict.incoming, by=f"conflict {conflict.id}")
        entry = draft.propose(self._proposal(conflict))
        if entry.outcome.verdict is not Verdict.HELD:
            raise InvalidArgument(
                f"conflict #{conflict.id} cannot be settled by an update: "
                f"{entry.outcome.message}. Dismiss it, or change what it runs against",
                field="decision",
            )

    def _settle_agreed(self, conflict: Conflict, draft: Draft, batch: Batch) -> None:
        """Settles what collides no more, as a denial of the fact that was replaced."""
        for other in self._others:
            proposal = self._proposal(other)
            if judge(proposal, draft).verdict is not Verdict.CONFLICTED:
                draft.propose(proposal)
                reasoning = f"agrees with conflict #{conflict.id}"
                self._settle(other, reasoning, draft, batch)

    def _settle(
        self, conflict: Conflict, reasoning: str, draft: Draft, batch: Batch
    ) -> None:
        key = clash(conflict.incoming, draft)
        assert key is not None, "the names of a queued statement are in the vocabulary"
        draft.settle(key)
        state = (
            ConflictState.RESOLVED
            if self._decision is Decision.UPDATE
            else ConflictState.DISMISSED
        )
        batch.settlements.append(
            Settlement(conflict.id, state, self._decision, self._principal, reasoning)
        )

    def _proposal(self, conflict: Conflict) -> Proposal:
        """A refused statement as it goes through the gate once a person wants it."""
        return Proposal(
            conflict.incoming,
            confidence=conflict.confidence,
            source=conflict.source,
            principal=conflict.principal,
            proposer=self._principal,
            subject=conflict.subject,
            decided=True,
            evidence=Evidence(conflict.evidence, f"conflict {conflict.id}"),
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

    async def load(self, tenant: str, store: Store) -> None:
        """Reads the candidate."""
        self._factoid = await store.factoid(tenant, self._factoid_id)

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

    async def answer(
        self, tenant: str, store: Store, committed: Committed
    ) -> tuple[Factoid, Outcome, int]:
        """The candidate, what became of its statement, and the version after it."""
        assert self._entry is not None, "an answer follows a decision"
        factoid = await store.factoid(tenant, self._factoid_id)
        return factoid, numbered(self._entry, committed), committed.version

    async def replay(
        self, tenant: str, store: Store, answered: Answered
    ) -> tuple[Factoid, Outcome, int]:
        """The candidate as it is now, and the first outcome."""
        factoid = await store.factoid(tenant, answered.factoid_id)
        outcome = await store.outcome(tenant, answered.assertion_id)
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

    async def load(self, tenant: str, store: Store) -> None:
        """Reads the candidate."""
        self._factoid = await store.factoid(tenant, self._factoid_id)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Drops the statement.

        Raises:
            FactoidClosed: It is decided already.
            PermissionDenied: Whoever proposed it does not decide about it (E6).
        """
        factoid = check(self._factoid, self._principal)
        batch.rulings.append(Ruling(factoid.id, FactoidState.REJECTED, self._principal))
        self.remember(batch, None, Answered(factoid_id=factoid.id))

    async def answer(
        self, tenant: str, store: Store, committed: Committed
    ) -> tuple[Factoid, int]:
        """The candidate as it is now, and the version after it."""
        return await store.factoid(tenant, self._factoid_id), committed.version

    async def replay(
        self, tenant: str, store: Store, answered: Answered
    ) -> tuple[Factoid, int]:
        """The candidate as it is now."""
        factoid = await store.factoid(tenant, answered.factoid_id)
        return factoid, answered.version


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
