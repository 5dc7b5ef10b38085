"""How much a concept matters, and how that fades. It is never forgotten by fading."""

from __future__ import annotations

from math import inf, log10

from festinger import _fast

DAY = 86_400.0
HALF_LIFE_DAYS = 30.0


def saliency(encounters: int, *, dictionary: bool) -> float:
    """log10 of the encounters; 0 for ever for words of the dictionary (B4)."""
    return 0.0 if dictionary or encounters < 1 else log10(encounters)


def importance(row: _fast.Row, now: float) -> float:
    """What orders concepts within a block (D4), ≥ 0.

    It halves with every 30 days in which the concept was not met.
    """
    days = max(0.0, now - row.last_seen) / DAY if row.last_seen else inf
    return float(max(row.saliency, row.novelty) * 0.5 ** (days / HALF_LIFE_DAYS))


def weight(edge: _fast.Edge, now: float) -> float:
    """What orders the edges of a concept (D4): confidence × recency, in [0.0, 1.0]."""
    days = max(0.0, now - edge.last_confirmed) / DAY
    return float(edge.confidence * 0.5 ** (days / HALF_LIFE_DAYS))
