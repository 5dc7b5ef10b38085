"""Reading of files of unknown origin, with bounds on everything that is held at once."""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from festinger.cli.memories.formats.packed import members_of, opened
from festinger.errors import UnreadableFile

LINE_BYTES_MAX: Final = 32 * 2**20
"""Maximum size of a line."""
ELEMENT_CHARACTERS_MAX: Final = 128 * 2**20
"""Maximum size of an element of a JSON array, such as a conversation."""
START_BYTES: Final = 4096  # enough for a table's header
LINES: Final = (".jsonl", ".ndjson")
"""Suffixes of files with an object a line."""
_CHUNK: Final = 2**20
_DECODER: Final = json.JSONDecoder()
_BLANK: Final = " \t\r\n"
JsonObject = dict[str, Any]


@dataclass(eq=False)
class ImportSource:
    """A file, or the conversations in an archive.

    Args:
        progress: Called with the number of bytes that were read.
    """

    path: Path
    progress: Callable[[int], None] = lambda read: None
    _member: str = field(default="", init=False)

    def start(self) -> str:
        """Return the first characters of a file; empty for an archive."""
        if members_of(self.path) != ("",):
            return ""
        with self._open() as file:
            # A byte order mark.
            return file.read(START_BYTES).decode("utf-8", "replace").lstrip("\ufeff")

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield lines that are not blank, with places; or raise `UnreadableFile`."""
        with self._open() as file:
            number = done = 0
            # One more than allowed, to tell a line of the maximum from a longer one.
            while line := file.readline(LINE_BYTES_MAX + 1):
                number += 1
                done += len(line)
                place = f"line {number}"
                if len(line) > LINE_BYTES_MAX:
                    raise self.unreadable(
                        place, f"it is longer than {LINE_BYTES_MAX >> 20} MB"
                    )
                self.progress(done)
                try:
                    # Each line may begin with a mark if files were joined.
                    text = line.decode().strip("\ufeff\r\n")
                except UnicodeDecodeError:
                    raise self.not_utf8(place) from None
                if text.strip():
                    yield place, text

    def objects(self) -> Iterator[tuple[str, JsonObject]]:
        """Yield the JSON objects of a file, each with its place.

        A file has an object a line, an array of objects, or one object; an archive has
        such files.

        Raises:
            UnreadableFile: It has none of these forms, or is cut off.
        """
        for member in members_of(self.path):
            self._member, of = member, f"{member}, " if member else ""
            # Each file of an archive may be of another form.
            if self._is_by_line():
                for place, line in self.lines():
                    parsed = _parsed(line, place, self)
                    yield f"{of}{place}", self._object(parsed, place)
            else:
                for place, found in self._elements():
                    yield f"{of}{place}", found

    def unreadable(self, place: str, why: str) -> UnreadableFile:
        """Return the error for a place in the file."""
        member = f", {self._member}" if self._member else ""
        return UnreadableFile(f"{self.path}{member}, {place}: {why}")

    def _open(self) -> AbstractContextManager[IO[bytes]]:
        return opened(self.path, self._member)

    def not_utf8(self, place: str) -> UnreadableFile:
        """Return the error for a place that is in another encoding."""
        return self.unreadable(
            place, "it is not in UTF-8; convert it with `iconv -t UTF-8`"
        )

    def _object(self, value: Any, place: str) -> JsonObject:
        if isinstance(value, list) and value:
            # A conversation may be the list of its messages.
            return {"messages": value}
        if not isinstance(value, dict):
            raise self.unreadable(place, "it is no JSON object")
        return value

    def _is_by_line(self) -> bool:
        """Return whether the first line is an object, and not all of the file."""
        if unpacked_suffix(self.path) in LINES:
            return True
        with self._open() as file:
            first = file.readline(_CHUNK).strip(b"\xef\xbb\xbf \t\r\n")
            second = file.readline(_CHUNK).strip()
        # Pretty-printed JSON begins with a line `{`, or has no second object.
        return first.startswith(b"{") and first.endswith(b"}") and second[:1] == b"{"

    def _elements(self) -> Iterator[tuple[str, JsonObject]]:
        """Yield the elements of an array one by one, or the only object."""
        with self._open() as file:
            buffer = _TextBuffer(self, file)
            # Anything but an array: one value, and nothing behind it.
            if buffer.next() != "[":
                value = buffer.value("character 1")
                if buffer.next():
                    raise self.unreadable(buffer.place, "there is more after the JSON")
                yield "the only object", self._object(value, "the beginning")
                return
            buffer.skip()
            number = 0
            while buffer.next() != "]":
                number += 1
                place = f"element {number}"
                if number > 1:
                    if buffer.next() != ",":
                        raise self.unreadable(place, "a comma or ] should stand there")
                    buffer.skip()
                yield place, self._object(buffer.value(place), place)


def unpacked_suffix(path: Path) -> str:
    """Return the suffix that a file would have if it were not packed by zstd."""
    name = path.name.lower()
    return Path(name.removesuffix(".zst")).suffix


class _TextBuffer:
    """The text of a file, of which only what is being parsed is held."""

    def __init__(self, source: ImportSource, file: IO[bytes]) -> None:
        self._source = source
        self._file = file
        self._text = ""
        self._at = 0
        self._done = 0
        # A character may be cut in two by the end of a chunk.
        self._decoder = getincrementaldecoder("utf-8")()

    @property
    def place(self) -> str:
        """The place of the last read."""
        return f"byte {self._done}"

    def next(self) -> str:
        """Return the next character that is not blank; empty at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _BLANK + "\ufeff":
                    return self._text[self._at]
                self._at += 1
            if not self._fill():
                return ""

    def skip(self) -> None:
        """Skip that character."""
        self._at += 1

    def value(self, place: str) -> Any:
        """Return the JSON value that comes next."""
        self.next()
        while True:
            try:
                # Fails while the value is not complete; then more is read, and it is tried again.
                value, self._at = _DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                raise self._source.unreadable(
                    place, "it is nested too deeply"
                ) from None
            except ValueError as error:
                # A broken value would otherwise be read to the end of the file.
                if len(self._text) - self._at > ELEMENT_CHARACTERS_MAX:
                    why = f"it is larger than {ELEMENT_CHARACTERS_MAX >> 20} MB"
                    raise self._source.unreadable(place, why) from None
                # Doubles what is held: in fixed steps a long value would be parsed many times.
                if not self._fill(len(self._text) - self._at):
                    raise self._source.unreadable(
                        place, f"the JSON is wrong or cut off: {error}"
                    ) from None
            else:
                return value

    def _fill(self, size: int = 0) -> bool:
        """Read on, at least as much as is held, so that no text is parsed often."""
        data = self._file.read(max(_CHUNK, size))
        if not data:
            return False
        self._done += len(data)
        self._source.progress(self._done)
        try:
            text = self._decoder.decode(data)
        except UnicodeDecodeError:
            raise self._source.not_utf8(self.place) from None
        # What was parsed is dropped.
        self._text, self._at = self._text[self._at :] + text, 0
        return True


def _parsed(line: str, place: str, source: ImportSource) -> Any:
    try:
        return json.loads(line)
    except RecursionError:
        raise source.unreadable(place, "it is nested too deeply") from None
    except ValueError as error:
        raise source.unreadable(
            place, f"the JSON is wrong or cut off: {error}"
        ) from None
