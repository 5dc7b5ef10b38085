"""One enriched request: read it, ask the memory, put the answer into it.

Whatever goes wrong here, the request goes on as it came (D8).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import structlog

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import ShimSettings
from festinger.shim import inject
from festinger.shim.guard import Refused
from festinger.shim.identity import Caller
from festinger.shim.jsontext import Body, Unreadable, parse
from festinger.shim.loopguard import LoopGuard, Watch
from festinger.shim.memory import Memory, MemoryUnavailable
from festinger.shim.modelfile import LookupSlow, Modelfiles
from festinger.shim.quotes import Quotes
from festinger.shim.segments import (
    Creation,
    Prompt,
    Role,
    Segment,
    lower_forged,
)
from festinger.shim.sessions import Session, Sessions, Told
from festinger.shim.wire import ROUTES, Untouched

log = structlog.get_logger(__name__)

_ROLES: Final = {
    Role.SYSTEM: pb.Turn.ROLE_SYSTEM,
    Role.USER: pb.Turn.ROLE_USER,
    Role.ASSISTANT: pb.Turn.ROLE_ASSISTANT,
    Role.TOOL: pb.Turn.ROLE_TOOL,
}

_SESSION_NAME = re.compile(r"[\x21-\x7e]{1,128}")


@dataclass(frozen=True, slots=True)
class Enriched:
    """A request that may go on.

    Attributes:
        body: What to send.
        result: `full`, `replay`, `none` or `skipped:WHY`.
        session: The session's name, if it was looked up.
        loops: What was found out about loops.
    """

    body: bytes
    result: str
    session: str | None = None
    loops: Watch | None = None


class Enricher:
    """Puts recollections into prompts.

    Args:
        settings: The shim's.
        memory: Who is asked.
        modelfiles: Knows the models' own SYSTEM.

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
        try:
            response = await self._recollect(prompt, session, caller)
            changed, result = await self._inject(
                body, prompt, response, headers.get("Authorization")
            )
        except (MemoryUnavailable, Untouched) as error:
            return Enriched(raw, f"skipped:{error.why}", session.id)
        if changed is None:
            return Enriched(raw, result, session.id)
        session.tell(
            {
                line.concept: Told(
                    line.digest,
                    hint=line.kind == pb.RecollectResponse.Line.KIND_HINT,
                )
                for line in response.lines
            }
        )
        return Enriched(changed, result, session.id)

    async def _recollect(
        self, prompt: Prompt, session: Session, caller: Caller
    ) -> pb.RecollectResponse:
        """Asks the memory, and notes what it has read.

        Raises:
            MemoryUnavailable: It does not answer; everything new stays new.
            Untouched: There is nothing to ask about.
        """
        new = _newness(prompt.segments, session)
        segments = lower_forged(prompt.segments, new)
        turns: list[pb.Turn] = []
        read: list[Segment] = []
        room = self._settings.scan_characters_max
        for segment, is_new in zip(reversed(segments), reversed(new), strict=True):
            text = _cut(segment.text, room)
            room = room - len(text) if text == segment.text else 0
            if text or not segment.text:
                read.append(segment)
            if text:
                repeats = is_new and self._quotes.repeats(caller.principal, segment)
                turns.append(
                    pb.Turn(
                        role=_ROLES[segment.role],
                        text=_printable(text),
                        seen=not is_new or repeats,
                        digest=session.turn_digest(segment),
                    )
                )
        if not turns:
            raise Untouched("empty")
        told = [
            pb.RecollectRequest.Told(
                concept=concept, digest=line.digest, hint=line.hint
            )
            for concept, line in session.told.items()
        ]
        request = pb.RecollectRequest(turns=reversed(turns), told=told)
        response = await self._memory.recollect(request, caller)
        for segment in read:
            if segment.role is not Role.SYSTEM and not session.has_seen(segment):
                self._quotes.add(caller.principal, segment)
        session.see(read)
        return response

    async def _inject(
        self,
        body: Body,
        prompt: Prompt,
        response: pb.RecollectResponse,
        authorization: str | None,
    ) -> tuple[bytes | None, str]:
        """Puts the block where the memory wants it.

        Returns:
            The changed body, None if it stays as it is, and the result.
        """
        if response.position == pb.RecollectResponse.POSITION_OFF:
            return None, "skipped:off"
        if not response.block:
            return None, "none"
        if response.position == pb.RecollectResponse.POSITION_RECENT:
            changed = inject.into_newest_user(body, prompt, response.block)
            return changed, "full" if changed else "none"
        if response.position != pb.RecollectResponse.POSITION_SYSTEM:
            self._warn_of(response.position)
        modelfile = await self._modelfile(prompt, authorization)
        return inject.into_system(body, prompt, response.block, modelfile), "full"

    async def _modelfile(self, prompt: Prompt, authorization: str | None) -> str:
        """The model's own SYSTEM, if ours would switch it off (D6).

        Raises:
            Untouched: It is not known yet. The agent's persona weighs more than one
                recollection, which comes with its next request.
        """
        if not isinstance(prompt.system, Creation) or not prompt.system.hides_modelfile:
            return ""
        try:
            return await self._modelfiles.system(prompt.model, authorization)
        except LookupSlow:
            raise Untouched("modelfile-slow") from None

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


def _newness(segments: tuple[Segment, ...], session: Session) -> list[bool]:
    """Which segments are new: unknown to the session, and the first of their kind."""
    new: list[bool] = []
    met: set[bytes] = set()
    for segment in segments:
        new.append(segment.digest not in met and not session.has_seen(segment))
        met.add(segment.digest)
    return new


def _cut(text: str, room: int) -> str:
    """As much of a text as there is room for, not ending inside a word."""
    if len(text) <= room:
        return text
    head, space, _ = text[:room].rpartition(" ")
    return head if space else text[:room]


def _printable(text: str) -> str:
    """The text as it can be sent: no halves of surrogate pairs, no NUL."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "\ufffd")
