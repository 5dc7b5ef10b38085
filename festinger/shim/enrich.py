"""One enriched request: read it, ask the memory, put the answer into it.

Whatever goes wrong here, the request goes on as it came (D8).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf

import structlog

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import ShimSettings
from festinger.shim import budget, inject, sticky
from festinger.shim.asking import Question, Request, ask, newness
from festinger.shim.guard import Refused
from festinger.shim.identity import Caller
from festinger.shim.jsontext import Body, Unreadable, parse
from festinger.shim.ledger import Layout
from festinger.shim.loopguard import LoopGuard, Watch
from festinger.shim.memory import Memory, MemoryUnavailable
from festinger.shim.modelfile import LookupSlow, Modelfiles
from festinger.shim.quotes import Quotes
from festinger.shim.segments import Role, lower_forged
from festinger.shim.sessions import Session, Sessions, Told
from festinger.shim.sticky import Sticking
from festinger.shim.wire import ROUTES, Untouched

log = structlog.get_logger(__name__)

_SESSION_NAME = re.compile(r"[\x21-\x7e]{1,128}")


@dataclass(frozen=True, slots=True)
class Enriched:
    """A request that may go on.

    Attributes:
        body: What to send.
        result: `full`, `replay`, `none` or `skipped:WHY`.
        session: The session's name, if it was looked up.
        loops: What was found out about loops.
        missed: Why nothing new could be told, if blocks were put back all the same.
    """

    body: bytes
    result: str
    session: str | None = None
    loops: Watch | None = None
    missed: str = ""


class Enricher:
    """Puts recollections into prompts.

    Args:
        settings: The shim's.
        memory: Who is asked.
        modelfiles: Knows the models' own SYSTEM and their context lengths.

    Attributes:
        results: How often each result came about.
        loops: Looks for loops.
    """

    def __init__(
        self, settings: ShimSettings, memory: Memory, modelfiles: Modelfiles
    ) -> None:
        self._settings = settings
        self._memory = memory
        self._modelfiles = modelfiles
        self._sessions = Sessions(
            sessions_max=settings.sessions_max,
            idle_seconds=settings.session_idle_seconds,
        )
        self._quotes = Quotes()
        self._warned: set[int] = set()
        self.results: Counter[str] = Counter()
        self.loops = LoopGuard()

    def apply(self, settings: ShimSettings) -> None:
        """Takes a changed configuration over."""
        self._settings = settings
        self._sessions.limit(
            sessions_max=settings.sessions_max,
            idle_seconds=settings.session_idle_seconds,
        )

    async def enrich(
        self, path: str, body: bytes, headers: Mapping[str, str], caller: Caller
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
        caller: Caller,
        name: str | None,
        watch: Watch,
    ) -> Enriched:
        if headers.get("X-Festinger", "").strip().lower() == "off":
            raise Untouched("off")
        if headers.get("Content-Encoding", "identity").lower() != "identity":
            raise Untouched("encoded")
        body = _parse(raw)
        prompt = ROUTES[path](body.value)
        if _is_cloud(prompt.model) and not self._settings.cloud_models:
            raise Untouched("cloud")
        session = self._sessions.find(caller, prompt, name)
        watch.look(body.value, session)
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
        try:
            return await self._tell(request, caller)
        except Untouched as untouched:
            return Enriched(raw, f"skipped:{untouched.why}", session.id)

    async def _tell(self, request: Request, caller: Caller) -> Enriched:
        """Asks the memory, and puts its answer into the request.

        Raises:
            Untouched: The request has to stay as it is.
        """
        if not any(segment.text for segment in request.segments):
            raise Untouched("empty")
        characters_max = self._settings.scan_characters_max
        question = ask(request, self._quotes, caller.principal, characters_max)
        try:
            response = await self._memory.recollect(question.message, caller)
        except MemoryUnavailable as error:
            return await self._replay(request, error.why)
        self._note(question, request.session, caller)
        if response.position == pb.RecollectResponse.POSITION_STICKY:
            return await self._stick(request, question, response)
        request.session.ledger.clear()
        return await self._inject(request, response)

    def _note(self, question: Question, session: Session, caller: Caller) -> None:
        """Notes what the memory has read; without an answer everything stays new."""
        for segment in question.read:
            if segment.role is not Role.SYSTEM and not session.has_seen(segment):
                self._quotes.add(caller.principal, segment)
        session.see(question.read)

    async def _stick(
        self, request: Request, question: Question, response: pb.RecollectResponse
    ) -> Enriched:
        """Puts blocks back, and what is new at the end."""
        ledger, layout = request.session.ledger, request.layout
        room = await self._room(request, response.block)
        is_new = ledger.is_new_to(layout) and bool(response.lines)
        modelfile = await self._modelfile(request, needed=is_new)
        outcome = sticky.stick(
            ledger,
            layout,
            question.message,
            response,
            at_head=modelfile is not None,
            room=room,
        )
        request.session.tell(
            {it.concept: Told(it.digest, hint=True) for it in outcome.told if it.hint}
        )
        return _put_back(request, outcome, modelfile)

    async def _replay(self, request: Request, why: str) -> Enriched:
        """Puts blocks back without having asked: their bytes are our own (D8).

        Raises:
            Untouched: There are none, nor is anything known of the conversation.
        """
        ledger, layout = request.session.ledger, request.layout
        if ledger.open(layout):
            raise Untouched(why)
        modelfile = await self._modelfile(request, needed=False)
        outcome = sticky.replay(ledger, layout, room=await self._room(request))
        replayed = _put_back(request, outcome, modelfile)
        if not outcome.blocks:
            return replace(replayed, result=f"skipped:{why}", missed="")
        return replace(replayed, missed=why)

    async def _inject(
        self, request: Request, response: pb.RecollectResponse
    ) -> Enriched:
        """Puts the one block where the memory wants it, at the other positions."""
        session = request.session
        if response.position == pb.RecollectResponse.POSITION_OFF:
            raise Untouched("off")
        if not response.block:
            return Enriched(request.raw, "none", session.id)
        told = sticky.shortened(response, await self._room(request, response.block))
        if not told.block:
            raise Untouched("budget")
        if response.position == pb.RecollectResponse.POSITION_RECENT:
            changed = inject.into_newest_user(request.body, request.prompt, told.block)
            if changed is None:
                return Enriched(request.raw, "none", session.id)
        else:
            if response.position != pb.RecollectResponse.POSITION_SYSTEM:
                self._warn_of(response.position)
            modelfile = await self._modelfile(request, needed=True)
            if modelfile is None:
                raise Untouched("modelfile-slow")
            changed = inject.into_system(
                request.body, request.prompt, told.block, modelfile
            )
        kinds = pb.RecollectResponse.Line
        session.tell(
            {
                line.concept: Told(line.digest, hint=line.kind == kinds.KIND_HINT)
                for line in told.lines
            }
        )
        return Enriched(changed, "full", session.id)

    async def _modelfile(self, request: Request, *, needed: bool) -> str | None:
        """The model's own SYSTEM, where a block of ours would switch it off (D6).

        Args:
            needed: Whether a block may come to stand there with this request.

        Returns:
            None if it is not known yet, so that no block may.

        Raises:
            Untouched: It is not known, and a block stands there already. The agent's
                persona weighs more than a recollection.
        """
        if not request.creates_system or not (needed or request.has_head):
            return ""
        try:
            model, authorization = request.prompt.model, request.authorization
            return (await self._modelfiles.get(model, authorization)).system
        except LookupSlow:
            if request.has_head:
                raise Untouched("modelfile-slow") from None
            return None

    async def _room(self, request: Request, block: str = "") -> float:
        """How many bytes the blocks of a request may take.

        Args:
            block: What would be added.
        """
        value = request.body.value
        size = budget.prompt_bytes(value)
        standing = request.session.ledger.standing(request.layout).values()
        stood = budget.blocks_bytes(standing)
        context = budget.requested_context(value)
        if context is None:
            if budget.always_fits(size + stood + len(block.encode())):
                return inf
            try:
                model, authorization = request.prompt.model, request.authorization
                context = (await self._modelfiles.get(model, authorization)).context
            except LookupSlow:
                return stood  # nothing is added before it is known
        return budget.room(size, context)

    def _warn_of(self, position: int) -> None:
        if position not in self._warned:
            self._warned.add(position)
            log.warning("position_unknown", position=position, used="system")


def _session_name(headers: Mapping[str, str]) -> str | None:
    name = headers.get("X-Festinger-Session", "").strip()
    if not name:
        return None
    if not _SESSION_NAME.fullmatch(name):
        raise Refused(
            400, "X-Festinger-Session must be 1 to 128 visible ASCII characters"
        )
    return name


def _parse(raw: bytes) -> Body:
    """Reads a body. Raises `Untouched` if it is not a JSON object."""
    if not raw:
        raise Untouched("empty")
    try:
        body = parse(raw)
    except Unreadable:
        raise Untouched("not-json") from None
    if not isinstance(body.value, dict):
        raise Untouched("unreadable")
    return body


def _is_cloud(model: str) -> bool:
    """Whether a model is run elsewhere: `name:cloud`, `name:120b-cloud`."""
    tag = model.lower().rpartition("/")[2].partition(":")[2]
    return tag == "cloud" or tag.endswith("-cloud")


def _put_back(request: Request, outcome: Sticking, modelfile: str | None) -> Enriched:
    body = sticky.put_back(
        request.body,
        request.segments,
        request.layout,
        request.prompt.system,
        outcome.blocks,
        modelfile or "",
    )
    missed = "budget" if outcome.short and outcome.blocks else ""
    raw = request.raw if body is None else body
    return Enriched(raw, outcome.result, request.session.id, missed=missed)
