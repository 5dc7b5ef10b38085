"""Statements that wait for an answer which the database is not working on.

After a fail-over behind a proxy, or in half of a network, old connections may be silent
although new ones work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TypeAlias

from festinger.store.system.connection import CachingConnection
from festinger.store.system.queries import sql

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
