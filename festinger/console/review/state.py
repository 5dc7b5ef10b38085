"""Page of trusted state: the items that people wrote for a project, with their history."""

from __future__ import annotations

import uuid
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.console.context import PathRoute, RequestContext
from festinger.console.errors import PageRefused

PAGE_SIZE: Final = 100
FILLED: Final = ("project", "key", "value")


async def write(context: RequestContext) -> web.StreamResponse:
    """Write an item; an empty value removes it."""
    # Every item is typed by a person: no candidate becomes trusted state by itself.
    request = pb.SetStateRequest(
        **context.fields("project", "key"),
        value="" if context.field("remove") else context.field("value"),
        etag=context.field("etag"),
        request_id=str(uuid.uuid4()),
    )
    try:
        await context.ask(request)
    except PageRefused as refusal:
        # The typed text stays in the form.
        return await listed(context, refusal.status, refusal.as_of_now("write"))
    return context.go(
        "/admin/state", project=context.query("project"), done=request.key
    )


async def listed(
    context: RequestContext, status: int = 200, error: str = ""
) -> web.Response:
    """List the items of one project or of all, with removed ones and their history."""
    project = context.query("project")
    page = await context.ask(
        pb.ListStateRequest(
            project=project,
            page_size=PAGE_SIZE,
            page_token=context.query("page"),
            # Removed items are shown as such, with their last value.
            show_removed=True,
        )
    )
    projects: dict[str, list[Any]] = {}
    for item in page.items:
        projects.setdefault(item.project, []).append(item)
    return context.page(
        "state.html",
        status,
        projects=projects,
        project=project,
        next=page.next_page_token,
        error=error,
        said=context.fields(*FILLED),
        done=context.query("done"),
    )


ROUTES: Final = (
    PathRoute("GET", "/admin/state", listed),
    PathRoute("POST", "/admin/state", write),
)
