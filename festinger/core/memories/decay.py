"""Decay of a memory's confidence: it halves in each window of its type (G4).

Decay only affects which memories are told; the stored confidence does not change.
"""

from __future__ import annotations

from festinger.core.graph.values.dates import DAY

TOLD_MIN = 0.3
"""A memory with less confidence left is not told until it is confirmed again."""


def effective(
    confidence: float, confirmed_at: float, now: float, window: float | None
) -> float:
    """Return the confidence that is left after decay.

    Args:
        confidence: The confidence when the memory was last confirmed.
        confirmed_at: When that was, in seconds since the epoch.
        window: Half-life in days; None for no decay.
    """
    if window is None:
        return confidence
    # A clock that was set back must not raise the confidence.
    age: float = max(0.0, now - confirmed_at) / DAY
    faded: float = confidence * 0.5 ** (age / window)
    return faded
