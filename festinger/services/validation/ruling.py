"""What decisions about candidates have in common: all of one is one transaction.

The candidate is read with the pen in hand, with all that was answered about it; whatever
was decided goes through the gate, ends the asking, and is written down for anybody to
check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from festinger.core.graph.candidates import Factoid, FactoidState
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
from festinger.errors import FactoidNotFound, InvalidArgument
from festinger.services.world.jobs import Answer, Job
from festinger.services.world.waiting import FreedConflicts
from festinger.store.world.batches import Batch, Rated, RequestKey, Ruling
from festinger.store.world.reads import PostgresReads


class Reference(NamedTuple):
    """What a candidate is called: one of these."""

    factoid_id: int = 0
    cid: str = ""
    external_id: str = ""

    async def read(self, reads: PostgresReads) -> Factoid:
        """The candidate.

        Raises:
            InvalidArgument: Nothing names it.
            FactoidNotFound: There is no such candidate.
        """
        if self.factoid_id:
            return await reads.factoid(self.factoid_id)
        if self.cid:
            return await reads.factoid_by_cid(self.cid)
        if not self.external_id:
            raise InvalidArgument(
                "name the candidate by its factoid_id, its factoid_cid or your own "
                "external_id",
                field="factoid_id",
            )
        found = await reads.factoid_by_external_id(self.external_id)
        if found is None:
            raise FactoidNotFound(
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
        self._factoid: Factoid | None = None
        self._events: list[ValidationEvent] = []
        self._rated = Rated(Reputations())
        self._waiting = FreedConflicts()
        self._shared = False
        self._is_pending_anew = False
        self._entry: LedgerEntry | None = None

    @property
    def factoid(self) -> Factoid:
        """The candidate, once it is read."""
        assert self._factoid is not None, "a decision follows a load"
        return self._factoid

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statement, by whoever may have it held, and what it may set free."""
        if self._factoid is None:
            return ()
        names = {self._principal, *(event.responder for event in self._events)}
        return [
            *(self._factoid.confirmed(name) for name in sorted(names)),
            *self._waiting.proposals(self._principal),
        ]

    async def load(self, reads: PostgresReads) -> None:
        """Reads the candidate, and all that bears on it."""
        self._factoid = factoid = await self._reference.read(reads)
        self._events = await reads.events(factoid.id)
        self._rated = await reads.rated()
        if factoid.state is FactoidState.CONFIRMED:
            self._waiting = await FreedConflicts.beside(reads, [factoid.triple.concept])
            self._shared = await reads.is_stated_since(factoid)
        if factoid.state is not FactoidState.PENDING:
            pending = await reads.pending_factoids([factoid.triple])
            self._is_pending_anew = factoid.triple in pending

    async def read_back(self, reads: PostgresReads) -> None:
        """Reads the candidate as it is now."""
        self._factoid = await reads.factoid(self.factoid.id)

    def _decide(
        self, draft: Draft, batch: Batch, events: Sequence[ValidationEvent]
    ) -> CandidateStanding:
        """Decides anew, from all that was answered, and has it written.

        Args:
            events: The oldest first; all have names.
        """
        factoid, reputations = self.factoid, self._rated.reputations
        standing = stand(
            factoid,
            events,
            reputations,
            breaker_open=self._rated.open_until > draft.now,
        )
        if standing.state is FactoidState.PENDING and self._is_pending_anew:
            # Its statement waits in another candidate by now, and waits once.
            standing = replace(standing, state=FactoidState.EXPIRED, rule=STATED_AGAIN)
        enacted = enact(
            draft,
            factoid,
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
                reasoning=f"free since {factoid.name} is {standing.state}",
            )
        after = _after(factoid, standing, enacted, draft.now)
        batch.rulings.append(_ruling(factoid, after))
        if enacted.entry and standing.decision:
            batch.trail.fact(
                after,
                events,
                standing.decision,
                reputations,
                enacted.entry.outcome,
                draft.now,
            )
        self._factoid = after
        return standing


def _after(
    factoid: Factoid, standing: CandidateStanding, enacted: Enacted, now: float
) -> Factoid:
    """The candidate as it stands after a decision."""
    is_pending = standing.state is FactoidState.PENDING
    is_same = (factoid.state, factoid.decision_rule, factoid.decider) == (
        standing.state,
        standing.rule,
        standing.decider,
    )
    decided = factoid.decided if is_same else now
    return replace(
        factoid,
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


def _ruling(before: Factoid, after: Factoid) -> Ruling:
    """What else follows from where a candidate stands."""
    rejected = after.state is FactoidState.REJECTED
    is_new = before.state is not after.state
    return Ruling(
        after,
        closes="" if after.state is FactoidState.PENDING else "decided",
        backlog="rejected" if rejected and is_new else "",
    )
