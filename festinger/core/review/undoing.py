"""Undoing of decisions about claims, which restores them as they were before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from festinger.core.memories.types import Status
from festinger.core.review.claims import Action, Claim, ClaimEdit, same_but_seen
from festinger.core.review.steps import ClaimStep, changed, speaks
from festinger.core.review.transitions import not_theirs
from festinger.errors import CannotUndo

_UNAPPROVED = (Status.CANDIDATE, Status.INVALID, Status.OVERFLOW)


def undo(
    edits: Sequence[ClaimEdit],
    claims: Mapping[int, Claim],
    *,
    by: str,
    sole: bool = False,
) -> Sequence[ClaimStep]:
    """Undo a decision: restore each claim as it was before.

    Args:
        edits: All edits of the decision.
        claims: Their claims as they are now, by number.
        sole: Whether nobody else decides here.

    Raises:
        CannotUndo: A claim changed since, the decision was undone already, or it was a
            refill of the queue.
        PermissionDenied: A proposer would promote its own claim (E6).
    """
    return [_take_back(each, claims.get(each.claim_id), by, sole) for each in edits]


def _take_back(edit: ClaimEdit, claim: Claim | None, by: str, sole: bool) -> ClaimStep:
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
        return ClaimStep(Action.UNDO, claim, None)
    step = ClaimStep(Action.UNDO, claim, _restored(edit, claim))
    approves = step.claim.status is Status.ACTIVE and (
        claim is None or claim.status in _UNAPPROVED
    )
    if approves and step.claim.proposer == by and not (sole and step.claim.sole):
        raise not_theirs(step.claim, by)
    return step


def _restored(edit: ClaimEdit, claim: Claim | None) -> Claim:
    """Return the claim before an edit, but with its current counts of re-extraction."""
    before = edit.before
    assert before is not None, "what an edit wrote is not restored"
    if claim is None or edit.after is None:
        return changed(before)
    seen = replace(
        before,
        version=claim.version + 1,
        re_extraction_count=claim.re_extraction_count,
        last_re_extracted_at=claim.last_re_extracted_at,
    )
    if claim.confirmed_at != edit.after.confirmed_at:
        seen = replace(seen, confirmed_at=claim.confirmed_at)
    if speaks(claim) and speaks(before):
        # The edit did not change the outcome of the gate.
        seen = replace(seen, outcome=claim.outcome, assertion_id=claim.assertion_id)
    return seen
