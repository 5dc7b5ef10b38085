"""Read successions told in two clauses: `lena stepped down, our treasurer is omar`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clausereading import ClauseReading
from festinger.core.language.clauses import ClauseWord
from festinger.core.language.literals import LiteralKind
from festinger.core.language.phrases import value_phrase
from festinger.core.language.verbforms import ATTRIBUTES, POSTS, ValueShape

_LEFT: Final = frozenset(
    (tuple(phrase.split()))
    for phrase in (
        "is out",
        "is gone",
        "is dead",
        "is history",
        "is leaving",
        "has left",
        "left",
        "left us",
        "quit",
        "resigned",
        "retired",
        "stepped down",
        "has stepped down",
        "moved on",
    )
)
"""Ends of a clause that says that somebody or something is there no longer."""
_LAST: Final = frozenset(phrase[-1] for phrase in _LEFT)


def gone_before(words: Sequence[ClauseWord]) -> str:
    """Return who or what a clause says is there no longer; empty for other clauses."""
    # Tested first, since it rules out nearly every clause.
    if words[-1].small not in _LAST and words[0].small != "no":
        return ""
    # "Since Ahmed left, checkout is mine."
    if words[0].small in ("since", "after", "as"):
        words = words[1:]
    small = tuple(word.small for word in words)
    # "No more redis, we use valkey."
    if small[:2] == ("no", "more"):
        name = words[2:]
    else:
        size = next((it for it in (3, 2, 1) if small[-it:] in _LEFT), 0)
        name = words[: len(words) - size] if size else ()
    # "Dr Hale retired", but not "the old trouble is gone": a name is needed to be replaced.
    value = value_phrase(name, ValueShape.PROPER) if name else None
    return value.text if value and value.kind is LiteralKind.NONE else ""


def follows(reading: ClauseReading) -> bool:
    """Return whether a statement may name the successor of what is gone."""
    # Only posts, owners and what a group uses have successors: "standup is gone, lunch is
    # at 12" replaces nothing.
    post = ATTRIBUTES.get(reading.subject.attribute, ValueShape(0)) & POSTS
    is_used = reading.predicate == "uses" and reading.subject.text == "we"
    is_held = bool(post) or reading.predicate == "owned by"
    return (is_used or is_held) and not reading.negated and not reading.old_value
