"""Periodic actions of a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from festinger.errors import DatabaseUnavailable, Overloaded

log = structlog.get_logger(__name__)

FIRST_SECONDS_MAX = 60.0
"""The maximum delay of the first run of an action, in seconds."""


async def every(
    seconds: float, name: str, action: Callable[[], Awaitable[None]]
) -> None:
    """Run an action at an interval, forever; log its failures.

    Args:
        seconds: The pause between the end of one run and the start of the next. The
            first pause is a minute at most, so that frequent restarts do not prevent
            the action.
    """
    # Otherwise a server that is restarted often would never forget old turns (six hours).
    pause = min(seconds, FIRST_SECONDS_MAX)
    while True:
        await asyncio.sleep(pause)
        pause = seconds
        try:
            await action()
        # The next run tries again; outages are told once, by `DatabaseWatch`.
        except (DatabaseUnavailable, Overloaded):
            log.warning("database_away", worker=name)
        # A defect in one run must not end all later ones.
        except Exception:
            log.exception("worker_failed", worker=name)


@dataclass(slots=True)
class DatabaseWatch:
    """Watcher of the database, which reports its loss and restarts it.

    Args:
        ping: Raises `DatabaseUnavailable` if the database does not answer, and
            `Overloaded` if it could not be asked.
        revive: Restarts an embedded database; None for an external one.
        tell: Called with whether the database answers, at each change.
    """

    _ping: Callable[[], Awaitable[None]]
    _revive: Callable[[], Awaitable[object]] | None
    _tell: Callable[[bool], Awaitable[None]]
    _there: bool = field(default=True, init=False)

    async def look(self) -> None:
        """Ping the database once, and restart it if there is no answer."""
        try:
            await self._ping()
        except DatabaseUnavailable:
            await self._note(False)
            # An embedded database belongs to this process; another one has its own supervisor.
            if self._revive:
                await self._revive()
        except Overloaded:
            # A busy pool says nothing about the database: the state is unchanged.
            pass
        else:
            await self._note(True)

    async def _note(self, there: bool) -> None:
        if there != self._there:
            self._there = there
            log.warning("database_back" if there else "database_gone")
            await self._tell(there)
