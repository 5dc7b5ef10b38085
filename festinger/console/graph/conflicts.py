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
from festinger.console.errors import PageRefused
from festinger.console.review import inbox
from festinger.console.review.cards import UNFILLED
from festinger.console.visit import PathRoute, Visit

PAGE_SIZE: Final = 10
HISTORY_SIZE: Final = 1000  # events of a call

SETTLED: Final = (Conflict.STATE_RESOLVED, Conflict.STATE_DISMISSED)


@dataclass(frozen=True, slots=True)
class Item:
    """Conflict with the data that its page shows.

    Attributes:
        conflict: The conflict.
        origin: The event that stated the held fact: who, when and in which words; None
            if it is unknown.
        ended: The event that ended a fact by the decision; None if there is none.
    """

    conflict: Conflict
    origin: HistoryEvent | None = None
    ended: HistoryEvent | None = None


async def listed(visit: Visit) -> web.Response:
    """List the conflicts that were settled, those that were urgent first."""
    concept = visit.query("concept")
    page = await visit.ask(
        "ConflictService.ListConflicts",
        conflict_service_pb2.ListConflictsRequest(
            states=SETTLED,
            concept=concept,
            page_size=PAGE_SIZE,
            page_token=visit.query("page"),
        ),
    )
    return visit.page(
        "conflicts.html",
        # What waits is listed and decided in the inbox, so that no item is open here.
        items=await asyncio.gather(*(_item(visit, each) for each in page.conflicts)),
        open_item=None,
        concept=concept,
        next=page.next_page_token,
    )


async def one(visit: Visit) -> web.Response:
    """Show a conflict."""
    number = visit.number()
    return visit.page(
        "conflict.html",
        item=await _item(visit, await _get(visit, number)),
        open_item=await inbox.waiting(visit, f"conflict-{number}"),
        said=UNFILLED,
    )


async def _get(visit: Visit, number: int) -> Conflict:
    request = conflict_service_pb2.GetConflictRequest(conflict_id=number)
    answer = await visit.ask("ConflictService.GetConflict", request)
    conflict: Conflict = answer.conflict
    return conflict


async def _item(visit: Visit, conflict: Conflict) -> Item:
    events = await _history(visit, conflict)
    return Item(conflict, _origin(conflict, events), _ended(conflict, events))


async def _history(visit: Visit, conflict: Conflict) -> Sequence[HistoryEvent]:
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
            answer = await visit.ask("ConceptService.History", request)
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
