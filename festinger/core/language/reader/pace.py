"""How much may be read at a time, so that no prompt is held up for long."""

from __future__ import annotations

from collections import deque
from typing import Final

from festinger.core.language.reader.questions import TOKENS_MIN

DELAY_SECONDS_MAX: Final = 10.0
"""How long a prompt may be held up at most, however long nobody has asked."""
HOUR_SECONDS: Final = 3600.0


def tokens_within(rate: float, share: float, idle_seconds: float) -> int:
    """Return how many tokens are evaluated in the time for which a prompt may wait.

    Args:
        rate: Tokens a second.
        share: Of the time that nobody has asked anything.
        idle_seconds: That time.
    """
    return int(rate * min(DELAY_SECONDS_MAX, share * idle_seconds))


def idle_needed(rate: float, share: float, tokens: int = TOKENS_MIN) -> float | None:
    """Return after how many seconds so many tokens may be read; None for never."""
    seconds = tokens / rate
    return None if seconds > DELAY_SECONDS_MAX else seconds / share


class TokenBudget:
    """What may be spent in an hour, and what was."""

    def __init__(self) -> None:
        self._spent: deque[tuple[float, int]] = deque()
        self.total = 0
        """Tokens that were ever spent."""

    def spend(self, tokens: int, now: float) -> None:
        """Note that tokens were read or written."""
        self._spent.append((now, tokens))
        self.total += tokens

    def left(self, per_hour: int, now: float) -> int:
        """Return how many tokens may be spent now.

        Args:
            per_hour: How many in an hour.
        """
        while self._spent and self._spent[0][0] <= now - HOUR_SECONDS:
            self._spent.popleft()
        return max(0, per_hour - sum(tokens for _, tokens in self._spent))
