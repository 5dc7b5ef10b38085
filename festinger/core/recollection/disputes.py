"""Render the statements that contradict a contested one, on a line behind it.

Example: `gnommoweb: [type?] container, says carol (24 Nov)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from festinger import _fast
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import LineKind
from festinger.core.lines.originwording import OpposingSide
from festinger.core.lines.quotes import WORDS_MAX, clean, day_of
from festinger.core.recollection.names import NoteName

SIDES_MAX: Final = 2
"""Maximum number of opposing statements rendered, the newest ones."""
# `against 31.7@9f8a01c2`: concept, dimension, and hash of the text that was told.
_NAME: Final = re.compile(
    r"against (?P<concept>\d+)\.(?P<dimension>\d+)@(?P<version>[0-9a-f]{8})"
)


def is_dispute(name: str) -> bool:
    """Return whether a line's name is that of an opposing statement."""
    return _NAME.fullmatch(name) is not None


def with_disputes(
    index: LineIndex,
    lines: Sequence[_fast.Line],
    places: Iterable[tuple[str, tuple[int, int]]],
    now: float,
) -> Sequence[_fast.Line]:
    """Return the lines, each contested one followed by its opposing statements.

    Args:
        places: Names of the lines with contested statements, each with the ids of
            concept and dimension.
    """
    found: dict[str, list[_fast.Line]] = {}
    for name, place in places:
        line = dispute_of(index, place, now)
        if line is not None:
            # One line may have several contested dimensions.
            found.setdefault(name, []).append(line)
    if not found:
        return lines
    # Directly behind its line, where a reader looks for the other side.
    return [it for line in lines for it in (line, *found.get(line.concept, ()))]


def contested_place(index: LineIndex, name: str) -> tuple[int, int] | None:
    """Return concept and dimension of the contested statement with a line's name."""
    note = NoteName.from_name(name)
    if note is None or note.kind is not LineKind.STATEMENT or index.read is None:
        return None
    lines = index.lines_of(note.kind, note.key)
    if not lines or not index.read.is_contested(lines[0]):
        return None
    return index.read.place_of(lines[0])


def dispute_of(
    index: LineIndex, place: tuple[int, int], now: float
) -> _fast.Line | None:
    """Return the line of the opposing statements; None if no quote of them is known."""
    if index.read is None:
        return None
    # Without a speaker and a day, the other side would be as if nobody had said it.
    sides = [it for it in index.read.wording.opposing(*place) if it.origin is not None]
    if not sides:
        return None
    # `opposing` is oldest first.
    said = [_side(it, now) for it in sides[-SIDES_MAX:]]
    text = f"{index.read.place_in_words(*place)} {'; '.join(said)}"
    version = blake2b(text.encode("utf-8", "replace"), digest_size=4).hexdigest()
    name = f"against {place[0]}.{place[1]}@{version}"
    return _fast.Line(name, text, _fast.GraphLineKind.QUOTE, "it is contested")


def disputed_again(
    index: LineIndex, name: str, now: float
) -> tuple[bool, _fast.Line | None]:
    """Return whether the opposing statements are unchanged, and else the new line."""
    match = _NAME.fullmatch(name)
    if match is None:
        return False, None
    line = dispute_of(index, (int(match["concept"]), int(match["dimension"])), now)
    # The name contains the hash of the text.
    if line is not None and line.concept == name:
        return True, None
    return False, line


def _side(side: OpposingSide, now: float) -> str:
    origin = side.origin
    assert origin is not None, "only those whose words are known are told"
    value = " ".join(clean(side.value).split()[:WORDS_MAX])
    # The other side may deny the held value instead of naming one (C6).
    denied = "not " if side.negated else ""
    return f"{denied}{value}, says {clean(origin.speaker)} ({day_of(origin.said, now)})"
