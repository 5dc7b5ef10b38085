"""Keeping the memories in step with what other servers write."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

import structlog

from festinger.errors import DatabaseUnavailable, Overloaded

_LOG = structlog.get_logger(__name__)

POLL_SECONDS = 0.25
"""How often the database is asked for new versions."""
STALE_SECONDS = 5.0
"""Without an answer for so long, answers say that they may be old."""
SILENT_SECONDS = 30.0
"""Without an answer for so long, the server no longer recommends itself."""


class Follows(Protocol):
    """What follows the database."""

    stale: bool

    async def follow(self) -> None:
        """Raises `DatabaseUnavailable` if the database does not answer."""


class Follower:
    """Follows at an interval, and tells when that has failed for long.

    Args:
        tell: Gets whether the server should be used, at each change.
        clock: Seconds that never go back.
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
        """For how many seconds the database has not said what is new."""
        return self._clock() - self._answered

    async def look(self) -> None:
        """Follows once; a hanging database is given up after a while.

        Raises:
            Exception: A defect; it leaves the answers as old as any other failure.
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
        """Says what so long a silence means."""
        stale, silent = seconds >= STALE_SECONDS, seconds >= SILENT_SECONDS
        if stale != self._memories.stale:
            self._memories.stale = stale
            _LOG.warning("answers_may_be_old" if stale else "answers_are_fresh")
        if silent != self._silent:
            self._silent = silent
            await self._tell(not silent)
