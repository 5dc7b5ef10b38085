"""Binary COPY streams, written as Postgres writes them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
TRAILER = struct.pack(">h", -1)

CONCEPT_COLUMNS = ("int8", "text", "int8", "float8", "float8", "bool")
EDGE_COLUMNS = (
    *("int8",) * 3,
    *("bool", "float8", "float8", "int2", "int2", "int8", "bool"),
)

# What a loader takes.
WORD_COLUMNS = ("int8", "text", "float8", "bool")
ENCOUNTER_COLUMNS = ("int8", "int8", "timestamptz")
STAMPED_COLUMNS = (*EDGE_COLUMNS[:5], "timestamptz", *EDGE_COLUMNS[6:])

_FORMATS = {
    "int2": ">h",
    "int8": ">q",
    "float8": ">d",
    "timestamptz": ">q",
    "bool": ">?",
}


def field(column: str, value: object) -> bytes:
    """Return one field with its length."""
    if value is None:
        return struct.pack(">i", -1)
    if column == "text":
        assert isinstance(value, str)
        data = value.encode()
    else:
        data = struct.pack(_FORMATS[column], value)
    return struct.pack(">i", len(data)) + data


def row(columns: Sequence[str], values: Sequence[object]) -> bytes:
    """Return one row."""
    fields = (field(c, v) for c, v in zip(columns, values, strict=True))
    return struct.pack(">h", len(columns)) + b"".join(fields)


def stream(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return a whole stream."""
    return HEADER + b"".join(row(columns, values) for values in rows) + TRAILER
