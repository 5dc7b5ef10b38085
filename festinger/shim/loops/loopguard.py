"""Loop detection per request: applies, logs and counts the decisions of the rules.

If it fails, the request is forwarded unchanged.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog
from aiohttp import web

from festinger.config import LoopRule, LoopRung, LoopSettings
from festinger.shim.loops import dialects, edits, notice, own_answers, rules
from festinger.shim.loops.repetition import Repetition
from festinger.shim.loops.rules import Loop, rungs
from festinger.shim.loops.transcript import Transcript
from festinger.shim.loops.turns import turns_of
from festinger.shim.proxy.guard import RequestRefused
from festinger.shim.recollection.agent_zero import CallNotation as Notation
from festinger.shim.recollection.jsontext import parse

log = structlog.get_logger(__name__)

HEADER: Final = "X-Festinger-Loops"
"""Request header: `on`, `off`, or rules to disable, such as `no-near, no-cap`."""

# A stream has an answer and thoughts for each choice; more are not compared.
_CHANNELS_MAX: Final = 8
_READ_BYTES_MIN: Final = 1024
_SEPARATOR: Final = re.compile(r"[,\s]+")


@dataclass(frozen=True, slots=True)
class ActiveLoop:
    """A loop that was found, and the countermeasures against it.

    Attributes:
        rung: The highest of `rungs`; `none` if there is none, `cut` for an answer.
        turns: Number of turns that they take.
        rungs: All rungs in force, lowest first.
    """

    rule: str
    rung: str
    count: int = 0
    turns: int = 0
    rungs: tuple[str, ...] = ()


class LoopWatch:
    """Loop detection for one request and its answer.

    Args:
        counts: Number of activations by RULE:RUNG, of all requests.

    Attributes:
        result: RULE:RUNG for the response header; None if there is no loop.
        activations: All activations; one for the answer is added while it is streamed.

    Raises:
        RequestRefused: The header `X-Festinger-Loops` is invalid.
    """

    def __init__(
        self,
        settings: LoopSettings,
        path: str,
        headers: Mapping[str, str],
        counts: Counter[str],
    ) -> None:
        on = settings.rules if settings.enabled else ()
        self._settings = settings
        self._path = path
        # A client can switch rules off, and not on: the operator decides.
        self._on = frozenset(on) - _switched_off(headers)
        self._counts = counts
        self._loop: Loop | None = None
        self._rungs: tuple[LoopRung, ...] = ()
        # False if the body was not parsed: then the answer is not checked either.
        self._looked = False
        self._enveloped = False
        self._session = ""
        self.result: str | None = None
        self.activations: list[ActiveLoop] = []

    def look(self, body: dict[str, Any]) -> None:
        """Search for a loop in a request, without touching state shared by requests."""
        self._looked = True
        # The search is skipped, not its result: it costs time for each prompt.
        if not self._on:
            return
        try:
            self._look(body)
        except Exception as error:
            # The message might quote the prompt, so only the error's type is logged.
            log.error("loop_search_failed", error=type(error).__name__)

    def _look(self, body: dict[str, Any]) -> None:
        polling = frozenset(name.lower() for name in self._settings.polling_tools)
        shortest = self._settings.speech_characters
        turns = turns_of(dialects.read(body), polling, shortest)
        loop = rules.find(turns, self._settings, frozenset(LoopRule) - self._on)
        if loop:
            # The newest turn shows which notation the client understands.
            self._enveloped = turns[0].said.notation is Notation.AGENT_ZERO
            self._loop = loop

    def meet(self, session: str) -> None:
        """Choose the rungs for a loop that was found, and log and count the activation."""
        # Set without a loop too: the answer may still repeat itself.
        self._session = session
        if (loop := self._loop) is None:
            return
        self._rungs = rungs(loop, self._settings)
        in_force = tuple(rung.value for rung in self._rungs)
        rung = in_force[-1] if in_force else "none"
        self._note(ActiveLoop(loop.rule.value, rung, loop.count, loop.turns, in_force))

    def apply_mitigation(self, raw: bytes) -> bytes:
        """Return the body with the rungs' changes; unchanged if there is no loop."""
        if self._loop is None or self.stops:
            return raw
        try:
            return edits.apply_mitigation(
                raw,
                self._loop,
                self._rungs,
                self._settings,
                # Ollama's own routes hold sampling options in a member.
                native=self._path.startswith("/api/"),
                seed=secrets.randbelow(2**31),
            )
        except Exception as error:
            log.error("loop_mitigation_failed", error=type(error).__name__)
            return raw

    @property
    def stops(self) -> bool:
        """True if the request must not be forwarded."""
        return LoopRung.STOP in self._rungs

    @property
    def refusal(self) -> RequestRefused:
        """The error response for a request that is not forwarded."""
        # Clients retry 408, 429 and 5xx, but a 409 only if no header forbids it.
        assert self._loop is not None
        return RequestRefused(409, notice.to_people(self._loop))

    def answer(self, raw: bytes) -> web.Response | None:
        """Return an assistant's message in place of the refusal.

        Returns:
            None if the settings do not want one, or the route has none.
        """
        # An error by default: an invented message could pass for the model's.
        if self._settings.stop_with != "message":
            return None
        made = own_answers.answer(
            self._path,
            parse(raw).value,
            self.refusal.message,
            enveloped=self._enveloped,
        )
        if made is None:
            return None
        kind, body = made
        return web.Response(body=body, headers={"Content-Type": kind})

    def listener(self) -> Callable[[bytes], str | None] | None:
        """Return what the answer's chunks are fed to; None if it is not to be checked."""
        if not self._looked or LoopRule.ANSWER not in self._on:
            return None
        return AnswerListener(self).feed

    def _note(self, activation: ActiveLoop) -> None:
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
    """Stream listener that ends an answer when it repeats itself."""

    def __init__(self, watch: LoopWatch) -> None:
        self._watch = watch
        self._transcript = Transcript()
        self._channels: dict[str, Repetition] = {}
        self._unread = bytearray()
        self._repeats = False

    def feed(self, chunk: bytes) -> str | None:
        """Process a chunk; return the reason to end the stream here, if any."""
        self._unread += chunk
        # Processing word by word would take twice the time.
        # Once a repetition was found, every chunk counts: the cut waits for the end of a line.
        if len(self._unread) < _READ_BYTES_MIN and not self._repeats:
            return None
        said: dict[str, str] = {}
        for channel, text in self._transcript.feed(bytes(self._unread)):
            said[channel] = said.get(channel, "") + text
        self._unread.clear()
        for channel, text in said.items():
            self._repeats = self._is_repeated_in(channel, text) or self._repeats
        # An answer that has ended by itself is not cut any more.
        if self._transcript.finished or not self._repeats:
            return None
        if not self._transcript.at_seam:
            return None  # the stream must not end within a line
        repeats = self._watch._settings.answer_repeats
        self._watch._note(ActiveLoop(LoopRule.ANSWER.value, "cut", repeats))
        return notice.REPEATED_ANSWER

    def _is_repeated_in(self, channel: str, text: str) -> bool:
        # Answer and thoughts may say the same, which is no repetition.
        if channel not in self._channels:
            if len(self._channels) >= _CHANNELS_MAX:
                return False
            settings = self._watch._settings
            self._channels[channel] = Repetition(
                settings.answer_repeats, settings.answer_gap_max
            )
        return self._channels[channel].feed(text)


def _switched_off(headers: Mapping[str, str]) -> frozenset[LoopRule]:
    """Return the rules that a client disables by header."""
    written = headers.get(HEADER, "").strip().lower()
    if written in {"", "on"}:
        return frozenset()
    if written == "off":
        return frozenset(LoopRule)
    names = _SEPARATOR.split(written)
    off = frozenset(rule for rule in LoopRule if f"no-{rule}" in names)
    # A misspelt rule would leave the rule on without notice.
    if len(off) != len(set(names)):
        known = ", ".join(f"no-{rule}" for rule in LoopRule)
        raise RequestRefused(400, f"{HEADER} must be off, on or some of: {known}")
    return off
