"""Keeps watch over loops: what the pure rules decide is done, logged and counted.

Whatever goes wrong here, the request goes on as it was.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import structlog
from aiohttp import web

from festinger.config import LoopRule, LoopRung, LoopSettings
from festinger.shim.loops import dialects, edits, endings, notice, rules
from festinger.shim.loops.answer import Repetition
from festinger.shim.loops.ladder import rungs
from festinger.shim.loops.rules import Loop
from festinger.shim.loops.transcript import Transcript
from festinger.shim.loops.turns import turns_of
from festinger.shim.proxy.guard import RequestRefused
from festinger.shim.recollection.agent_zero import CallNotation as Notation
from festinger.shim.recollection.jsontext import parse

log = structlog.get_logger(__name__)

HEADER: Final = "X-Festinger-Loops"
"""`off`, or rules to leave out: `no-near, no-cap`."""

_CHANNELS_MAX: Final = 8
_READ_BYTES_MIN: Final = 1024
_SEPARATOR: Final = re.compile(r"[,\s]+")


@dataclass(frozen=True, slots=True)
class Activation:
    """What was seen of a loop, and done about it.

    Attributes:
        rung: The highest of `rungs`; `none` if there is none, `cut` for an answer.
        count: How often it was seen.
        turns: How many turns that were.
        rungs: All that is in force.
    """

    rule: str
    rung: str
    count: int = 0
    turns: int = 0
    rungs: tuple[str, ...] = ()


class Sighting(NamedTuple):
    """A loop that a look at a conversation found.

    Attributes:
        loop: What is repeated.
        enveloped: Whether Agent Zero's envelopes are spoken.
    """

    loop: Loop
    enveloped: bool


class LoopGuard:
    """Watches every request.

    Attributes:
        counts: How often each rung was met, as RULE:RUNG.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def watch(
        self, settings: LoopSettings, path: str, headers: Mapping[str, str]
    ) -> LoopWatch:
        """Begins to watch a request.

        Raises:
            Refused: `X-Festinger-Loops` cannot be used.
        """
        return LoopWatch(settings, path, _switched_off(headers), self.counts)


class LoopWatch:
    """What is found out about one request.

    Args:
        settings: As they are now.
        path: The route.
        off: Rules that the client does without.
        counts: Where activations are counted.

    Attributes:
        result: RULE:RUNG for the response header; None if there is no loop.
        activations: All of them; an answer's come while it is read.
    """

    def __init__(
        self,
        settings: LoopSettings,
        path: str,
        off: frozenset[LoopRule],
        counts: Counter[str],
    ) -> None:
        on = settings.rules if settings.enabled else ()
        self._settings = settings
        self._path = path
        self._on = frozenset(on) - off
        self._counts = counts
        self._loop: Loop | None = None
        self._rungs: tuple[LoopRung, ...] = ()
        self._looked = False
        self._enveloped = False
        self._session = ""
        self.result: str | None = None
        self.activations: list[Activation] = []

    def look(self, body: dict[str, Any]) -> Sighting | None:
        """Looks for a loop in a request; touches nothing that requests share.

        Args:
            body: What the request says.

        Returns:
            None if there is none.
        """
        self._looked = True
        if not self._on:
            return None
        try:
            return self._look(body)
        except Exception as error:
            # The message might quote the prompt, so only its kind is logged.
            log.error("loop_search_failed", error=type(error).__name__)
            return None

    def _look(self, body: dict[str, Any]) -> Sighting | None:
        polling = frozenset(name.lower() for name in self._settings.polling_tools)
        turns = turns_of(dialects.read(body), polling)
        loop = rules.find(turns, self._settings, frozenset(LoopRule) - self._on)
        if loop is None:
            return None
        return Sighting(loop, turns[0].said.notation is Notation.AGENT_ZERO)

    def meet(self, seen: Sighting | None, session: str) -> None:
        """Takes note of a loop and of the rungs that it is met with, after `look`.

        Args:
            seen: What it saw.
            session: That the request belongs to, as it is logged.
        """
        self._session = session
        if seen is None:
            return
        loop = self._loop = seen.loop
        self._enveloped = seen.enveloped
        self._rungs = rungs(loop, self._settings)
        in_force = tuple(rung.value for rung in self._rungs)
        rung = in_force[-1] if in_force else "none"
        self._note(Activation(loop.rule.value, rung, loop.count, loop.turns, in_force))

    def ease(self, raw: bytes) -> bytes:
        """The body with what the ladder does about the loop, if there is one."""
        if self._loop is None or self.stops:
            return raw
        try:
            return edits.ease(
                raw,
                self._loop,
                self._rungs,
                self._settings,
                native=self._path.startswith("/api/"),
                seed=secrets.randbelow(2**31),
            )
        except Exception as error:
            log.error("loop_easing_failed", error=type(error).__name__)
            return raw

    @property
    def stops(self) -> bool:
        """Whether the request must not be forwarded."""
        return LoopRung.STOP in self._rungs

    @property
    def refusal(self) -> RequestRefused:
        """Why it is not forwarded."""
        # Clients try 408, 429 and 5xx again, and this only if nothing forbids it.
        assert self._loop is not None
        return RequestRefused(409, notice.to_people(self._loop))

    def answer(self, raw: bytes) -> web.Response | None:
        """An assistant's message in place of the refusal, if the settings want one."""
        if self._settings.stop_with != "message":
            return None
        made = endings.answer(
            self._path,
            parse(raw).value,
            self.refusal.message,
            enveloped=self._enveloped,
        )
        if made is None:
            return None
        kind, body = made
        return web.Response(body=body, headers={"Content-Type": kind})

    def listener(self) -> AnswerListener | None:
        """Who reads along with the answer."""
        if not self._looked or LoopRule.ANSWER not in self._on:
            return None
        return AnswerListener(self)

    def _note(self, activation: Activation) -> None:
        self.result = f"{activation.rule}:{activation.rung}"
        self._counts[self.result] += 1
        self.activations.append(activation)
        log.warning(
            "loop",
            session=self._session,
            route=self._path,
            rule=activation.rule,
            rung=activation.rung,
            count=activation.count,
            turns=activation.turns,
        )


class AnswerListener:
    """Reads along with a stream, and ends it when it repeats itself.

    Args:
        watch: Over the request that is being answered.
    """

    def __init__(self, watch: LoopWatch) -> None:
        self._watch = watch
        self._transcript = Transcript()
        self._channels: dict[str, Repetition] = {}
        self._unread = bytearray()
        self._repeats = False

    def feed(self, chunk: bytes) -> str | None:
        """Reads a chunk. Returns why the stream has to end here, if it has to."""
        self._unread += chunk
        # Word by word it would take twice the time.
        if len(self._unread) < _READ_BYTES_MIN and not self._repeats:
            return None
        said: dict[str, str] = {}
        for channel, text in self._transcript.feed(bytes(self._unread)):
            said[channel] = said.get(channel, "") + text
        self._unread.clear()
        for channel, text in said.items():
            self._repeats = self._hears(channel, text) or self._repeats
        if self._transcript.finished or not self._repeats:
            return None
        if not self._transcript.at_seam:
            return None  # the rest of the line is on its way
        repeats = self._watch._settings.answer_repeats
        self._watch._note(Activation(LoopRule.ANSWER.value, "cut", repeats))
        return notice.REPEATED_ANSWER

    def _hears(self, channel: str, text: str) -> bool:
        if channel not in self._channels:
            if len(self._channels) >= _CHANNELS_MAX:
                return False
            settings = self._watch._settings
            self._channels[channel] = Repetition(
                settings.answer_repeats, settings.answer_gap_max
            )
        return self._channels[channel].feed(text)


def _switched_off(headers: Mapping[str, str]) -> frozenset[LoopRule]:
    """The rules that a client does without."""
    written = headers.get(HEADER, "").strip().lower()
    if written in {"", "on"}:
        return frozenset()
    if written == "off":
        return frozenset(LoopRule)
    names = _SEPARATOR.split(written)
    off = frozenset(rule for rule in LoopRule if f"no-{rule}" in names)
    if len(off) != len(set(names)):
        known = ", ".join(f"no-{rule}" for rule in LoopRule)
        raise RequestRefused(400, f"{HEADER} must be off, on or some of: {known}")
    return off
