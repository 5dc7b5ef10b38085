"""Reads and writes of the trusted state of projects (L3)."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from festinger.core.review.state import EARLIER_MAX, StateItem
from festinger.store.graph.rows import to_seconds, to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql


class StateReads:
    """Reads of one tenant's trusted state."""

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
        """Return items by project and key, after an item.

        Args:
            removed: Whether removed items are included.
        """
        rows = await self._connection.fetch(
            sql("state"), self._tenant, project, *after, limit, EARLIER_MAX, removed
        )
        return [to_state(row) for row in rows]

    async def state_item(self, project: str, key: str) -> StateItem | None:
        """Return an item of a project's state; None if it was never written."""
        row = await self._connection.fetchrow(
            sql("state_item"), self._tenant, project, key, EARLIER_MAX
        )
        return to_state(row) if row else None


async def write(
    connection: Connection, tenant: str, items: Sequence[StateItem]
) -> None:
    """Write items of projects' state, keeping their earlier values."""
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
    """Convert a row to an item of a project's state."""
    return StateItem(
        row["project"],
        row["key"],
        row["value"],
        row["principal"],
        row["version"],
        to_seconds(row["updated_at"]),
        tuple(row["earlier"]),
    )
