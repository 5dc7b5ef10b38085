"""Votes on lines: whom they helped, and which ones are not told any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

WEIGHT: Final = 0.7
"""Exponent by which votes raise the odds of a line: one vote times 1.6, three times 2.6.

More than a matching word is worth, and less than the project or the subject of the
prompt: praise for one prompt says little of another.
"""


@dataclass(frozen=True, slots=True)
class LineVotes:
    """Feedback on the lines of a memory.

    Attributes:
        helped: How many people a line has helped, by its name.
        wrong: Names of lines that are not told, since somebody says that they are wrong.
    """

    helped: Mapping[str, int]
    wrong: frozenset[str]

    def __bool__(self) -> bool:
        # False lets callers skip the lookups; most memories have no votes.
        return bool(self.helped or self.wrong)


NO_VOTES: Final = LineVotes({}, frozenset())


def raised(probability: float, helped: int) -> float:
    """Return the probability that a line helps, given how many people it has helped."""
    factor = (1.0 + helped) ** WEIGHT
    # Odds are multiplied, so that a probability stays below 1 however many vote.
    return float(probability * factor / (1.0 - probability + probability * factor))
