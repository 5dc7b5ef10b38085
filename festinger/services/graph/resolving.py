"""Decisions about conflicts: update, decompose, reclassify or dismiss, and undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field

from festinger.core.graph.gate import clash
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource, Triple
from festinger.core.graph.resolution import (
    Conflict,
    ConflictDecision,
    ConflictState,
    ReopenedItem,
    Settlement,
)
from festinger.core.system.excerpt import done_by
from festinger.core.world.draft import Draft
from festinger.core.world.undoing import Effects, effects_of, take_back
from festinger.errors import (
    CannotUndo,
    ConflictClosed,
    ConflictNotSettled,
    EtagMismatch,
    InvalidArgument,
)
from festinger.services.world.jobs import Job
from festinger.services.world.waiting import FreedConflicts, as_stated, is_held
from festinger.store.graph.writes import GraphWrites
from festinger.store.world.batches import Batch, CallResult
from festinger.store.world.reads import PostgresReads


@dataclass(eq=False)
class AboutConflict(Job[tuple[Conflict, int]]):
    """A decision about a conflict, which returns the conflict and the version.

    Args:
        etag: Etag of the conflict as the caller read it; empty to skip the check.
    """

    # A refused decision raises, and must not fail the jobs of others.
    alone = True

    conflict_id: int
    _: KW_ONLY
    principal: str
    reasoning: str
    etag: str
    _conflict: Conflict | None = field(default=None, init=False)
    _waiting: FreedConflicts = field(default_factory=FreedConflicts, init=False)

    @property
    def conflict(self) -> Conflict:
        """The conflict, after `load`."""
        assert self._conflict is not None, "a decision follows a load"
        return self._conflict

    async def load(self, reads: PostgresReads) -> None:
        """Read the conflict, and the pending conflicts that it may free."""
        # Under the lock: nobody can settle the conflict between this and the decision.
        self._conflict = await reads.conflict(self.conflict_id)
        # Ending a fact may free other statements about the same concept.
        self._waiting = await FreedConflicts.beside(
            reads, [self._conflict.incoming.concept]
        )

    async def read_back(self, reads: PostgresReads) -> None:
        """Read the conflict as it is after the decision."""
        self._conflict = await reads.conflict(self.conflict_id)

    def answer(self, version: int) -> tuple[Conflict, int]:
        """Return the conflict as it is now, and the tenant's version after it."""
        return self.conflict, version

    async def replay(
        self, reads: PostgresReads, answered: CallResult
    ) -> tuple[Conflict, int]:
        """Return the conflict as it is now, and the version of the first answer."""
        # The conflict may have changed since the first answer; the version tells which it was.
        return await reads.conflict(answered.conflict_id), answered.version

    def _check_etag(self) -> None:
        if self.etag and self.etag != self.conflict.etag:
            raise EtagMismatch(
                f"conflict #{self.conflict_id} changed since it was read; read it again",
                conflict_id=str(self.conflict_id),
            )


@dataclass(eq=False)
class Resolution(AboutConflict):
    """Decision that settles a conflict.

    Args:
        incoming_dimension: Dimension that the statement moves to, if it moves.
        existing_dimension: Dimension that the fact moves to, if it moves.
    """

    decision: ConflictDecision
    _: KW_ONLY
    incoming_dimension: str = ""
    existing_dimension: str = ""

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that the decision may put through the gate."""
        conflict = self._conflict
        if conflict is None or self.decision is ConflictDecision.DISMISS:
            return ()
        waiting = self._waiting.proposals(self.principal)
        if self.decision is ConflictDecision.UPDATE:
            return [as_stated(conflict, decider=self.principal), *waiting]
        moved = [self._moved(conflict, conflict.incoming, self.incoming_dimension)]
        if conflict.existing and self.existing_dimension:
            stated_fact = conflict.existing.triple
            moved.append(self._moved(conflict, stated_fact, self.existing_dimension))
        return [*moved, *waiting]

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Replace the fact, move one or both, or keep the fact and drop the statement.

        Raises:
            ConflictClosed: The conflict is settled already.
            EtagMismatch: The conflict changed since it was read.
            InvalidArgument: The decision leaves the statement colliding, or lacks a
                dimension.
        """
        conflict = self.conflict
        # Under the lock: another server may have settled it since the caller read it (C9).
        if conflict.state is not ConflictState.PENDING:
            raise _closed(conflict)
        self._check_etag()
        # The key of the queued statement, before any of it moves.
        key = clash(conflict.incoming, draft)
        assert key is not None, "the names of a queued statement are in the vocabulary"
        draft.settle(
            Settlement(key, conflict.id, self.decision, self.principal, self.reasoning)
        )
        match self.decision:
            case ConflictDecision.UPDATE:
                by = f"conflict {conflict.id}"
                # Leaves a tombstone, so that old prompts do not bring the fact back (C5a).
                draft.close(conflict.incoming, by=by)
                self._hold(as_stated(conflict, decider=self.principal), draft)
            case ConflictDecision.DECOMPOSE | ConflictDecision.RECLASSIFY:
                self._move(conflict, draft)
        if self.decision is not ConflictDecision.DISMISS:
            self._waiting.release(
                draft,
                by=self.principal,
                reasoning=f"agrees with conflict #{conflict.id}",
            )
        # The draft holds this decision only (`alone`), so its changes are what an undo reverts.
        batch.of(GraphWrites).effects[conflict.id] = effects_of(draft)
        self.remember(batch, None, CallResult(conflict_id=conflict.id))

    def _move(self, conflict: Conflict, draft: Draft) -> None:
        """Move the statement, and the fact if given, to other dimensions (C8)."""
        fact = conflict.existing
        self._check_dimensions(conflict)
        if fact and self.existing_dimension not in ("", fact.dimension):
            self._move_one(conflict, fact.triple, self.existing_dimension, draft)
        # The statement last: the place of the fact is free by then.
        self._move_one(conflict, conflict.incoming, self.incoming_dimension, draft)

    def _check_dimensions(self, conflict: Conflict) -> None:
        if self.decision is ConflictDecision.RECLASSIFY:
            # Moving a statement to where it is would leave it colliding.
            if self.incoming_dimension in ("", conflict.incoming.dimension):
                raise InvalidArgument(
                    "say in which other dimension the statement belongs",
                    field="incoming_dimension",
                )
        elif conflict.existing is None:
            raise InvalidArgument(
                f"conflict #{conflict.id} has no fact that could move: reclassify its "
                "statement",
                field="decision",
            )
        # Both in one dimension would collide there again.
        elif self.existing_dimension in ("", self.incoming_dimension):
            raise InvalidArgument(
                "say in which dimension the fact belongs, another than the statement's",
                field="existing_dimension",
            )

    def _move_one(
        self, conflict: Conflict, triple: Triple, dimension: str, draft: Draft
    ) -> None:
        # A redirect: whoever states it again in the old dimension means the new one (C5a).
        draft.move(triple, dimension, by=f"conflict {conflict.id}")
        self._hold(self._moved(conflict, triple, dimension), draft)

    def _moved(self, conflict: Conflict, triple: Triple, dimension: str) -> Proposal:
        """Return a triple as a decided proposal in a dimension, with its confidence."""
        fact = conflict.existing
        is_fact = fact is not None and triple == fact.triple
        return Proposal(
            triple._replace(dimension=dimension),
            confidence=fact.confidence if fact and is_fact else conflict.confidence,
            source=StatementSource.FESTINGER,
            principal=self.principal,
            proposer=self.principal,
            # A decided statement is past doubt: its confidence keeps no gate closed.
            decided=True,
            evidence=Evidence(rule=f"conflict {conflict.id}"),
        )

    def _hold(self, proposal: Proposal, draft: Draft) -> None:
        entry = draft.propose(proposal)
        # It collides again: raising aborts the transaction, so that nothing of it is kept.
        if not is_held(entry.outcome.verdict):
            raise InvalidArgument(
                f"conflict #{self.conflict_id} cannot be settled by "
                f"{self.decision}: {entry.outcome.message}. Dismiss it, or change "
                "what it runs against",
                field="decision",
            )


def _closed(conflict: Conflict) -> ConflictClosed:
    decided = conflict.decided
    assert decided is not None, "what does not wait was decided"
    # "was dismissed by alice on 2026-11-26 21:05 UTC", for the person who comes second.
    deed = done_by(conflict.state, decided.principal, decided.resolved)
    return ConflictClosed(
        f"conflict #{conflict.id} {deed}",
        conflict_id=str(conflict.id),
        principal=decided.principal,
    )


class Undoing(AboutConflict):
    """Undo of a decision: the state before it is restored."""

    _effects: Effects | None = None

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that the undo may put through the gate."""
        return self._waiting.proposals(self.principal)

    async def load(self, reads: PostgresReads) -> None:
        """Read the conflict, its decision's effects and the conflicts it may free."""
        self._conflict = await reads.conflict(self.conflict_id)
        # None for conflicts that another decision settled along with its own.
        self._effects = await reads.effects(self.conflict_id)
        # One decision may have settled several: each is pending again afterwards.
        settled = self._effects.settled.values() if self._effects else ()
        reopened = [await reads.conflict(number) for number in settled]
        concepts = [each.incoming.concept for each in reopened]
        self._waiting = await FreedConflicts.beside(reads, concepts, reopened)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Restore in the draft what the decision changed.

        Raises:
            ConflictNotSettled: The conflict is pending.
            EtagMismatch: The conflict changed since it was read.
            CannotUndo: The effects of its decision were changed since, or are unknown.
        """
        conflict = self.conflict
        effects = self._check(conflict)
        by = f"undo of conflict {conflict.id}"
        # Refuses if something else changed the same places since.
        take_back(effects, draft, by=by)
        # After `take_back`, which refuses where a statement waits in the queue again.
        for key, number in effects.settled.items():
            draft.reopen(
                ReopenedItem(
                    key,
                    number,
                    self.principal,
                    self.reasoning,
                    # Conflicts that were settled along with it had no decision.
                    for_people=number == conflict.id,
                )
            )
        self._waiting.release(draft, by=self.principal, reasoning=f"agrees with {by}")
        self.remember(batch, None, CallResult(conflict_id=conflict.id))

    def _check(self, conflict: Conflict) -> Effects:
        named = {"conflict_id": str(conflict.id)}
        if conflict.decided is None:
            raise ConflictNotSettled(
                f"conflict #{conflict.id} is pending: there is nothing to take back",
                **named,
            )
        # After the check above, whose message tells a late caller more.
        self._check_etag()
        if self._effects is None:
            raise CannotUndo(
                f"conflict #{conflict.id} was settled by the way, when "
                f"{conflict.decided.principal} changed something else "
                f"({conflict.decided.reasoning or 'before decisions were kept'}): undo "
                "that, or take the fact back with gutask forget",
                **named,
            )
        return self._effects
