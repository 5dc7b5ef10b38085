"""Decoding of a document's bytes, or the reason why they are not text."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

BYTES_MAX = 2 * 1024 * 1024
"""A larger document is refused: it was not written by hand."""
UNDECODABLE_MAX = 0.02
"""Maximum share of undecodable characters. In German text in Latin-1 it is about one in
a hundred, in a picture every second one."""
CONTROLS_MAX = 0.01
"""Maximum share of control characters in a text."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # The longer ones first: they begin like the others.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_REPLACED = "\ufffd"


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text of a document, without its byte order mark.

    Attributes:
        replaced: Number of undecodable characters, each replaced by U+FFFD.
    """

    text: str
    encoding: str
    replaced: int = 0


@dataclass(frozen=True, slots=True)
class NotText:
    """Reason why bytes are not accepted as text."""

    reason: str


def decode(data: bytes, *, limit: int = BYTES_MAX) -> DecodedText | NotText:
    """Decode bytes as UTF-8, or in the encoding of their byte order mark."""
    if len(data) > limit:
        return NotText(f"it is too large: {len(data)} bytes, at most {limit} are read")
    mark, encoding = next(
        ((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8")
    )
    # Replaced, not refused: a stray character of Latin-1 must not lose a document.
    text = data[len(mark) :].decode(encoding, errors="replace")
    # Postgres cannot store NUL, and text has none.
    if (at := text.find("\0")) != -1:
        return NotText(f"it is binary: character {at} is a NUL")
    # U+FFFD characters of the document itself are no decoding errors.
    replaced = text.count(_REPLACED) - data.count(_REPLACED.encode(encoding))
    replaced = max(0, replaced)
    if replaced > UNDECODABLE_MAX * len(text):
        return NotText(f"it is not {encoding}: {replaced} characters cannot be read")
    # Escape sequences of terminals are allowed; other control characters show binary data.
    controls = len(_CONTROL.findall(text))
    if controls > CONTROLS_MAX * len(text):
        return NotText(f"it is binary: it has {controls} control characters")
    return DecodedText(text, encoding, replaced)
