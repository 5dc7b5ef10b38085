"""Notices that an answer repeats itself, while it is being said.

An answer is cut when it has said the same 50 characters ten times within a short
stretch, and what stood between them was the same as well: verses, tables of numbers
and boilerplate say much again, but with something else in between. Code, tables, lists,
headings and quotations are not looked at, and what was said before them is forgotten.
Of an answer in JSON only what it says is looked at (see `envelope`).

Only a stretch of the text is remembered. Most of what comes is done with by one search
in it; only where that finds as many repeats is every chunk looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from festinger.shim.loops.envelope import Envelope

CHUNK: Final = 50
"""The characters that are compared at a time."""

_LETTERS_MIN: Final = CHUNK // 2
"""With fewer letters a chunk is a ruler, a number or a drawing."""

_STEP: Final = CHUNK // 2
"""Characters whose chunks are looked for at once, by what they share."""

_UNITS_MAX: Final = 2
"""Different texts from one chunk to the next; with more it is going somewhere."""

_HEAD: Final = 6
"""Characters that tell what a line is."""

_INDENT_MAX: Final = 100
_PIECE: Final = 1_000

_SPACES: Final = re.compile(r"\s+")
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
        self._kept = gap_max * (repeats - 1) + CHUNK
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
        """How many characters are kept."""
        return len(self._text) + self._prose.held

    def _forget(self) -> None:
        self._text = ""

    def _read(self, piece: str | None) -> bool:
        if piece is None:
            self._forget()
            return False
        known = len(self._text)
        self._text += piece
        found = any(
            self._repeats_at(start + 1, min(start + _STEP, len(self._text)))
            for start in range(known, len(self._text), _STEP)
        )
        if len(self._text) > 2 * self._kept:
            self._text = self._text[-self._kept :]
        return found

    def _repeats_at(self, first: int, last: int) -> bool:
        """Whether a chunk came too often, of those that end from here to there."""
        first = max(first, CHUNK)
        if first > last:
            return False
        # In all of them; where it is rare, none of them is frequent.
        shared = self._text[last - CHUNK : first]
        if self._text.count(shared, max(0, last - self._kept)) < self._repeats:
            return False
        return any(self._is_repeated(end) for end in range(first, last + 1))

    def _is_repeated(self, end: int) -> bool:
        """Whether the chunk that ends here came too often."""
        chunk = self._text[end - CHUNK : end]
        if sum(map(str.isalpha, chunk)) < _LETTERS_MIN:
            return False
        earliest = max(0, end - self._kept)
        ends = [end]
        while len(ends) < self._repeats:
            start = self._text.rfind(chunk, earliest, ends[-1] - CHUNK)
            if start < 0:
                return False
            ends.append(start + CHUNK)
        units = {self._text[one:other] for other, one in pairwise(ends)}
        return len(units) <= _UNITS_MAX


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
        single = _SPACES.sub(" ", text)
        if self._spaced:
            single = single.removeprefix(" ")
        self._spaced = text[-1].isspace()
        return single
