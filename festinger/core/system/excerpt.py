"""Texts as they are shown: excerpts that end with a word, lines, and tags of the block."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

WORD_CHARACTERS_MAX = 64
"""Maximum length of a word; a longer run without blanks may be cut anywhere."""
OPENING: Final = "<recollection>"
CLOSING: Final = "</recollection>"


def head(text: str, size: int) -> str:
    """Return the beginning of a text, at most `size` characters long."""
    return text[: end_within(text, 0, size)]


def end_within(text: str, first: int, last: int) -> int:
    """Return the end of an excerpt: behind the last whole word before `last`."""
    if last >= len(text):
        return len(text)
    at = last
    # `last` is within a word, or right behind one.
    if not text[at].isspace():
        at = _back(text, max(first, last - WORD_CHARACTERS_MAX), last)
    while at > first and text[at - 1].isspace():
        at -= 1
    # There is no blank near: a URL, or a script without spaces.
    return at if at > first else last


def begin_within(text: str, first: int, last: int) -> int:
    """Return the begin of an excerpt: before the first whole word behind `first`."""
    if first <= 0 or text[first - 1].isspace():
        return max(first, 0)
    stop = min(last, first + WORD_CHARACTERS_MAX)
    # The rest of the word that `first` is in is left out, unless it is too long.
    at = next((at for at in range(first, stop) if text[at].isspace()), first)
    while at < last and text[at].isspace():
        at += 1
    return at


def _back(text: str, first: int, last: int) -> int:
    """Return the offset behind the last blank in a range; `last` if there is none."""
    return next((at for at in range(last, first, -1) if text[at - 1].isspace()), last)


def printable(text: str) -> str:
    """Return a text on one line, with spaces instead of unprintable characters."""
    # Line ends and escape sequences would let a text forge other lines of a terminal or log.
    return "".join(each if each.isprintable() else " " for each in text)


def done_by(done: str, by: str, at: float | None) -> str:
    """Return who decided what and when: `was accepted by bob on 2026-11-26 21:05 UTC`.

    Args:
        at: Seconds since the epoch; None if it is unknown.
    """
    if at is None:
        return f"was {done} by {by}"
    return f"was {done} by {by} on {datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"
