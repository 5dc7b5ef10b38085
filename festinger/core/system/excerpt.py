"""Excerpts of texts that neither begin nor end within a word."""

from __future__ import annotations

WORD_CHARACTERS_MAX = 64
"""Maximum length of a word; a longer run without blanks may be cut anywhere."""


def head(text: str, size: int) -> str:
    """Return the beginning of a text, at most `size` characters long."""
    return text[: end_within(text, 0, size)]


def end_within(text: str, first: int, last: int) -> int:
    """Return the end of an excerpt: behind the last whole word before `last`.

    Args:
        first: Minimum end of the excerpt.
        last: Maximum end of the excerpt.
    """
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
    """Return the begin of an excerpt: before the first whole word behind `first`.

    Args:
        first: Minimum begin of the excerpt.
        last: Maximum begin of the excerpt.
    """
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
