"""Overview page: the size of the memory, pending work, and starting the resolver."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple

from aiohttp import web

from festinger.api.v1 import (
    admin_service_pb2,
    config_service_pb2,
    learning_service_pb2,
    line_service_pb2,
)
from festinger.api.v1 import conflict_service_pb2 as pb
from festinger.api.v1.inbox_service_pb2 import CountInboxRequest
from festinger.console.context import PathRoute, RequestContext
from festinger.console.errors import PageRefused
from festinger.console.progress import REFRESH_SECONDS, or_refused, started
from festinger.console.validation.curation import day


class ClientLine(NamedTuple):
    """Line that a person pastes into a client.

    Attributes:
        client: The client's name.
        place: Where the line goes.
    """

    client: str
    place: str
    text: str


_LINES: Final = (
    ClientLine("Ollama and its libraries", "a shell", "export OLLAMA_HOST={url}"),
    ClientLine("OpenAI libraries", "a shell", "export OPENAI_BASE_URL={url}/v1"),
    ClientLine(
        "Claude Code, Anthropic libraries", "a shell", "export ANTHROPIC_BASE_URL={url}"
    ),
    ClientLine("Codex", "a shell", "export CODEX_OSS_BASE_URL={url}/v1"),
    ClientLine("aider", "a shell", "export OLLAMA_API_BASE={url}"),
    ClientLine("Open WebUI", "its environment", "OLLAMA_BASE_URL={url}"),
    ClientLine("Continue", "a model in config.yaml", "apiBase: {url}"),
    ClientLine("Cline", "Base URL of Ollama", "{url}"),
    ClientLine("LangChain", "Python", 'ChatOllama(model="llama3", base_url="{url}")'),
    ClientLine("LiteLLM", "Python", 'completion("ollama/llama3", …, api_base="{url}")'),
    ClientLine("Cursor and others, by MCP", "a shell", "festinger connect cursor"),
)


def client_lines(url: str) -> list[ClientLine]:
    """Return the lines of all clients, for a shim at a URL without a path."""
    # Not `format`: the text of a client may have braces of its own.
    return [it._replace(text=it.text.replace("{url}", url)) for it in _LINES]


NEWEST_MAX: Final = 5
"""The number of newest lines, and of events of each kind, that are shown."""
DAY_SECONDS: Final = 86_400.0
DAY_KINDS: Final = {
    "learnt": "learnt",
    "contradicted": "contradicted",
    "settled": "settled",
    "forgotten": "forgotten",
    "helped": "told and helped",
    "wrong": "told and wrong",
}
"""What may happen in a day, and its heading."""


async def overview(context: RequestContext) -> web.Response:
    """Show the overview."""
    (
        size,
        resolver,
        models,
        size_of_inbox,
        remembered,
        learning,
        metrics,
        today,
    ) = await asyncio.gather(
        or_refused(context, admin_service_pb2.GetSizeRequest()),
        or_refused(context, pb.GetResolverRequest()),
        or_refused(context, config_service_pb2.ListModelsRequest()),
        or_refused(context, CountInboxRequest()),
        or_refused(context, line_service_pb2.SearchLinesRequest(page_size=NEWEST_MAX)),
        or_refused(context, learning_service_pb2.GetLearningRequest()),
        day(context),
        or_refused(context, _day_request(context)),
    )
    # Many fail for the same reason, which is shown once; a missing day is no error.
    asked = (size, resolver, models, size_of_inbox, remembered, learning)
    refusals = {str(it): it for it in asked if _bad(it)}
    running = not _bad(resolver) and _running(resolver)
    # As the visitor reaches the shim, which may be through a published port.
    url = f"{context.request.scheme}://{context.request.host}"
    response = context.page(
        "overview.html",
        size=None if _bad(size) else size,
        resolver=None if _bad(resolver) else resolver,
        models=None if _bad(models) else models.models,
        size_of_inbox=None if _bad(size_of_inbox) else size_of_inbox,
        remembered=None if _bad(remembered) else remembered,
        learning=None if _bad(learning) else learning,
        reader_state=context.reader_state,
        # As long as nothing was learnt, the page shows how clients are connected.
        clients=[] if _knows(size, remembered) else client_lines(url),
        shim_url=url,
        upstream=context.upstream,
        metrics=metrics,
        today=None if _bad(today) else today,
        kinds=DAY_KINDS,
        refusals=list(refusals),
        running=running,
    )
    if running:
        # Reloads the page while a run is active, in browsers without scripts too.
        response.headers["Refresh"] = REFRESH_SECONDS
    return response


async def run(context: RequestContext) -> web.StreamResponse:
    """Start the resolver; stream its progress if the client accepts it."""
    return await started(context, pb.RunRequest(), _part, "/admin")


async def switch(context: RequestContext) -> web.Response:
    """Turn reading by a model on or off, with immediate effect."""
    request = config_service_pb2.UpdateSettingRequest(
        key="reading", value="on" if context.field("reading") == "on" else "off"
    )
    await context.ask(request)
    return context.go("/admin")


def _day_request(context: RequestContext) -> admin_service_pb2.GetDayRequest:
    request = admin_service_pb2.GetDayRequest(events_max=NEWEST_MAX)
    request.since_time.FromSeconds(int(context.pages.now() - DAY_SECONDS))
    return request


def _knows(size: Any, remembered: Any) -> bool:
    """Return whether the memory knows something; also where that is not known."""
    # If in doubt it does: instructions for beginners would mislead the others.
    if _bad(size) or _bad(remembered):
        return True
    return bool(size.version or remembered.total_size)


def _part(context: RequestContext, answer: pb.RunResponse) -> dict[str, Any]:
    """Return the parts of the page that a response of `Run` changes."""
    item = ""
    if answer.HasField("conflict"):
        item = context.render("parts/settled.html", answer=answer)
    return {
        "run": context.render("parts/run.html", run=answer.run),
        "item": item,
        "done": answer.run.state != pb.Run.STATE_RUNNING,
    }


def _running(resolver: pb.GetResolverResponse) -> bool:
    return any(run.state == pb.Run.STATE_RUNNING for run in resolver.runs)


def _bad(answer: Any) -> bool:
    return isinstance(answer, PageRefused)


ROUTES: Final = (
    PathRoute("GET", "/admin/?", overview),  # with and without the slash
    PathRoute("POST", "/admin/run", run),
    PathRoute("POST", "/admin/reading", switch),
)
