"""Decisions about records: one transaction, with one logged edit per record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Proposal
from festinger.core.review.records import (
    LIVE,
    Key,
    MemoryRecord,
    RecordEdit,
    RecordStep,
)
from festinger.core.review.transitions import name
from festinger.core.world.draft import Draft
from festinger.errors import RecordExists
from festinger.services.review.edits import EditLog, ReviewQueue
from festinger.services.review.relations import Relations
from festinger.services.world.jobs import Job
from festinger.store.review.records import RecordWrites
from festinger.store.world.batches import Batch, CallResult, RequestKey
from festinger.store.world.reads import PostgresReads


@dataclass(frozen=True, slots=True)
class RecordDecisionResult:
    """Result of a decision.

    Attributes:
        records: The records as they are now, the one that was decided first; None for a
            deleted one.
        edits: Numbers of the edits of these records.
        outcome: Outcome of the first relation; None if there was none.
    """

    records: tuple[MemoryRecord | None, ...]
    edits: tuple[int, ...]
    outcome: Outcome | None = None


class DecisionPlan(NamedTuple):
    """Steps of a decision, made of the records that it read.

    Attributes:
        steps: Returns the steps at a time in seconds since the epoch, grouped by
            decisions that can be undone separately. Raises `FestingerError` if the
            decision is not possible.
        undoes: Numbers of the edits that it undoes.
    """

    steps: Callable[[float], Sequence[Sequence[RecordStep]]]
    undoes: Sequence[int] = ()


class RecordDecision(Job[RecordDecisionResult]):
    """A decision about records, made by a plan that reads them."""

    alone = True

    def __init__(
        self,
        plan: Callable[[PostgresReads], Awaitable[DecisionPlan]],
        *,
        principal: str,
        request: RequestKey | None,
    ) -> None:
        super().__init__(request=request)
        self._read_plan = plan
        self._plan = DecisionPlan(lambda now: ())
        self._principal = principal
        self._queues: Sequence[ReviewQueue] = ()
        self._relations = Relations()
        self._edits: list[RecordEdit] = []
        self._next_edit = 0
        self._entry: LedgerEntry | None = None

    @property
    def edits(self) -> Sequence[int]:
        """Numbers of the edits, after `decide`."""
        return [edit.id for edit in self._edits]

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The relations that the decision may put through the gate."""
        return self._relations.proposals

    async def load(self, reads: PostgresReads) -> None:
        """Read what the decision needs, and check that it is possible."""
        self._plan = await self._read_plan(reads)
        # Numbered by hand: edits refer to each other before they are written.
        self._next_edit = await reads.unused("edit")
        # The time matters only to what is written; here only the records and their changes count.
        steps = [step for each in self._plan.steps(0.0) for step in each]
        # Every decision is checked for duplicates: an edit may make a record say what another says.
        await _check_alone(reads, steps)
        projects = {step.record.project for step in steps}
        # A decision may end a cycle, and so let in the next fifty.
        self._queues = await ReviewQueue.read(reads, projects)
        self._relations = await Relations.read(reads, steps, by=self._principal)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Write the records, and judge their relations."""
        editing = EditLog(batch, self._principal, self._next_edit, draft.now)
        # Again, with the time of the draft, which is that of all rows of the batch.
        decisions = self._plan.steps(draft.now)
        steps = [step for each in decisions for step in each]
        judged = iter(self._relations.judge(steps, draft, by=self._principal))
        self._edits = []
        for each in decisions:
            self._edits += editing.apply([next(judged) for _ in each])
        # The first edit stands for the undoing; the others share its decision.
        if self._plan.undoes:
            by = self._edits[0].id
            batch.of(RecordWrites).changes.undone.update(
                dict.fromkeys(self._plan.undoes, by)
            )
        self._entry = next(iter(self._relations.entries.values()), None)
        editing.refill(self._queues)
        answered = CallResult(
            records=[edit.record_id for edit in self._edits], edits=self.edits
        )
        self.remember(batch, self._entry, answered)

    def answer(self, version: int) -> RecordDecisionResult:
        """Return the records as they are now."""
        return RecordDecisionResult(
            tuple(edit.after for edit in self._edits),
            tuple(self.edits),
            self._entry.outcome if self._entry else None,
        )

    async def replay(
        self, reads: PostgresReads, answered: CallResult
    ) -> RecordDecisionResult:
        """Return the records as they are now, and the first outcome."""
        records = await reads.records_by_id(answered.records)
        return RecordDecisionResult(
            tuple(records.get(each) for each in answered.records),
            tuple(answered.edits),
            await reads.outcome(answered.assertion_id)
            if answered.assertion_id
            else None,
        )


async def _check_alone(reads: PostgresReads, steps: Sequence[RecordStep]) -> None:
    """Raise `RecordExists` if a step would duplicate a live record."""
    # Two steps may exchange their keys, so those that change anyway are no duplicates.
    changed = {step.record.id for step in steps}
    wanted: dict[Key, MemoryRecord] = {}
    for step in steps:
        if step.after and step.after.status in LIVE:
            other = wanted.setdefault(step.after.key, step.after)
            # Within one decision, two records may come to say the same.
            if other.id != step.after.id:
                raise _exists(other)
    # Rejected records count, too: what was refused is not written a second time.
    for key, other in (await reads.records_by_key(wanted)).items():
        if other.id not in changed and other.id != wanted[key].id:
            raise _exists(other)


def _exists(other: MemoryRecord) -> RecordExists:
    return RecordExists(
        f"{name(other)} says the same and is {other.status}",
        record_id=str(other.id),
        status=other.status,
    )
