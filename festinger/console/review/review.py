"""Review: candidates one by one, what was decided, and every claim with its source."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.claim_pb2 import Claim
from festinger.console.review import inbox
from festinger.console.review.cards import UNFILLED, card_of, claim_of, types_of
from festinger.console.visit import PathRoute, Visit
from festinger.core.memories.types import MemoryKind

PAGE_SIZE: Final = 50
LISTED_MAX: Final = 60
"""Candidates that are listed below the one in focus."""
LOOKED_MAX: Final = 50
"""Edits that are looked through for one that can be taken back."""

LISTS: Final[Mapping[str, Any]] = {
    "active": Claim.STATUS_ACTIVE,
    "rejected": Claim.STATUS_INVALID,
    "superseded": Claim.STATUS_SUPERSEDED,
    "graduated": Claim.STATUS_GRADUATED,
    "later": Claim.STATUS_OVERFLOW,
}
"""What can be listed beside the candidates."""

REVIEWERS: Final = frozenset(
    (
        "promote", "reject", "revert", "edit", "defer", "graduate", "supersede",
        "confirm", "delete",
    )
)  # fmt: skip
"""Edits that a person makes, and may take back."""


@dataclass(frozen=True, slots=True)
class Done:
    """What was done last, and can be taken back.

    Attributes:
        edits: The numbers of its edits, the newest first.
        claim: The claim it was done to; None if that is no more.
    """

    edits: Sequence[int]
    action: str
    number: int
    claim: Any


async def listed(visit: Visit) -> web.Response:
    """Shows the candidate in focus, and which there are."""
    return await show_inbox(visit)


async def show_inbox(
    visit: Visit,
    status: int = 200,
    error: str = "",
    at: int = 0,
    said: Mapping[str, str] = UNFILLED,
) -> web.Response:
    """The inbox.

    Args:
        error: Why what was asked for was refused.
        at: Which claim it was about.
        said: What was filled in then.
    """
    seen, done = await asyncio.gather(inbox.opened(visit), _done(visit))
    at = at or visit.query_number("at")
    place = seen.focus(at)
    card = None
    if place is not None:
        claim = seen.claims[place]
        mine = {"error": error, "said": said} if claim.id == at else {}
        card = await card_of(visit, claim, **mine)
    if card and card.error:
        error = ""  # it is said at the claim itself
    first = max((place or 0) - LISTED_MAX // 2, 0)
    return visit.page(
        "review.html",
        status,
        seen=seen,
        views=inbox.VIEWS,
        kept=seen.choice.kept,
        place=place,
        card=card,
        near=seen.claims[first : first + LISTED_MAX],
        done=done,
        undone=visit.query_number("undone"),
        error=error,
    )


async def one(visit: Visit) -> web.Response:
    """Shows a claim, the way back to its source, and what was done to it."""
    return await show_claim(visit)


async def show_claim(
    visit: Visit,
    status: int = 200,
    error: str = "",
    said: Mapping[str, str] = UNFILLED,
) -> web.Response:
    """The claim of the path. Raises `Refused`."""
    request = pb.GetClaimRequest(claim_id=visit.number())
    answer = await visit.ask("promotion.GetClaim", request)
    return visit.page(
        "claim.html",
        status,
        card=await card_of(visit, answer.claim, error=error, said=said),
        chain=answer.chain,
        edits=(edits := list(reversed(answer.edits))),
        undoable=_undoable(edits),
        kept={"view": "one"},
        found=visit.numbers("found"),
        again=visit.query_number("again"),
        reread=bool(visit.query("reread")),
        entity_types=types_of(MemoryKind.ENTITY),
    )


async def claims(visit: Visit) -> web.Response:
    """Lists claims that wait no more, or not yet."""
    status = visit.query("status")
    status = status if status in LISTS else "active"
    page = await visit.ask(
        "promotion.ListClaims",
        pb.ListClaimsRequest(
            statuses=[LISTS[status]],
            project=visit.query("project"),
            contains=visit.query("q"),
            deferred=True,
            page_size=PAGE_SIZE,
            page_token=visit.query("page"),
        ),
    )
    return visit.page(
        "claims.html",
        claims=page.claims,
        shown=status,
        lists=list(LISTS),
        wanted=visit.query("q"),
        project=visit.query("project"),
        next=page.next_page_token,
        views=inbox.VIEWS,
    )


async def history(visit: Visit) -> web.Response:
    """Lists what was done, each to be taken back."""
    return await show_history(visit)


async def show_history(
    visit: Visit, status: int = 200, error: str = ""
) -> web.Response:
    """What was done, newest first."""
    page = await visit.ask(
        "promotion.ListEdits",
        pb.ListEditsRequest(page_size=PAGE_SIZE, page_token=visit.query("page")),
    )
    found = await asyncio.gather(
        *(claim_of(visit, it) for it in {edit.claim_id for edit in page.edits})
    )
    return visit.page(
        "edits.html",
        status,
        edits=page.edits,
        claims={claim.id: claim for claim in found if claim is not None},
        undoable=_undoable(page.edits),
        next=page.next_page_token,
        views=inbox.VIEWS,
        error=error,
    )


def _undoable(edits: Iterable[Any]) -> set[int]:
    """Of some edits, newest first, those behind which nothing was done to the claim."""
    last: dict[int, Any] = {}
    for edit in edits:
        if not edit.undone_by and edit.action != "undo":
            last.setdefault(edit.claim_id, edit)
    return {edit.id for edit in last.values() if edit.action in REVIEWERS}


async def newest(visit: Visit, count: int) -> Sequence[Any]:
    """The newest edits: so many, and a few more. Raises `Refused`."""
    # What is taken back is an edit as well.
    request = pb.ListEditsRequest(page_size=LOOKED_MAX + 2 * count)
    edits: Sequence[Any] = (await visit.ask("promotion.ListEdits", request)).edits
    return edits


async def _done(visit: Visit) -> Done | None:
    """What was done last; None if there is nothing to be taken back.

    What the address names was done at once, and is taken back at once.
    """
    if not visit.server.decides:
        return None  # what was done is for those who may do it
    named = visit.numbers("done")
    edits = await newest(visit, len(named))
    open_ = [it for it in edits if it.action in REVIEWERS and not it.undone_by]
    if not open_:
        return None
    those = [it for it in open_ if it.id in named] or open_[:1]
    last = those[-1] if len(those) > 1 else those[0]
    return Done(
        [it.id for it in those],
        those[0].action,
        last.claim_id,
        await claim_of(visit, last.claim_id),
    )


ROUTES: Final = (
    PathRoute("GET", "/admin/review", listed),
    PathRoute("GET", "/admin/review/{number}", one),
    PathRoute("GET", "/admin/review/claims", claims),
    PathRoute("GET", "/admin/review/history", history),
)
