"""Decisions about records: for each, what it reads and which steps it takes.

All whose record is given raise `RecordNotFound` if there is none, and `EtagMismatch` if
it changed since `etag` was read.
"""

from __future__ import annotations

from collections.abc import Iterable

from festinger.core.graph.statement import parse_fact
from festinger.core.memories.types import MemoryType
from festinger.core.review import transitions
from festinger.core.review.records import MemoryRecord
from festinger.core.review.undo import undo
from festinger.services.review.decisions import DecisionPlan, RecordDecision
from festinger.store.world.batches import RequestKey
from festinger.store.world.reads import PostgresReads


def promote(
    record_id: int,
    *,
    principal: str,
    content: str = "",
    supersedes: int = 0,
    etag: str = "",
    request: RequestKey | None = None,
) -> RecordDecision:
    """Make a candidate active.

    Args:
        content: Content that replaces its own before, by an edit that is undone
            separately; empty to keep its own.
        supersedes: Number of the active record that it replaces; 0 for none.
    """

    # Called under the lock; the steps are made later, with the time of the batch (see below).
    async def plan(reads: PostgresReads) -> DecisionPlan:
        """Plan the promotion."""
        record = await _read(reads, record_id, etag)
        sole = await _is_sole(reads, [record], principal)
        old = await reads.record(supersedes) if supersedes else None
        edits = [transitions.edit(record, content=content)] if content else []
        edited = edits[0][0].record if edits else record
        # A function of the time: the same plan is checked first, and carried out afterwards.
        return DecisionPlan(
            lambda now: [
                *edits,
                transitions.promote(
                    edited, by=principal, now=now, sole=sole, supersedes=old
                ),
            ]
        )

    return RecordDecision(plan, principal=principal, request=request)


def reject(
    record_id: int, *, principal: str, etag: str = "", request: RequestKey | None = None
) -> RecordDecision:
    """Reject a candidate."""

    async def plan(reads: PostgresReads) -> DecisionPlan:
        """Plan the rejection."""
        record = await _read(reads, record_id, etag)
        return DecisionPlan(lambda now: [transitions.reject(record, by=principal)])

    return RecordDecision(plan, principal=principal, request=request)


def revert(
    record_id: int, *, principal: str, etag: str = "", request: RequestKey | None = None
) -> RecordDecision:
    """Make an active or rejected record a candidate again."""

    async def plan(reads: PostgresReads) -> DecisionPlan:
        """Plan the reversal; superseded records return if their key is free."""
        record = await _read(reads, record_id, etag)
        # What it replaced would otherwise stay replaced by nothing.
        superseded = await reads.superseded_by(record_id)
        # Somebody may have written the same anew in the meantime.
        taken = await reads.records_by_key(old.key for old in superseded)
        free = [old for old in superseded if old.key not in taken]
        return DecisionPlan(
            lambda now: [transitions.revert(record, now=now, superseded=free)]
        )

    return RecordDecision(plan, principal=principal, request=request)


def correct(
    record_id: int,
    content: str,
    *,
    principal: str,
    type: MemoryType | None = None,
    fact: str | None = None,
    etag: str = "",
    request: RequestKey | None = None,
) -> RecordDecision:
    """Edit a candidate.

    Args:
        type: New type; None to keep it.
        fact: New relation; None to keep it, empty to remove it.
    """

    async def plan(reads: PostgresReads) -> DecisionPlan:
        """Plan the edit."""
        record = await _read(reads, record_id, etag)
        # Raises before anything is written if it is no statement; an empty one removes it.
        if fact:
            parse_fact(fact)
        return DecisionPlan(
            lambda now: [
                transitions.edit(record, content=content, type=type, fact=fact)
            ]
        )

    return RecordDecision(plan, principal=principal, request=request)


def defer(
    record_id: int,
    *,
    principal: str,
    resume: bool = False,
    request: RequestKey | None = None,
) -> RecordDecision:
    """Defer a candidate, or resume it."""

    async def plan(reads: PostgresReads) -> DecisionPlan:
        """Plan the deferral or its end."""
        record = await _read(reads, record_id)
        return DecisionPlan(
            lambda now: [transitions.defer(record, now=now, resume=resume)]
        )

    return RecordDecision(plan, principal=principal, request=request)


def delete(
    record_id: int, *, principal: str, etag: str = "", request: RequestKey | None = None
) -> RecordDecision:
    """Delete a candidate; a memory that graduated into it becomes active again."""

    async def plan(reads: PostgresReads) -> DecisionPlan:
        """Plan the deletion, with the memory that it graduated from."""
        record = await _read(reads, record_id, etag)
        source = record.graduated_from
        memory = (await reads.records_by_id([source])).get(source) if source else None
        return DecisionPlan(lambda now: [transitions.delete(record, memory)])

    return RecordDecision(plan, principal=principal, request=request)


def graduate(
    record_id: int,
    *,
    principal: str,
    type: MemoryType | None = None,
    fact: str = "",
    etag: str = "",
    request: RequestKey | None = None,
) -> RecordDecision:
    """Turn an active memory into an entity's candidate.

    Args:
        type: Type of the entity; None for that of the memory.
        fact: Relation that the entity states; empty for that of the memory.
    """

    async def plan(reads: PostgresReads) -> DecisionPlan:
        """Plan the new record."""
        record = await _read(reads, record_id, etag)
        # The entity is a record of its own; the memory stays as its source.
        number = await reads.unused("record")
        if fact:
            parse_fact(fact)
        return DecisionPlan(
            lambda now: [
                transitions.graduate(record, number, now=now, type=type, fact=fact)
            ]
        )

    return RecordDecision(plan, principal=principal, request=request)


def confirm(
    record_id: int, *, principal: str, etag: str = "", request: RequestKey | None = None
) -> RecordDecision:
    """Confirm an active memory: its decay starts again from now."""

    async def plan(reads: PostgresReads) -> DecisionPlan:
        """Plan the confirmation."""
        record = await _read(reads, record_id, etag)
        return DecisionPlan(lambda now: [transitions.confirm(record, now=now)])

    return RecordDecision(plan, principal=principal, request=request)


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


async def _read(reads: PostgresReads, record_id: int, etag: str = "") -> MemoryRecord:
    record = await reads.record(record_id)
    transitions.check_etag(record, etag)
    return record


async def _is_sole(
    reads: PostgresReads, records: Iterable[MemoryRecord], principal: str
) -> bool:
    """Return whether one may promote what one wrote, as nobody else decides (E6)."""
    # What a machine read in somebody's text is not "own": its author may confirm it (E6).
    own = [
        record
        for record in records
        if record.proposer == principal and record.origin.hand_authored
    ]
    return bool(own) and await reads.is_sole(principal)
