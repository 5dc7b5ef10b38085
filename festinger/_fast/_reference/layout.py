"""Messages of protobuf read by a layout, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

FIELDS_MAX = 16
INT32_MAX = 2**31 - 1
_TAGS = 128
_WIRE_TYPE, _WIRE_VARINT, _WIRE_BYTES = 7, 0, 2
_NOTHING: Final = {"number": 0, "text": "", "data": b""}

Kind: TypeAlias = Literal["number", "text", "data"]


class _Odd(Exception):
    """It is not read here."""


class Layout:
    """Where the fields of a message are, and what they are.

    Args:
        fields: A tag each, of one byte, and "number", "text", "data", or the layout of
            messages, of which there may be any number.
    """

    def __init__(self, fields: Sequence[tuple[int, Kind | Layout]]) -> None:
        """Take over the fields."""
        if len(fields) > FIELDS_MAX:
            raise ValueError(f"{len(fields)} fields; at most {FIELDS_MAX} can be read")
        for tag, kind in fields:
            wanted = _WIRE_VARINT if kind == "number" else _WIRE_BYTES
            if not 0 <= tag < _TAGS or tag & _WIRE_TYPE != wanted:
                raise ValueError(f"{tag} is no tag of {kind}")
        self._kinds = [kind for _, kind in fields]
        self._places = {tag: place for place, (tag, _) in enumerate(fields)}

    def read(self, data: bytes) -> tuple[Any, ...] | None:
        """Read a message.

        Returns:
            The fields in the order of the layout: 0, "", b"" or [] for what is not
            there. None if there is more in it, or anything odd: it may be a message
            all the same.
        """
        try:
            return self._read(data)
        except (_Odd, UnicodeDecodeError):
            return None

    def _read(self, data: bytes) -> tuple[Any, ...]:
        values: list[Any] = [
            [] if isinstance(kind, Layout) else _NOTHING[kind] for kind in self._kinds
        ]
        at = 0
        while at < len(data):
            place = self._places.get(data[at])
            if place is None:
                raise _Odd
            number, at = _number(data, at + 1)
            kind = self._kinds[place]
            if kind == "number":
                values[place] = number
                continue
            if at + number > len(data):
                raise _Odd
            field, at = data[at : at + number], at + number
            if isinstance(kind, Layout):
                values[place].append(kind._read(field))
            else:
                values[place] = field.decode() if kind == "text" else field
        return tuple(values)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A varint of 31 bits, and the place behind it."""
    number = 0
    for shift in range(0, 35, 7):
        if at == len(data):
            raise _Odd
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            if number > INT32_MAX:
                raise _Odd
            return number, at
    raise _Odd
