"""Edits of JSON text in place.

A body is never serialised again, so that large numbers, `1.0`, escapes, spaces and
duplicate keys of the client's reach the upstream unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

Path = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""

_SPACE = re.compile(r"[ \t\n\r]*")

# The escape of one character: a pair of surrogates, or a single escape.
_ESCAPE = re.compile(
    r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.",
    re.DOTALL,
)


class UnreadableBody(ValueError):
    """The body is not JSON that the shim can parse; the upstream may refuse it."""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replacement of a range within a string of a body."""

    path: Path
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Body:
    """A JSON body.

    Attributes:
        value: The parsed value. Its numbers are floats; exact integers are not needed.
    """

    text: str
    value: Any

    def at(self, path: Path) -> Any:
        """Return the value at a path, which must exist."""
        value = self.value
        for step in path:
            value = value[step]
        return value

    def with_string(self, path: Path, new: str) -> bytes:
        """Return the body with another string at `path`."""
        start, end = locate(self.text, path)
        old = self.at(path)
        if isinstance(old, str) and old and new.endswith(old):
            # Text is put before the old string, whose escapes stay unchanged.
            head = dump(new[: -len(old)])[:-1]
            return self._splice(start, start + 1, head)
        return self._splice(start, end, dump(new))

    def with_element(self, path: Path, index: int, element: Any) -> bytes:
        """Return the body with an element inserted into the list at `path`.

        Args:
            index: Index to insert before, or the length of the list.
        """
        # An empty list has no element to put a comma before or behind.
        if not self.at(path):
            start, _ = locate(self.text, path)
            return self._splice(start + 1, start + 1, dump(element))
        if index < len(self.at(path)):
            start, _ = locate(self.text, (*path, index))
            return self._splice(start, start, f"{dump(element)},")
        _, end = locate(self.text, (*path, index - 1))
        return self._splice(end, end, f",{dump(element)}")

    def with_last_element(self, path: Path, element: Any) -> bytes:
        """Return the body with an element appended to the list at `path`."""
        _, end = locate(self.text, path)
        comma = "," if self.at(path) else ""
        return self._splice(end - 1, end, f"{comma}{dump(element)}]")

    def without_elements(self, path: Path, indexes: Collection[int]) -> bytes:
        """Return the body without some elements of the list at `path`."""
        start, end = locate(self.text, path)
        # Rebuilt from the elements' own text, so that no comma is left over.
        kept = [
            self.text[first : _end(self.text, first)]
            for index, first in enumerate(_elements(self.text, start))
            if index not in indexes
        ]
        return self._splice(start, end, f"[{','.join(kept)}]")

    def with_appended(self, path: Path, more: str) -> bytes:
        """Return the body with text appended to the string at `path`."""
        # The closing quote is the literal's last character.
        _, end = locate(self.text, path)
        return self._splice(end - 1, end, dump(more)[1:])

    def with_value(self, path: Path, value: Any) -> bytes:
        """Return the body with a value at `path`; only its last key may be missing."""
        *parents, key = path
        within = self.at(tuple(parents))
        if key in within:
            start, end = locate(self.text, path)
            return self._splice(start, end, dump(value))
        start, _ = locate(self.text, tuple(parents))
        comma = "," if within else ""
        member = f"{{{dump(str(key))}:{dump(value)}{comma}"
        return self._splice(start, start + 1, member)

    def with_edits(self, edits: Sequence[TextEdit]) -> Body:
        """Return the body with edits within its strings, which must not overlap.

        Its `value` is the one before the edits.
        """
        by_path: dict[Path, list[TextEdit]] = {}
        # In ascending order each piece between edits is copied once, in one pass over the text.
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            by_path.setdefault(edit.path, []).append(edit)
        places = locate_all(self.text, by_path)
        pieces, done = [], 0
        # In the order of the text, which may differ from the order of the paths.
        for path in sorted(by_path, key=lambda path: places[path]):
            # The offsets count characters of the string, the text has its escapes.
            start, end = places[path]
            offsets = [at for edit in by_path[path] for at in (edit.start, edit.end)]
            raw = iter(_raw_offsets(self.text[start:end], offsets))
            for edit in by_path[path]:
                pieces += [self.text[done : start + next(raw)], dump(edit.text)[1:-1]]
                done = start + next(raw)
        return Body("".join([*pieces, self.text[done:]]), self.value)

    def _splice(self, start: int, end: int, new: str) -> bytes:
        return f"{self.text[:start]}{new}{self.text[end:]}".encode()


def parse(body: bytes) -> Body:
    """Return the parsed body.

    Raises:
        UnreadableBody: It is not UTF-8, not JSON, or nested too deeply.
    """
    try:
        text = body.decode()
        return Body(text, _DECODER.decode(text))
    except (ValueError, RecursionError) as error:
        # The message may quote the prompt, so only the error's type is kept.
        raise UnreadableBody(type(error).__name__) from None


def dump(value: Any) -> str:
    """Return the compact JSON text of a value, which can be encoded as UTF-8."""
    text = _ENCODER.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair, which `json.dumps` escapes as "\ud800" again.
        return json.dumps(value, separators=(",", ":"))
    return text


def locate(text: str, path: Path) -> tuple[int, int]:
    """Return start and end of the value at `path` in a JSON text.

    If a key is repeated, the last one counts, as for Ollama.
    """
    return locate_all(text, [path])[path]


def locate_all(text: str, paths: Collection[Path]) -> dict[Path, tuple[int, int]]:
    """Return start and end of the values at several paths, in one pass."""
    found: dict[Path, tuple[int, int]] = {}
    _descend(text, _skip(text, 0), 0, paths, found)
    for path in paths:
        if path not in found:
            raise KeyError(path)
    return found


def _descend(
    text: str,
    start: int,
    depth: int,
    paths: Collection[Path],
    found: dict[Path, tuple[int, int]],
) -> int:
    """Locate the values at paths that lead through the value at `start`.

    Args:
        depth: Number of steps of the paths that lead to it.
        found: Gets start and end by path.

    Returns:
        End of the value.
    """
    further: dict[str | int, list[Path]] = {}
    for path in paths:
        if len(path) > depth:
            further.setdefault(path[depth], []).append(path)
    end = _walk(text, start, depth, further, found)
    for path in paths:
        if len(path) == depth:
            found[path] = start, end
    return end


def _walk(
    text: str,
    start: int,
    depth: int,
    further: dict[str | int, list[Path]],
    found: dict[Path, tuple[int, int]],
) -> int:
    """Locate the values at paths below the value at `start`; return its end."""
    # Each value is decoded once, which takes most of the time. See `_descend`.
    # The C decoder skips a value that no path leads into.
    if not further or text[start] not in "{[":
        return _end(text, start)
    is_object = text[start] == "{"
    count = 0
    position = _skip(text, start + 1)
    # The text was parsed before, so brackets and commas are known to be in place.
    while text[position] not in "}]":
        step: str | int = count
        count += 1
        if is_object:
            step, position = _DECODER.raw_decode(text, position)
            position = _skip(text, _skip(text, position) + 1)  # past the colon
        # A repeated key overwrites what an earlier one has found: the last one counts.
        if step in further:
            end = _descend(text, position, depth + 1, further[step], found)
        else:
            end = _end(text, position)
        position = _behind(text, end)
    return position + 1


def _elements(text: str, start: int) -> Iterator[int]:
    """Yield the starts of the elements of the list at `start`."""
    position = _skip(text, start + 1)
    while text[position] != "]":
        yield position
        position = _behind(text, _end(text, position))


def _raw_offsets(literal: str, offsets: Sequence[int]) -> list[int]:
    """Return the offsets in a JSON string literal of characters of the string.

    Args:
        offsets: Offsets in the string, ascending.
    """
    raw: list[int] = []
    # `surplus`: number of characters by which the literal is ahead of the string.
    surplus = 1  # the opening quote
    escapes = _ESCAPE.finditer(literal)
    escape = next(escapes, None)
    for offset in offsets:
        while escape and escape.start() < offset + surplus:
            surplus += len(escape[0]) - 1
            escape = next(escapes, None)
        raw.append(offset + surplus)
    return raw


def _behind(text: str, end: int) -> int:
    """Return the start of the next element or member, or the closing bracket's."""
    position = _skip(text, end)
    return _skip(text, position + 1) if text[position] == "," else position


def _end(text: str, start: int) -> int:
    _, end = _DECODER.raw_decode(text, start)
    return end


def _skip(text: str, position: int) -> int:
    if text[position : position + 1] > " ":
        return position  # the usual case
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


# Python's decoder accepts NaN, which is not JSON, and refuses integers of more than
# 4300 digits, which are.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_int=float, parse_constant=_refuse)
