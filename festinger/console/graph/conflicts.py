"""Pages of conflicts: both sides with their origins, the four decisions, and undo.

What waits is listed in the inbox; the list here is of what was settled.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import (
    concept_service_pb2,
    conflict_service_pb2,
    memory_service_pb2,
)
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.history_pb2 import HistoryEvent
from festinger.console.errors import PageRefused
from festinger.console.visit import PathRoute, Visit
from festinger.console.words import DECISIONS

PAGE_SIZE: Final = 10
HISTORY_SIZE: Final = 200
"""The maximum number of events that are searched for the origin of a fact."""

SETTLED: Final = (Conflict.STATE_RESOLVED, Conflict.STATE_DISMISSED)
MINE: Final = ("incoming_dimension", "existing_dimension", "reasoning")
"""Form fields that are kept when a decision is refused."""


@dataclass(frozen=True, slots=True)
class Item:
    """Conflict with the data that its page shows.

    Attributes:
        conflict: The conflict.
        origin: The event that stated the held fact: who, when and in which words; None
            if it is unknown.
        ended: The event that ended a fact by the decision; None if there is none.
        error: Why a decision was refused; empty if none was.
        said: The form fields of the refused decision.
    """

    conflict: Any
    origin: Any = None
    ended: Any = None
    error: str = ""
    said: Any = None


async def listed(visit: Visit) -> web.Response:
    """List the conflicts that were settled, oldest first."""
    concept = visit.query("concept")
    page = await visit.ask(
        "conflicts.ListConflicts",
        conflict_service_pb2.ListConflictsRequest(
            states=SETTLED,
            concept=concept,
            page_size=PAGE_SIZE,
            page_token=visit.query("page"),
        ),
    )
    return visit.page(
        "conflicts.html",
        items=await asyncio.gather(*(_item(visit, each) for each in page.conflicts)),
        concept=concept,
        next=page.next_page_token,
    )


async def one(visit: Visit) -> web.Response:
    """Show a conflict."""
    item = await _item(visit, await _get(visit, visit.number()))
    return visit.page("conflict.html", item=item)


async def resolve(visit: Visit) -> web.StreamResponse:
    """Decide a conflict."""
    decision = DECISIONS.get(visit.said("decision"))
    if decision is None:
        raise PageRefused(400, f"decide: {', '.join(DECISIONS)}")
    request = memory_service_pb2.ResolveRequest(
        conflict_id=visit.number(),
        decision=decision,
        reasoning=visit.said("reasoning"),
        etag=visit.said("etag"),
        request_id=str(uuid.uuid4()),
        # The values are as typed; the server normalizes them to tokens.
        incoming_dimension=visit.said("incoming_dimension"),
        existing_dimension=visit.said("existing_dimension"),
    )
    return await _decided(visit, "memory.Resolve", request)


async def undo(visit: Visit) -> web.StreamResponse:
    """Undo a decision."""
    request = conflict_service_pb2.UndoRequest(
        conflict_id=visit.number(),
        reasoning=visit.said("reasoning"),
        etag=visit.said("etag"),
        request_id=str(uuid.uuid4()),
    )
    return await _decided(visit, "conflicts.Undo", request)


async def _decided(visit: Visit, method: str, request: Any) -> web.StreamResponse:
    """Make a call; show the conflict as it is then, with the error if it is refused."""
    number = visit.number()
    try:
        await visit.ask(method, request)
    except PageRefused as refusal:
        if refusal.status == 404:
            raise
        error = str(refusal)
        if refusal.word == "etag_mismatch":
            error = "it has changed meanwhile. This is how it stands now; decide again"
        said = {name: visit.said(name) for name in MINE}
        item = await _item(visit, await _get(visit, number), error=error, said=said)
        return visit.page("conflict.html", refusal.status, item=item)
    return visit.go(f"/admin/conflicts/{number}")


async def _get(visit: Visit, number: int) -> Any:
    request = conflict_service_pb2.GetConflictRequest(conflict_id=number)
    return (await visit.ask("conflicts.GetConflict", request)).conflict


async def _item(visit: Visit, conflict: Any, **more: Any) -> Item:
    events = await _history(visit, conflict)
    return Item(conflict, _origin(conflict, events), _ended(conflict, events), **more)


async def _history(visit: Visit, conflict: Any) -> Sequence[Any]:
    """Return the history of the concept in the contested dimension."""
    request = concept_service_pb2.HistoryRequest(
        token=conflict.incoming.concept,
        dimension=conflict.incoming.dimension,
        page_size=HISTORY_SIZE,
    )
    try:
        answer = await visit.ask("concepts.History", request)
    except PageRefused:
        return ()  # the conflict can be decided without it
    events: Sequence[Any] = answer.events
    return events


def _origin(conflict: Any, events: Sequence[Any]) -> Any:
    """Return the event that stated the held fact, or None if it is unknown."""
    stated, made_by = HistoryEvent.KIND_STATED, conflict.existing.assertion_id
    return next(
        (it for it in events if it.kind == stated and it.assertion_id == made_by), None
    )


def _ended(conflict: Any, events: Sequence[Any]) -> Any:
    """Return the event of the fact that the decision ended, or None."""
    if not conflict.HasField("resolution"):
        return None
    ended, closed_by = HistoryEvent.KIND_ENDED, f"conflict {conflict.id}"
    return next(
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
    PathRoute("POST", "/admin/conflicts/{number}/resolve", resolve),
    PathRoute("POST", "/admin/conflicts/{number}/undo", undo),
)
