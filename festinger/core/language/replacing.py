"""Separate a value from the one that it replaces: `friday, not thursday`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clauses import ClauseWord, small_words, without_tails
from festinger.core.language.phrases import ValuePhrase, value_phrase
from festinger.core.language.verbforms import ValueShape

_INSTEAD: Final = (
    ("instead", "of"),
    ("rather", "than"),
    ("and", "not"),
    ("not",),
    ("no", "longer"),
)
"""Words between a value and the one that it replaces."""


_FORMERLY: Final = (
    ("it", "used", "to", "be"),  # the longer one first
    ("used", "to", "be"),
    ("it", "was"),
    ("was",),
    ("were",),
    ("formerly",),
    ("previously",),
)
"""First words of a clause that only describes the past: "…, was 900"."""


_INSTEAD_FIRST: Final = frozenset(joint[0] for joint in _INSTEAD)
REPLACING: Final = frozenset(joint[0] for joint in (*_INSTEAD, *_FORMERLY))
"""First words of clauses that name a replaced value."""


_ANY_LITERAL: Final = ValueShape.TIME | ValueShape.AMOUNT | ValueShape.VERSION


def split_replaced(words: Sequence[ClauseWord]) -> tuple[Sequence[ClauseWord], str]:
    """Return the words of a value, and the value that it replaces."""
    small = small_words(words)
    if _INSTEAD_FIRST.isdisjoint(small):
        return words, ""
    # From the second word on: a value must stand before the one that it replaces.
    for at in range(1, len(small)):
        for joint in _INSTEAD:
            if tuple(small[at : at + len(joint)]) == joint:
                old, _ = without_tails(words[at + len(joint) :])
                found = any_value(without_preposition(old))
                # "Friday now, not thursday": the tail stands between the two.
                kept, _ = without_tails(words[:at])
                return (kept, found.text) if found else (words, "")
    return words, ""


def replaced_by(words: Sequence[ClauseWord]) -> str:
    """Return the value in a clause such as "instead of sage"; empty for others."""
    if words[0].small not in REPLACING:
        return ""
    small = tuple(small_words(words))
    # "It was 900 before."
    if small[-1] == "before":
        words, small = words[:-1], small[:-1]
    for joint in (*_INSTEAD, *_FORMERLY):
        if small[: len(joint)] == joint and len(words) > len(joint):
            old, _ = without_tails(words[len(joint) :])
            found = any_value(without_preposition(old))
            return found.text if found else ""
    return ""


def any_value(words: Sequence[ClauseWord]) -> ValuePhrase | None:
    """Return words as a literal or a name; None if they are neither."""
    # The verb is not known here, so that any kind of value fits.
    every = _ANY_LITERAL | ValueShape.NAME | ValueShape.ADDRESS
    return value_phrase(words, every)


def without_preposition(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return words without a preposition before a value: "but on kubernetes"."""
    return words[1:] if words and words[0].small in ("on", "at", "in", "by") else words
