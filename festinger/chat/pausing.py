"""Waiting longer each time that something is away."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

FIRST_SECONDS = 0.5
SECONDS_MAX = 60.0


class Pauses:
    """Pauses that double, up to a minute, and are never quite the same.

    Args:
        sleep: Waits.
        seconds_max: The longest pause.
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
        """Waits, longer than the last time."""
        # So that many bots do not come back at once.
        await self._sleep(self._seconds * random.uniform(0.5, 1.0))
        self._seconds = min(2 * self._seconds, self._seconds_max)

    def reset(self) -> None:
        """Begins anew: it worked."""
        self._seconds = FIRST_SECONDS
