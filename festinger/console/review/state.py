"""Page of trusted state: the items that people wrote for a project, with their history."""

from __future__ import annotations

import uuid
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.console.errors import PageRefused
from festinger.console.visit import PathRoute, Visit

PAGE_SIZE: Final = 100
FILLED: Final = ("project", "key", "value")


async def listed(visit: Visit) -> web.Response:
    """List the items of one project or of all, with removed ones and their history."""
    return await _show(visit)


async def write(visit: Visit) -> web.StreamResponse:
    """Write an item; an empty value removes it."""
    # Every item is typed by a person: no candidate becomes trusted state by itself.
    request = pb.SetStateRequest(
        project=visit.said("project"),
        key=visit.said("key"),
        value="" if visit.said("remove") else visit.said("value"),
        etag=visit.said("etag"),
        request_id=str(uuid.uuid4()),
    )
    try:
        await visit.ask("PromotionService.SetState", request)
    except PageRefused as refusal:
        # The typed text stays in the form.
        return await _show(visit, refusal.status, refusal.as_of_now("write"))
    return visit.go("/admin/state", project=visit.query("project"), done=request.key)


async def _show(visit: Visit, status: int = 200, error: str = "") -> web.Response:
    project = visit.query("project")
    page = await visit.ask(
        "PromotionService.ListState",
        pb.ListStateRequest(
            project=project,
            page_size=PAGE_SIZE,
            page_token=visit.query("page"),
            # Removed items are shown as such, with their last value.
            show_removed=True,
        ),
    )
    projects: dict[str, list[Any]] = {}
    for item in page.items:
        projects.setdefault(item.project, []).append(item)
    return visit.page(
        "state.html",
        status,
        projects=projects,
        project=project,
        next=page.next_page_token,
        error=error,
        said={name: visit.said(name) for name in FILLED},
        done=visit.query("done"),
    )


ROUTES: Final = (
    PathRoute("GET", "/admin/state", listed),
    PathRoute("POST", "/admin/state", write),
)
