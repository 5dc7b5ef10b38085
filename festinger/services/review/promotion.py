"""Decisions about records: for each, what it reads and which steps it takes.

All whose record is given raise `RecordNotFound` if there is none, and `EtagMismatch` if
it changed since `etag` was read.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from festinger.core.graph.statement import parse_fact
from festinger.core.memories.types import MemoryType
from festinger.core.review import transitions
from festinger.core.review.records import MemoryRecord
from festinger.core.review.undo import undo
from festinger.services.review.decisions import DecisionPlan, RecordDecision
from festinger.store.world.batches import RequestKey
from festinger.store.world.reads import PostgresReads

_RecordPlan = Callable[..., Awaitable[DecisionPlan]]
"""Reads what a decision needs besides the record, for whom it is decided by."""


def _decision(plan: _RecordPlan) -> Callable[..., RecordDecision]:
    """Make a plan about a record the decision of somebody who gives its number."""

    @wraps(plan)
    def decide(
        record_id: int,
        *parts: Any,
        principal: str,
        etag: str = "",
        request: RequestKey | None = None,
        **more: Any,
    ) -> RecordDecision:
        """Return the decision about a record."""

        async def read(reads: PostgresReads) -> DecisionPlan:
            """Read the record under the lock, and plan what is done to it."""
            record = await reads.record(record_id)
            transitions.check_etag(record, etag)
            return await plan(reads, record, principal, *parts, **more)

        return RecordDecision(read, principal=principal, request=request)

    return decide


@_decision
async def promote(
    reads: PostgresReads,
    record: MemoryRecord,
    by: str,
    *,
    content: str = "",
    supersedes: int = 0,
) -> DecisionPlan:
    """Make a candidate active.

    Args:
        content: Content that replaces its own before, by an edit that is undone
            separately; empty to keep its own.
        supersedes: Number of the active record that it replaces; 0 for none.
    """
    # One may promote what one wrote if nobody else decides. What a machine read in
    # somebody's text is not "own": its author may confirm it (E6).
    own = record.proposer == by and record.origin.hand_authored
    sole = own and await reads.is_sole(by)
    old = await reads.record(supersedes) if supersedes else None
    edits = [transitions.edit(record, content=content)] if content else []
    edited = edits[0][0].record if edits else record
    # A function of the time: the same plan is checked first, and carried out afterwards.
    return DecisionPlan(
        lambda now: [
            *edits,
            transitions.promote(edited, by=by, now=now, sole=sole, supersedes=old),
        ]
    )


@_decision
async def reject(reads: PostgresReads, record: MemoryRecord, by: str) -> DecisionPlan:
    """Reject a candidate."""
    return DecisionPlan(lambda now: [transitions.reject(record, by=by)])


@_decision
async def revert(reads: PostgresReads, record: MemoryRecord, by: str) -> DecisionPlan:
    """Make an active or rejected record a candidate again."""
    # What it replaced would otherwise stay replaced by nothing.
    superseded = await reads.superseded_by(record.id)
    # Somebody may have written the same anew in the meantime.
    taken = await reads.records_by_key(old.key for old in superseded)
    free = [old for old in superseded if old.key not in taken]
    return DecisionPlan(
        lambda now: [transitions.revert(record, now=now, superseded=free)]
    )


@_decision
async def correct(
    reads: PostgresReads,
    record: MemoryRecord,
    by: str,
    content: str,
    *,
    type: MemoryType | None = None,
    fact: str | None = None,
) -> DecisionPlan:
    """Edit a candidate.

    Args:
        type: New type; None to keep it.
        fact: New relation; None to keep it, empty to remove it.
    """
    # Raises before anything is written if it is no statement; an empty one removes it.
    if fact:
        parse_fact(fact)
    return DecisionPlan(
        lambda now: [transitions.edit(record, content=content, type=type, fact=fact)]
    )


@_decision
async def defer(
    reads: PostgresReads, record: MemoryRecord, by: str, *, resume: bool = False
) -> DecisionPlan:
    """Defer a candidate, or resume it."""
    return DecisionPlan(lambda now: [transitions.defer(record, now=now, resume=resume)])


@_decision
async def delete(reads: PostgresReads, record: MemoryRecord, by: str) -> DecisionPlan:
    """Delete a candidate; a memory that graduated into it becomes active again."""
    source = record.graduated_from
    memory = (await reads.records_by_id([source])).get(source) if source else None
    return DecisionPlan(lambda now: [transitions.delete(record, memory)])


@_decision
async def graduate(
    reads: PostgresReads,
    record: MemoryRecord,
    by: str,
    *,
    type: MemoryType | None = None,
    fact: str = "",
) -> DecisionPlan:
    """Turn an active memory into an entity's candidate.

    Args:
        type: Type of the entity; None for that of the memory.
        fact: Relation that the entity states; empty for that of the memory.
    """
    # The entity is a record of its own; the memory stays as its source.
    number = await reads.unused("record")
    if fact:
        parse_fact(fact)
    return DecisionPlan(
        lambda now: [
            transitions.graduate(record, number, now=now, type=type, fact=fact)
        ]
    )


@_decision
async def confirm(reads: PostgresReads, record: MemoryRecord, by: str) -> DecisionPlan:
    """Confirm an active memory: its decay starts again from now."""
    return DecisionPlan(lambda now: [transitions.confirm(record, now=now)])


def undo_edit(
    edit_id: int, *, principal: str, request: RequestKey | None = None
) -> RecordDecision:
    """Undo a decision by one of its edits: its records are exactly what they were."""

    async def plan(reads: PostgresReads) -> DecisionPlan:
        """Plan the undoing of an edit and of its decision's others."""
        edit = await reads.edit(edit_id)
        # A decision may have changed several records, which are undone together.
        edits = await reads.edits(decision=edit.decision, limit=None)
        # The named edit comes first, the others in the order of their numbers.
        undone = sorted(edits, key=lambda it: (it.id != edit_id, it.id))
        records = await reads.records_by_id({it.record_id for it in edits})
        # An undone revert makes a record active: the rule of `promote` (E6).
        sole = await reads.is_sole(principal)
        return DecisionPlan(
            lambda now: [undo(undone, records, by=principal, sole=sole)],
            undoes=[it.id for it in undone],
        )

    return RecordDecision(plan, principal=principal, request=request)
