"""Follower of other servers' writes, which keeps the loaded memories up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

import structlog

from festinger.errors import DatabaseUnavailable, Overloaded

_LOG = structlog.get_logger(__name__)

POLL_SECONDS = 0.25
"""The interval between requests for new versions, in seconds."""
STALE_SECONDS = 5.0
"""The silence of the database after which answers are marked as stale, in seconds."""
SILENT_SECONDS = 30.0
"""The silence of the database after which the server reports itself unavailable, in
seconds.
"""


class Follows(Protocol):
    """Protocol of the loaded memories."""

    stale: bool

    async def follow(self) -> None:
        """Load new changes; raise `DatabaseUnavailable` without a database."""


class Follower:
    """Follower that reports when the database is silent for long.

    Args:
        memories: The memories to keep up to date.
        tell: Called with whether the server should be used, at each change.
        clock: A monotonic clock, in seconds.
    """

    def __init__(
        self,
        memories: Follows,
        tell: Callable[[bool], Awaitable[None]],
        clock: Callable[[], float],
    ) -> None:
        self._memories = memories
        self._tell = tell
        self._clock = clock
        self._answered = clock()
        self._silent = False

    @property
    def silence(self) -> float:
        """The seconds since the database last answered."""
        return self._clock() - self._answered

    async def look(self) -> None:
        """Follow once, with a timeout for a hanging database.

        Raises:
            Exception: A defect; it counts as silence like any other failure.
        """
        try:
            async with asyncio.timeout(STALE_SECONDS):
                await self._memories.follow()
            self._answered = self._clock()
        except (DatabaseUnavailable, Overloaded, TimeoutError):
            pass
        finally:
            await self._note(self._clock() - self._answered)

    async def _note(self, seconds: float) -> None:
        """Update the stale and unavailable states after a silence of some seconds."""
        stale, silent = seconds >= STALE_SECONDS, seconds >= SILENT_SECONDS
        if stale != self._memories.stale:
            self._memories.stale = stale
            _LOG.warning("answers_may_be_old" if stale else "answers_are_fresh")
        if silent != self._silent:
            self._silent = silent
            await self._tell(not silent)
