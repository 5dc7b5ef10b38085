"""A project's trusted state (L3): what is read of it, and what a batch writes."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from festinger.core.review.state import EARLIER_MAX, StateItem
from festinger.store.graph.rows import to_seconds, to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql


class StateReads:
    """Reads one tenant's projects."""

    _connection: Connection
    _tenant: str

    async def state(
        self,
        *,
        project: str = "",
        after: tuple[str, str] = ("", ""),
        limit: int = 50,
        removed: bool = False,
    ) -> list[StateItem]:
        """What people wrote down of projects, by project and key, after one.

        Args:
            removed: Whether items that were removed are listed, too.
        """
        rows = await self._connection.fetch(
            sql("state"), self._tenant, project, *after, limit, EARLIER_MAX, removed
        )
        return [to_state(row) for row in rows]

    async def state_item(self, project: str, key: str) -> StateItem | None:
        """One item of a project's state; None if it was never written."""
        row = await self._connection.fetchrow(
            sql("state_item"), self._tenant, project, key, EARLIER_MAX
        )
        return to_state(row) if row else None


async def write(
    connection: Connection, tenant: str, items: Sequence[StateItem]
) -> None:
    """Writes items of projects' state, and keeps what they were."""
    for item in items:
        await connection.execute(
            sql("set_state"),
            tenant,
            item.project,
            item.key,
            item.value,
            item.principal,
            item.version,
            to_time(item.updated_at),
        )


def to_state(row: asyncpg.Record) -> StateItem:
    """Return the item of a project's state that a row stands for."""
    return StateItem(
        row["project"],
        row["key"],
        row["value"],
        row["principal"],
        row["version"],
        to_seconds(row["updated_at"]),
        tuple(row["earlier"]),
    )
