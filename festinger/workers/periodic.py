"""Doing something again and again until the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from festinger.errors import DatabaseUnavailable, Overloaded

_LOG = structlog.get_logger(__name__)

ASK_SECONDS = 5.0
"""How often somebody looks whether people are to be asked."""
EXPIRE_SECONDS = 5.0
"""How often somebody looks whether the time of a candidate is over."""
DREAM_SECONDS = 10.0
"""How often somebody looks whether a night begins, or one was left."""
EXTRACT_SECONDS = 5.0
"""How often somebody looks whether a wave is to be extracted from."""
FIRST_SECONDS_MAX = 60.0
"""How long a server runs at most before it does something for the first time."""
FLUSH_SECONDS = 30.0
"""How often counters are written."""
FORGET_SECONDS = 6 * 3600.0
"""How often what people said is looked through for what is too old."""
GUESS_SECONDS = 2.0
"""How often prompts are looked through for ambiguous sentences, if a model is chosen."""
LEARN_SECONDS = 60.0
"""How often somebody looks whether it is time to learn from people, and how that goes."""
READ_SECONDS = 5.0
"""How often somebody looks whether a chosen model is to read what people said."""
REMEMBER_SECONDS = 10.0
"""How often somebody looks whether a conversation is over and to be remembered."""
RESOLVE_SECONDS = 10.0
"""How often somebody looks whether conflicts are to be settled now."""
SWEEP_SECONDS = 5.0
"""How often somebody looks whether a memory should be searched for broken rows."""
WATCH_SECONDS = 2.0
"""How often the database is asked whether it is there."""


async def every(
    seconds: float, name: str, action: Callable[[], Awaitable[None]]
) -> None:
    """Does something at an interval, for ever; a failure is logged and outlived.

    Args:
        seconds: The pause between the end of one run and the start of the next. Before
            the first it is a minute at most: who is restarted often does it all the same.
        name: What it is, for the log.
    """
    pause = min(seconds, FIRST_SECONDS_MAX)
    while True:
        await asyncio.sleep(pause)
        pause = seconds
        try:
            await action()
        except (DatabaseUnavailable, Overloaded):
            _LOG.warning("database_away", worker=name)
        except Exception:
            _LOG.exception("worker_failed", worker=name)


class DatabaseWatch:
    """Tells when the database goes away, and tries to bring it back.

    Args:
        ping: Raises `DatabaseUnavailable` if it does not answer, and `Overloaded` if
            it could not be asked.
        revive: Starts a database of our own again; None if it is not ours.
        tell: Gets whether it answers, at each change.
    """

    def __init__(
        self,
        ping: Callable[[], Awaitable[None]],
        revive: Callable[[], Awaitable[object]] | None,
        tell: Callable[[bool], Awaitable[None]],
    ) -> None:
        self._ping = ping
        self._revive = revive
        self._tell = tell
        self._there = True

    async def look(self) -> None:
        """Looks once."""
        try:
            await self._ping()
        except DatabaseUnavailable:
            await self._note(False)
            if self._revive:
                await self._revive()
        except Overloaded:
            # Busy is not away, and does not prove that it answers: as it was.
            pass
        else:
            await self._note(True)

    async def _note(self, there: bool) -> None:
        if there != self._there:
            self._there = there
            _LOG.warning("database_back" if there else "database_gone")
            await self._tell(there)
