"""How long background work that failed waits until it is tried again."""

from __future__ import annotations

ATTEMPTS_MAX = 8
"""After so many failures nobody tries again by itself."""
BACKOFF_SECONDS, BACKOFF_FACTOR, BACKOFF_SECONDS_MAX = 60.0, 4, 86_400.0
"""How long it waits after the first failure, how much longer after each, and at most."""


def backoff(attempts: int) -> float:
    """Seconds to wait after so many failures."""
    seconds: float = BACKOFF_SECONDS * BACKOFF_FACTOR ** (
        min(attempts, ATTEMPTS_MAX) - 1
    )
    return min(BACKOFF_SECONDS_MAX, seconds)
