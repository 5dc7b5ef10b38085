"""Progress of long operations as JSON lines, and partial pages when calls fail."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Any, Final

from aiohttp import web

from festinger.console.context import HEADERS, RequestContext
from festinger.console.errors import PageRefused

PROGRESS: Final = "application/x-ndjson"
REFRESH_SECONDS: Final = "2"
"""Seconds between two reloads of a page while an operation is running."""

Part = Callable[[RequestContext, Any], Mapping[str, Any]]
"""Returns the parts of a page that a response changes: `run`, `item` and `done`."""


async def started(
    context: RequestContext, request: Any, part: Part, back: str
) -> web.StreamResponse:
    """Start an operation; stream its progress if the client accepts it, or go `back`."""
    answers = context.follow(request)
    async with aclosing(answers):  # type: ignore[type-var]
        if PROGRESS in context.request.headers.get("Accept", ""):
            return await tell(context, answers, part)
        # The operation continues in the server; the page shows its progress.
        await anext(answers)
    return context.go(back)


async def tell(
    context: RequestContext, answers: AsyncIterator[Any], part: Part
) -> web.StreamResponse:
    """Stream a line of JSON per response, with the changed parts of the page."""
    # Awaited before anything is sent, so that a refusal still has a status of its own.
    first = await anext(answers)
    response = web.StreamResponse(headers={"Content-Type": PROGRESS, **HEADERS})
    await response.prepare(context.request)
    await response.write(_json(part(context, first)))
    try:
        async for answer in answers:
            await response.write(_json(part(context, answer)))
    # The status is sent: the error is the last line.
    except PageRefused as refusal:
        await response.write(_json({"error": str(refusal)}))
    await response.write_eof()
    return response


async def or_refused(context: RequestContext, request: Any) -> Any:
    """Return the response of a call, or its error so that the page is still shown."""
    try:
        return await context.ask(request)
    except PageRefused as refusal:
        return refusal


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"
