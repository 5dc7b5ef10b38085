"""Writing of protobuf messages field by field."""

from __future__ import annotations

from collections.abc import Iterable
from struct import pack

from festinger._fast.values import INT64_MAX, Line, LineForm, digest_of


class Wire:
    """A message that is being written.

    A tag is a field's number and wire type, in one byte.
    """

    def __init__(self) -> None:
        """Create an empty message."""
        self._bytes = bytearray()

    def text(self, tag: int, text: str) -> int:
        """Add a string field, or one of a string enum; an empty string is left out."""
        return self.data(tag, text.encode()) if text else 0

    def data(self, tag: int, data: bytes) -> int:
        """Add a field of bytes or a message, even if it is empty."""
        self._bytes.append(tag)
        self._bytes += _varint(len(data)) + data
        return 0

    def digest(self, tag: int, text: str) -> int:
        """Add the digest of a line's text, as in `Line.digest`."""
        return self.data(tag, digest_of(text))

    def number(self, tag: int, value: int) -> int:
        """Add a 64-bit integer field; 0 is left out."""
        if not -INT64_MAX - 1 <= value <= INT64_MAX:
            raise OverflowError(f"{value} is no number of 64 bits")
        if value:
            self._bytes.append(tag)
            self._bytes += _varint(value & 2**64 - 1)
        return 0

    def double(self, tag: int, value: float) -> int:
        """Add a double field; 0.0 is left out."""
        if value != 0.0:
            self._bytes.append(tag)
            self._bytes += pack("<d", value)
        return 0

    def raw(self, data: bytes) -> int:
        """Add a field that is encoded already."""
        self._bytes += data
        return 0

    def lines(self, tag: int, form: LineForm, lines: Iterable[Line]) -> int:
        """Add a nested message for each line."""
        for line in lines:
            self.line(tag, form, line)
        return 0

    def line(self, tag: int, form: LineForm, line: Line) -> int:
        """Add a nested message for a line."""
        concept, text, digest, why, kinds = form
        begun = self.begin(tag)
        self.text(concept, line.concept)
        self.text(text, line.text)
        self.digest(digest, line.text)
        self.raw(kinds[line.kind.value])
        self.text(why, line.why)
        return self.end(begun)

    def begin(self, tag: int) -> int:
        """Begin a nested message.

        Returns:
            The argument for `end`.
        """
        self._bytes += bytes((tag, 0))
        return len(self._bytes)

    def end(self, begun: int) -> int:
        """End the nested message that was begun last and is not ended."""
        length = len(self._bytes) - begun
        if begun < 2 or length < 0:
            raise ValueError(f"no message was begun at {begun}")
        self._bytes[begun - 1 : begun] = _varint(length)
        return 0

    def message(self) -> bytes:
        """Return the bytes that were written."""
        return bytes(self._bytes)


def _varint(value: int) -> bytes:
    written = bytearray()
    while value >= 0x80:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)
