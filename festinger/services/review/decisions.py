"""Decisions about records: one transaction, with one logged edit per record.

Every decision checks for duplicates, judges relations, refills the cycle of reviews,
and can be undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Proposal
from festinger.core.review.records import LIVE, Key, MemoryRecord, RecordEdit
from festinger.core.review.steps import RecordStep
from festinger.core.review.transitions import check_etag, name
from festinger.core.world.draft import Draft
from festinger.errors import RecordExists
from festinger.services.review.edits import EditLog, ReviewQueue
from festinger.services.review.relations import Relations
from festinger.services.world.jobs import Job, numbered
from festinger.store.world.batches import Answered, Batch, Committed, RequestKey
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


class RecordDecision(Job[RecordDecisionResult]):
    """A decision about records."""

    alone = True

    def __init__(self, *, principal: str, request: RequestKey | None) -> None:
        super().__init__(request)
        self._principal = principal
        self._queue = ReviewQueue()
        self._relations = Relations()
        self._edits: list[RecordEdit] = []
        self._next_record = self._next_edit = 0
        self._entry: LedgerEntry | None = None

    async def read(self, reads: PostgresReads) -> None:
        """Read the records of the decision."""
        raise NotImplementedError

    def decisions(self, now: float) -> Sequence[Sequence[RecordStep]]:
        """Return the steps, grouped by decisions that can be undone separately.

        Raises:
            FestingerError: The decision is not possible.
        """
        raise NotImplementedError

    def finish(self, batch: Batch) -> None:
        """Add what else the batch must write."""

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The relations that the decision may put through the gate."""
        return self._relations.proposals

    async def load(self, reads: PostgresReads) -> None:
        """Read what the decision needs, and check that it is possible."""
        await self.read(reads)
        self._next_record = await reads.unused("record")
        self._next_edit = await reads.unused("edit")
        steps = [step for each in self.decisions(0.0) for step in each]
        await _check_alone(reads, steps)
        self._queue = await ReviewQueue.read(reads)
        self._relations = await Relations.read(reads, steps, by=self._principal)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Write the records, and judge their relations."""
        editing = EditLog(batch, self._principal, self._next_edit, draft.now)
        decisions = self.decisions(draft.now)
        steps = [step for each in decisions for step in each]
        judged = iter(self._relations.judge(steps, draft, by=self._principal))
        self._edits = []
        for each in decisions:
            self._edits += editing.apply([next(judged) for _ in each])
        self.finish(batch)
        self._entry = next(iter(self._relations.entries.values()), None)
        editing.refill(self._queue)
        answered = Answered(
            records=[edit.record_id for edit in self._edits],
            edits=[edit.id for edit in self._edits],
        )
        self.remember(batch, self._entry, answered)

    def answer(self, committed: Committed) -> RecordDecisionResult:
        """Return the records as they are now."""
        return RecordDecisionResult(
            tuple(edit.after for edit in self._edits),
            tuple(edit.id for edit in self._edits),
            numbered(self._entry, committed) if self._entry else None,
        )

    async def replay(
        self, reads: PostgresReads, answered: Answered
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


class SingleRecordDecision(RecordDecision):
    """A decision about one record.

    Args:
        etag: Etag of the record as the caller read it; empty to skip the check.
    """

    def __init__(
        self,
        record_id: int,
        *,
        principal: str,
        etag: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(principal=principal, request=request)
        self._record_id = record_id
        self._etag = etag
        self._record: MemoryRecord | None = None

    @property
    def record(self) -> MemoryRecord:
        """The record, after `read`."""
        assert self._record is not None, "a decision follows a load"
        return self._record

    async def read(self, reads: PostgresReads) -> None:
        """Read the record.

        Raises:
            RecordNotFound: There is no such record.
            EtagMismatch: The record changed since it was read.
        """
        self._record = await reads.record(self._record_id)
        check_etag(self._record, self._etag)

    def decisions(self, now: float) -> Sequence[Sequence[RecordStep]]:
        """Return the steps as a single decision."""
        return (self.steps(now),)

    def steps(self, now: float) -> Sequence[RecordStep]:
        """Return the steps for the record, and for records that change with it."""
        raise NotImplementedError


async def _check_alone(reads: PostgresReads, steps: Sequence[RecordStep]) -> None:
    """Raise `RecordExists` if a step would duplicate a live record."""
    changed = {step.record.id for step in steps}
    wanted: dict[Key, MemoryRecord] = {}
    for step in steps:
        if step.after and step.after.status in LIVE:
            other = wanted.setdefault(step.after.key, step.after)
            if other.id != step.after.id:
                raise _exists(other)
    for key, other in (await reads.records_by_key(wanted)).items():
        if other.id not in changed and other.id != wanted[key].id:
            raise _exists(other)


def _exists(other: MemoryRecord) -> RecordExists:
    return RecordExists(
        f"{name(other)} says the same and is {other.status}",
        record_id=str(other.id),
        status=other.status,
    )
