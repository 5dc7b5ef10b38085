"""Connections that know what they wait for, and those that wait for nothing.

They ask for built-in types once a process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import asyncpg

from festinger.store.system.queries import sql

OIDS_FIXED: Final = 10_000
"""OIDs below it are those of built-in types, the same in every database and version."""

_known: dict[frozenset[int], Any] = {}
# It stands for a named statement: an unnamed one would have to be prepared again.
_NOTHING_ASKED: Final = SimpleNamespace(name="known")


class CachingConnection(asyncpg.Connection):
    """Connection that remembers how built-in types, such as `text[]`, are encoded.

    Attributes:
        awaited: A new object for each statement, while it is not answered; else None.
    """

    __slots__ = ("awaited",)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.awaited: object | None = None

    def abandon(self) -> None:
        """Close the socket; a statement fails as if the database had closed it."""
        # The stubs leave private attributes out.
        connection: Any = self
        # `terminate` would break a statement that is between two round trips.
        connection._transport.abort()

    async def execute(self, query: str, *arguments: Any, **keywords: Any) -> str:
        """Execute a statement, or several without arguments; return the last status."""
        with self._awaiting():
            return await super().execute(query, *arguments, **keywords)

    async def _execute(self, *arguments: Any, **keywords: Any) -> Any:
        asked: Any = super()
        with self._awaiting():
            return await asked._execute(*arguments, **keywords)

    async def _executemany(self, *arguments: Any, **keywords: Any) -> Any:
        asked: Any = super()
        with self._awaiting():
            return await asked._executemany(*arguments, **keywords)

    @contextmanager
    def _awaiting(self) -> Iterator[None]:
        # A new object each time: its identity tells one statement from the next.
        self.awaited = object()
        try:
            yield
        finally:
            self.awaited = None

    async def _introspect_types(self, typeoids: Iterable[int], *more: Any) -> Any:
        # asyncpg asks for array types on every connection, which took the database 25 ms each
        # time: more than all other queries that load a small memory.
        wanted = frozenset(typeoids)
        if wanted in _known:
            return _known[wanted], _NOTHING_ASKED
        # The stubs leave private methods out.
        asked: Any = super()
        types, statement = await asked._introspect_types(wanted, *more)
        # Types of extensions and users have other OIDs in another database.
        if max(wanted) < OIDS_FIXED:
            _known[wanted] = types
        return types, statement


UNATTENDED_SECONDS_MAX = 1.0
"""The time in seconds after which a statement that nobody works on is lost."""

# (connection, statement, time): a change of any part is a sign of life.
_Waiting: TypeAlias = tuple[CachingConnection, object, object]
"""A connection, the statement that it waits for, and since when its session rests."""


class UnattendedStatements:
    """Finder of connections that wait for nothing, which is called periodically."""

    def __init__(self) -> None:
        self._first_seen: dict[_Waiting, float] = {}

    async def find(
        self, asked: CachingConnection, connections: Iterable[CachingConnection]
    ) -> list[CachingConnection]:
        """Return those whose statement nobody has worked on since an earlier call.

        Args:
            asked: The connection that asks the database what it works on.
        """
        waiting = {
            each: each.awaited
            for each in connections
            # The asking connection is at work itself.
            if each is not asked and each.awaited
        }
        resting = await _resting(asked, waiting)
        now = asyncio.get_running_loop().time()
        # What has changed since the last call, in either end, starts anew.
        states = [(each, waiting[each], since) for each, since in resting.items()]
        # Rebuilt from what rests now, so that whatever moved on is forgotten.
        self._first_seen = {it: self._first_seen.get(it, now) for it in states}
        return [
            connection
            for (connection, *_), seen in self._first_seen.items()
            if now - seen >= UNATTENDED_SECONDS_MAX
        ]


async def _resting(
    asked: CachingConnection, connections: Iterable[CachingConnection]
) -> dict[CachingConnection, object]:
    """Return those connections whose sessions work on nothing, or are gone.

    Args:
        asked: A connection to the database.

    Returns:
        For each the time of its session's last statement; None if it is gone.
    """
    own = asked.get_server_pid()
    pids = {each: each.get_server_pid() for each in connections if not each.is_closed()}
    rows = await asked.fetch(sql("sessions"), [own, *pids.values()])
    active = {row["pid"] for row in rows if row["active"]}
    since = {row["pid"]: row["since"] for row in rows}
    # The asking session is at work, so that its absence shows that sessions are not told, as
    # behind a pooler.
    if own not in active:
        return {}
    # A session without a row is gone.
    return {each: since.get(pid) for each, pid in pids.items() if pid not in active}
