"""What the rungs do to a request, in its own text and nowhere else.

Only sampling options are set: others, as `num_ctx`, would make Ollama load the model
anew.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile
from typing import Any, Final

from festinger.config import LoopRung, LoopSettings
from festinger.shim.loops import dialects, notice
from festinger.shim.loops.dialects import HistoryEntry, RequestHistory
from festinger.shim.loops.rules import Loop
from festinger.shim.loops.turns import turns_of
from festinger.shim.recollection.jsontext import Body, Path, parse
from festinger.shim.recollection.segments import SegmentRole

TEMPERATURE_DEFAULT: Final = 0.8
"""Ollama's own, where neither the client nor the model says otherwise."""

_GAP: Final = "\n\n"


def ease(
    raw: bytes,
    loop: Loop,
    rungs: Collection[LoopRung],
    settings: LoopSettings,
    *,
    native: bool,
    seed: int,
) -> bytes:
    """Makes a repetition less likely.

    Args:
        raw: The body of the request.
        loop: What is repeated in it.
        rungs: What to do about it.
        settings: How much.
        native: True for Ollama's own routes, which keep options apart.
        seed: A fresh one, for a client that pins its own.
    """
    if LoopRung.TEMPERATURE in rungs:
        raw = warm(raw, settings, native=native, seed=seed)
    if LoopRung.TRUNCATE in rungs:
        raw = leave_out(raw, loop)
    if LoopRung.FORBID in rungs:
        raw = append(raw, notice.to_model(loop))
    return raw


def warm(raw: bytes, settings: LoopSettings, *, native: bool, seed: int) -> bytes:
    """Sets a higher temperature, and another seed where one is pinned."""
    body = parse(raw)
    within: Path = ()
    if native:
        if body.value.get("options") is None:
            raw = body.with_value(("options",), {})
            body = parse(raw)
        within = ("options",)
    options = body.at(within)
    if not isinstance(options, dict):
        return raw
    old = options.get("temperature")
    base = TEMPERATURE_DEFAULT if old is None else old
    if _is_number(base):
        warmer = min(base + settings.temperature_boost, settings.temperature_max)
        if warmer > base:
            raw = body.with_value((*within, "temperature"), round(warmer, 3))
    if _is_number(options.get("seed")):
        raw = parse(raw).with_value((*within, "seed"), seed)
    return raw


def leave_out(raw: bytes, loop: Loop) -> bytes:
    """Leaves out what was repeated; the last time stays, results and all.

    So do the times before one in which something was told, for it is told once.
    """
    body = parse(raw)
    talk = dialects.read(body.value)
    turns = turns_of(talk, ())
    repeated = turns[loop.unit : loop.turns]
    spare = [*takewhile(lambda turn: not turn.outcome.tells, repeated)]
    if not spare:
        return raw
    if not talk.flattened:
        out = {entry.start for turn in spare for entry in turn.entries}
        return body.without_elements(talk.path, out)
    # What is left out ends where the first turn that stays begins.
    stays = turns[loop.unit - 1].entries[0].start
    prompt = body.at(talk.path)
    return body.with_string(
        talk.path, prompt[: spare[-1].entries[0].start] + prompt[stays:]
    )


def append(raw: bytes, text: str) -> bytes:
    """Puts a text at the end of the newest user message, if there is one."""
    body = parse(raw)
    talk = dialects.read(body.value)
    newest = next(
        (e for e in reversed(talk.entries) if e.role is SegmentRole.USER), None
    )
    if newest is None:
        return raw
    if talk.flattened:
        return _append_to_section(body, talk, newest, text)
    path: Path = (*talk.path, newest.start, "content")
    content = newest.value.get("content")
    if isinstance(content, str):
        return body.with_appended(path, _GAP + text)
    if not isinstance(content, list):
        return raw
    if content and _is_text(content[-1]):
        return body.with_appended((*path, len(content) - 1, "text"), _GAP + text)
    kind = "input_text" if talk.path == ("input",) else "text"
    return body.with_last_element(path, {"type": kind, "text": text})


def _append_to_section(
    body: Body, talk: RequestHistory, newest: HistoryEntry, text: str
) -> bytes:
    prompt: str = body.at(talk.path)
    following = [e.start for e in talk.entries if e.start > newest.start]
    end = min(following, default=len(prompt))
    section = prompt[:end].rstrip()
    changed = section + _GAP + text + prompt[len(section) :]
    return body.with_string(talk.path, changed)


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
