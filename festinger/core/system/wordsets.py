"""Sets and lists of words, written as text."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text: a list with a word on each line hides the code."""
    return frozenset(words.split())


def word_list(words: str) -> tuple[str, ...]:
    """Return the words of a text in their order."""
    return tuple(words.split())


def phrase_list(phrases: str) -> tuple[str, ...]:
    """Return the phrases of a text with commas between them, in their order."""
    return tuple(" ".join(phrase.split()) for phrase in phrases.split(","))


def phrase_set(phrases: str) -> frozenset[str]:
    """Return the phrases of a text with commas between them."""
    return frozenset(phrase_list(phrases))
