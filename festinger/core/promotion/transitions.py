"""The promotion graph: what can be done to a claim, and what it is after that.

    overflow ─▶ candidate ─┬─ promote ─▶ active ─┬─ graduate ─▶ graduated (a memory)
                  ▲  ▲     └─ reject ──▶ invalid │
                  │  └─── revert ◀───────────────┤
                  └────── (deleted)              └─ another is promoted ─▶ superseded

Every function says what changes, as values, or raises `ClaimStatus`. Who does it, and
whether they may, is told to it; that nothing is written twice is the caller's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from festinger.core.memories.types import Kind, MemoryType, Status
from festinger.core.promotion.claims import (
    TYPES,
    Action,
    Claim,
    Edit,
    Offer,
    same_but_seen,
)
from festinger.errors import (
    CannotUndo,
    ClaimStatus,
    EtagMismatch,
    InvalidArgument,
    PermissionDenied,
)

CONTRADICTED = 0.25
"""What a known claim loses when something that contradicts it is found (G2)."""
_UNAPPROVED = (Status.CANDIDATE, Status.INVALID, Status.OVERFLOW)


@dataclass(frozen=True, slots=True)
class Step:
    """One claim before and after; None for one that is not there."""

    action: Action
    before: Claim | None
    after: Claim | None

    @property
    def claim(self) -> Claim:
        """The claim as it is after, or as it was last."""
        claim = self.after or self.before
        assert claim is not None, "a step is one of a claim"
        return claim

    @property
    def enters(self) -> bool:
        """Whether an entity's relation is to be judged by the gate."""
        return _speaks(self.after) and not _speaks(self.before)

    @property
    def leaves(self) -> bool:
        """Whether an entity's relation is no longer stated."""
        return _speaks(self.before) and not _speaks(self.after)


def propose(
    offer: Offer,
    claim_id: int,
    *,
    now: float,
    cycle: int = 0,
    overflows: bool = False,
) -> Claim:
    """A claim as it is written first.

    Args:
        cycle: The cycle of reviews in which it waits; 0 for none.
        overflows: Whether there is no room for it in that.

    Raises:
        InvalidArgument: No claim of its kind says such a thing.
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
    """A claim that was found again: a rejected one stays rejected.

    What is active of a user's own conversations is confirmed by that.
    """
    confirmed = claim.status is Status.ACTIVE and claim.origin.interaction_id > 0
    return replace(
        claim,
        re_extraction_count=claim.re_extraction_count + 1,
        last_re_extracted_at=now,
        confirmed_at=now if confirmed else claim.confirmed_at,
    )


def contradicted(claim: Claim) -> Step:
    """Something that contradicts it was found: it counts for less."""
    less = max(0.0, claim.confidence - CONTRADICTED)
    return Step(Action.CONTRADICT, claim, _changed(claim, confidence=less))


def refill(claim: Claim, cycle: int, *, now: float) -> Step:
    """It moves up from the overflow."""
    _need(claim, Status.OVERFLOW, to="move up")
    after = _changed(claim, status=Status.CANDIDATE, cycle=cycle, pending_since=now)
    return Step(Action.REFILL, claim, after)


def promote(
    claim: Claim,
    *,
    by: str,
    now: float,
    sole: bool = False,
    supersedes: Claim | None = None,
) -> Sequence[Step]:
    """A candidate becomes active, maybe in the place of another one.

    Args:
        sole: Whether nobody else decides here, so that one may promote what one
            proposed.

    Raises:
        ClaimStatus: It is no candidate, or the other is not active.
        PermissionDenied: Whoever proposed it does not promote it (E6).
        InvalidArgument: The other is of the other kind.
    """
    _need(claim, Status.CANDIDATE, to="be promoted")
    own = claim.proposer == by
    if own and not sole:
        raise _own(claim, by)
    after = _changed(
        claim,
        status=Status.ACTIVE,
        pending_since=None,
        deferred_at=None,
        confirmed_at=now,
        decider=by,
        sole=own,
    )
    promoted = Step(Action.PROMOTE, claim, after)
    if supersedes is None:
        return (promoted,)
    return (promoted, _supersede(supersedes, claim))


def _supersede(old: Claim, new: Claim) -> Step:
    if old.kind is not new.kind:
        raise InvalidArgument(
            f"{name(old)} is of another kind than {name(new)}: one of the same kind takes "
            "its place",
            field="supersedes",
        )
    _need(old, Status.ACTIVE, to="be superseded")
    after = _changed(old, status=Status.SUPERSEDED, superseded_by=new.id)
    return Step(Action.SUPERSEDE, old, after)


def reject(claim: Claim, *, by: str) -> Sequence[Step]:
    """A candidate is decided against; it is not proposed again.

    Raises:
        ClaimStatus: It is no candidate.
    """
    _need(claim, Status.CANDIDATE, to="be rejected")
    after = _changed(
        claim,
        status=Status.INVALID,
        pending_since=None,
        deferred_at=None,
        decider=by,
    )
    return (Step(Action.REJECT, claim, after),)


def revert(
    claim: Claim, *, now: float, superseded: Iterable[Claim] = ()
) -> Sequence[Step]:
    """An active or rejected claim is a candidate again.

    Args:
        superseded: The claims in whose place it is; they are active again.

    Raises:
        ClaimStatus: It is neither.
    """
    _need(claim, Status.ACTIVE, Status.INVALID, to="be reverted")
    after = _changed(
        claim,
        status=Status.CANDIDATE,
        pending_since=now,
        decider="",
        sole=False,
        outcome="",
        assertion_id=0,
    )
    back = [
        Step(
            Action.REVERT,
            old,
            _changed(old, status=Status.ACTIVE, superseded_by=0),
        )
        for old in superseded
    ]
    return (Step(Action.REVERT, claim, after), *back)


def edit(
    claim: Claim,
    *,
    content: str,
    type: MemoryType | None = None,
    fact: str | None = None,
) -> Sequence[Step]:
    """A candidate says something else; what it said first is kept.

    Args:
        type: None for the same.
        fact: None for the same, empty for none.

    Raises:
        ClaimStatus: It is no candidate.
        InvalidArgument: No claim of its kind is of that type.
    """
    _need(claim, Status.CANDIDATE, to="be edited")
    if type is not None:
        check_type(claim.kind, type)
    original = claim.original_content
    if not original and content != claim.content:
        original = claim.content
    after = _changed(
        claim,
        content=content,
        type=type or claim.type,
        fact=claim.fact if fact is None else fact,
        original_content=original,
    )
    return (Step(Action.EDIT, claim, after),)


def defer(claim: Claim, *, now: float, resume: bool = False) -> Sequence[Step]:
    """A candidate is put aside, or taken up again.

    Raises:
        ClaimStatus: It is no candidate, or is put aside already, or is not.
    """
    _need(claim, Status.CANDIDATE, to="be put aside")
    if resume == (claim.deferred_at is None):
        where = "not put aside" if resume else "put aside already"
        raise _status(claim, f"{name(claim)} is {where}")
    after = _changed(claim, deferred_at=None if resume else now)
    return (Step(Action.DEFER, claim, after),)


def delete(claim: Claim, memory: Claim | None = None) -> Sequence[Step]:
    """A candidate goes, as if it had never been written.

    Args:
        memory: The memory that graduated into it; it is active again.

    Raises:
        ClaimStatus: It is no candidate.
    """
    _need(claim, Status.CANDIDATE, to="be deleted")
    gone = Step(Action.DELETE, claim, None)
    if memory is None or memory.graduated_to != claim.id:
        return (gone,)
    after = _changed(memory, status=Status.ACTIVE, graduated_to=0)
    return (gone, Step(Action.REVERT, memory, after))


def graduate(
    memory: Claim,
    entity_id: int,
    *,
    now: float,
    type: MemoryType | None = None,
    fact: str = "",
) -> Sequence[Step]:
    """An active memory becomes a frozen pointer to an entity's candidate.

    Args:
        type: What the entity says; None for the same as the memory.

    Returns:
        The entity, and the memory.

    Raises:
        ClaimStatus: It is no active memory.
        InvalidArgument: No entity is of that type.
    """
    if memory.kind is not Kind.MEMORY:
        raise _status(memory, f"{name(memory)} is an entity: only memories graduate")
    _need(memory, Status.ACTIVE, to="graduate")
    entity_type = type or memory.type
    check_type(Kind.ENTITY, entity_type)
    entity = replace(
        memory,
        id=entity_id,
        kind=Kind.ENTITY,
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
    frozen = _changed(memory, status=Status.GRADUATED, graduated_to=entity_id)
    return (
        Step(Action.PROPOSE, None, entity),
        Step(Action.GRADUATE, memory, frozen),
    )


def confirm(claim: Claim, *, now: float) -> Sequence[Step]:
    """An active memory weighs as much as today.

    Raises:
        ClaimStatus: It is no active memory.
    """
    if claim.kind is not Kind.MEMORY:
        raise _status(claim, f"{name(claim)} is an entity, which does not fade")
    _need(claim, Status.ACTIVE, to="be confirmed")
    return (Step(Action.CONFIRM, claim, _changed(claim, confirmed_at=now)),)


def undo(
    edits: Sequence[Edit], claims: Mapping[int, Claim], *, by: str, sole: bool = False
) -> Sequence[Step]:
    """Takes a decision back: each claim is what it was before.

    Args:
        edits: All edits of the decision.
        claims: What their claims are now, by number.

    Raises:
        CannotUndo: One of them changed since, or it was taken back already.
        PermissionDenied: That would promote what its proposer may not promote (E6).
    """
    return [_take_back(each, claims.get(each.claim_id), by, sole) for each in edits]


def _take_back(edit: Edit, claim: Claim | None, by: str, sole: bool) -> Step:
    where = {"edit_id": str(edit.id), "claim_id": str(edit.claim_id)}
    if edit.undone_by:
        raise CannotUndo(
            f"edit #{edit.id} was taken back by edit #{edit.undone_by}", **where
        )
    if edit.action is Action.REFILL:
        raise CannotUndo(
            f"edit #{edit.id} was no decision: the queue was refilled. Decide about claim "
            f"#{edit.claim_id} instead",
            **where,
        )
    if not same_but_seen(claim, edit.after):
        raise CannotUndo(
            f"claim #{edit.claim_id} was changed after edit #{edit.id}: take that back "
            "first",
            **where,
        )
    if edit.before is None:
        return Step(Action.UNDO, claim, None)
    step = Step(Action.UNDO, claim, _restored(edit, claim))
    approves = step.claim.status is Status.ACTIVE and (
        claim is None or claim.status in _UNAPPROVED
    )
    if approves and step.claim.proposer == by and not (sole and step.claim.sole):
        raise _own(step.claim, by)
    return step


def _restored(edit: Edit, claim: Claim | None) -> Claim:
    """The claim before an edit, found again as often as it was by now."""
    before = edit.before
    assert before is not None, "what an edit wrote is not restored"
    if claim is None or edit.after is None:
        return _changed(before)
    seen = replace(
        before,
        version=claim.version + 1,
        re_extraction_count=claim.re_extraction_count,
        last_re_extracted_at=claim.last_re_extracted_at,
    )
    if claim.confirmed_at != edit.after.confirmed_at:
        seen = replace(seen, confirmed_at=claim.confirmed_at)
    if _speaks(claim) and _speaks(before):
        # What the gate made of it did not change with this.
        seen = replace(seen, outcome=claim.outcome, assertion_id=claim.assertion_id)
    return seen


def need_candidate(claim: Claim) -> None:
    """Raises `ClaimStatus` if a claim waits for nobody."""
    _need(claim, Status.CANDIDATE, to="be decided about")


def check_etag(claim: Claim, etag: str) -> None:
    """Raises `EtagMismatch` if a claim is not as it was read; empty asks for nothing."""
    if etag and etag != claim.etag:
        raise EtagMismatch(
            f"{name(claim)} changed since it was read; read it again", **_named(claim)
        )


def check_type(kind: Kind, type: MemoryType) -> None:
    """Raises `InvalidArgument` if no claim of a kind says such a thing."""
    if type not in TYPES[kind]:
        raise InvalidArgument(
            f"no {kind} is of the type {type}: say one of {', '.join(TYPES[kind])}",
            field="type",
        )


def name(claim: Claim) -> str:
    """A claim for people. Example: `memory #7`."""
    return f"{claim.kind} #{claim.id}"


def _speaks(claim: Claim | None) -> bool:
    """Whether it is an active entity that states a relation."""
    return (
        claim is not None
        and claim.kind is Kind.ENTITY
        and claim.status is Status.ACTIVE
        and bool(claim.fact)
    )


def _changed(claim: Claim, **parts: object) -> Claim:
    changed: Claim = replace(claim, version=claim.version + 1, **parts)  # type: ignore[arg-type]
    return changed


def _need(claim: Claim, *statuses: Status, to: str) -> None:
    if claim.status not in statuses:
        wanted = " or ".join(statuses)
        raise _status(
            claim, f"{name(claim)} is {claim.status}, and must be {wanted} to {to}"
        )


def _status(claim: Claim, message: str) -> ClaimStatus:
    return ClaimStatus(message, status=claim.status, **_named(claim))


def _own(claim: Claim, by: str) -> PermissionDenied:
    return PermissionDenied(
        f"{name(claim)} was proposed by {by}: another must promote it", **_named(claim)
    )


def _named(claim: Claim) -> dict[str, str]:
    return {"claim_id": str(claim.id)}
