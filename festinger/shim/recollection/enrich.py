"""Enrichment of a request: parse it, query the memory, insert the answer.

If anything fails, the request is forwarded unchanged (D8).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import structlog

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import ShimSettings
from festinger.shim.language.traffic import Traffic
from festinger.shim.loops.loopguard import LoopGuard, LoopWatch
from festinger.shim.memories.capturing import said_in
from festinger.shim.proxy.guard import RequestRefused
from festinger.shim.recollection import retold, sticky
from festinger.shim.recollection.allowance import BlockAllowance
from festinger.shim.recollection.aside import READ_BYTES_MAX, aside
from festinger.shim.recollection.asking import (
    MemoryAsker,
    MemoryQuestion,
    Request,
    newness,
)
from festinger.shim.recollection.capabilities import runs_commands
from festinger.shim.recollection.jsontext import Body, UnreadableBody, parse
from festinger.shim.recollection.ledger import Layout
from festinger.shim.recollection.memory import MemoryClient, MemoryUnavailable
from festinger.shim.recollection.modelfile import Modelfiles
from festinger.shim.recollection.segments import ParsedPrompt, lower_forged
from festinger.shim.recollection.sessions import Sessions
from festinger.shim.recollection.telling import Enriched, Injector
from festinger.shim.system.identity import RequestCaller
from festinger.shim.wire import ROUTES, Untouched

log = structlog.get_logger(__name__)

_SESSION_NAME = re.compile(r"[\x21-\x7e]{1,128}")


class Enricher:
    """Service that inserts recollections into prompts.

    Args:
        settings: The shim's settings.
        memory: Client of the memory server.
        modelfiles: Cache of the models' own SYSTEM and context lengths.
        traffic: Monitor of prompts, which is notified of their models.

    Attributes:
        results: Number of requests by result.
        loops: Loop detection.
    """

    def __init__(
        self,
        settings: ShimSettings,
        memory: MemoryClient,
        modelfiles: Modelfiles,
        traffic: Traffic,
    ) -> None:
        self._settings = settings
        self._traffic = traffic
        self._asker = MemoryAsker(memory)
        self._teller = Injector(BlockAllowance(modelfiles))
        self._sessions = Sessions(
            sessions_max=settings.sessions_max,
            idle_seconds=settings.session_idle_seconds,
        )
        self._retold = retold.Words.of(settings.retold)
        self.results: Counter[str] = Counter()
        self.loops = LoopGuard()

    @property
    def session_count(self) -> int:
        """Number of remembered sessions."""
        return len(self._sessions)

    def apply(self, settings: ShimSettings) -> None:
        """Apply a changed configuration."""
        self._settings = settings
        self._retold = retold.Words.of(settings.retold)
        self._sessions.limit(
            sessions_max=settings.sessions_max,
            idle_seconds=settings.session_idle_seconds,
        )

    async def enrich(
        self, path: str, body: bytes, headers: Mapping[str, str], caller: RequestCaller
    ) -> Enriched:
        """Return the enriched body of a request, or the unchanged one.

        Args:
            path: One of `wire.ROUTES`.
            body: Body of the request.
            headers: Headers of the request.
            caller: Caller of the request.

        Raises:
            RequestRefused: `X-Festinger-Session` or `X-Festinger-Loops` is invalid.
        """
        session = _session_name(headers)
        watch = self.loops.watch(self._settings.loops, path, headers)
        try:
            enriched = await self._enrich(path, body, headers, caller, session, watch)
        except Untouched as untouched:
            enriched = Enriched(body, f"skipped:{untouched.why}", session)
        except Exception as error:
            # The message might quote the prompt, so only the error's type is logged.
            log.error("enrichment_failed", path=path, error=type(error).__name__)
            enriched = Enriched(body, "skipped:error", session)
        self.results[enriched.result] += 1
        if enriched.missed:
            self.results[f"missed:{enriched.missed}"] += 1
        return replace(enriched, body=watch.ease(enriched.body), loops=watch)

    async def _enrich(
        self,
        path: str,
        raw: bytes,
        headers: Mapping[str, str],
        caller: RequestCaller,
        name: str | None,
        watch: LoopWatch,
    ) -> Enriched:
        if headers.get("X-Festinger", "").strip().lower() == "off":
            raise Untouched("off")
        if headers.get("Content-Encoding", "identity").lower() != "identity":
            raise Untouched("encoded")
        body, prompt = await aside(len(raw), _read, path, raw, self._retold)
        if not _is_cloud(prompt.model):
            self._traffic.asked(prompt.model, body.value.get("options"))
        elif not self._settings.cloud_models:
            raise Untouched("cloud")
        session = self._sessions.find(caller, prompt, name)
        new = newness(prompt.segments, session)
        segments = lower_forged(prompt.segments, new)
        layout = Layout.of(segments, prompt.system)
        request = Request(
            raw,
            body,
            prompt,
            session,
            segments,
            new,
            layout,
            headers.get("Authorization"),
        )
        session.ledger.make_room(layout)
        question = self._asker.question(
            request,
            caller,
            self._settings.scan_characters_max,
            hints=self._may_hint(request),
        )
        try:
            enriched = await self._tell(request, question, caller, watch)
        except Untouched as untouched:
            enriched = Enriched(raw, f"skipped:{untouched.why}", session.id)
        said = said_in(question.said, session, caller, self._settings.capture)
        return replace(enriched, account=request.account, said=said)

    def _may_hint(self, request: Request) -> bool:
        if self._settings.hints == "auto":
            return runs_commands(request.body.value, request.segments)
        return self._settings.hints == "always"

    async def _tell(
        self,
        request: Request,
        question: MemoryQuestion,
        caller: RequestCaller,
        watch: LoopWatch,
    ) -> Enriched:
        """Query the memory, and insert its answer into the request.

        Loops are searched for meanwhile.

        Raises:
            Untouched: The request must be forwarded unchanged.
        """

        async def meanwhile() -> None:
            size, body = len(request.raw), request.body
            seen = await aside(size, watch.look, body.value)
            watch.meet(seen, request.session.id)
            if paths := sticky.paths(
                request.segments, request.layout, request.prompt.system, ledger
            ):
                await aside(size, body.find, paths)

        ledger = request.session.ledger
        if not any(segment.text for segment in request.segments):
            await meanwhile()
            raise Untouched("empty")
        try:
            response = await self._asker.ask(question, caller, meanwhile)
        except MemoryUnavailable as error:
            if watch.stops:
                raise Untouched("loop") from None
            return await self._teller.replay(request, error.why)
        request.account.hear(question.message, response)
        self._asker.note(question, request.session, caller)
        if watch.stops:
            # The memory has read it for its statements; it is not forwarded.
            raise Untouched("loop")
        if response.position == pb.RecollectResponse.POSITION_STICKY:
            return await self._teller.stick(request, question, response)
        ledger.clear()
        return await self._teller.inject(request, response)


def _session_name(headers: Mapping[str, str]) -> str | None:
    name = headers.get("X-Festinger-Session", "").strip()
    if not name:
        return None
    if not _SESSION_NAME.fullmatch(name):
        raise RequestRefused(
            400, "X-Festinger-Session must be 1 to 128 visible ASCII characters"
        )
    return name


def _read(path: str, raw: bytes, words: retold.Words) -> tuple[Body, ParsedPrompt]:
    """Return the parsed body and prompt of a request.

    Raises:
        Untouched: The request must be forwarded unchanged.
    """
    body = _parse(raw)
    return body, retold.mark(ROUTES[path](body.value), words)


def _parse(raw: bytes) -> Body:
    """Return the parsed body.

    Raises:
        Untouched: The body is empty, too large or no JSON object.
    """
    if not raw:
        raise Untouched("empty")
    if len(raw) > READ_BYTES_MAX:
        raise Untouched("size")
    try:
        body = parse(raw)
    except UnreadableBody:
        raise Untouched("not-json") from None
    if not isinstance(body.value, dict):
        raise Untouched("unreadable")
    return body


def _is_cloud(model: str) -> bool:
    """Return whether a model is a remote one: `name:cloud`, `name:120b-cloud`."""
    tag = model.lower().rpartition("/")[2].partition(":")[2]
    return tag == "cloud" or tag.endswith("-cloud")
