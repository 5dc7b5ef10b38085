"""Detection of repetition within an answer while it is streamed.

An answer is cut when it has the same 50 characters ten times within a short stretch,
and the text between them is repeated as well. Code, tables, lists, headings and
quotations are not compared, and the text before them is discarded. Of an answer in JSON,
as Agent Zero's models write, the speech alone is compared (`JsonSpeechParser`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

CHUNK: Final = 50
"""Number of characters that are compared at a time."""

_LETTERS_MIN: Final = CHUNK // 2
"""Minimum letters of a chunk; with fewer it is a ruler, a number or a drawing."""

_STEP: Final = CHUNK // 2
"""Number of successive chunks that one search for their common part covers."""

_UNITS_MAX: Final = 2
"""Maximum number of different texts between repeats; with more there is progress."""

_HEAD: Final = 6
"""Number of characters by which a line is classified as prose or structure."""

# After so many characters a line is classified, even if most of them are blank.
_INDENT_MAX: Final = 100
# Characters that are processed at a time, so that the kept text stays short.
_PIECE: Final = 1_000

_SPACES: Final = re.compile(r"\s+")
_FENCES: Final = ("```", "~~~")
# "| a | b |", "- item", "12. item", "# heading", "> quotation", "---", indented code
_STRUCTURE: Final = re.compile(
    r"\s*(?:[|#>{}\[\]<+*•\u2013\u2014=_-]|\d{1,9}[.):]\s|[-*]{3})|\t| {4}"
)
# JSON, or markup that is not a model's `<think>`.
_DATA: Final = re.compile(r"\s*(?:[{\[]|<(?!think))")


_THOUGHTS: Final = frozenset(
    {"headline", "reasoning", "reflection", "thought", "thoughts"}
)
_RESPONSE: Final = frozenset({"message", "text"})
# What an escape stands for; white space of any kind becomes a newline.
_ESCAPES: Final = {"b": "\n", "f": "\n", "n": "\n", "r": "\n", "t": "\t"}
_CODE_POINT: Final = 4
# Deeper JSON is no envelope; the limits bound what is remembered of it.
_DEPTH_MAX: Final = 64
_NAME_MAX: Final = 64


class JsonSpeechParser:
    """Incremental parser of an answer in JSON, as Agent Zero's models write, for its speech.

    The thoughts, and the text of the `response` tool, are speech.
    """

    def __init__(self) -> None:
        # Open brackets, each with the key that its value belongs to.
        self._open: list[tuple[str, str]] = []
        self._key_next = False
        self._key = ""
        self._tool = ""
        # State of the string that is being read:
        self._quoted = self._is_key = self._escaped = False
        self._digits = 0
        self._name = ""

    def feed(self, text: str) -> str:
        """Process further text and return the speech in it."""
        # From here on nothing is read, so that the brackets no longer need counting.
        if len(self._open) > _DEPTH_MAX:
            return ""
        return "".join(
            self._within(character) if self._quoted else self._between(character)
            for character in text
        )

    def _between(self, character: str) -> str:
        """Process a character outside of strings; return an empty string."""
        if character == '"':
            self._quoted, self._name = True, ""
            self._is_key = self._key_next and self._in_object
        elif character in "{[":
            # In a list the flag has no effect: `_in_object` is asked as well.
            self._open.append((character, self._key))
            self._key_next = True
        elif character in "}]" and self._open:
            _, self._key = self._open.pop()
        elif character == ",":
            self._key_next = True
        elif character == ":":
            self._key_next = False
        return ""

    def _within(self, character: str) -> str:
        """Process a character of a string; return it if it is speech."""
        # The four digits of \u00e9: one character more or less does not matter here.
        if self._digits:
            self._digits -= 1
            return ""
        if self._escaped:
            self._escaped = False
            self._digits = _CODE_POINT if character == "u" else 0
            return self._take(
                _ESCAPES.get(character, "" if self._digits else character)
            )
        if character == "\\":
            self._escaped = True
            return ""
        if character == '"':
            return self._end()
        return self._take(character)

    def _take(self, character: str) -> str:
        if len(self._name) < _NAME_MAX:
            self._name += character
        return character if self._speaks else ""

    def _end(self) -> str:
        self._quoted = False
        if self._is_key:
            self._key = self._name
        elif self._key == "tool_name":
            self._tool = self._name
        return "\n" if self._speaks else ""

    @property
    def _in_object(self) -> bool:
        return bool(self._open) and self._open[-1][0] == "{"

    @property
    def _speaks(self) -> bool:
        if self._is_key:
            return False
        # Arguments of other tools are no speech: repeated lines are common in a program. The
        # tool's name comes before its arguments in Agent Zero's notation.
        says = self._tool == "response" and self._key in _RESPONSE
        return says or self._key in _THOUGHTS


class Repetition:
    """Incremental detector of repetition in one answer.

    Args:
        repeats: Number of equal chunks that make a repetition.
        gap_max: Maximum average distance between them, in characters.
    """

    def __init__(self, repeats: int, gap_max: int) -> None:
        self._begun = False
        self._envelope: JsonSpeechParser | None = None
        self._prose = _Prose()
        self._repeats = repeats
        # As many characters as the repeats can span.
        self._kept = gap_max * (repeats - 1) + CHUNK
        self._text = ""

    def feed(self, text: str) -> bool:
        """Process further text and return whether the answer repeats itself."""
        if not self._begun and (head := text.lstrip()):
            self._begun = True
            self._envelope = JsonSpeechParser() if head.startswith("{") else None
        if self._envelope:
            # Of an answer in JSON only the strings that are speech are compared.
            text = self._envelope.feed(text)
        return any(
            self._read(piece)
            for start in range(0, len(text), _PIECE)
            for piece in self._prose.feed(text[start : start + _PIECE])
        )

    def _read(self, piece: str | None) -> bool:
        # Structure ends the stretch: a repetition does not reach across a table.
        if piece is None:
            self._text = ""
            return False
        known = len(self._text)
        self._text += piece
        # One search for each step settles most of the text.
        found = any(
            self._repeats_at(start + 1, min(start + _STEP, len(self._text)))
            for start in range(known, len(self._text), _STEP)
        )
        # Cut seldom, as each cut copies the text.
        if len(self._text) > 2 * self._kept:
            self._text = self._text[-self._kept :]
        return found

    def _repeats_at(self, first: int, last: int) -> bool:
        """Return whether any chunk that ends from `first` to `last` is repeated."""
        first = max(first, CHUNK)
        if first > last:
            return False
        # The part that all these chunks share: if it is rare, so is each of them.
        shared = self._text[last - CHUNK : first]
        if self._text.count(shared, max(0, last - self._kept)) < self._repeats:
            return False
        return any(self._is_repeated(end) for end in range(first, last + 1))

    def _is_repeated(self, end: int) -> bool:
        """Return whether the chunk that ends at `end` occurs often enough."""
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
        # Verses, tables of numbers and boilerplate repeat much, with other text in between.
        units = {self._text[one:other] for other, one in pairwise(ends)}
        return len(units) <= _UNITS_MAX


class _Prose:
    """Filter that separates prose from structure, line by line."""

    def __init__(self) -> None:
        self._head = ""
        self._kind: bool | None = None
        self._fenced = False
        self._data: bool | None = None
        self._spaced = True

    def feed(self, text: str) -> Iterator[str | None]:
        """Yield pieces of prose, single-spaced, and None for a line of structure."""
        for line in text.splitlines(keepends=True):
            # `splitlines` also splits at form feeds, after which the line goes on.
            ends = line[-1:] in {"\n", "\r"}
            yield from self._line(line, ends)
            if ends:
                self._head, self._kind = "", None

    def _line(self, part: str, ends: bool) -> Iterator[str | None]:
        if self._kind is None:
            self._head += part
            told = len(self._head.lstrip()) >= _HEAD or len(self._head) > _INDENT_MAX
            # A line is classified by its first characters, before it is complete.
            if not (told or ends):
                return
            part, self._head = self._head, ""
            # An empty line separates paragraphs and is no structure.
            self._kind = not part.strip() or self._is_prose(part)
            if not self._kind:
                yield None
        if self._kind and (prose := self._single_spaced(part)):
            yield prose

    def _is_prose(self, line: str) -> bool:
        if self._data is None:
            # An answer that begins as JSON or markup is data, whatever its lines are.
            self._data = _DATA.match(line) is not None
        if line.lstrip().startswith(_FENCES):
            self._fenced = not self._fenced
            return False
        return not (self._data or self._fenced or _STRUCTURE.match(line))

    def _single_spaced(self, text: str) -> str:
        # Line breaks may fall elsewhere in each repeat.
        single = _SPACES.sub(" ", text)
        if self._spaced:
            single = single.removeprefix(" ")
        self._spaced = text[-1].isspace()
        return single
