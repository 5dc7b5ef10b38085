"""Pages of concepts: search, facts, history and neighbours."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from aiohttp import web

from festinger.api.v1 import concept_service_pb2 as pb
from festinger.api.v1 import line_service_pb2, memory_service_pb2
from festinger.api.v1.concept_pb2 import Concept
from festinger.api.v1.history_pb2 import HistoryEvent
from festinger.api.v1.triple_pb2 import Triple
from festinger.console.context import PathRoute, RequestContext
from festinger.console.errors import PageRefused
from festinger.console.graph.neighbours import CHILDREN_MAX, neighbourhood
from festinger.console.progress import or_refused

PAGE_SIZE: Final = 50
EVENTS_SIZE: Final = 50
LINES_SIZE: Final = 5
ABOUT_SIZE: Final = 20  # lines
"""The number of lines about a concept that its page shows."""
REACHED_MAX: Final = 20
"""The number of prompts that were told of a concept that its page shows."""


async def listed(context: RequestContext) -> web.Response:
    """List the concepts, or those that begin with the search term."""
    wanted, everything = context.query("q"), context.query("all") == "1"
    exact = None
    # On further pages the best match would stand in front again.
    if wanted and not context.query("page"):
        exact = await _found(context, wanted)
        # People type `Glitch University`; concepts are listed by their tokens.
        wanted = exact.token if exact else wanted
    page = await context.ask(
        pb.ListConceptsRequest(
            prefix=wanted.lower(),
            placed=not everything,
            page_size=PAGE_SIZE,
            page_token=context.query("page"),
        )
    )
    concepts = list(page.concepts)
    listed = {each.token for each in concepts}
    # It was just said: a new word is in memory before it is in the database.
    if exact and exact.token not in listed and (everything or exact.edges):
        concepts.insert(0, exact)
    return context.page(
        "concepts.html",
        concepts=concepts,
        lines=await _lines(context),
        wanted=context.query("q"),
        everything=everything,
        next=page.next_page_token,
        paged=bool(context.query("page")),
    )


async def forget(context: RequestContext) -> web.Response:
    """Retract a fact or a denial."""
    triple = Triple(
        concept=context.path_params["name"],
        **context.fields("parent", "dimension"),
        is_isa=context.field("is_isa") == "1",
        negated=context.field("negated") == "1",
    )
    request = memory_service_pb2.RetractRequest(
        triple=triple,
        reasoning=context.field("reasoning"),
        # A form has no way to repeat a call, so that each is a new one.
        request_id=str(uuid.uuid4()),
    )
    try:
        await context.ask(request)
    except PageRefused as refusal:
        return await one(context, refusal.status, error=str(refusal))
    return context.go(f"/admin/concepts/{quote(context.path_params['name'], safe='')}")


async def one(
    context: RequestContext, status: int = 200, error: str = ""
) -> web.Response:
    """Show a concept."""
    token = context.path_params["name"]
    # Without the lines the page is still of use, so that their failure is tolerated.
    about = line_service_pb2.SearchLinesRequest(about=token, page_size=ABOUT_SIZE)
    concept, held, told, lines = await asyncio.gather(
        context.ask(pb.GetConceptRequest(token=token)),
        context.ask(pb.ListConceptsRequest(parent=token, page_size=CHILDREN_MAX)),
        context.ask(
            pb.HistoryRequest(
                token=token, page_size=EVENTS_SIZE, page_token=context.query("page")
            )
        ),
        or_refused(context, about),
    )
    return context.page(
        "concept.html",
        status,
        concept=concept.concept,
        stale=concept.stale,
        origins=_origins(told.events),
        events=told.events,
        next=told.next_page_token,
        paged=bool(context.query("page")),
        picture=neighbourhood(
            concept.concept, held.concepts, more=bool(held.next_page_token)
        ),
        lines=[] if isinstance(lines, PageRefused) else lines.lines,
        reached=_reached(context, token),
        error=error,
    )


def _reached(context: RequestContext, token: str) -> list[tuple[Any, list[str]]]:
    """Return the newest prompts that were told of a concept, with the lines."""
    found = []
    for prompt in context.prompts():
        told = [it["text"] for it in prompt["told"] if _is_about(it, token)]
        if told:
            found.append((prompt, told))
    return found[:REACHED_MAX]


def _is_about(line: Mapping[str, Any], token: str) -> bool:
    # Lines quote people, who write `glitch university` and not the token.
    words = token.replace("_", " ")
    return line["concept"] == token or words in line["text"].casefold()


async def _lines(context: RequestContext) -> Sequence[Any]:
    """Return the best lines for the search term; none on further pages."""
    wanted = context.query("q")
    if not wanted or context.query("page"):
        return []
    request = line_service_pb2.SearchLinesRequest(query=wanted, page_size=LINES_SIZE)
    answer = await or_refused(context, request)
    return [] if isinstance(answer, PageRefused) else answer.lines


async def _found(context: RequestContext, name: str) -> Concept | None:
    """Return the concept of a name, or None if there is none."""
    try:
        answer = await context.ask(pb.GetConceptRequest(token=name))
    except PageRefused as refusal:
        # 400: the input is no single token, and may still be found among the lines.
        if refusal.status in {400, 404}:
            return None
        raise
    concept: Concept = answer.concept
    return concept


def _origins(events: Iterable[HistoryEvent]) -> dict[int, HistoryEvent]:
    """Return the ledger entries that stated facts, by their numbers."""
    stated = HistoryEvent.KIND_STATED
    return {it.assertion_id: it for it in events if it.kind == stated}


ROUTES: Final = (
    PathRoute("GET", "/admin/concepts", listed),
    PathRoute("GET", "/admin/concepts/{name}", one),
    PathRoute("POST", "/admin/concepts/{name}/forget", forget),
)
