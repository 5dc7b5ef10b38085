"""How a memory fades: by half in each window of its type, and only in being told (G4)."""

from __future__ import annotations

from festinger.core.graph.saliency import DAY

TOLD_MIN = 0.3
"""Below it a memory is not told until it is confirmed again."""


def effective(
    confidence: float, confirmed_at: float, now: float, window: float | None
) -> float:
    """What is left of a confidence.

    Args:
        confirmed_at: When it was last confirmed, in seconds since the epoch.
        window: Days in which half of it is lost; None if it does not fade.
    """
    if window is None:
        return confidence
    # A clock that was put back makes nobody surer.
    age: float = max(0.0, now - confirmed_at) / DAY
    faded: float = confidence * 0.5 ** (age / window)
    return faded
