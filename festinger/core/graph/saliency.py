"""How much a concept matters, and how that fades. It is never forgotten by fading."""

from __future__ import annotations

from math import log10

DAY = 86_400.0
HALF_LIFE = 30 * DAY
"""Seconds in which half of what a concept or an edge weighs is lost (D4)."""


def saliency(encounters: int, *, dictionary: bool) -> float:
    """log10 of the encounters; 0 for ever for words of the dictionary (B4)."""
    return 0.0 if dictionary or encounters < 1 else log10(encounters)
