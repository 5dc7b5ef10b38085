"""Promotion graph: the actions on a claim, and its status after each.

    overflow ─▶ candidate ─┬─ promote ─▶ active ─┬─ graduate ─▶ graduated (a memory)
                  ▲  ▲     └─ reject ──▶ invalid │
                  │  └─── revert ◀───────────────┤
                  └────── (deleted)              └─ another is promoted ─▶ superseded

Every function returns the changes as values, or raises `ClaimStatus`. The principal
and its permission are arguments. The caller prevents duplicate writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.claims import (
    TYPES,
    Action,
    Claim,
    Offer,
)
from festinger.core.review.steps import ClaimStep, changed
from festinger.errors import (
    ClaimStatus,
    EtagMismatch,
    InvalidArgument,
    PermissionDenied,
)

CONTRADICTED = 0.25
"""Confidence that a known claim loses when a contradicting one is found (G2)."""


def propose(
    offer: Offer,
    claim_id: int,
    *,
    now: float,
    cycle: int = 0,
    overflows: bool = False,
) -> Claim:
    """Return the new claim of an offer.

    Args:
        cycle: The review cycle in which it waits; 0 for none.
        overflows: Whether the cycle has no room for it.

    Raises:
        InvalidArgument: Claims of its kind cannot have its type.
    """
    check_type(offer.kind, offer.type)
    status = Status.OVERFLOW if overflows else offer.status
    return Claim(
        claim_id,
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
        confirmed_at=now,
        contradicts=offer.contradicts,
        created_at=now,
    )


def seen_again(claim: Claim, *, now: float) -> Claim:
    """Return a claim after it was found again: a rejected one stays rejected.

    An active claim from a user's own conversation is confirmed.
    """
    confirmed = claim.status is Status.ACTIVE and claim.origin.interaction_id > 0
    return replace(
        claim,
        re_extraction_count=claim.re_extraction_count + 1,
        last_re_extracted_at=now,
        confirmed_at=now if confirmed else claim.confirmed_at,
    )


def contradicted(claim: Claim) -> ClaimStep:
    """Lower the confidence of a claim, since a contradicting one was found."""
    less = max(0.0, claim.confidence - CONTRADICTED)
    return ClaimStep(Action.CONTRADICT, claim, changed(claim, confidence=less))


def refill(claim: Claim, cycle: int, *, now: float) -> ClaimStep:
    """Move a claim from the overflow to a cycle.

    Raises:
        ClaimStatus: It is not in the overflow.
    """
    _need(claim, Status.OVERFLOW, to="move up")
    after = changed(claim, status=Status.CANDIDATE, cycle=cycle, pending_since=now)
    return ClaimStep(Action.REFILL, claim, after)


def promote(
    claim: Claim,
    *,
    by: str,
    now: float,
    sole: bool = False,
    supersedes: Claim | None = None,
) -> Sequence[ClaimStep]:
    """Promote a candidate to an active claim, optionally in place of another one.

    Args:
        sole: Whether nobody else decides here, so that the proposer may promote it.
        supersedes: The active claim that it replaces.

    Raises:
        ClaimStatus: It is no candidate, or the other claim is not active.
        PermissionDenied: The proposer does not promote its own claims (E6).
        InvalidArgument: The other claim is of another kind.
    """
    _need(claim, Status.CANDIDATE, to="be promoted")
    own = claim.proposer == by
    if own and not sole:
        raise not_theirs(claim, by)
    after = changed(
        claim,
        status=Status.ACTIVE,
        pending_since=None,
        deferred_at=None,
        confirmed_at=now,
        decider=by,
        sole=own,
    )
    promoted = ClaimStep(Action.PROMOTE, claim, after)
    if supersedes is None:
        return (promoted,)
    return (promoted, _supersede(supersedes, claim))


def _supersede(old: Claim, new: Claim) -> ClaimStep:
    if old.kind is not new.kind:
        raise InvalidArgument(
            f"{name(old)} is of another kind than {name(new)}: one of the same kind takes "
            "its place",
            field="supersedes",
        )
    _need(old, Status.ACTIVE, to="be superseded")
    after = changed(old, status=Status.SUPERSEDED, superseded_by=new.id)
    return ClaimStep(Action.SUPERSEDE, old, after)


def reject(claim: Claim, *, by: str) -> Sequence[ClaimStep]:
    """Reject a candidate; it is not proposed again.

    Raises:
        ClaimStatus: It is no candidate.
    """
    _need(claim, Status.CANDIDATE, to="be rejected")
    after = changed(
        claim,
        status=Status.INVALID,
        pending_since=None,
        deferred_at=None,
        decider=by,
    )
    return (ClaimStep(Action.REJECT, claim, after),)


def revert(
    claim: Claim, *, now: float, superseded: Iterable[Claim] = ()
) -> Sequence[ClaimStep]:
    """Make an active or rejected claim a candidate again.

    Args:
        superseded: The claims that it replaced; they become active again.

    Raises:
        ClaimStatus: It is neither active nor rejected.
    """
    _need(claim, Status.ACTIVE, Status.INVALID, to="be reverted")
    after = changed(
        claim,
        status=Status.CANDIDATE,
        pending_since=now,
        decider="",
        sole=False,
        outcome="",
        assertion_id=0,
    )
    back = [
        ClaimStep(
            Action.REVERT,
            old,
            changed(old, status=Status.ACTIVE, superseded_by=0),
        )
        for old in superseded
    ]
    return (ClaimStep(Action.REVERT, claim, after), *back)


def edit(
    claim: Claim,
    *,
    content: str,
    type: MemoryType | None = None,
    fact: str | None = None,
) -> Sequence[ClaimStep]:
    """Change the content of a candidate; the original content is kept.

    Args:
        type: The new type; None to keep it.
        fact: The new fact; None to keep it, empty for none.

    Raises:
        ClaimStatus: It is no candidate.
        InvalidArgument: Claims of its kind cannot have that type.
    """
    _need(claim, Status.CANDIDATE, to="be edited")
    if type is not None:
        check_type(claim.kind, type)
    original = claim.original_content
    if not original and content != claim.content:
        original = claim.content
    after = changed(
        claim,
        content=content,
        type=type or claim.type,
        fact=claim.fact if fact is None else fact,
        original_content=original,
    )
    return (ClaimStep(Action.EDIT, claim, after),)


def defer(claim: Claim, *, now: float, resume: bool = False) -> Sequence[ClaimStep]:
    """Defer a candidate, or resume it.

    Raises:
        ClaimStatus: It is no candidate, is deferred already, or is to be resumed but
            not deferred.
    """
    _need(claim, Status.CANDIDATE, to="be put aside")
    if resume == (claim.deferred_at is None):
        where = "not put aside" if resume else "put aside already"
        raise _status(claim, f"{name(claim)} is {where}")
    after = changed(claim, deferred_at=None if resume else now)
    return (ClaimStep(Action.DEFER, claim, after),)


def delete(claim: Claim, memory: Claim | None = None) -> Sequence[ClaimStep]:
    """Delete a candidate, as if it had never been written.

    Args:
        memory: The memory that graduated to it, which becomes active again.

    Raises:
        ClaimStatus: It is no candidate.
    """
    _need(claim, Status.CANDIDATE, to="be deleted")
    gone = ClaimStep(Action.DELETE, claim, None)
    if memory is None or memory.graduated_to != claim.id:
        return (gone,)
    after = changed(memory, status=Status.ACTIVE, graduated_to=0)
    return (gone, ClaimStep(Action.REVERT, memory, after))


def graduate(
    memory: Claim,
    entity_id: int,
    *,
    now: float,
    type: MemoryType | None = None,
    fact: str = "",
) -> Sequence[ClaimStep]:
    """Propose an active memory as an entity, and freeze the memory as a pointer to it.

    Args:
        type: Type of the entity; None for that of the memory.
        fact: The relation that the entity states; empty for that of the memory.

    Returns:
        The steps of the entity and of the memory.

    Raises:
        ClaimStatus: It is no active memory.
        InvalidArgument: An entity cannot have that type.
    """
    if memory.kind is not MemoryKind.MEMORY:
        raise _status(memory, f"{name(memory)} is an entity: only memories graduate")
    _need(memory, Status.ACTIVE, to="graduate")
    entity_type = type or memory.type
    check_type(MemoryKind.ENTITY, entity_type)
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
    frozen = changed(memory, status=Status.GRADUATED, graduated_to=entity_id)
    return (
        ClaimStep(Action.PROPOSE, None, entity),
        ClaimStep(Action.GRADUATE, memory, frozen),
    )


def confirm(claim: Claim, *, now: float) -> Sequence[ClaimStep]:
    """Confirm an active memory, whose weight decays from now on.

    Raises:
        ClaimStatus: It is no active memory.
    """
    if claim.kind is not MemoryKind.MEMORY:
        raise _status(claim, f"{name(claim)} is an entity, which does not fade")
    _need(claim, Status.ACTIVE, to="be confirmed")
    return (ClaimStep(Action.CONFIRM, claim, changed(claim, confirmed_at=now)),)


def need_candidate(claim: Claim) -> None:
    """Raise `ClaimStatus` if a claim is not a candidate."""
    _need(claim, Status.CANDIDATE, to="be decided about")


def check_etag(claim: Claim, etag: str) -> None:
    """Raise `EtagMismatch` if a claim changed since it was read; skip an empty etag."""
    if etag and etag != claim.etag:
        raise EtagMismatch(
            f"{name(claim)} changed since it was read; read it again", **_named(claim)
        )


def check_type(kind: MemoryKind, type: MemoryType) -> None:
    """Raise `InvalidArgument` if claims of a kind cannot have a type."""
    if type not in TYPES[kind]:
        raise InvalidArgument(
            f"no {kind} is of the type {type}: say one of {', '.join(TYPES[kind])}",
            field="type",
        )


def name(claim: Claim) -> str:
    """Return the display name of a claim. Example: `memory #7`."""
    return f"{claim.kind} #{claim.id}"


def _need(claim: Claim, *statuses: Status, to: str) -> None:
    if claim.status not in statuses:
        wanted = " or ".join(statuses)
        raise _status(
            claim, f"{name(claim)} is {claim.status}, and must be {wanted} to {to}"
        )


def _status(claim: Claim, message: str) -> ClaimStatus:
    return ClaimStatus(message, status=claim.status, **_named(claim))


def not_theirs(claim: Claim, by: str) -> PermissionDenied:
    """Return the error for a proposer who promotes its own claim (E6)."""
    return PermissionDenied(
        f"{name(claim)} was proposed by {by}: another must promote it", **_named(claim)
    )


def _named(claim: Claim) -> dict[str, str]:
    return {"claim_id": str(claim.id)}
