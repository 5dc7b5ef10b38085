"""Delays before failed background work is retried."""

from __future__ import annotations

ATTEMPTS_MAX = 8
"""Number of failures after which there are no more automatic retries."""
BACKOFF_SECONDS, BACKOFF_FACTOR, BACKOFF_SECONDS_MAX = 60.0, 4, 86_400.0
"""Delay after the first failure, growth factor per failure, and maximum delay."""


def backoff(attempts: int) -> float:
    """Return the delay after a number of failures, in seconds."""
    seconds: float = BACKOFF_SECONDS * BACKOFF_FACTOR ** (
        # Capped before the power is computed, and after it.
        min(attempts, ATTEMPTS_MAX) - 1
    )
    return min(BACKOFF_SECONDS_MAX, seconds)
