"""Relations of entities: judged on activation, retracted on deactivation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from festinger.core.graph.candidates import CONFIRMED_CONFIDENCE
from festinger.core.graph.changes import LedgerEntry, Retraction
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.gate import clash, redirected, stands
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource, Triple
from festinger.core.graph.resolution import (
    Conflict,
    ConflictDecision,
    ConflictState,
    Settlement,
)
from festinger.core.graph.statement import parse_fact
from festinger.core.review.records import MemoryRecord, RecordStep
from festinger.core.review.transitions import name
from festinger.core.system.excerpt import head
from festinger.core.world.draft import Draft
from festinger.services.world.waiting import FreedConflicts
from festinger.store.world.reads import PostgresReads

SENTENCE_CHARACTERS_MAX = 400


@dataclass(frozen=True, slots=True)
class EndedRelation:
    """Relation that is no longer stated, with the data needed to retract it.

    Attributes:
        restated: Last ledger row in which others stated it, by dimension.
        others: Dimensions in which active entities state it, by number of the entity.
        conflict: Its own conflict, if it collided.
    """

    record: MemoryRecord
    triple: Triple
    restated: Mapping[str, int]
    others: Mapping[int, str]
    conflict: Conflict | None = None

    @classmethod
    async def read(cls, reads: PostgresReads, record: MemoryRecord) -> EndedRelation:
        """Read the data needed to retract the relation of a record."""
        triple = parse_fact(record.fact)
        conflict = None
        # Its own conflict can be withdrawn only if nobody else stated the same.
        if record.outcome == Verdict.CONFLICTED:
            outcome = await reads.outcome(record.assertion_id)
            conflict = await reads.conflict(outcome.conflict_id)
        return cls(
            record,
            triple,
            await reads.restated(triple),
            await reads.stating(triple),
            conflict,
        )

    def take_back(
        self, draft: Draft, *, by: str, leaving: Set[int]
    ) -> Retraction | None:
        """Retract what is held, or dismiss what is pending, because of the record alone.

        Args:
            leaving: Numbers of all records that become inactive, including this one.

        Returns:
            The retraction; None if nothing was retracted.
        """
        # Still pending: without the entity, nobody asks for it.
        if self.conflict:
            self._withdraw(self.conflict, draft, by)
        triple = redirected(self.triple, draft)
        key = clash(triple, draft)
        if key is None or not stands(triple, key, draft):
            return None
        # The dimension in which it was stated, and the one to which a decision moved it.
        places = {self.triple.dimension, triple.dimension}
        # Another active entity says the same, and does not leave with this one.
        if any(self.others[each] in places for each in self.others.keys() - leaving):
            return None
        since = self._since(key, draft)
        # Held before the entity, or stated by others since: it does not hang on it.
        if since is None or since < max(self.restated.get(it, 0) for it in places):
            return None
        why = f"{name(self.record)} is active no more"
        return draft.retract(triple, principal=by, why=why)

    def _since(self, key: Clash, draft: Draft) -> int | None:
        """Return the row since which entities hold it; None if it was held before."""
        match self.record.outcome:
            case Verdict.HELD:
                return self.record.assertion_id
            case Verdict.CONFLICTED if self.conflict and self._is_alone(self.conflict):
                # It was held later, when nothing collided with it any more.
                return self.record.assertion_id
            case Verdict.CORROBORATED:
                edge = draft.edge_of(key)
                # Corroborated by an entity that was first: together they are all that states it.
                if edge and edge.source == StatementSource.PROMOTED.code:
                    return edge.assertion_id
        return None

    def _is_alone(self, conflict: Conflict) -> bool:
        """Return whether only this record stated what collided."""
        return conflict.statements == 1 and (
            conflict.assertion_id == self.record.assertion_id
        )

    def _withdraw(self, conflict: Conflict, draft: Draft, by: str) -> None:
        """Dismiss the pending conflict, unless others stated the same."""
        key = clash(conflict.incoming, draft)
        pending = conflict.state is ConflictState.PENDING
        if key is None or not pending or not self._is_alone(conflict):
            return
        reasoning = f"{name(self.record)}, which stated it, is active no more"
        draft.settle(
            Settlement(key, conflict.id, ConflictDecision.DISMISS, by, reasoning)
        )


@dataclass(slots=True)
class Relations:
    """Relations that a decision adds and removes.

    Attributes:
        leaving: The relations that it removes.
        waiting: The conflicts that the removal may free.
        proposals: The statements that it may put through the gate.
        entries: Ledger entries of the relations that it adds, by record.
    """

    leaving: Sequence[EndedRelation] = ()
    waiting: FreedConflicts = field(default_factory=FreedConflicts)
    proposals: Sequence[Proposal] = ()
    entries: dict[int, LedgerEntry] = field(default_factory=dict)

    @classmethod
    async def read(
        cls, reads: PostgresReads, steps: Iterable[RecordStep], *, by: str
    ) -> Relations:
        """Read what is needed to judge the relations of some steps."""
        steps = list(steps)
        leaving = [
            await EndedRelation.read(reads, step.before)
            for step in steps
            if step.before and step.leaves
        ]
        stated = [_stated(step.record, by) for step in steps if step.enters]
        if not leaving:
            return cls(proposals=stated)
        concepts = [each.triple.concept for each in leaving]
        waiting = await FreedConflicts.beside(reads, concepts)
        return cls(leaving, waiting, [*stated, *waiting.proposals(by)])

    def judge(
        self, steps: Sequence[RecordStep], draft: Draft, *, by: str
    ) -> list[RecordStep]:
        """Retract the relations that leave, then judge those that enter.

        Returns:
            The steps, with the outcomes of their relations.
        """
        # Known before the first is taken back: two entities that leave together do not hold it.
        leaving = {each.record.id for each in self.leaving}
        ended = [
            retraction
            for each in self.leaving
            if (retraction := each.take_back(draft, by=by, leaving=leaving))
        ]
        # After the retractions, so that an entity can take the place of the one that it replaces.
        judged = [
            self._enter(step, draft, by) if step.enters else step for step in steps
        ]
        # Replacements take precedence over statements that only waited.
        if ended:
            named = ", ".join(str(retraction.id) for retraction in ended)
            self.waiting.release(
                draft, by=by, reasoning=f"free since retraction {named}"
            )
        return judged

    def _enter(self, step: RecordStep, draft: Draft, by: str) -> RecordStep:
        entry = draft.propose(_stated(step.record, by))
        self.entries[step.record.id] = entry
        # The record remembers what became of its relation, for the day on which it leaves.
        judged = replace(
            step.record, outcome=entry.outcome.verdict, assertion_id=entry.id
        )
        return replace(step, after=judged)


def _stated(record: MemoryRecord, by: str) -> Proposal:
    """Return an entity's relation as a statement that a person decided."""
    return Proposal(
        parse_fact(record.fact),
        # A person decided: at least as certain as what people confirm.
        confidence=max(record.confidence, CONFIRMED_CONFIDENCE),
        source=StatementSource.PROMOTED,
        principal=by,
        proposer=record.proposer,
        subject=record.subject,
        decided=True,
        evidence=Evidence(
            head(record.origin.quote or record.content, SENTENCE_CHARACTERS_MAX),
            record.origin.rule or "promotion",
        ),
    )
