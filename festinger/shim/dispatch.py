"""Routing of requests: to the shim's own paths, through enrichment, or upstream."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

import structlog
from aiohttp import web

from festinger.config import (
    EmbeddingSettings,
    LearningSettings,
    ShimSettings,
    host_and_port,
)
from festinger.shim.graph.facade import iknowthat
from festinger.shim.language.embedder import Embedder
from festinger.shim.language.reader import IdleReader
from festinger.shim.proxy import guard
from festinger.shim.proxy.answer import OutgoingRequest
from festinger.shim.proxy.tokens import NameOf, TokenGuard, without_tokens
from festinger.shim.proxy.wording import refusal_response
from festinger.shim.recollection.facts import METHODS as FACT_METHODS
from festinger.shim.recollection.facts import PATH as FACTS
from festinger.shim.recollection.facts import facts
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.recollection.why import PATH as WHY
from festinger.shim.recollection.why import why
from festinger.shim.site import Site
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.path import serve
from festinger.shim.steps.state import ShimState
from festinger.shim.system.health import health
from festinger.shim.system.identity import RequestCaller, identify, split_path
from festinger.shim.system.metrics import PATHS as METRICS
from festinger.shim.system.metrics import ShimMetrics
from festinger.shim.wire import ROUTES

log = structlog.get_logger(__name__)

# Layers of models, of many gigabytes: passed through without a limit of size.
_BLOBS: Final = "/api/blobs/"
_CLOSE_SECONDS: Final = 1.0
_LEARNING_SECONDS_MAX: Final = 30.0


class Dispatcher:
    """Request handler of the application, which routes every request."""

    def __init__(
        self,
        settings: ShimSettings,
        memory: MemoryClient,
        site: Site | None,
        learning: LearningSettings | None,
        embeddings: EmbeddingSettings | None,
        name_of: NameOf,
    ) -> None:
        self._shim = ShimState(settings, memory, site)
        self._site = site
        self._learning = learning
        self._embeddings = embeddings
        self._metrics = ShimMetrics(self._shim)
        # Kept from the start: a changed listening address is not applied before a restart.
        self._address = settings.address
        self._hosts = self._guard(settings)
        self._tokens = TokenGuard(
            host_and_port(self._address)[0], name_of, always=settings.require_tokens
        )
        # Tasks of requests in progress, for `drain`.
        self._under_way: set[asyncio.Task[object]] = set()

    def apply(
        self,
        settings: ShimSettings,
        learning: LearningSettings | None,
        embeddings: EmbeddingSettings | None,
    ) -> None:
        """Apply a changed configuration; requests in progress keep the old one."""
        # A reader that was disabled at the start has no task, so it needs a restart to begin.
        if learning and self._shim.reader:
            self._shim.reader.apply(learning)
        if embeddings and self._shim.embedder:
            self._shim.embedder.apply(embeddings)
        self._hosts = self._guard(settings)
        self._shim.apply(settings)

    def _guard(self, settings: ShimSettings) -> guard.HostGuard:
        listening, _ = host_and_port(self._address)
        return guard.HostGuard(listening, settings.allowed_hosts)

    async def start(self, _: web.Application) -> None:
        """Open the channel to the memory server and the upstreams' pools."""
        await self._shim.memory.start()
        self._shim.captures.start()
        self._shim.upstreams.start()
        # Long, since no prompt waits for it.
        learning = partial(self._shim.memory.call, seconds=_LEARNING_SECONDS_MAX)
        if self._learning:
            self._shim.reader = IdleReader(
                self._learning,
                learning,
                self._shim.upstreams,
                self._shim.traffic,
            )
            if self._site:
                # Bound now, asked later: the sentence changes all the time.
                statistics = self._shim.reader.statistics
                self._site.know_reader(lambda: statistics.state)
            self._shim.reader.start()
        if self._embeddings:
            self._shim.embedder = Embedder(
                self._embeddings,
                learning,
                self._shim.upstreams,
                self._shim.traffic,
            )
            self._shim.embedder.start()
        if self._site:
            await self._site.start()

    async def stop(self, _: web.Application) -> None:
        """Close the memory channel, the upstreams' pools and the site."""
        # What uses the memory ends before its client, such as the reader's leases.
        if self._shim.reader:
            await self._shim.reader.stop()
        if self._shim.embedder:
            await self._shim.embedder.stop()
        if self._site:
            await self._site.stop()
        await self._shim.modelfiles.stop()
        await self._shim.upstreams.stop()
        await self._shim.captures.stop()
        await self._shim.memory.stop()

    async def drain(self, seconds: float) -> None:
        """Wait for the requests in progress, then cancel the remaining ones."""
        # First, since event streams of the console never end by themselves.
        if self._site:
            self._site.close()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=seconds)
        if left := set(self._under_way):
            log.warning("requests_cancelled", count=len(left))
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=_CLOSE_SECONDS)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Route a request and return its response."""
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        addressed = split_path(request.rel_url.raw_path)
        path = addressed.path
        site = self._site if self._site and self._site.owns(path) else None
        try:
            # The host first: a page that rebinds its name to loopback must learn nothing at all.
            self._hosts.check(request)
            guard.check_headers(request)
            # Visitors of the console without a token still have to reach its sign-in page.
            has_sign_in = site is not None and site.has_sign_in(path)
            name = self._tokens.check(request, addressed.token, open=has_sign_in)
            # Our own token proves `name`, and must not become a `key-…` principal as well.
            caller = identify(
                without_tokens(request), addressed, request.remote or "", name
            )
            if site:
                return await site.handle(request, path, caller.principal)
            if _is_own(request.method, path):
                return await self._own(request, path, caller)
            with self._shim.traffic.prompt(
                # From here on, so that the reader yields before the prompt's body is read.
                path if request.method == "POST" else ""
            ) as it:
                # GET or PUT on an enriched path is Ollama's to refuse.
                if request.method == "POST" and path in ROUTES:
                    return await serve(
                        PromptContext(request, path, caller, it), self._shim
                    )
                return await self._passed(request, path)
        # One place for all refusals, so that each is counted and in its clients' format.
        except guard.RequestRefused as refusal:
            self._shim.statistics.refused[refusal.status] += 1
            if site:
                return site.refuse(request, path, refusal.status, str(refusal))
            return refusal_response(request, path, refusal)
        finally:
            self._under_way.discard(task)

    async def _own(
        self, request: web.Request, path: str, caller: RequestCaller
    ) -> web.StreamResponse:
        """Answer a request for one of the shim's own paths, which are not forwarded.

        Raises:
            RequestRefused: There is no such path or method, or it is not permitted.
        """
        # Pages of other origins: changes are refused here, reading for each path below.
        guard.check_origin(request)
        if path == "/iknowthat":
            _check_method(request, {"POST"})
            return await iknowthat(
                request, self._shim.memory, caller, self._shim.settings.body_seconds_max
            )
        if path == FACTS:
            _check_method(request, FACT_METHODS)
            guard.check_reader(request)
            return await facts(
                request, self._shim.memory, caller, self._shim.settings.body_seconds_max
            )
        if path == "/festinger/health":
            _check_method(request, guard.SAFE_METHODS)
            return await health(self._shim)
        if path in METRICS:
            _check_method(request, guard.SAFE_METHODS)
            guard.check_reader(request)
            return self._metrics.answer()
        # The slashes keep out `/festinger/whyever`.
        if f"{path}/".startswith(f"{WHY}/"):
            _check_method(request, guard.SAFE_METHODS)
            guard.check_reader(request)
            return await why(
                request,
                path,
                self._shim.accounts,
                self._shim.memory,
                caller,
                self._shim.embed,
            )
        raise guard.RequestRefused(
            404,
            f"there is no {path}. There are GET /festinger/health, "
            "GET /festinger/why/SESSION, GET /festinger/why?prompt=TEXT and "
            "GET /festinger/metrics",
        )

    async def _passed(self, request: web.Request, path: str) -> web.StreamResponse:
        """Forward any other request unchanged.

        Raises:
            RequestRefused: It would change models, and the settings do not permit it.
        """
        # All clients share the models: none of them may delete or replace one unasked.
        if not self._shim.settings.model_changes:
            guard.check_model_changes(request.method, path)
        # Streamed, not read first: an upload may be larger than memory.
        settings, upload = self._shim.settings, None
        if request.can_read_body:
            upload = guard.IncomingBody(
                request,
                bytes_max=None if path.startswith(_BLOBS) else settings.body_bytes_max,
                # Limited for blobs too, so that a stalled client holds no connection.
                pause_seconds_max=settings.body_seconds_max,
            )
        try:
            sent = OutgoingRequest(guard.path_with_query(request, path), upload)
            async with self._shim.upstreams.open(request, sent) as answer:
                return await answer.relay()
        finally:
            # Also after an error: the model may be changed although the client left early.
            if guard.changes_models(request.method, path):
                self._shim.modelfiles.forget()


def _is_own(method: str, path: str) -> bool:
    """Return whether a request is for one of the shim's own paths."""
    if path == "/metrics":
        # Prometheus' usual path. Ollama has none, so other methods are left to upstreams.
        return method in {"GET", "HEAD"}
    return path in {"/iknowthat", FACTS} or f"{path}/".startswith("/festinger/")


def _check_method(request: web.Request, allowed: frozenset[str] | set[str]) -> None:
    if request.method not in allowed:
        raise guard.RequestRefused(405, f"use {' or '.join(sorted(allowed))} here")
