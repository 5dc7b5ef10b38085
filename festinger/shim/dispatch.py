"""Routing of requests: to the shim's own paths, through enrichment, or upstream."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Final

import structlog
from aiohttp import web

from festinger.config import LearningSettings, ShimSettings, host_and_port
from festinger.shim.graph.facade import iknowthat
from festinger.shim.language.reader import IdleReader
from festinger.shim.language.traffic import PassingPrompt, Traffic
from festinger.shim.memories.capturing import Captures
from festinger.shim.proxy.encoding import open_body
from festinger.shim.proxy.guard import (
    SAFE_METHODS,
    HostGuard,
    RequestRefused,
    Upload,
    changes_models,
    check_headers,
    check_model_changes,
    check_origin,
    check_reader,
    is_of_foreign_page,
)
from festinger.shim.proxy.proxy import Outgoing
from festinger.shim.proxy.upstreams import Upstreams
from festinger.shim.proxy.wording import error_response
from festinger.shim.recollection.account import Account, SessionAccounts
from festinger.shim.recollection.enrich import Enricher
from festinger.shim.recollection.facts import METHODS as FACT_METHODS
from festinger.shim.recollection.facts import PATH as FACTS
from festinger.shim.recollection.facts import facts
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.recollection.modelfile import Modelfiles
from festinger.shim.recollection.telling import Enriched
from festinger.shim.recollection.why import PATH as WHY
from festinger.shim.recollection.why import told, why
from festinger.shim.site import Site
from festinger.shim.system.health import health
from festinger.shim.system.identity import RequestCaller, identify, split_path
from festinger.shim.system.metrics import PATHS as METRICS
from festinger.shim.system.metrics import RequestStatistics, ShimMetrics
from festinger.shim.wire import ROUTES

log = structlog.get_logger(__name__)

_BLOBS: Final = "/api/blobs/"
_CLOSE_SECONDS: Final = 1.0


class Dispatcher:
    """Request handler of the application, which routes every request.

    Args:
        settings: The shim's settings.
        memory: Client of the memory server.
        site: Handler of further paths; None for none.
        learning: Settings of reading by a loaded model; None disables it.
    """

    def __init__(
        self,
        settings: ShimSettings,
        memory: MemoryClient,
        site: Site | None = None,
        learning: LearningSettings | None = None,
    ) -> None:
        self._settings = settings
        self._memory = memory
        self._site = site
        self._upstreams = Upstreams(settings)
        self._modelfiles = Modelfiles(self._upstreams.show)
        self._traffic = Traffic(time.monotonic)
        self._enricher = Enricher(settings, memory, self._modelfiles, self._traffic)
        self._learning = learning
        self._reader: IdleReader | None = None
        self._captures = Captures(memory.capture)
        self._accounts = SessionAccounts()
        self._statistics = RequestStatistics()
        self._metrics = ShimMetrics(
            self._statistics, self._enricher, self._upstreams, self._captures
        )
        self._address = settings.address
        self._hosts = self._guard(settings)
        self._under_way: set[asyncio.Task[object]] = set()

    def apply(
        self, settings: ShimSettings, learning: LearningSettings | None = None
    ) -> None:
        """Apply a changed configuration; requests in progress keep the old one."""
        if learning and self._reader:
            self._reader.apply(learning)
        self._settings = settings
        self._hosts = self._guard(settings)
        self._enricher.apply(settings)
        self._upstreams.apply(settings)
        self._modelfiles.forget()  # new upstreams may have other models of a name
        if self._site:
            self._site.apply(settings)

    def _guard(self, settings: ShimSettings) -> HostGuard:
        listening, _ = host_and_port(self._address)
        return HostGuard(listening, settings.allowed_hosts)

    async def start(self, _: web.Application) -> None:
        """Open the channel to the memory server and the upstreams' pools."""
        await self._memory.start()
        self._captures.start()
        self._upstreams.start()
        if self._learning:
            self._reader = IdleReader(
                self._learning, self._memory.learning, self._upstreams, self._traffic
            )
            self._metrics.tell_of(self._reader)
            if self._site:
                statistics = self._reader.statistics
                self._site.know_reader(lambda: statistics.state)
            self._reader.start()
        if self._site:
            await self._site.start()

    async def stop(self, _: web.Application) -> None:
        """Close the memory channel, the upstreams' pools and the site."""
        if self._reader:
            await self._reader.stop()
        if self._site:
            await self._site.stop()
        await self._modelfiles.stop()
        await self._upstreams.stop()
        await self._captures.stop()
        await self._memory.stop()

    async def drain(self, seconds: float) -> None:
        """Wait for the requests in progress, then cancel the remaining ones.

        Args:
            seconds: Maximum time to wait before requests are cancelled.
        """
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
            self._hosts.check(request)
            check_headers(request)
            caller = identify(request.headers, addressed, request.remote or "")
            if site:
                return await site.handle(request, path, caller.principal)
            if _is_own(request.method, path):
                return await self._own(request, path, caller)
            with self._traffic.prompt(path if request.method == "POST" else "") as it:
                if request.method == "POST" and path in ROUTES:
                    return await self._enriched(request, path, caller, it)
                return await self._passed(request, path)
        except RequestRefused as refusal:
            self._statistics.refused[refusal.status] += 1
            if site:
                return site.refuse(request, path, refusal.status, str(refusal))
            return _error(request, path, refusal)
        finally:
            self._under_way.discard(task)

    async def _own(
        self, request: web.Request, path: str, caller: RequestCaller
    ) -> web.StreamResponse:
        """Answer a request for one of the shim's own paths, which are not forwarded.

        Raises:
            RequestRefused: There is no such path or method, or it is not permitted.
        """
        check_origin(request)
        if path == "/iknowthat":
            _check_method(request, {"POST"})
            return await iknowthat(
                request, self._memory, caller, self._settings.body_seconds_max
            )
        if path == FACTS:
            _check_method(request, FACT_METHODS)
            check_reader(request)
            return await facts(
                request, self._memory, caller, self._settings.body_seconds_max
            )
        if path == "/festinger/health":
            _check_method(request, SAFE_METHODS)
            return await health(
                self._memory,
                self._upstreams,
                self._enricher.results,
                self._enricher.loops.counts,
                self._reader,
            )
        if path in METRICS:
            _check_method(request, SAFE_METHODS)
            check_reader(request)
            return self._metrics.answer()
        if f"{path}/".startswith(f"{WHY}/"):
            _check_method(request, SAFE_METHODS)
            check_reader(request)
            return await why(request, path, self._accounts, self._memory.lines, caller)
        raise RequestRefused(
            404,
            f"there is no {path}. There are GET /festinger/health, "
            "GET /festinger/why/SESSION, GET /festinger/why?prompt=TEXT and "
            "GET /festinger/metrics",
        )

    async def _enriched(
        self,
        request: web.Request,
        path: str,
        caller: RequestCaller,
        passing: PassingPrompt | None,
    ) -> web.StreamResponse:
        """Read a prompt's whole body, enrich it, and forward it."""
        raw = await self._upload(request, path).read()
        started = time.perf_counter()
        body, headers = open_body(
            path, raw, request.headers, self._settings.body_bytes_max
        )
        if is_of_foreign_page(request):
            # Ollama decides whether to answer it; the memory is not involved.
            enriched = Enriched(body, "skipped:origin")
        else:
            enriched = await self._enricher.enrich(path, body, headers, caller)
        milliseconds = (time.perf_counter() - started) * 1000
        log.debug(
            "prompt", path=path, result=enriched.result, added_ms=round(milliseconds, 2)
        )
        self._note(path, caller, enriched, milliseconds)
        headers = _headers(enriched, milliseconds)
        if enriched.loops and enriched.loops.stops:
            answer = enriched.loops.answer(body)
            response = answer or _error(request, path, enriched.loops.refusal)
            # OpenAI's and Anthropic's packages would retry a 409 by themselves.
            response.headers.update({**headers, "X-Should-Retry": "false"})
            self._captures.offer(enriched.said)
            return response
        changed = enriched.body is not body
        sent = Outgoing(
            _with_query(request, path),
            enriched.body if changed else raw,
            headers,
            decoded=changed and body is not raw,
            session=enriched.session,
            listener=enriched.loops.listener() if enriched.loops else None,
            reached=partial(self._reached, enriched),
            ended=partial(self._traffic.answered, passing) if passing else None,
        )
        try:
            return await self._upstreams.forward(request, sent)
        finally:
            # Capture what was said even if the upstream did not answer.
            self._captures.offer(enriched.said)

    def _reached(self, enriched: Enriched) -> None:
        """Record the lines that an accepted prompt holds, and offer it for capture."""
        if enriched.reached:
            enriched.reached()
        self._captures.offer(enriched.said)

    def _note(
        self, path: str, caller: RequestCaller, enriched: Enriched, milliseconds: float
    ) -> None:
        """Record a prompt's result in the statistics and the session's account."""
        self._statistics.requests[path, enriched.result] += 1
        self._statistics.added.add(milliseconds / 1000)
        if enriched.session is None:
            return
        account = enriched.account or Account()
        account.route, account.result = path, enriched.result
        account.project = caller.project
        account.missed, account.milliseconds = enriched.missed, milliseconds
        account.loops = enriched.loops.activations if enriched.loops else ()
        self._accounts.add(caller.principal, enriched.session, account)
        if self._site:
            self._site.note(partial(told, caller.principal, enriched.session, account))

    async def _passed(self, request: web.Request, path: str) -> web.StreamResponse:
        """Forward any other request unchanged.

        Raises:
            RequestRefused: It would change models, and the settings do not permit it.
        """
        if not self._settings.model_changes:
            check_model_changes(request.method, path)
        has_body = request.can_read_body
        upload = self._upload(request, path) if has_body else None
        try:
            sent = Outgoing(_with_query(request, path), upload)
            return await self._upstreams.forward(request, sent)
        finally:
            if changes_models(request.method, path):
                self._modelfiles.forget()

    def _upload(self, request: web.Request, path: str) -> Upload:
        unbounded = path.startswith(_BLOBS)
        return Upload(
            request,
            bytes_max=None if unbounded else self._settings.body_bytes_max,
            pause_seconds_max=self._settings.body_seconds_max,
        )


def _is_own(method: str, path: str) -> bool:
    """Return whether a request is for one of the shim's own paths.

    `/metrics` is one of them for GET and HEAD: most upstreams have no such path.
    """
    if path == "/metrics":
        return method in {"GET", "HEAD"}
    return path in {"/iknowthat", FACTS} or f"{path}/".startswith("/festinger/")


def _check_method(request: web.Request, allowed: frozenset[str] | set[str]) -> None:
    if request.method not in allowed:
        raise RequestRefused(405, f"use {' or '.join(sorted(allowed))} here")


def _with_query(request: web.Request, path: str) -> str:
    query = request.rel_url.raw_query_string
    return f"{path}?{query}" if query else path


def _headers(enriched: Enriched, milliseconds: float) -> dict[str, str]:
    headers = {
        "X-Festinger-Recollection": enriched.result,
        "X-Festinger-Added-Ms": f"{milliseconds:.2f}",
    }
    if enriched.session:
        headers["X-Festinger-Session"] = enriched.session
    if enriched.loops and enriched.loops.result:
        headers["X-Festinger-Loop"] = enriched.loops.result
    return headers


def _error(request: web.Request, path: str, refusal: RequestRefused) -> web.Response:
    response = error_response(path, refusal.status, refusal.message)
    if request.can_read_body:
        response.force_close()  # the rest of the body is not read
    return response
