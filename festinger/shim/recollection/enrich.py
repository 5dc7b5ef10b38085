"""One enriched request: read it, ask the memory, put the answer into it.

Whatever goes wrong here, the request goes on as it came (D8).
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
    """Puts recollections into prompts.

    Args:
        settings: The shim's.
        memory: Who is asked.
        modelfiles: Knows the models' own SYSTEM and their context lengths.
        traffic: Is told which model is asked.

    Attributes:
        results: How often each result came about.
        loops: Looks for loops.
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
        """How many sessions are remembered."""
        return len(self._sessions)

    def apply(self, settings: ShimSettings) -> None:
        """Takes a changed configuration over."""
        self._settings = settings
        self._retold = retold.Words.of(settings.retold)
        self._sessions.limit(
            sessions_max=settings.sessions_max,
            idle_seconds=settings.session_idle_seconds,
        )

    async def enrich(
        self, path: str, body: bytes, headers: Mapping[str, str], caller: RequestCaller
    ) -> Enriched:
        """Enriches the body of a request, or returns it as it is.

        Args:
            path: One of `wire.ROUTES`.
            body: Of the request.
            headers: Of the request.
            caller: Who asks.

        Raises:
            Refused: The session's name, or what is said about loops, cannot be used.
        """
        session = _session_name(headers)
        watch = self.loops.watch(self._settings.loops, path, headers)
        try:
            enriched = await self._enrich(path, body, headers, caller, session, watch)
        except Untouched as untouched:
            enriched = Enriched(body, f"skipped:{untouched.why}", session)
        except Exception as error:
            # The message might quote the prompt, so only its kind is logged.
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
        """Asks the memory, and puts its answer into the request.

        Raises:
            Untouched: The request has to stay as it is.
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
            # It was read for what it states. Nobody is told anything by it.
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
    """What a request says. Raises `Untouched` if it has to stay as it is."""
    body = _parse(raw)
    return body, retold.mark(ROUTES[path](body.value), words)


def _parse(raw: bytes) -> Body:
    """Reads a body. Raises `Untouched` if it is not a JSON object."""
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
    """Whether a model is run elsewhere: `name:cloud`, `name:120b-cloud`."""
    tag = model.lower().rpartition("/")[2].partition(":")[2]
    return tag == "cloud" or tag.endswith("-cloud")
