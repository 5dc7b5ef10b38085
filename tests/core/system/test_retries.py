from __future__ import annotations

from festinger.core.system.retries import (
    ATTEMPTS_MAX,
    BACKOFF_SECONDS,
    BACKOFF_SECONDS_MAX,
    backoff,
)


def test_pauses_grow_to_a_day():
    """A minute after the first failure, four times as long after each, at most a day."""
    pauses = [backoff(attempts) for attempts in range(1, ATTEMPTS_MAX + 1)]

    assert pauses[:3] == [BACKOFF_SECONDS, 4 * BACKOFF_SECONDS, 16 * BACKOFF_SECONDS]
    assert pauses == sorted(pauses)
    assert pauses[-1] == BACKOFF_SECONDS_MAX
