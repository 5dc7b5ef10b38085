"""Parts of texts that neither begin nor end within a word."""

from __future__ import annotations

WORD_CHARACTERS_MAX = 64
"""What has no blank for longer is cut anywhere: it is no word, or has no blanks at all."""


def head(text: str, size: int) -> str:
    """As much of a text as there is room for."""
    return text[: end_within(text, 0, size)]


def end_within(text: str, first: int, last: int) -> int:
    """Where a part ends that goes on to `last` at most, behind its last whole word.

    Args:
        first: The part holds the text up to here, whatever follows.
    """
    if last >= len(text):
        return len(text)
    at = last
    if not text[at].isspace():
        at = _back(text, max(first, last - WORD_CHARACTERS_MAX), last)
    while at > first and text[at - 1].isspace():
        at -= 1
    return at if at > first else last


def begin_within(text: str, first: int, last: int) -> int:
    """Where a part begins that goes back to `first` at most, before a whole word.

    Args:
        last: The part holds the text from here, whatever stands before.
    """
    if first <= 0 or text[first - 1].isspace():
        return max(first, 0)
    stop = min(last, first + WORD_CHARACTERS_MAX)
    at = next((at for at in range(first, stop) if text[at].isspace()), first)
    while at < last and text[at].isspace():
        at += 1
    return at


def _back(text: str, first: int, last: int) -> int:
    """The place behind the last blank between two places; `last` if there is none."""
    return next((at for at in range(last, first, -1) if text[at - 1].isspace()), last)
