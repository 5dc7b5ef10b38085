"""Notices that an answer repeats itself, while it is being said.

An answer is cut when it has said the same 50 characters ten times within a short
stretch, and what stood between them was the same as well: verses, tables of numbers
and boilerplate say much again, but with something else in between. Code, tables, lists,
headings and quotations are not looked at, and what was said before them is forgotten.
Of an answer in JSON only what it says is looked at (see `envelope`).

Each character costs the same, and only a stretch of the text is remembered.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from festinger.shim.loops.envelope import Envelope

CHUNK: Final = 50
"""The characters that are compared at a time."""

_LETTERS_MIN: Final = CHUNK // 2
"""With fewer letters a chunk is a ruler, a number or a drawing."""

_UNITS_MAX: Final = 2
"""Different texts from one chunk to the next; with more it is going somewhere."""

_HEAD: Final = 6
"""Characters that tell what a line is."""

_INDENT_MAX: Final = 100
_PIECE: Final = 1_000

_FENCES: Final = ("```", "~~~")
_STRUCTURE: Final = re.compile(
    r"\s*(?:[|#>{}\[\]<+*•\u2013\u2014=_-]|\d{1,9}[.):]\s|[-*]{3})|\t| {4}"
)
_DATA: Final = re.compile(r"\s*(?:[{\[]|<(?!think))")


class Repetition:
    """Reads one answer as it comes.

    Args:
        repeats: So many times the same chunk are a repetition.
        gap_max: If they are at most so many characters apart, on average.
    """

    def __init__(self, repeats: int, gap_max: int) -> None:
        self._begun = False
        self._envelope: Envelope | None = None
        self._prose = _Prose()
        self._repeats = repeats
        self._stretch = gap_max * (repeats - 1)
        self._forget()

    def feed(self, text: str) -> bool:
        """Reads on. Returns whether the answer repeats itself."""
        if not self._begun and (head := text.lstrip()):
            self._begun = True
            self._envelope = Envelope() if head.startswith("{") else None
        if self._envelope:
            text = self._envelope.feed(text)
        return any(
            self._read(piece)
            for start in range(0, len(text), _PIECE)
            for piece in self._prose.feed(text[start : start + _PIECE])
        )

    @property
    def remembered(self) -> int:
        """How many characters and chunks are kept."""
        return len(self._text) + len(self._places) + self._prose.held

    def _forget(self) -> None:
        self._text = ""
        self._dropped = 0
        self._letters = 0
        self._places: dict[str, deque[int]] = {}

    def _read(self, piece: str | None) -> bool:
        if piece is None:
            self._forget()
            return False
        known = len(self._text)
        self._text += piece
        found = False
        for end in range(known + 1, len(self._text) + 1):
            self._letters += self._text[end - 1].isalpha()
            if end > CHUNK:
                self._letters -= self._text[end - 1 - CHUNK].isalpha()
            if end >= CHUNK and self._letters >= _LETTERS_MIN and self._met(end):
                found = True
                break
        self._trim()
        return found

    def _met(self, end: int) -> bool:
        """Notes the chunk that ends here. Returns whether it came too often."""
        chunk = self._text[end - CHUNK : end]
        at = self._dropped + end
        # Taken out and put back, so that the oldest are in front.
        places = self._places.pop(chunk, None) or deque(maxlen=self._repeats)
        self._places[chunk] = places
        if places and at - places[-1] < CHUNK:
            return False  # overlaps itself
        places.append(at)
        if len(places) < self._repeats or at - places[0] > self._stretch:
            return False
        units = {
            self._text[max(0, one - self._dropped) : other - self._dropped]
            for one, other in pairwise(places)
        }
        return len(units) <= _UNITS_MAX

    def _trim(self) -> None:
        """Forgets what is too far back to count."""
        kept = self._stretch + CHUNK
        if len(self._text) > 2 * kept:
            self._dropped += len(self._text) - kept
            self._text = self._text[-kept:]
        while self._places:
            chunk, places = next(iter(self._places.items()))
            if self._dropped + len(self._text) - places[-1] <= self._stretch:
                return
            del self._places[chunk]


class _Prose:
    """Tells prose from structure, line by line, before the line is complete."""

    def __init__(self) -> None:
        self._head = ""
        self._kind: bool | None = None
        self._fenced = False
        self._data: bool | None = None
        self._spaced = True

    @property
    def held(self) -> int:
        """How many characters wait for their line to be told."""
        return len(self._head)

    def feed(self, text: str) -> Iterator[str | None]:
        """Gives pieces of prose, single-spaced; None where structure intervenes."""
        for line in text.splitlines(keepends=True):
            ends = line[-1:] in {"\n", "\r"}
            yield from self._line(line, ends)
            if ends:
                self._head, self._kind = "", None

    def _line(self, part: str, ends: bool) -> Iterator[str | None]:
        if self._kind is None:
            self._head += part
            told = len(self._head.lstrip()) >= _HEAD or len(self._head) > _INDENT_MAX
            if not (told or ends):
                return
            part, self._head = self._head, ""
            self._kind = not part.strip() or self._is_prose(part)
            if not self._kind:
                yield None
        if self._kind and (prose := self._single_spaced(part)):
            yield prose

    def _is_prose(self, line: str) -> bool:
        if self._data is None:
            # A whole answer of JSON or markup is data, whatever its lines look like.
            self._data = _DATA.match(line) is not None
        if line.lstrip().startswith(_FENCES):
            self._fenced = not self._fenced
            return False
        return not (self._data or self._fenced or _STRUCTURE.match(line))

    def _single_spaced(self, text: str) -> str:
        kept = []
        for character in text:
            space = character.isspace()
            if not (space and self._spaced):
                kept.append(" " if space else character)
            self._spaced = space
        return "".join(kept)
