"""Pick the statements and memories that are told because they fit a prompt.

What a block tells of salient concepts is none of this: that keeps its place whatever the
prompt is about. Nothing is told twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from festinger import _fast
from festinger.core.lines.index import IndexedLine
from festinger.core.recollection.choosing import (
    CHARACTERS_A_TOKEN,
    ChosenLine,
    Rejected,
)
from festinger.core.recollection.scoring import Scored
from festinger.core.recollection.weighing import Weighing

FACTS_MAX: Final = 4
"""Lines of statements and memories that are chosen by relevance."""

Wording = Callable[[IndexedLine], "_fast.Line | str"]
"""Returns what tells of a statement or memory; or why nothing does, in one word."""


def untold(line: IndexedLine) -> str:
    """Return why a fact is not told where nobody can word it."""
    return "unworded"


def choose_facts(
    scored: Sequence[Scored],
    worded: Wording,
    weighing: Weighing,
    *,
    tokens: int,
    withheld: Callable[[IndexedLine], str],
) -> tuple[list[tuple[ChosenLine, _fast.Line]], list[Rejected]]:
    """Return the facts that are told with their lines, the likeliest first; and the others.

    Args:
        scored: Lines of any kind, the likeliest first; only facts are looked at.
        worded: Words a fact.
        weighing: How likely a line must help; the best one's share is of whatever kind.
        tokens: What all of it may take.
        withheld: Says why a line must not be told; empty if it may.
    """
    chosen: list[tuple[ChosenLine, _fast.Line]] = []
    rejected: list[Rejected] = []
    concepts: set[str] = set()
    left = tokens * CHARACTERS_A_TOKEN
    threshold = weighing.least
    if scored:
        threshold = max(threshold, weighing.share * scored[0].probability)
    for each in scored:
        if not each.line.is_fact:
            continue
        # What costs most is asked last.
        if each.probability < threshold:
            rejected.append(Rejected(each, "unlikely"))
        elif isinstance(told := worded(each.line), str):
            rejected.append(Rejected(each, told))
        elif told.concept in concepts:
            rejected.append(Rejected(each, "told"))
        elif why := withheld(each.line):
            rejected.append(Rejected(each, why))
        elif len(chosen) == FACTS_MAX or len(told.text) + 1 > left:
            rejected.append(Rejected(each, "full"))
        else:
            left -= len(told.text) + 1
            concepts.add(told.concept)
            chosen.append((ChosenLine([each.line], each), told))
    return chosen, rejected
