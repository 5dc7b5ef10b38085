"""Bytes as text, or the reason why they are none."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

BYTES_MAX = 2 * 1024 * 1024
"""A longer document is refused: nobody wrote it by hand."""
UNDECODABLE_MAX = 0.02
"""The share of characters that may be none. German text of Latin-1 has one in a
hundred, a picture every second one."""
CONTROLS_MAX = 0.01
"""The share of control characters that a text may have."""

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
class Decoded:
    """A document's text, without its byte order mark.

    Attributes:
        encoding: What it was read as.
        replaced: How many characters could not be read; U+FFFD stands for each.
    """

    text: str
    encoding: str
    replaced: int = 0


@dataclass(frozen=True, slots=True)
class NotText:
    """Why bytes are not taken for a text."""

    reason: str


def decode(data: bytes, *, limit: int = BYTES_MAX) -> Decoded | NotText:
    """Reads bytes as UTF-8, or as what their byte order mark says.

    Args:
        limit: How many bytes there may be.
    """
    if len(data) > limit:
        return NotText(f"it is too large: {len(data)} bytes, at most {limit} are read")
    mark, encoding = next(
        ((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8")
    )
    text = data[len(mark) :].decode(encoding, errors="replace")
    if (at := text.find("\0")) != -1:
        return NotText(f"it is binary: character {at} is a NUL")
    # What was in it before it was read is nobody's mistake.
    replaced = text.count(_REPLACED) - data.count(_REPLACED.encode(encoding))
    replaced = max(0, replaced)
    if replaced > UNDECODABLE_MAX * len(text):
        return NotText(f"it is not {encoding}: {replaced} characters cannot be read")
    controls = len(_CONTROL.findall(text))
    if controls > CONTROLS_MAX * len(text):
        return NotText(f"it is binary: it has {controls} control characters")
    return Decoded(text, encoding, replaced)
