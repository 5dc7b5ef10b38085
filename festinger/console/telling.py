"""What takes its time, told as it goes; and what is shown though something is missing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final

from aiohttp import web

from festinger.console.errors import PageRefused
from festinger.console.visit import HEADERS, Visit

PROGRESS: Final = "application/x-ndjson"
REFRESH_SECONDS: Final = "2"
"""How often a page looks again at what is under way."""

Part = Callable[[Visit, Any], Mapping[str, Any]]
"""What of a page changes with an answer: `run`, `item` and `done`."""


async def tell(
    visit: Visit, answers: AsyncIterator[Any], part: Part
) -> web.StreamResponse:
    """A line of JSON for each answer: parts of the page, as they are now."""
    first = await anext(answers)
    response = web.StreamResponse(headers={"Content-Type": PROGRESS, **HEADERS})
    await response.prepare(visit.request)
    await response.write(_json(part(visit, first)))
    try:
        async for answer in answers:
            await response.write(_json(part(visit, answer)))
    except PageRefused as refusal:
        await response.write(_json({"error": str(refusal)}))
    await response.write_eof()
    return response


async def or_refused(visit: Visit, method: str, request: Any) -> Any:
    """The answer, or why there is none: the rest of the page is shown all the same."""
    try:
        return await visit.ask(method, request)
    except PageRefused as refusal:
        return refusal


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"
