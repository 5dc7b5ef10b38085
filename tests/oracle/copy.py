"""Postgres' binary COPY format, read row by row.

A stream is a signature, a header, rows of length-prefixed fields and a trailer, all
big endian. It is read in parts, which may be cut anywhere.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from typing import Final

from festinger._fast.values import INT64_MAX

_SIGNATURE: Final = b"PGCOPY\n\xff\r\n\0"
_FORMATS: Final = {
    "int2": ">h",
    "int8": ">q",
    "float8": ">d",
    "timestamptz": ">q",
    "bool": ">?",
}
_FIELD_BYTES_MAX: Final = 65535
"""Maximum length of a field; a longer one is an error, and is not waited for."""

Value = int | float | bool | str | None


class _Incomplete(Exception):
    """Raised if more of the stream is needed."""


class CopyStream:
    """Parser of a stream with known column types, which is fed in parts.

    Args:
        columns: The type of each column: int2, int8, float8, timestamptz (which becomes
            seconds since the epoch), bool or text.
        nullable: Indexes of the columns that may be NULL.

    Attributes:
        ended: Whether the trailer was read.
    """

    def __init__(self, columns: Sequence[str], *, nullable: Sequence[int] = ()) -> None:
        """Create a parser for a new stream."""
        self.ended = False
        self._columns = columns
        self._nullable = nullable
        self._begun = False
        self._data = b""
        self._before = 0

    def feed(self, part: bytes) -> Iterator[tuple[Value, ...]]:
        """Parse a part of the stream, and yield the rows that are complete.

        Raises:
            ValueError: The stream is invalid; the message names the error and the
                byte.
        """
        self._data += part
        at = 0
        try:
            if not self._begun:
                at = self._header()
                self._begun = True
            while not self.ended:
                row, at = self._row(at)
                if row is not None:
                    yield row
        except _Incomplete:
            pass
        self._data = self._data[at:]
        self._before += at
        if self.ended and self._data:
            raise ValueError(f"data after the trailer, at byte {self._before}")

    def close(self) -> None:
        """Check that the stream was fed completely.

        Raises:
            ValueError: It was not.
        """
        end = self._before + len(self._data)
        if not self._begun and end < len(_SIGNATURE):
            raise ValueError("no PGCOPY signature, at byte 0")
        if not self.ended:
            raise ValueError(f"the stream ends too early, at byte {end}")

    def _header(self) -> int:
        start = len(_SIGNATURE) + 8
        if self._data[: len(_SIGNATURE)] != _SIGNATURE[: len(self._data)]:
            raise ValueError("no PGCOPY signature, at byte 0")
        flags, extension = self._unpack(">ii", len(_SIGNATURE))
        if flags:
            raise ValueError(f"unknown flags {flags:#x}, at byte {len(_SIGNATURE)}")
        if not 0 <= extension <= _FIELD_BYTES_MAX:
            raise ValueError(
                f"header extension of {extension} bytes, at byte {start - 4}"
            )
        if start + extension > len(self._data):
            raise _Incomplete
        return start + extension

    def _row(self, start: int) -> tuple[tuple[Value, ...] | None, int]:
        """Return the row at an offset and its end; the row is None for the trailer."""
        (count,) = self._unpack(">h", start)
        if count == -1:
            self.ended = True
            return None, start + 2
        if count != len(self._columns):
            raise ValueError(
                f"{count} columns instead of {len(self._columns)}, "
                f"at byte {self._before + start}"
            )
        places = []
        at = start + 2
        for _ in self._columns:
            (length,) = self._unpack(">i", at)
            at += 4
            places.append((at, length))
            if not -1 <= length <= _FIELD_BYTES_MAX:
                break
            at += max(length, 0)
        if at > len(self._data):
            raise _Incomplete
        return tuple(map(self._value, range(len(places)), places)), at

    def _value(self, index: int, place: tuple[int, int]) -> Value:
        at, length = place
        column = self._columns[index]
        number = self._before + at - 4
        if length == -1:
            if index not in self._nullable:
                raise ValueError(f"NULL in column {index + 1}, at byte {number}")
            return None
        if not 0 <= length <= _FIELD_BYTES_MAX:
            raise ValueError(f"a field of {length} bytes, at byte {number}")
        if column == "text":
            try:
                return self._data[at : at + length].decode()
            except UnicodeDecodeError:
                raise ValueError(
                    f"text that is not UTF-8, at byte {number + 4}"
                ) from None
        form = _FORMATS[column]
        if length != struct.calcsize(form):
            raise ValueError(f"{column} of {length} bytes, at byte {number}")
        value: Value = struct.unpack_from(form, self._data, at)[0]
        return _seconds(value) if column == "timestamptz" else value

    def _unpack(self, form: str, at: int) -> tuple[int, ...]:
        if at + struct.calcsize(form) > len(self._data):
            raise _Incomplete
        return struct.unpack_from(form, self._data, at)


def _seconds(given: Value) -> float:
    assert isinstance(given, int)
    if given in (INT64_MAX, -INT64_MAX - 1):
        return math.copysign(math.inf, given)
    # Postgres counts microseconds, from the year 2000.
    return (float(given) + 946684800000000.0) / 1e6
