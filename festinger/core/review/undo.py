"""Undoing of decisions about records, which restores them as they were before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from festinger.core.memories.types import Status
from festinger.core.review.records import (
    Action,
    MemoryRecord,
    RecordEdit,
    same_but_seen,
)
from festinger.core.review.steps import RecordStep, changed, speaks
from festinger.core.review.transitions import not_theirs
from festinger.errors import CannotUndo

_UNAPPROVED = (Status.CANDIDATE, Status.INVALID, Status.OVERFLOW)


def undo(
    edits: Sequence[RecordEdit],
    records: Mapping[int, MemoryRecord],
    *,
    by: str,
    sole: bool = False,
) -> Sequence[RecordStep]:
    """Undo a decision: restore each record as it was before.

    Args:
        edits: All edits of the decision.
        records: Their records as they are now, by number.
        sole: Whether nobody else decides here.

    Raises:
        CannotUndo: A record changed since, the decision was undone already, or it was a
            refill of the queue.
        PermissionDenied: A proposer would promote its own record (E6).
    """
    return [_take_back(each, records.get(each.record_id), by, sole) for each in edits]


def _take_back(
    edit: RecordEdit, record: MemoryRecord | None, by: str, sole: bool
) -> RecordStep:
    where = {"edit_id": str(edit.id), "record_id": str(edit.record_id)}
    if edit.undone_by:
        raise CannotUndo(
            f"edit #{edit.id} was taken back by edit #{edit.undone_by}", **where
        )
    if edit.action is Action.REFILL:
        raise CannotUndo(
            f"edit #{edit.id} was no decision: the queue was refilled. Decide about record "
            f"#{edit.record_id} instead",
            **where,
        )
    if not same_but_seen(record, edit.after):
        raise CannotUndo(
            f"record #{edit.record_id} was changed after edit #{edit.id}: take that back "
            "first",
            **where,
        )
    if edit.before is None:
        return RecordStep(Action.UNDO, record, None)
    step = RecordStep(Action.UNDO, record, _restored(edit, record))
    approves = step.record.status is Status.ACTIVE and (
        record is None or record.status in _UNAPPROVED
    )
    if approves and step.record.proposer == by and not (sole and step.record.sole):
        raise not_theirs(step.record, by)
    return step


def _restored(edit: RecordEdit, record: MemoryRecord | None) -> MemoryRecord:
    """Return the record before an edit, but with its current counts of re-extraction."""
    before = edit.before
    assert before is not None, "what an edit wrote is not restored"
    if record is None or edit.after is None:
        return changed(before)
    seen = replace(
        before,
        version=record.version + 1,
        re_extraction_count=record.re_extraction_count,
        last_re_extracted_at=record.last_re_extracted_at,
    )
    if record.confirmed_at != edit.after.confirmed_at:
        seen = replace(seen, confirmed_at=record.confirmed_at)
    if speaks(record) and speaks(before):
        # The edit did not change the outcome of the gate.
        seen = replace(seen, outcome=record.outcome, assertion_id=record.assertion_id)
    return seen
