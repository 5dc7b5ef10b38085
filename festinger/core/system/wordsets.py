"""Sets of words, written as text."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text: a list with a word on each line hides the code."""
    return frozenset(words.split())
