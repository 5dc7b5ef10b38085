"""Candidates: what is too doubtful to hold, for a person to confirm or reject."""

from __future__ import annotations

import uuid
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import factoid_service_pb2 as pb
from festinger.api.v1.factoid_pb2 import Factoid
from festinger.console.errors import Refused
from festinger.console.visit import Route, Visit

PAGE_SIZE: Final = 25


async def listed(visit: Visit) -> web.Response:
    """Lists what waits."""
    return await _list(visit)


async def confirm(visit: Visit) -> web.Response:
    """Confirms a candidate; it may still conflict."""
    request = pb.ConfirmFactoidRequest(factoid_id=visit.number())
    return await _decided(visit, "factoids.ConfirmFactoid", request)


async def reject(visit: Visit) -> web.Response:
    """Rejects a candidate."""
    request = pb.RejectFactoidRequest(factoid_id=visit.number())
    return await _decided(visit, "factoids.RejectFactoid", request)


async def _decided(visit: Visit, method: str, request: Any) -> web.Response:
    request.request_id = str(uuid.uuid4())
    try:
        answer = await visit.ask(method, request)
    except Refused as refusal:
        return await _list(visit, refusal.status, error=str(refusal))
    outcome = getattr(answer, "outcome", None)
    queued = outcome.conflict_id if outcome else 0
    return visit.go("/admin/candidates", conflict=queued, page=visit.said("page"))


async def _list(visit: Visit, status: int = 200, error: str = "") -> web.Response:
    token = visit.query("page") or visit.said("page")
    page = await visit.ask(
        "factoids.ListFactoids",
        pb.ListFactoidsRequest(
            states=[Factoid.STATE_PENDING_VALIDATION],
            page_size=PAGE_SIZE,
            page_token=token,
        ),
    )
    return visit.page(
        "candidates.html",
        status,
        factoids=page.factoids,
        page=token,
        next=page.next_page_token,
        error=error,
        conflict=visit.query_number("conflict"),
    )


ROUTES: Final = (
    Route("GET", "/admin/candidates", listed),
    Route("POST", "/admin/candidates/{number}/confirm", confirm),
    Route("POST", "/admin/candidates/{number}/reject", reject),
)
