"""What people decide: a conflict is settled, a candidate confirmed or rejected."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.candidates import Factoid, FactoidState
from festinger.core.changes import Entry
from festinger.core.draft import Draft
from festinger.core.gate import clash
from festinger.core.outcome import Outcome
from festinger.core.proposal import Evidence, Proposal, Source, Triple
from festinger.core.resolution import Conflict, ConflictState, Decision, Settlement
from festinger.core.settled import Ending, Tombstone
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
    Reads,
    RequestKey,
    Ruling,
)
from festinger.flows.waiting import Waiting, as_stated, is_held


class Resolution(Job[tuple[Conflict, int]]):
    """A person settles a conflict.

    Args:
        etag: The conflict as the person read it; empty if they do not care.
        incoming_dimension: Where the statement goes, if it moves.
        existing_dimension: Where the fact goes, if it moves.
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
        incoming_dimension: str = "",
        existing_dimension: str = "",
    ) -> None:
        super().__init__(request)
        self._conflict_id = conflict_id
        self._decision = decision
        self._principal = principal
        self._reasoning = reasoning
        self._etag = etag
        self._incoming_dimension = incoming_dimension
        self._existing_dimension = existing_dimension
        self._conflict: Conflict | None = None
        self._waiting = Waiting()

    async def load(self, reads: Reads) -> None:
        """Reads the conflict, and those that wait beside it."""
        self._conflict = await reads.conflict(self._conflict_id)
        self._waiting = await Waiting.about(reads, self._conflict.incoming.concept)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Replaces the fact, moves one or both, or lets the fact stand.

        Raises:
            ConflictClosed: It is settled already.
            EtagMismatch: It changed since it was read.
            InvalidArgument: The statement still cannot be held, or not there.
        """
        conflict = self._conflict
        assert conflict is not None, "a decision follows a load"
        self._check(conflict)
        key = clash(conflict.incoming, draft)
        assert key is not None, "the names of a queued statement are in the vocabulary"
        draft.settle(
            Settlement(
                key, conflict.id, self._decision, self._principal, self._reasoning
            )
        )
        match self._decision:
            case Decision.UPDATE:
                by = f"conflict {conflict.id}"
                draft.close(conflict.incoming, by=by, conflict_id=conflict.id)
                self._hold(as_stated(conflict, decider=self._principal), draft)
            case Decision.DECOMPOSE | Decision.RECLASSIFY:
                self._move(conflict, draft)
        if self._decision is Decision.UPDATE:
            self._waiting.settle_agreed(
                draft,
                conflict.incoming,
                by=self._principal,
                reasoning=f"agrees with conflict #{conflict.id}",
            )
        self.remember(batch, None, Answered(conflict_id=conflict.id))

    async def read_back(self, reads: Reads) -> None:
        """Reads the conflict as it is now."""
        self._conflict = await reads.conflict(self._conflict_id)

    def answer(self, committed: Committed) -> tuple[Conflict, int]:
        """The conflict as it is now, and the version after it."""
        assert self._conflict is not None, "an answer follows a decision"
        return self._conflict, committed.version

    async def replay(self, reads: Reads, answered: Answered) -> tuple[Conflict, int]:
        """The conflict as it is now."""
        return await reads.conflict(answered.conflict_id), answered.version

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

    def _move(self, conflict: Conflict, draft: Draft) -> None:
        """Gives the statement, and maybe the fact, a dimension of its own (C8)."""
        fact = conflict.existing
        if self._decision is Decision.RECLASSIFY:
            self._require(
                self._incoming_dimension not in ("", conflict.incoming.dimension),
                "say in which other dimension the statement belongs",
                "incoming_dimension",
            )
        elif fact is None:
            raise InvalidArgument(
                f"conflict #{conflict.id} has no fact that could move: reclassify its "
                "statement",
                field="decision",
            )
        else:
            self._require(
                self._existing_dimension not in ("", self._incoming_dimension),
                "say in which dimension the fact belongs, another than the statement's",
                "existing_dimension",
            )
            stated = Triple(fact.concept, fact.parent, fact.dimension, fact.is_isa)
            if self._existing_dimension != fact.dimension:
                self._move_one(
                    stated, self._existing_dimension, fact.confidence, conflict, draft
                )
        self._move_one(
            conflict.incoming,
            self._incoming_dimension,
            conflict.confidence,
            conflict,
            draft,
        )

    @staticmethod
    def _require(usable: bool, message: str, field: str) -> None:
        if not usable:
            raise InvalidArgument(message, field=field)

    def _move_one(
        self,
        triple: Triple,
        dimension: str,
        confidence: float,
        conflict: Conflict,
        draft: Draft,
    ) -> None:
        by = f"conflict {conflict.id}"
        self._hold(
            Proposal(
                draft.move(triple, dimension, by=by),
                confidence=confidence,
                source=Source.FESTINGER,
                principal=self._principal,
                proposer=self._principal,
                decided=True,
                evidence=Evidence(rule=by),
            ),
            draft,
        )

    def _hold(self, proposal: Proposal, draft: Draft) -> None:
        entry = draft.propose(proposal)
        if not is_held(entry.outcome.verdict):
            raise InvalidArgument(
                f"conflict #{self._conflict_id} cannot be settled by "
                f"{self._decision}: {entry.outcome.message}. Dismiss it, or change "
                "what it runs against",
                field="decision",
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
