"""Choose the statements and memories that are recalled because they fit a prompt.

Lines about salient concepts are not among them: these are recalled independently of the
topic of the prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from festinger import _fast
from festinger.core.lines.line import IndexedLine
from festinger.core.recollection.choosing import (
    CHARACTERS_A_TOKEN,
    ChosenLine,
    RejectedLine,
)
from festinger.core.recollection.scoring import ScoredLine
from festinger.core.recollection.weighing import RelevanceWeights

FACTS_MAX: Final = 4
"""Maximum number of statements and memories that are chosen by relevance."""

Wording = Callable[[IndexedLine], "_fast.Line | str"]
"""Renders a statement or memory, or returns a one-word reason not to recall it."""


def untold(line: IndexedLine) -> str:
    """Return the reason of rejection where there is no renderer for facts."""
    return "unworded"


def choose_facts(
    scored: Sequence[ScoredLine],
    worded: Wording,
    weighing: RelevanceWeights,
    *,
    tokens: int,
    withheld: Callable[[IndexedLine], str],
) -> tuple[list[tuple[ChosenLine, _fast.Line]], list[RejectedLine]]:
    """Return the recalled facts with their lines, likeliest first; and the others.

    Args:
        scored: Lines of any kind, likeliest first; lines that are not facts are
            skipped.
        weighing: Thresholds; the relative one refers to the best line of any kind.
        tokens: Token budget of all facts.
        withheld: Returns the reason why a line must not be recalled; empty if it may.
    """
    chosen: list[tuple[ChosenLine, _fast.Line]] = []
    rejected: list[RejectedLine] = []
    concepts: set[str] = set()
    left = tokens * CHARACTERS_A_TOKEN
    # Relative to the best line of any kind, so that a weak fact does not join a good quote.
    threshold = weighing.least_beside(scored[0].probability if scored else 0.0)
    for each in scored:
        if not each.line.is_fact:
            continue
        # The most expensive checks come last.
        if each.probability < threshold:
            rejected.append(RejectedLine(each, "unlikely"))
        elif isinstance(told := worded(each.line), str):
            rejected.append(RejectedLine(each, told))
        # The line of a concept has all its facts: a second fact of it adds nothing.
        elif told.concept in concepts:
            rejected.append(RejectedLine(each, "told"))
        elif why := withheld(each.line):
            rejected.append(RejectedLine(each, why))
        # Plus 1 for the line break.
        elif len(chosen) == FACTS_MAX or len(told.text) + 1 > left:
            rejected.append(RejectedLine(each, "full"))
        else:
            left -= len(told.text) + 1
            concepts.add(told.concept)
            chosen.append((ChosenLine([each.line], each), told))
    return chosen, rejected
