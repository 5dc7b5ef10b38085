"""Pages of the review: the inbox, single records, decided records and the history."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.console.review import reviewlist
from festinger.console.review.cards import UNFILLED, card_of, record_of, types_of
from festinger.console.visit import PathRoute, Visit
from festinger.core.memories.types import MemoryKind

PAGE_SIZE: Final = 50
LISTED_MAX: Final = 60
"""The maximum number of candidates in the list below the focused one."""
LOOKED_MAX: Final = 50
"""The number of edits that are searched for one that can be undone."""

LISTS: Final[Mapping[str, Any]] = {
    "active": MemoryRecord.STATUS_ACTIVE,
    "rejected": MemoryRecord.STATUS_INVALID,
    "superseded": MemoryRecord.STATUS_SUPERSEDED,
    "graduated": MemoryRecord.STATUS_GRADUATED,
    "later": MemoryRecord.STATUS_OVERFLOW,
}
"""The lists beside the inbox, and the status of their records."""

REVIEWERS: Final = frozenset(
    (
        "promote", "reject", "revert", "edit", "defer", "graduate", "supersede",
        "confirm", "delete",
    )
)  # fmt: skip
"""Actions of people, which can be undone."""


@dataclass(frozen=True, slots=True)
class Done:
    """Last action, which can be undone.

    Attributes:
        edits: The IDs of its edits, newest first.
        action: The name of the action.
        number: The ID of the record.
        record: The record; None if it does not exist any more.
    """

    edits: Sequence[int]
    action: str
    number: int
    record: Any


async def listed(visit: Visit) -> web.Response:
    """Show the focused candidate and the list of candidates."""
    return await show_inbox(visit)


async def show_inbox(
    visit: Visit,
    status: int = 200,
    error: str = "",
    at: int = 0,
    said: Mapping[str, str] = UNFILLED,
) -> web.Response:
    """Return the page of the inbox.

    Args:
        visit: The request.
        status: The HTTP status.
        error: Why an action was refused; empty if none was.
        at: The record of the refused action.
        said: The form fields of the refused action.
    """
    seen, done = await asyncio.gather(reviewlist.opened(visit), _done(visit))
    at = at or visit.query_number("at")
    place = seen.focus(at)
    card = None
    if place is not None:
        record = seen.records[place]
        mine = {"error": error, "said": said} if record.id == at else {}
        card = await card_of(visit, record, **mine)
    if card and card.error:
        error = ""  # the card shows it
    first = max((place or 0) - LISTED_MAX // 2, 0)
    return visit.page(
        "review.html",
        status,
        seen=seen,
        views=reviewlist.VIEWS,
        kept=seen.choice.kept,
        place=place,
        card=card,
        near=seen.records[first : first + LISTED_MAX],
        done=done,
        undone=visit.query_number("undone"),
        error=error,
    )


async def one(visit: Visit) -> web.Response:
    """Show a record, the chain to its source, and its edits."""
    return await show_record(visit)


async def show_record(
    visit: Visit,
    status: int = 200,
    error: str = "",
    said: Mapping[str, str] = UNFILLED,
) -> web.Response:
    """Return the page of the path's record. Raises `PageRefused`."""
    request = pb.GetRecordRequest(record_id=visit.number())
    answer = await visit.ask("promotion.GetRecord", request)
    return visit.page(
        "record.html",
        status,
        card=await card_of(visit, answer.record, error=error, said=said),
        chain=answer.chain,
        edits=(edits := list(reversed(answer.edits))),
        undoable=_undoable(edits),
        kept={"view": "one"},
        found=visit.numbers("found"),
        again=visit.query_number("again"),
        reread=bool(visit.query("reread")),
        entity_types=types_of(MemoryKind.ENTITY),
    )


async def records(visit: Visit) -> web.Response:
    """List the records that are not in the inbox, by status."""
    status = visit.query("status")
    status = status if status in LISTS else "active"
    page = await visit.ask(
        "promotion.ListRecords",
        pb.ListRecordsRequest(
            statuses=[LISTS[status]],
            project=visit.query("project"),
            contains=visit.query("q"),
            deferred=True,
            page_size=PAGE_SIZE,
            page_token=visit.query("page"),
        ),
    )
    return visit.page(
        "records.html",
        records=page.records,
        shown=status,
        lists=list(LISTS),
        wanted=visit.query("q"),
        project=visit.query("project"),
        next=page.next_page_token,
        views=reviewlist.VIEWS,
    )


async def history(visit: Visit) -> web.Response:
    """List the edits, with buttons to undo them."""
    return await show_history(visit)


async def show_history(
    visit: Visit, status: int = 200, error: str = ""
) -> web.Response:
    """Return the page of edits, newest first."""
    page = await visit.ask(
        "promotion.ListEdits",
        pb.ListEditsRequest(page_size=PAGE_SIZE, page_token=visit.query("page")),
    )
    found = await asyncio.gather(
        *(record_of(visit, it) for it in {edit.record_id for edit in page.edits})
    )
    return visit.page(
        "edits.html",
        status,
        edits=page.edits,
        records={record.id: record for record in found if record is not None},
        undoable=_undoable(page.edits),
        next=page.next_page_token,
        views=reviewlist.VIEWS,
        error=error,
    )


def _undoable(edits: Iterable[Any]) -> set[int]:
    """Return the edits that are the latest of their record; expects newest first."""
    last: dict[int, Any] = {}
    for edit in edits:
        if not edit.undone_by and edit.action != "undo":
            last.setdefault(edit.record_id, edit)
    return {edit.id for edit in last.values() if edit.action in REVIEWERS}


async def newest(visit: Visit, count: int) -> Sequence[Any]:
    """Return at least `count` of the newest edits. Raises `PageRefused`."""
    # An undo is an edit as well, so some more are loaded.
    request = pb.ListEditsRequest(page_size=LOOKED_MAX + 2 * count)
    edits: Sequence[Any] = (await visit.ask("promotion.ListEdits", request)).edits
    return edits


async def _done(visit: Visit) -> Done | None:
    """Return the last action, or None if there is nothing to undo.

    The edits that the query names belong to one action and are undone together.
    """
    if not visit.server.decides:
        return None  # shown only to those who may undo it
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
        last.record_id,
        await record_of(visit, last.record_id),
    )


ROUTES: Final = (
    PathRoute("GET", "/admin/review", listed),
    PathRoute("GET", "/admin/review/{number}", one),
    PathRoute("GET", "/admin/review/records", records),
    PathRoute("GET", "/admin/review/history", history),
)
