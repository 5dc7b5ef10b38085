"""Exponential backoff."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

FIRST_SECONDS = 0.5
SECONDS_MAX = 60.0


class Backoff:
    """Exponential backoff with jitter.

    Args:
        seconds_max: The longest pause in seconds.
    """

    def __init__(
        self,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        seconds_max: float = SECONDS_MAX,
    ) -> None:
        self._sleep = sleep
        self._seconds_max = seconds_max
        self._seconds = FIRST_SECONDS

    async def wait(self) -> None:
        """Wait for the current pause and double the next one."""
        # The jitter keeps many bots from reconnecting at once.
        await self._sleep(self._seconds * random.uniform(0.5, 1.0))
        self._seconds = min(2 * self._seconds, self._seconds_max)

    def reset(self) -> None:
        """Reset the pause to the shortest, after a success."""
        self._seconds = FIRST_SECONDS
