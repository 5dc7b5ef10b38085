"""Retries of background work that failed, and what people are told of a failure."""

from __future__ import annotations

from festinger.errors import FestingerError

ATTEMPTS_MAX = 8
"""Number of failures after which there are no more automatic retries."""
BACKOFF_SECONDS, BACKOFF_FACTOR, BACKOFF_SECONDS_MAX = 60.0, 4, 86_400.0
"""Delay after the first failure, growth factor per failure, and maximum delay."""
# The error goes into the row of the work; a provider's message may be a whole page.
ERROR_CHARACTERS_MAX = 500
"""Maximum number of characters of an error that is stored with the work."""


def backoff(attempts: int) -> float:
    """Return the delay after a number of failures, in seconds."""
    seconds: float = BACKOFF_SECONDS * BACKOFF_FACTOR ** (
        # Capped before the power is computed, and after it.
        min(attempts, ATTEMPTS_MAX) - 1
    )
    return min(BACKOFF_SECONDS_MAX, seconds)


def failure_text(error: BaseException) -> str:
    """Return why work failed, for its row and for logs."""
    if isinstance(error, FestingerError):
        return str(error)
    # Any other exception is a defect, which a person must see.
    return f"a defect of the server: {error!r}"
