"""Promotion graph: the actions on a record, and its status after each.

    overflow ─▶ candidate ─┬─ promote ─▶ active ─┬─ graduate ─▶ graduated (a memory)
                  ▲  ▲     └─ reject ──▶ invalid │
                  │  └─── revert ◀───────────────┤
                  └────── (deleted)              └─ another is promoted ─▶ superseded

The caller prevents duplicate writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.records import (
    TYPES,
    Action,
    MemoryRecord,
    ProposedRecord,
    RecordStep,
    changed,
)
from festinger.errors import (
    EtagMismatch,
    InvalidArgument,
    PermissionDenied,
    RecordStatus,
)

CONTRADICTED = 0.25
"""Confidence that a known record loses when a contradicting one is found (G2)."""


def propose(
    offer: ProposedRecord,
    record_id: int,
    *,
    now: float,
    cycle: int = 0,
    overflows: bool = False,
) -> MemoryRecord:
    """Return the new record of an offer.

    Args:
        cycle: The review cycle in which it waits; 0 for none.
        overflows: Whether the cycle has no room for it.

    Raises:
        InvalidArgument: Records of its kind cannot have its type.
    """
    # First, since extractors of other packages may offer any type.
    check_type(offer.kind, offer.type)
    status = Status.OVERFLOW if overflows else offer.status
    return MemoryRecord(
        record_id,
        offer.kind,
        offer.type,
        offer.content,
        offer.origin,
        status,
        offer.confidence,
        offer.proposer,
        project=offer.project,
        subject=offer.subject,
        fact=offer.fact,
        reasoning=offer.reasoning,
        rank=offer.rank,
        cycle=cycle,
        pending_since=now if status is Status.CANDIDATE else None,
        confirmed_at=now,  # decay begins when it is written
        contradicts=offer.contradicts,
        created_at=now,
    )


def seen_again(record: MemoryRecord, *, times: int, now: float) -> MemoryRecord:
    """Return a record after it was found again: a rejected one stays rejected."""
    # A person who says something again confirms it; a file that is read again does not.
    confirmed = record.status is Status.ACTIVE and record.origin.interaction_id > 0
    # Not `changed`: being found again keeps the etag, so that an open page stays valid.
    return replace(
        record,
        re_extraction_count=record.re_extraction_count + times,
        last_re_extracted_at=now,
        confirmed_at=now if confirmed else record.confirmed_at,
    )


def contradicted(record: MemoryRecord) -> RecordStep:
    """Lower the confidence of a record, since a contradicting one was found."""
    less = max(0.0, record.confidence - CONTRADICTED)  # never negative, however often
    return RecordStep(Action.CONTRADICT, record, changed(record, confidence=less))


def refill(record: MemoryRecord, cycle: int, *, now: float) -> RecordStep:
    """Move a record from the overflow to a cycle.

    Raises:
        RecordStatus: It is not in the overflow.
    """
    _need(record, Status.OVERFLOW, to="move up")
    # The clock of staleness starts here, when people first see it.
    after = changed(record, status=Status.CANDIDATE, cycle=cycle, pending_since=now)
    return RecordStep(Action.REFILL, record, after)


def promote(
    record: MemoryRecord,
    *,
    by: str,
    now: float,
    sole: bool = False,
    supersedes: MemoryRecord | None = None,
) -> Sequence[RecordStep]:
    """Promote a candidate to an active record, optionally in place of another one.

    Args:
        sole: Whether nobody else decides here, so that the proposer may promote it.

    Raises:
        RecordStatus: It is no candidate, or the other record is not active.
        PermissionDenied: The proposer does not promote its own records (E6).
        InvalidArgument: The other record is of another kind.
    """
    # Rejected and superseded ones are reverted first, so that there is one way to "active".
    _need(record, Status.CANDIDATE, to="be promoted")
    own = record.proposer == by
    # With one person only, nothing could ever be promoted; that they were alone is recorded.
    if own and not sole:
        raise not_theirs(record, by)
    after = changed(
        record,
        status=Status.ACTIVE,
        pending_since=None,
        deferred_at=None,
        confirmed_at=now,  # decay starts anew
        decider=by,
        sole=own,
    )
    promoted = RecordStep(Action.PROMOTE, record, after)
    if supersedes is None:
        return (promoted,)
    return (promoted, _supersede(supersedes, record))


def _supersede(old: MemoryRecord, new: MemoryRecord) -> RecordStep:
    # A preference does not take the place of an entity, however alike.
    if old.kind is not new.kind:
        raise InvalidArgument(
            f"{name(old)} is of another kind than {name(new)}: one of the same kind takes "
            "its place",
            field="supersedes",
        )
    _need(old, Status.ACTIVE, to="be superseded")
    after = changed(old, status=Status.SUPERSEDED, superseded_by=new.id)
    return RecordStep(Action.SUPERSEDE, old, after)


def reject(record: MemoryRecord, *, by: str) -> Sequence[RecordStep]:
    """Reject a candidate; it is not proposed again.

    Raises:
        RecordStatus: It is no candidate.
    """
    _need(record, Status.CANDIDATE, to="be rejected")
    # The record stays: that it is known keeps extractors from proposing it again.
    after = changed(
        record, status=Status.INVALID, pending_since=None, deferred_at=None, decider=by
    )
    return (RecordStep(Action.REJECT, record, after),)


def revert(
    record: MemoryRecord, *, now: float, superseded: Iterable[MemoryRecord] = ()
) -> Sequence[RecordStep]:
    """Make an active or rejected record a candidate again.

    Args:
        superseded: The records that it replaced; they become active again.

    Raises:
        RecordStatus: It is neither active nor rejected.
    """
    _need(record, Status.ACTIVE, Status.INVALID, to="be reverted")
    # Who decided and what the gate said belong to the decision that is taken back.
    after = changed(
        record,
        status=Status.CANDIDATE,
        pending_since=now,
        decider="",
        sole=False,
        outcome="",
        assertion_id=0,
    )
    # What it had replaced holds again, or nothing would.
    back = [
        RecordStep(
            Action.REVERT, old, changed(old, status=Status.ACTIVE, superseded_by=0)
        )
        for old in superseded
    ]
    return (RecordStep(Action.REVERT, record, after), *back)


def edit(
    record: MemoryRecord,
    *,
    content: str,
    type: MemoryType | None = None,
    fact: str | None = None,
) -> Sequence[RecordStep]:
    """Change the content of a candidate; the original content is kept.

    Args:
        type: The new type; None to keep it.
        fact: The new fact; None to keep it, empty for none.

    Raises:
        RecordStatus: It is no candidate.
        InvalidArgument: Records of its kind cannot have that type.
    """
    _need(record, Status.CANDIDATE, to="be edited")
    if type is not None:
        check_type(record.kind, type)
    original = record.original_content
    if not original and content != record.content:
        original = record.content
    after = changed(
        record,
        content=content,
        type=type or record.type,
        fact=record.fact if fact is None else fact,
        original_content=original,
    )
    return (RecordStep(Action.EDIT, record, after),)


def defer(
    record: MemoryRecord, *, now: float, resume: bool = False
) -> Sequence[RecordStep]:
    """Defer a candidate, or resume it.

    Raises:
        RecordStatus: It is no candidate, is deferred already, or is to be resumed but
            not deferred.
    """
    _need(record, Status.CANDIDATE, to="be put aside")
    if resume == (record.deferred_at is None):  # already as wanted
        where = "not put aside" if resume else "put aside already"
        raise _status(record, f"{name(record)} is {where}")
    after = changed(record, deferred_at=None if resume else now)
    return (RecordStep(Action.DEFER, record, after),)


# Only candidates: what was told to anybody stays in the log.
def delete(
    record: MemoryRecord, memory: MemoryRecord | None = None
) -> Sequence[RecordStep]:
    """Delete a candidate, as if it had never been written.

    Args:
        memory: The memory that graduated to it, which becomes active again.

    Raises:
        RecordStatus: It is no candidate.
    """
    _need(record, Status.CANDIDATE, to="be deleted")
    gone = RecordStep(Action.DELETE, record, None)
    if memory is None or memory.graduated_to != record.id:
        return (gone,)
    after = changed(memory, status=Status.ACTIVE, graduated_to=0)
    return (gone, RecordStep(Action.REVERT, memory, after))


def graduate(
    memory: MemoryRecord,
    entity_id: int,
    *,
    now: float,
    type: MemoryType | None = None,
    fact: str = "",
) -> Sequence[RecordStep]:
    """Propose an active memory as an entity, and freeze the memory as a pointer to it.

    Args:
        fact: The relation that the entity states; empty for that of the memory.

    Returns:
        The steps of the entity and of the memory.

    Raises:
        RecordStatus: It is no active memory.
        InvalidArgument: An entity cannot have that type.
    """
    if memory.kind is not MemoryKind.MEMORY:
        raise _status(memory, f"{name(memory)} is an entity: only memories graduate")
    _need(memory, Status.ACTIVE, to="graduate")
    entity_type = type or memory.type
    check_type(MemoryKind.ENTITY, entity_type)
    # The entity keeps where the memory was found, and begins a review of its own.
    entity = replace(
        memory,
        id=entity_id,
        kind=MemoryKind.ENTITY,
        type=entity_type,
        status=Status.CANDIDATE,
        fact=fact or memory.fact,
        re_extraction_count=0,
        last_re_extracted_at=None,
        cycle=0,
        pending_since=now,
        confirmed_at=now,
        graduated_from=memory.id,
        decider="",
        sole=False,
        original_content="",
        version=1,
        created_at=now,
    )
    # Frozen, not removed: people can follow it to the entity.
    frozen = changed(memory, status=Status.GRADUATED, graduated_to=entity_id)
    return (
        RecordStep(Action.PROPOSE, None, entity),
        RecordStep(Action.GRADUATE, memory, frozen),
    )


def confirm(record: MemoryRecord, *, now: float) -> Sequence[RecordStep]:
    """Confirm an active memory, whose weight decays from now on.

    Raises:
        RecordStatus: It is no active memory.
    """
    if record.kind is not MemoryKind.MEMORY:  # entities have no decay
        raise _status(record, f"{name(record)} is an entity, which does not fade")
    _need(record, Status.ACTIVE, to="be confirmed")
    return (RecordStep(Action.CONFIRM, record, changed(record, confirmed_at=now)),)


def check_etag(record: MemoryRecord, etag: str) -> None:
    """Raise `EtagMismatch` if a record changed since it was read; skip an empty etag."""
    if etag and etag != record.etag:  # callers that do not care send none
        raise EtagMismatch(
            f"{name(record)} changed since it was read; read it again", **_named(record)
        )


def check_type(kind: MemoryKind, type: MemoryType) -> None:
    """Raise `InvalidArgument` if records of a kind cannot have a type."""
    if type not in TYPES[kind]:
        raise InvalidArgument(
            f"no {kind} is of the type {type}: say one of {', '.join(TYPES[kind])}",
            field="type",
        )


def name(record: MemoryRecord) -> str:
    """Return the display name of a record. Example: `memory #7`."""
    return f"{record.kind} #{record.id}"


def _need(record: MemoryRecord, *statuses: Status, to: str) -> None:
    if record.status not in statuses:
        wanted = " or ".join(statuses)
        decided = f", as {record.decider} decided" if record.decider else ""
        raise _status(
            record,
            f"{name(record)} is {record.status}{decided}, and must be {wanted} to {to}",
        )


def _status(record: MemoryRecord, message: str) -> RecordStatus:
    return RecordStatus(message, status=record.status, **_named(record))


def not_theirs(record: MemoryRecord, by: str) -> PermissionDenied:
    """Return the error for a proposer who promotes its own record (E6)."""
    return PermissionDenied(
        f"{name(record)} was proposed by {by}: another must promote it",
        **_named(record),
    )


def _named(record: MemoryRecord) -> dict[str, str]:
    return {"record_id": str(record.id)}
