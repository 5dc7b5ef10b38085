"""Changes of records in a batch: every step is written, and logged as an edit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from festinger.core.review import transitions
from festinger.core.review.queue import Cycle, fill
from festinger.core.review.records import MemoryRecord, RecordEdit, RecordStep
from festinger.store.review.records import RecordWrites
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads

SELF = "festinger"
"""Principal of edits that refill the queue."""

SPARE_MAX = 150
"""How many more of the overflow are considered for a cycle than it has room for."""


@dataclass(slots=True)
class ReviewQueue:
    """A project's cycle of reviews, and the overflow that waits for the next one."""

    cycle: Cycle = field(default_factory=Cycle)
    overflow: Sequence[MemoryRecord] = ()

    @classmethod
    async def read(
        cls, reads: PostgresReads, projects: Collection[str]
    ) -> list[ReviewQueue]:
        """Read the cycles and the overflows of projects."""
        queues = []
        for project in sorted(set(projects)):
            cycle = await reads.cycle(project)
            # More than there is room for, since some say nearly the same.
            found = await reads.overflow(project, cycle.size + SPARE_MAX)
            queues.append(cls(cycle, found))
        return queues


@dataclass
class EditLog:
    """Collector of steps for a batch.

    Args:
        next_edit: First unused number of an edit.
    """

    batch: Batch
    principal: str
    next_edit: int
    now: float
    steps: list[RecordStep] = field(default_factory=list)

    def current(self, record: MemoryRecord) -> MemoryRecord:
        """Return a record as it is in the batch by now."""
        # An earlier step of the batch may have changed the record.
        return self.batch.of(RecordWrites).changes.written.get(record.id, record)

    def write(self, record: MemoryRecord) -> None:
        """Write a record without logging an edit."""
        self.batch.of(RecordWrites).changes.written[record.id] = record

    def apply(
        self, steps: Sequence[RecordStep], *, principal: str = ""
    ) -> list[RecordEdit]:
        """Write the steps of one decision, which can be undone as a whole.

        Args:
            principal: Who made the decision, if not the principal of the batch.
        """
        # The first edit's number names the decision, by which all of its edits are found.
        decision = self.next_edit
        return [self._apply(step, decision, principal) for step in steps]

    def _apply(self, step: RecordStep, decision: int, principal: str) -> RecordEdit:
        changes = self.batch.of(RecordWrites).changes
        if step.after is None:
            changes.written.pop(step.record.id, None)
            changes.deleted.add(step.record.id)
        else:
            # An undone deletion: the record is written under its old number.
            changes.deleted.discard(step.record.id)
            changes.written[step.record.id] = step.after
        edit = RecordEdit(
            self.next_edit,
            step.record.id,
            step.action,
            principal or self.principal,
            decision,
            step.before,
            step.after,
            created_at=self.now,
        )
        self.next_edit += 1
        changes.edits.append(edit)
        self.steps.append(step)
        return edit

    def refill(self, queues: Iterable[ReviewQueue]) -> None:
        """Start the next cycle of each project whose current one these steps end."""
        done = list(self.steps)
        for queue in queues:
            cycle = queue.cycle.after((step.before, step.after) for step in done)
            # Only the step from open to over starts a cycle: one that was over waits for offers.
            if cycle.is_over and not queue.cycle.is_over:
                self.let_in(cycle, *fill(cycle, queue.overflow)[:2])

    def let_in(self, old: Cycle, cycle: Cycle, records: Sequence[MemoryRecord]) -> None:
        """Move records up from the overflow, and write the new state of the cycle."""
        for record in records:
            step = transitions.refill(record, cycle.number, now=self.now)
            self.apply([step], principal=SELF)
        # Most decisions leave the cycle as it is: no row is written.
        if (cycle.number, cycle.written) != (old.number, old.written):
            changes = self.batch.of(RecordWrites).changes
            changes.cycles[cycle.project] = (cycle.number, cycle.written)
