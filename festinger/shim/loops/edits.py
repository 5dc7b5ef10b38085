"""Changes that the rungs make to a request's JSON text."""

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
"""Ollama's default, assumed if the client sets none."""

_GAP: Final = "\n\n"


def apply_mitigation(
    raw: bytes,
    loop: Loop,
    rungs: Collection[LoopRung],
    settings: LoopSettings,
    *,
    native: bool,
    seed: int,
) -> bytes:
    """Return the body changed so that a repetition is less likely.

    Args:
        native: True for Ollama's own routes, which hold options in a member.
        seed: Random seed that replaces one set by the client.
    """
    if LoopRung.TEMPERATURE in rungs:
        raw = warm(raw, settings, native=native, seed=seed)
    # Before the notice, which goes behind the newest message that remains.
    if LoopRung.TRUNCATE in rungs:
        raw = leave_out(raw, loop)
    if LoopRung.FORBID in rungs:
        raw = append(raw, notice.to_model(loop))
    return raw


def warm(raw: bytes, settings: LoopSettings, *, native: bool, seed: int) -> bytes:
    """Return the body with a higher temperature, and a new seed if it sets one."""
    body = parse(raw)
    within: Path = ()
    if native:
        if body.value.get("options") is None:
            raw = body.with_value(("options",), {})
            body = parse(raw)
        within = ("options",)
    # Only sampling options are set: others, such as `num_ctx`, make Ollama reload the model.
    options = body.at(within)
    # Ollama refuses such a request by itself.
    if not isinstance(options, dict):
        return raw
    old = options.get("temperature")
    base = TEMPERATURE_DEFAULT if old is None else old
    if _is_number(base):
        warmer = min(base + settings.temperature_boost, settings.temperature_max)
        # A client's own value above the maximum is not lowered.
        if warmer > base:
            raw = body.with_value((*within, "temperature"), round(warmer, 3))
    # With a pinned seed the same prompt gives the same answer at any temperature.
    if _is_number(options.get("seed")):
        raw = parse(raw).with_value((*within, "seed"), seed)
    return raw


def leave_out(raw: bytes, loop: Loop) -> bytes:
    """Return the body without the repeated turns, except for the newest repeat."""
    body = parse(raw)
    talk = dialects.read(body.value)
    # Acts are not compared here, so that none is too short.
    turns = turns_of(talk, (), speech_min=0)
    repeated = turns[loop.unit : loop.turns]
    # A recollection is sent only once, so a repeat that holds one stays, and all older ones.
    spare = [*takewhile(lambda turn: not turn.outcome.has_block, repeated)]
    if not spare:
        return raw
    if not talk.flattened:
        out = {entry.start for turn in spare for entry in turn.entries}
        return body.without_elements(talk.path, out)
    # The omitted text ends at the first turn that stays.
    stays = turns[loop.unit - 1].entries[0].start
    prompt = body.at(talk.path)
    return body.with_string(
        talk.path, prompt[: spare[-1].entries[0].start] + prompt[stays:]
    )


def append(raw: bytes, text: str) -> bytes:
    """Return the body with a text at the end of the newest user message, if any."""
    body = parse(raw)
    talk = dialects.read(body.value)
    newest = next(
        (e for e in reversed(talk.entries) if e.role is SegmentRole.USER), None
    )
    # No user has spoken: there is no message that the notice may stand in.
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
    # The type of a part differs between /v1/responses and the other formats.
    kind = "input_text" if talk.path == ("input",) else "text"
    return body.with_last_element(path, {"type": kind, "text": text})


def _append_to_section(
    body: Body, talk: RequestHistory, newest: HistoryEntry, text: str
) -> bytes:
    prompt: str = body.at(talk.path)
    following = [e.start for e in talk.entries if e.start > newest.start]
    end = min(following, default=len(prompt))
    # Before the empty line that separates the sections.
    section = prompt[:end].rstrip()
    changed = section + _GAP + text + prompt[len(section) :]
    return body.with_string(talk.path, changed)


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
