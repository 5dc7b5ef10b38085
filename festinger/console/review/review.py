"""Pages of memories and entities: one of them, lists by status, and the history."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.console.context import PathRoute, RequestContext
from festinger.console.review import inbox
from festinger.console.review.cards import UNFILLED, card_of, record_of, types_of
from festinger.core.memories.types import MemoryKind

PAGE_SIZE: Final = 50
LOOKED_MAX: Final = 50
"""The number of edits that are searched for one that can be undone."""

LISTS: Final[Mapping[str, Any]] = {
    "active": MemoryRecord.STATUS_ACTIVE,
    "waiting": MemoryRecord.STATUS_CANDIDATE,
    "rejected": MemoryRecord.STATUS_INVALID,
    "superseded": MemoryRecord.STATUS_SUPERSEDED,
    "graduated": MemoryRecord.STATUS_GRADUATED,
    "later": MemoryRecord.STATUS_OVERFLOW,
}
"""The lists of records, and the status of their records."""

REVIEWERS: Final = frozenset(
    (
        "promote", "reject", "revert", "edit", "defer", "graduate", "supersede",
        "confirm", "delete",
    )
)  # fmt: skip
"""Actions of people, which can be undone."""


async def show_record(
    context: RequestContext,
    status: int = 200,
    error: str = "",
    said: Mapping[str, str] = UNFILLED,
) -> web.Response:
    """Return the page of the path's record. Raises `PageRefused`."""
    answer = await context.ask(pb.GetRecordRequest(record_id=context.number()))
    return context.page(
        "record.html",
        status,
        card=await card_of(context, answer.record, error=error, said=said),
        chain=answer.chain,
        # The server sends the oldest first; people read the newest first.
        edits=(edits := list(reversed(answer.edits))),
        undoable=_undoable(edits),
        found=context.numbers("found"),
        again=context.query_number("again"),
        reread=bool(context.query("reread")),
        entity_types=types_of(MemoryKind.ENTITY),
        open_item=await inbox.waiting(context, f"record-{context.number()}"),
        said=said,
    )


async def records(context: RequestContext) -> web.Response:
    """List the records by status."""
    # An unknown status of an old bookmark shows the first list.
    status = context.query("status")
    status = status if status in LISTS else "active"
    page = await context.ask(
        pb.ListRecordsRequest(
            statuses=[LISTS[status]],
            project=context.query("project"),
            contains=context.query("q"),
            # Records that were put aside are in the list of their status, too.
            deferred=True,
            page_size=PAGE_SIZE,
            page_token=context.query("page"),
        ),
    )
    return context.page(
        "records.html",
        records=page.records,
        shown=status,
        lists=list(LISTS),
        wanted=context.query("q"),
        project=context.query("project"),
        next=page.next_page_token,
    )


async def show_history(
    context: RequestContext, status: int = 200, error: str = ""
) -> web.Response:
    """Return the page of edits, newest first."""
    page = await context.ask(
        pb.ListEditsRequest(page_size=PAGE_SIZE, page_token=context.query("page"))
    )
    # Several edits may be of the same record; those of deleted records have none.
    found = await asyncio.gather(
        *(record_of(context, it) for it in {edit.record_id for edit in page.edits})
    )
    return context.page(
        "edits.html",
        status,
        edits=page.edits,
        records={record.id: record for record in found if record is not None},
        undoable=_undoable(page.edits),
        next=page.next_page_token,
        error=error,
    )


def _undoable(edits: Iterable[Any]) -> set[int]:
    """Return the edits that are the latest of their record; expects newest first."""
    last: dict[int, Any] = {}
    for edit in edits:
        # Undone edits and their undos do not keep an earlier edit from being undone.
        if not edit.undone_by and edit.action != "undo":
            last.setdefault(edit.record_id, edit)
    return {edit.id for edit in last.values() if edit.action in REVIEWERS}


async def newest(context: RequestContext, count: int) -> Sequence[Any]:
    """Return at least `count` of the newest edits. Raises `PageRefused`."""
    # An undo is an edit as well, so some more are loaded.
    request = pb.ListEditsRequest(page_size=LOOKED_MAX + 2 * count)
    edits: Sequence[Any] = (await context.ask(request)).edits
    return edits


ROUTES: Final = (
    PathRoute("GET", "/admin/review/{number}", show_record),
    PathRoute("GET", "/admin/review/records", records),
    PathRoute("GET", "/admin/review/history", show_history),
)
