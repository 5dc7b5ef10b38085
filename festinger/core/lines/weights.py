"""Weights of a query's terms by their rarity, and of lines by feedback (`LineVotes`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from festinger import _fast

WEIGHT: Final = 0.7
"""Exponent by which votes raise the odds of a line: one vote times 1.6, three times 2.6.

More than a matching word is worth, and less than the project or the subject of the
prompt: praise for one prompt says little of another.
"""


def inverse_frequency(having: float, size: int) -> float:
    """Return the inverse document frequency of a term (BM25).

    Args:
        having: Number of lines with the term, which may be fractional.
        size: Number of lines.
    """
    # Plus 1, so that a word of more than half of the lines weighs little, not below 0.
    return log(1 + (size - having + 0.5) / (having + 0.5))


def reweighed(
    postings: _fast.Postings,
    wanted: Sequence[tuple[str, float]],
    rarity: Callable[[str], float],
) -> list[tuple[str, float]]:
    """Return terms with weights such that their rarity among other lines counts.

    Args:
        postings: Postings that are to be searched, which multiply the weight of a term
            by its rarity among themselves.
        rarity: Function that returns the rarity that is to count instead.
    """
    size, weights = postings.open, []
    for term, weight in wanted:
        # The weight of a term that no line has is not used.
        # The postings multiply by the rarity among themselves: it is divided out.
        if having := postings.frequency(term):
            weight *= rarity(term) / inverse_frequency(having, size)
        weights.append((term, weight))
    return weights


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
