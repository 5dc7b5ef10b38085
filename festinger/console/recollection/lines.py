"""Pages of memory lines: search, statements, explanation of prompts, and forgetting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import line_service_pb2 as pb
from festinger.console.context import PathRoute, RequestContext
from festinger.console.enum_names import VERDICTS
from festinger.console.errors import PageRefused

PATH: Final = "/admin/memory"
PAGE_SIZE: Final = 25
FILTERS: Final = ("q", "about", "by", "project", "kind", "since")
SHOWN_MAX: Final = 50
"""The maximum number of lines in a preview."""
FEATURES_MAX: Final = 6
"""The maximum number of a line's features that are shown, the largest ones."""
# The words of the filter and of the API's enum, and what the page calls them.
KINDS: Final = {
    "utterance": "what people said",
    "statement": "facts",
    "memory": "memories about people",
    "entity": "entities",
    "state": "trusted state",
}


@dataclass(frozen=True, slots=True)
class MemoryPageResult:
    """Result of a form on the page.

    Attributes:
        error: Why the form was refused; empty if it was not.
        understood: The result of a statement; None if there was none.
        explained: The lines that a prompt would get; None if there was no prompt.
    """

    error: str = ""
    understood: Any = None
    explained: Any = None


async def say(context: RequestContext) -> web.Response:
    """State something, optionally as a correction of a line."""
    request = pb.SayRequest(
        **context.fields("text", "project"),
        # Names the line that was wrong; what is said now replaces it.
        corrects=context.field("corrects"),
    )
    try:
        understood = await context.ask(request)
    except PageRefused as refusal:
        return await listed(context, MemoryPageResult(str(refusal)), refusal.status)
    return await listed(context, MemoryPageResult(understood=understood))


async def explain(context: RequestContext) -> web.Response:
    """Show which lines a prompt would get, and why."""
    request = pb.ExplainRequest(
        prompt=context.field("prompt"),
        project=context.field("in"),
        asker=context.field("as"),
    )
    try:
        explained = await context.ask(request)
    except PageRefused as refusal:
        return await listed(context, MemoryPageResult(str(refusal)), refusal.status)
    return await listed(context, MemoryPageResult(explained=explained))


async def forget(context: RequestContext) -> web.StreamResponse:
    """Forget lines."""
    try:
        done = await context.ask(_selection(context.field))
    except PageRefused as refusal:
        return await forget_page(context, refusal.status, str(refusal))
    # `0` as a number would be left out of the URL, and the page would not say so.
    return context.go(PATH, forgotten=done.total_size or "0")


async def confirm(context: RequestContext) -> web.StreamResponse:
    """Confirm an instruction, which then applies to all speakers."""
    try:
        await context.ask(pb.ConfirmLineRequest(name=context.field("name")))
    except PageRefused as refusal:
        return await listed(context, MemoryPageResult(str(refusal)), refusal.status)
    # Back to the page with the filters that were chosen.
    return context.go(PATH, **context.queries(*FILTERS))


async def rate(context: RequestContext) -> web.StreamResponse:
    """Say of a line that it helped, or that it is wrong."""
    verdict = context.field("verdict")
    request = pb.RateLineRequest(
        name=context.field("name"),
        # Without a verdict the server refuses it with a sentence.
        verdict=VERDICTS.get(verdict, 0),
        prompt=context.field("prompt"),
    )
    try:
        await context.ask(request)
    except PageRefused as refusal:
        return await listed(context, MemoryPageResult(str(refusal)), refusal.status)
    return context.go(PATH, rated=verdict)


async def listed(
    context: RequestContext,
    outcome: MemoryPageResult = MemoryPageResult(),
    status: int = 200,
) -> web.Response:
    """Show the lines that match the filters, or the newest."""
    # Forms that fail show the page again, with the filters and what was typed.
    wanted = context.queries(*FILTERS)
    error = outcome.error
    page = pb.SearchLinesResponse()
    try:
        page = await context.ask(_search(context, wanted))
    except PageRefused as refusal:
        # Without the server there is nothing to show; a wrong filter is told on the page.
        if refusal.status >= 500:
            raise
        status, error = refusal.status, error or str(refusal)
    return context.page(
        "memory.html",
        status,
        lines=page.lines,
        total=page.total_size,
        next=page.next_page_token,
        wanted=wanted,
        kinds=KINDS,
        error=error,
        understood=outcome.understood,
        explained=outcome.explained,
        largest=_largest,
        said=context.fields("text", "project", "corrects"),
        asked=context.fields("prompt", "in", "as"),
        **context.queries("forgotten", "rated"),
        path_of_page=PATH,
    )


def _search(context: RequestContext, wanted: dict[str, str]) -> pb.SearchLinesRequest:
    """Return the search request of the page's filters. Raises `PageRefused`."""
    kind = wanted["kind"]
    if kind and kind not in KINDS:
        raise PageRefused(400, f"kind is one of: {', '.join(KINDS)}")
    request = pb.SearchLinesRequest(
        query=wanted["q"],
        about=wanted["about"],
        speaker=wanted["by"],
        project=wanted["project"],
        # Enums may be given by name; None leaves the field unset.
        kind=f"KIND_{kind.upper()}" if kind else None,
        page_size=PAGE_SIZE,
        page_token=context.query("page"),
    )
    if wanted["since"]:
        try:
            day = date.fromisoformat(wanted["since"])
        except ValueError:
            raise PageRefused(400, "since is a day, as in 2026-01-31") from None
        # Since the beginning of the day, in UTC.
        request.since_time.FromDatetime(datetime.combine(day, time(), UTC))
    return request


async def forget_page(
    context: RequestContext, status: int = 200, error: str = ""
) -> web.Response:
    """Show a preview of the lines that would be forgotten."""
    # A refused form had the selection in its fields, the preview has it in the address.
    request = _selection(context.query if not error else context.field)
    request.preview = True
    found = pb.ForgetLinesResponse()
    try:
        found = await context.ask(request)
    except PageRefused as refusal:
        if refusal.status >= 500:
            raise
        status, error = refusal.status, error or str(refusal)
    return context.page(
        "forget.html",
        status,
        lines=found.lines[:SHOWN_MAX],
        total=found.total_size,
        ended=found.statements[:SHOWN_MAX],
        ended_total=found.statement_count,
        error=error,
        selection={
            "name": request.name,
            "by": request.speaker,
            "project": request.project,
            "session": request.session,
            "phrase": request.phrase,
        },
        path_of_page=PATH,
    )


def _selection(value: Callable[[str], str]) -> pb.ForgetLinesRequest:
    return pb.ForgetLinesRequest(
        name=value("name"),
        speaker=value("by"),
        project=value("project"),
        session=value("session"),
        phrase=value("phrase"),
    )


def _largest(features: Any) -> list[tuple[str, float]]:
    """Return the largest non-zero features of a line, in descending order."""
    # A feature may count against a line, so that the absolute value decides.
    found = [(name, value) for name, value in features.items() if value]
    return sorted(found, key=lambda it: -abs(it[1]))[:FEATURES_MAX]


ROUTES: Final = (
    PathRoute("GET", PATH, listed),
    PathRoute("POST", PATH, say),
    PathRoute("POST", f"{PATH}/explain", explain),
    PathRoute("GET", f"{PATH}/forget", forget_page),
    PathRoute("POST", f"{PATH}/forget", forget),
    PathRoute("POST", f"{PATH}/confirm", confirm),
    PathRoute("POST", f"{PATH}/rate", rate),
)
