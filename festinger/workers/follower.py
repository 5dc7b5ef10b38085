"""Follower of other servers' writes, which keeps the loaded memories up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import structlog

from festinger.errors import DatabaseUnavailable, Overloaded

log = structlog.get_logger(__name__)

# Polled: NOTIFY in write transactions takes a global lock and leaves a tenth of the speed.
POLL_SECONDS = 0.25
"""The interval between requests for new versions, in seconds."""
STALE_SECONDS = 5.0
"""The silence of the database, in seconds, after which answers are marked as stale and
the server reports that it is not ready."""


class FollowedMemories(Protocol):
    """Protocol of the loaded memories."""

    stale_since: float | None

    async def follow(self) -> None:
        """Load new changes; raise `DatabaseUnavailable` without a database."""


@dataclass
class Follower:
    """Follower that reports when the database is silent for long.

    Args:
        tell: Called with whether the server should be used, at each change.
    """

    _memories: FollowedMemories
    _tell: Callable[[bool], Awaitable[None]]
    _clock: Callable[[], float]
    _now: Callable[[], float]

    def __post_init__(self) -> None:
        self._answered = self._clock()

    @property
    def silence(self) -> float:
        """The seconds since the database last answered."""
        return self._clock() - self._answered

    async def look(self) -> None:
        """Follow once, with a timeout for a hanging database."""
        # Whatever the failure, silence is measured by the last success only.
        try:
            # A connection that hangs raises nothing by itself.
            async with asyncio.timeout(STALE_SECONDS):
                await self._memories.follow()
            self._answered = self._clock()
        except (DatabaseUnavailable, Overloaded, TimeoutError):
            pass
        finally:
            await self._note(self._clock() - self._answered)

    async def _note(self, seconds: float) -> None:
        """Update whether answers are stale after a silence of some seconds."""
        stale = seconds >= STALE_SECONDS
        if stale == (self._memories.stale_since is not None):
            return
        # Since when answers may be old: the last success, by the wall clock.
        self._memories.stale_since = self._now() - seconds if stale else None
        log.warning("answers_may_be_old" if stale else "answers_are_fresh")
        await self._tell(not stale)
