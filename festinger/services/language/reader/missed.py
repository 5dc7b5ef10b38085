"""Find sentences of change from which a model read nothing, to ask it once more.

A fact that is missed is still told as it was said; a change that is missed leaves the old
value standing as true. Small models read a single sentence better than a batch of turns.
"""

from __future__ import annotations

from typing import Final

from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import terms
from festinger.core.lines.line import IndexedLine
from festinger.core.lines.turns import SpokenTurn, lines_of
from festinger.core.recollection.succession import EarlierLine, later_text
from festinger.core.recollection.weighing import shipped
from festinger.core.world.world import World

# Of 99 changes that a reader missed that errs a lot, these found 63, in a tenth of all turns.
CHANGING_FROM: Final = 0.02
"""Minimum probability that a sentence changes a held statement."""
STATEMENTS_MAX: Final = 6
"""Number of statements that a sentence is compared with."""
_UNCERTAIN: Final = SentenceMark.QUESTION | SentenceMark.REQUEST | SentenceMark.HEDGE


def missed_changes(world: World, turn: SpokenTurn) -> list[str]:
    """Return the sentences of a read turn that may change a held statement.

    Args:
        turn: The turn, in which sentences without a statement are marked.
    """
    return [line.content for line in lines_of(turn) if _may_change(world, line)]


def _may_change(world: World, line: IndexedLine) -> bool:
    """Return whether a sentence without a statement may change a held one."""
    marks = line.marks
    if (
        SentenceMark.UNSTATED not in marks
        or SentenceMark.CHANGE not in marks
        or marks & _UNCERTAIN
    ):
        return False
    wanted = [(term, 1.0) for term in dict.fromkeys(terms(line.content))]
    lines = world.lines
    for match in world.read.search(
        wanted, STATEMENTS_MAX, lines.said_rarity, line.project
    ):
        # What the same turn says agrees with itself.
        if match.line.digest == line.digest:
            continue
        earlier, later = EarlierLine(lines, match.line), later_text(line, match.line)
        if (
            earlier.may_change(later)
            and earlier.probability(later, shipped()) >= CHANGING_FROM
        ):
            return True
    return False
