"""Saliency of concepts and its decay. Decay never removes a concept."""

from __future__ import annotations

from math import log10

DAY = 86_400.0
HALF_LIFE = 30 * DAY
"""Seconds in which the weight of a concept or an edge halves (D4)."""


def saliency(encounters: int, *, dictionary: bool) -> float:
    """Return log10 of the encounters; always 0 for words of the dictionary (B4)."""
    return 0.0 if dictionary or encounters < 1 else log10(encounters)
