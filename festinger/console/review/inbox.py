"""The inbox: everything that waits for a person, one item in focus, one key an answer."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import inbox_service_pb2 as pb
from festinger.api.v1.inbox_pb2 import InboxDecision, InboxItem
from festinger.api.v1.promotion_service_pb2 import GetQueueRequest
from festinger.console.context import PathRoute, RequestContext
from festinger.console.enum_names import INBOX_ACTIONS, INBOX_KINDS, record_kind
from festinger.console.errors import PageRefused
from festinger.console.progress import or_refused
from festinger.console.review.cards import FILLED, UNFILLED, types_of
from festinger.core.memories.types import MemoryKind
from festinger.core.review.itemmarks import ITEM_MARKS

PAGE_SIZE: Final = 50
BOT_ID: Final = "console"
"""The bot ID of answers that are given in the console."""
BULK_SECONDS: Final = 600.0
"""Timeout of a decision about all items of a filter, in seconds."""
FACETS: Final = ("kind", "project", "answerer")
NARROWED: Final = (*FACETS, "rule", "source", "type", "mark", "days", "said")
"""Query parameters that narrow the list down."""
DAYS_MAX: Final = 36_500  # a century: the most that the server takes


@dataclass(frozen=True, slots=True)
class InboxView:
    """The inbox as its page shows it.

    Attributes:
        kept: Query parameters of the filter, without empty ones.
        items: The items of the page.
        counts: What waits by facet: values with their numbers.
        total: How many items wait, whatever the filter is.
        deferred: How many items are put aside.
        next: Token of the next page; empty for none.
        focus: The item in focus, with all that is known of it; None for none.
        last: The latest decision, which can be undone; None for none.
        queue: The state of the review queue; None if it is unknown.
    """

    kept: Mapping[str, str]
    items: Sequence[InboxItem]
    counts: Mapping[str, Sequence[tuple[str, int]]]
    total: int
    deferred: int
    next: str
    focus: InboxItem | None
    last: InboxDecision | None
    queue: Any

    @property
    def place(self) -> int:
        """The index of the focused item; -1 if it is not on this page."""
        ids = [item.id for item in self.items]
        return ids.index(self.focus.id) if self.focus and self.focus.id in ids else -1

    def beside(self, by: int) -> str:
        """Return the item before or behind the focused one; empty for none."""
        at = self.place + by
        return self.items[at].id if 0 <= at < len(self.items) else ""

    def without(self, name: str, value: str = "") -> dict[str, str]:
        """Return the filter with another value of a facet, or with none."""
        return {**self.kept, name: value}


async def decide(context: RequestContext) -> web.StreamResponse:
    """Accept, reject, put aside or take up an item, or all of the filter."""
    action = INBOX_ACTIONS.get(context.path_params["name"])
    if action is None:
        raise PageRefused(404, f"nothing is called {context.path_params['name']} here")
    everything = bool(context.field("everything"))
    # Boxes of the list are called `tick-conflict-7`; without any the item in focus counts.
    ticked = [
        name.removeprefix("tick-") for name in context.form if name.startswith("tick-")
    ]
    request = pb.DecideInboxRequest(
        action=action,
        item_ids=[] if everything else ticked or [context.field("item")],
        filter=_filter(context) if everything else None,
        alone=bool(context.field("alone")),
        **context.fields("reasoning", "incoming_dimension", "existing_dimension"),
        supersedes=context.field_number("supersedes"),
        bot_id=BOT_ID,
        etag=context.field("etag"),
        request_id=str(uuid.uuid4()),  # a form has no way to repeat a call
    )
    try:
        answer = await context.ask(request, BULK_SECONDS if everything else 60.0)
    except PageRefused as refusal:
        errors = [refusal.as_of_now("decide")]
        said = context.fields(*FILLED)
        return await listed(
            context, refusal.status, errors, context.field("item"), said
        )
    # Some of several failed; the others are decided.
    if answer.failures:
        told = [f"{each.item_id}: {each.message}" for each in answer.failures]
        return await listed(context, 409, told, context.field("next"))
    # The page has computed which item follows, as the decided one leaves the list.
    return context.go("/admin/inbox", **kept(context), at=context.field("next"))


async def undo(context: RequestContext) -> web.StreamResponse:
    """Undo a decision, and show its first item."""
    request = pb.UndoInboxRequest(
        decision_id=context.field("decision"), request_id=str(uuid.uuid4())
    )
    try:
        answer = await context.ask(request, BULK_SECONDS)
    except PageRefused as refusal:
        return await listed(context, refusal.status, [str(refusal)])
    if answer.failures:
        told = [f"{each.item_id}: {each.message}" for each in answer.failures]
        return await listed(context, 409, told)
    return context.go("/admin/inbox", **kept(context), at=answer.decision.item_ids[0])


async def decisions(context: RequestContext) -> web.Response:
    """List what was decided, the latest first."""
    request = pb.ListInboxDecisionsRequest(
        page_size=PAGE_SIZE, page_token=context.query("page")
    )
    page = await context.ask(request)
    return context.page(
        "inbox_decisions.html", decisions=page.decisions, next=page.next_page_token
    )


async def listed(
    context: RequestContext,
    status: int = 200,
    errors: Sequence[str] = (),
    at: str = "",
    said: Mapping[str, str] = UNFILLED,
) -> web.Response:
    """Show the item in focus and the list."""
    seen = await _opened(context, at or context.query("at"))
    return context.page(
        "inbox.html",
        status,
        seen=seen,
        errors=errors,
        edits=context.query("edits"),
        answered=context.query_number("answered"),
        marks=ITEM_MARKS,
        types=_types(seen.focus),
        said=said,
    )


def _types(item: InboxItem | None) -> list[str]:
    """Return the types that an edit may choose; none of what is no record."""
    if item is None or not item.HasField("record"):
        return []
    return types_of(MemoryKind(record_kind(item.record.kind)))


async def _opened(context: RequestContext, at: str) -> InboxView:
    request = pb.ListInboxRequest(
        filter=_filter(context), page_size=PAGE_SIZE, page_token=context.query("page")
    )
    queued = GetQueueRequest(project=context.query("project"))
    page, size, last, queue = await asyncio.gather(
        context.ask(request),
        # Counted without the filter, so that one sees what else waits.
        context.ask(pb.CountInboxRequest()),
        _last(context),
        or_refused(context, queued),
    )
    counts: dict[str, list[tuple[str, int]]] = {name: [] for name in FACETS}
    for each in size.counts:
        counts[each.name].append((each.value, each.count))
    return InboxView(
        kept(context),
        page.items,
        counts,
        size.waiting_count,
        size.deferred_count,
        page.next_page_token,
        await _focused(context, at, page.items),
        last,
        None if isinstance(queue, PageRefused) else queue,
    )


async def _focused(
    context: RequestContext, at: str, items: Sequence[InboxItem]
) -> InboxItem | None:
    """Return the item that is asked for, or else the first of the page that waits."""
    # Each may have been decided meanwhile, and so may be the first of the list.
    for item_id in (at, *(item.id for item in items[:2])):
        if not item_id:
            continue
        try:
            request = pb.GetInboxItemRequest(item_id=item_id)
            item: InboxItem = (await context.ask(request)).item
            return item
        except PageRefused as refusal:
            if refusal.status not in (400, 404):
                raise
    return None


async def waiting(context: RequestContext, item_id: str) -> InboxItem | None:
    """Return an item that somebody could decide; None if it does not wait."""
    if not context.server.decides:
        return None
    with suppress(PageRefused):  # decided already, or the server is away
        request = pb.GetInboxItemRequest(item_id=item_id)
        item: InboxItem = (await context.ask(request)).item
        return item
    return None


async def _last(context: RequestContext) -> InboxDecision | None:
    """Return the latest decision unless it is undone; None for none."""
    if not context.server.decides:
        return None  # shown only to those who may undo it
    # Several, since undone decisions are skipped.
    page = await context.ask(pb.ListInboxDecisionsRequest(page_size=20))
    return next((it for it in page.decisions if not it.undo_principal), None)


def kept(context: RequestContext) -> dict[str, str]:
    """Return the query parameters of the filter, without empty ones."""
    values = context.queries(*NARROWED, "view")
    return {name: value for name, value in values.items() if value}


def _filter(context: RequestContext) -> pb.InboxFilter:
    # An unknown kind in an old bookmark shows everything.
    kind = INBOX_KINDS.get(context.query("kind"))
    return pb.InboxFilter(
        kinds=[] if kind is None else [kind],
        **context.queries("project", "answerer", "rule", "source", "type", "mark"),
        days_min=min(context.query_number("days"), DAYS_MAX),
        said=context.query("said"),
        deferred=context.query("view") == "deferred",
    )


ROUTES: Final = (
    PathRoute("GET", "/admin/inbox", listed),
    PathRoute("GET", "/admin/inbox/decisions", decisions),
    PathRoute("POST", "/admin/inbox/undo", undo),
    PathRoute("POST", "/admin/inbox/{name}", decide),
)
