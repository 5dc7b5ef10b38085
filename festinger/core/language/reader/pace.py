"""Limit how much is read at a time, so that prompts are not delayed for long."""

from __future__ import annotations

from collections import deque
from typing import Final

from festinger.core.language.reader.questions import TOKENS_MIN

# Ollama notices a hang-up at once between generated tokens, but not while it evaluates a
# prompt: a new prompt may wait for all of that.
DELAY_SECONDS_MAX: Final = 10.0
"""Maximum delay of a prompt, however long the server has been idle."""
HOUR_SECONDS: Final = 3600.0


def tokens_within(rate: float, share: float, idle_seconds: float) -> int:
    """Return the number of tokens evaluated within the acceptable delay of a prompt.

    Args:
        rate: Tokens per second.
        share: Acceptable delay as a share of the idle time.
        idle_seconds: Time since the last request, in seconds.
    """
    # The longer nobody has asked, the less a short delay matters.
    return int(rate * min(DELAY_SECONDS_MAX, share * idle_seconds))


def idle_needed(rate: float, share: float, tokens: int = TOKENS_MIN) -> float | None:
    """Return the idle seconds before a number of tokens may be read; None for never."""
    seconds = tokens / rate
    # On a slow machine no pause is long enough.
    return None if seconds > DELAY_SECONDS_MAX else seconds / share


class TokenBudget:
    """An hourly budget of tokens, and its use."""

    def __init__(self) -> None:
        self._spent: deque[tuple[float, int]] = deque()
        self.total = 0
        """Total number of tokens spent."""

    def spend(self, tokens: int, now: float) -> None:
        """Record that tokens were read or written."""
        self._spent.append((now, tokens))
        self.total += tokens

    def left(self, per_hour: int, now: float) -> int:
        """Return the number of tokens that may be spent now.

        Args:
            per_hour: Budget per hour.
            now: Current time, in seconds.
        """
        # A sliding hour, since a fixed one would allow twice the budget around its end.
        while self._spent and self._spent[0][0] <= now - HOUR_SECONDS:
            self._spent.popleft()
        return max(0, per_hour - sum(tokens for _, tokens in self._spent))
