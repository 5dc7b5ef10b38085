"""Weights of a query's terms by their rarity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log

from festinger import _fast


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
        wanted: Terms with their weights.
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
