"""Postgres' binary COPY format, read row by row.

A stream is a signature, a header, rows of length-prefixed fields and a trailer, all
big endian. Everything is checked before the first row is used.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Final

_SIGNATURE: Final = b"PGCOPY\n\xff\r\n\0"
_FORMATS: Final = {"int2": ">h", "int8": ">q", "float8": ">d", "bool": ">?"}

Value = int | float | bool | str | None


def read_copy(
    data: bytes, columns: Sequence[str], *, nullable: Sequence[int] = ()
) -> list[tuple[Value, ...]]:
    """Parse a stream of known column types.

    Args:
        data: The whole stream.
        columns: The type of each column: int2, int8, float8, bool or text.
        nullable: Indexes of the columns that may be NULL.

    Raises:
        ValueError: The stream is not what it should be; the message names what and
            at which byte.
    """
    return list(_rows(data, columns, nullable))


def _rows(
    data: bytes, columns: Sequence[str], nullable: Sequence[int]
) -> Iterator[tuple[Value, ...]]:
    at = _after_header(data)
    while True:
        (count,) = _unpack(">h", data, at)
        if count == -1:
            if at + 2 != len(data):
                raise ValueError(f"data after the trailer, at byte {at + 2}")
            return
        if count != len(columns):
            raise ValueError(f"{count} columns instead of {len(columns)}, at byte {at}")
        at += 2
        row: list[Value] = []
        for index, column in enumerate(columns):
            (length,) = _unpack(">i", data, at)
            start, at = at + 4, at + 4 + max(length, 0)
            if length == -1:
                if index not in nullable:
                    raise ValueError(f"NULL in column {index + 1}, at byte {start - 4}")
                row.append(None)
                continue
            row.append(_value(data, start, length, column))
        yield tuple(row)


def _after_header(data: bytes) -> int:
    if not data.startswith(_SIGNATURE):
        raise ValueError("no PGCOPY signature, at byte 0")
    flags, extension = _unpack(">ii", data, len(_SIGNATURE))
    if flags:
        raise ValueError(f"unknown flags {flags:#x}, at byte {len(_SIGNATURE)}")
    start = len(_SIGNATURE) + 8
    if extension < 0 or start + extension > len(data):
        raise ValueError(f"header extension of {extension} bytes, at byte {start - 4}")
    return start + extension


def _unpack(form: str, data: bytes, at: int) -> tuple[int, ...]:
    if at + struct.calcsize(form) > len(data):
        raise ValueError(f"the stream ends too early, at byte {len(data)}")
    return struct.unpack_from(form, data, at)


def _value(data: bytes, start: int, length: int, column: str) -> Value:
    if length < 0 or start + length > len(data):
        raise ValueError(f"a field of {length} bytes, at byte {start - 4}")
    if column == "text":
        try:
            return data[start : start + length].decode()
        except UnicodeDecodeError:
            raise ValueError(f"text that is not UTF-8, at byte {start}") from None
    form = _FORMATS[column]
    if length != struct.calcsize(form):
        raise ValueError(f"{column} of {length} bytes, at byte {start - 4}")
    value: Value = struct.unpack_from(form, data, start)[0]
    return value
