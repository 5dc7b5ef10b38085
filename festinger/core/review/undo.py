"""Undoing of decisions about records, which restores them as they were before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from festinger.core.memories.types import Status
from festinger.core.review.records import (
    Action,
    MemoryRecord,
    RecordEdit,
    RecordStep,
    changed,
    same_but_seen,
    speaks,
)
from festinger.core.review.transitions import not_theirs
from festinger.errors import CannotUndo

# The way from here to active is an approval.
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
        records: Their records as they are now, by number.
        sole: Whether nobody else decides here.

    Raises:
        CannotUndo: A record changed since, the decision was undone already, or it was a
            refill of the queue.
        PermissionDenied: A proposer would promote its own record (E6).
    """
    # All or none: an error for one record leaves the others as they are, too.
    return [_take_back(each, records.get(each.record_id), by, sole) for each in edits]


def _take_back(
    edit: RecordEdit, record: MemoryRecord | None, by: str, sole: bool
) -> RecordStep:
    where = {"edit_id": str(edit.id), "record_id": str(edit.record_id)}
    if edit.undone_by:
        raise CannotUndo(
            f"edit #{edit.id} was taken back by edit #{edit.undone_by}", **where
        )
    # A refill decides nothing; undoing it would take a record out of the running cycle.
    if edit.action is Action.REFILL:
        raise CannotUndo(
            f"edit #{edit.id} was no decision: the queue was refilled. Decide about record "
            f"#{edit.record_id} instead",
            **where,
        )
    # A later change builds on this one. Being found again does not stand in the way.
    if not same_but_seen(record, edit.after):
        raise CannotUndo(
            f"record #{edit.record_id} was changed after edit #{edit.id}: take that back "
            "first",
            **where,
        )
    if edit.before is None:  # the edit wrote it: undone, it is gone
        return RecordStep(Action.UNDO, record, None)
    step = RecordStep(Action.UNDO, record, _restored(edit, record))
    # Restoring an active record is an approval, which its proposer may not give (E6).
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
    # The version goes on, so that the etag of before is not valid again.
    seen = replace(
        before,
        version=record.version + 1,
        re_extraction_count=record.re_extraction_count,
        last_re_extracted_at=record.last_re_extracted_at,
    )
    # It was confirmed since then: the decay goes on from there.
    if record.confirmed_at != edit.after.confirmed_at:
        seen = replace(seen, confirmed_at=record.confirmed_at)
    if speaks(record) and speaks(before):
        # The edit did not change the outcome of the gate.
        seen = replace(seen, outcome=record.outcome, assertion_id=record.assertion_id)
    return seen
