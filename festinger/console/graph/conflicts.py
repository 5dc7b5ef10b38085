"""Pages of conflicts: both sides with their origins, and those that were settled."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from festinger.api.v1 import concept_service_pb2, conflict_service_pb2
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.history_pb2 import HistoryEvent
from festinger.console.context import PathRoute, RequestContext
from festinger.console.errors import PageRefused
from festinger.console.review import inbox
from festinger.console.review.cards import UNFILLED

PAGE_SIZE: Final = 10
HISTORY_SIZE: Final = 1000  # events of a call

SETTLED: Final = (Conflict.STATE_RESOLVED, Conflict.STATE_DISMISSED)


@dataclass(frozen=True, slots=True)
class ConflictItem:
    """Conflict with the data that its page shows.

    Attributes:
        origin: The event that stated the held fact: who, when and in which words; None
            if it is unknown.
        ended: The event that ended a fact by the decision; None if there is none.
    """

    conflict: Conflict
    origin: HistoryEvent | None = None
    ended: HistoryEvent | None = None


async def listed(context: RequestContext) -> web.Response:
    """List the conflicts that were settled, those that were urgent first."""
    concept = context.query("concept")
    page = await context.ask(
        conflict_service_pb2.ListConflictsRequest(
            states=SETTLED,
            concept=concept,
            page_size=PAGE_SIZE,
            page_token=context.query("page"),
        )
    )
    return context.page(
        "conflicts.html",
        # What waits is listed and decided in the inbox, so that no item is open here.
        items=await asyncio.gather(*(_item(context, each) for each in page.conflicts)),
        open_item=None,
        concept=concept,
        next=page.next_page_token,
    )


async def one(context: RequestContext) -> web.Response:
    """Show a conflict."""
    number = context.number()
    return context.page(
        "conflict.html",
        item=await _item(context, await _get(context, number)),
        open_item=await inbox.waiting(context, f"conflict-{number}"),
        said=UNFILLED,
    )


async def _get(context: RequestContext, number: int) -> Conflict:
    request = conflict_service_pb2.GetConflictRequest(conflict_id=number)
    answer = await context.ask(request)
    conflict: Conflict = answer.conflict
    return conflict


async def _item(context: RequestContext, conflict: Conflict) -> ConflictItem:
    events = await _history(context, conflict)
    return ConflictItem(conflict, _origin(conflict, events), _ended(conflict, events))


async def _history(
    context: RequestContext, conflict: Conflict
) -> Sequence[HistoryEvent]:
    """Return the history of the concept in the contested dimension."""
    request = concept_service_pb2.HistoryRequest(
        token=conflict.incoming.concept,
        dimension=conflict.incoming.dimension,
        page_size=HISTORY_SIZE,
    )
    events: list[HistoryEvent] = []
    try:
        # All pages: the oldest come first, and what a decision ended is among the latest.
        while True:
            answer = await context.ask(request)
            events += answer.events
            request.page_token = answer.next_page_token
            if not request.page_token:
                return events
    except PageRefused:
        return events  # the conflict can be decided without its history


def _origin(conflict: Conflict, events: Sequence[HistoryEvent]) -> HistoryEvent | None:
    """Return the event that stated the held fact, or None if it is unknown."""
    stated, made_by = HistoryEvent.KIND_STATED, conflict.existing.assertion_id
    return next(
        (it for it in events if it.kind == stated and it.assertion_id == made_by), None
    )


def _ended(conflict: Conflict, events: Sequence[HistoryEvent]) -> HistoryEvent | None:
    """Return the event of the fact that the decision ended, or None."""
    if not conflict.HasField("resolution"):
        return None
    ended, closed_by = HistoryEvent.KIND_ENDED, f"conflict {conflict.id}"
    # The history names a decision like this where it closed an edge.
    return next(
        # Events are in order of time. If the decision was undone and made again, the last counts.
        (
            it
            for it in reversed(events)
            if it.kind == ended and it.closed_by == closed_by
        ),
        None,
    )


ROUTES: Final = (
    PathRoute("GET", "/admin/conflicts", listed),
    PathRoute("GET", "/admin/conflicts/{number}", one),
)
