"""Pages of memory lines: search, statements, explanation of prompts, and forgetting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import line_service_pb2 as pb
from festinger.console.errors import PageRefused
from festinger.console.visit import PathRoute, Visit
from festinger.console.words import VERDICTS

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


async def listed(visit: Visit) -> web.Response:
    """Show the lines that match the filters, or the newest."""
    return await _show(visit, MemoryPageResult())


async def say(visit: Visit) -> web.Response:
    """State something, optionally as a correction of a line."""
    request = pb.SayRequest(
        text=visit.said("text"),
        project=visit.said("project"),
        # Names the line that was wrong; what is said now replaces it.
        corrects=visit.said("corrects"),
    )
    try:
        understood = await visit.ask("LineService.Say", request)
    except PageRefused as refusal:
        return await _show(visit, MemoryPageResult(str(refusal)), refusal.status)
    return await _show(visit, MemoryPageResult(understood=understood))


async def explain(visit: Visit) -> web.Response:
    """Show which lines a prompt would get, and why."""
    request = pb.ExplainRequest(
        prompt=visit.said("prompt"),
        project=visit.said("in"),
        asker=visit.said("as"),
    )
    try:
        explained = await visit.ask("LineService.Explain", request)
    except PageRefused as refusal:
        return await _show(visit, MemoryPageResult(str(refusal)), refusal.status)
    return await _show(visit, MemoryPageResult(explained=explained))


async def forget_page(visit: Visit) -> web.Response:
    """Show a preview of the lines that would be forgotten."""
    return await _forget_page(visit)


async def forget(visit: Visit) -> web.StreamResponse:
    """Forget lines."""
    try:
        done = await visit.ask("LineService.ForgetLines", _selection(visit.said))
    except PageRefused as refusal:
        return await _forget_page(visit, refusal.status, str(refusal))
    # `0` as a number would be left out of the URL, and the page would not say so.
    return visit.go(PATH, forgotten=done.total_size or "0")


async def confirm(visit: Visit) -> web.StreamResponse:
    """Confirm an instruction, which then applies to all speakers."""
    try:
        request = pb.ConfirmLineRequest(name=visit.said("name"))
        await visit.ask("LineService.ConfirmLine", request)
    except PageRefused as refusal:
        return await _show(visit, MemoryPageResult(str(refusal)), refusal.status)
    # Back to the page with the filters that were chosen.
    return visit.go(PATH, **{name: visit.query(name) for name in FILTERS})


async def rate(visit: Visit) -> web.StreamResponse:
    """Say of a line that it helped, or that it is wrong."""
    verdict = visit.said("verdict")
    request = pb.RateLineRequest(
        name=visit.said("name"),
        # Without a verdict the server refuses it with a sentence.
        verdict=VERDICTS.get(verdict, 0),
        prompt=visit.said("prompt"),
    )
    try:
        await visit.ask("LineService.RateLine", request)
    except PageRefused as refusal:
        return await _show(visit, MemoryPageResult(str(refusal)), refusal.status)
    return visit.go(PATH, rated=verdict)


async def _show(
    visit: Visit, outcome: MemoryPageResult, status: int = 200
) -> web.Response:
    # Forms that fail show the page again, with the filters and what was typed.
    wanted = {name: visit.query(name) for name in FILTERS}
    error = outcome.error
    page = pb.SearchLinesResponse()
    try:
        page = await visit.ask("LineService.SearchLines", _search(visit, wanted))
    except PageRefused as refusal:
        # Without the server there is nothing to show; a wrong filter is told on the page.
        if refusal.status >= 500:
            raise
        status, error = refusal.status, error or str(refusal)
    return visit.page(
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
        said={name: visit.said(name) for name in ("text", "project", "corrects")},
        asked={name: visit.said(name) for name in ("prompt", "in", "as")},
        forgotten=visit.query("forgotten"),
        rated=visit.query("rated"),
        path_of_page=PATH,
    )


def _search(visit: Visit, wanted: dict[str, str]) -> pb.SearchLinesRequest:
    """Return the search request of the page's filters.

    Raises:
        PageRefused: A filter is invalid.
    """
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
        page_token=visit.query("page"),
    )
    if wanted["since"]:
        try:
            day = date.fromisoformat(wanted["since"])
        except ValueError:
            raise PageRefused(400, "since is a day, as in 2026-01-31") from None
        # Since the beginning of the day, in UTC.
        request.since_time.FromDatetime(datetime.combine(day, time(), UTC))
    return request


async def _forget_page(
    visit: Visit, status: int = 200, error: str = ""
) -> web.Response:
    # A refused form had the selection in its fields, the preview has it in the address.
    request = _selection(visit.query if not error else visit.said)
    request.preview = True
    found = pb.ForgetLinesResponse()
    try:
        found = await visit.ask("LineService.ForgetLines", request)
    except PageRefused as refusal:
        if refusal.status >= 500:
            raise
        status, error = refusal.status, error or str(refusal)
    return visit.page(
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
