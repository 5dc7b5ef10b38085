"""Reads and writes of the trusted state of projects (L3)."""

from __future__ import annotations

from dataclasses import dataclass, field

import asyncpg

from festinger.core.lines.notes import notes_in, take_notes
from festinger.core.review.records import RecordChanges
from festinger.core.review.state import EARLIER_MAX, StateItem
from festinger.core.world.world import World
from festinger.store.graph.rows import to_time
from festinger.store.system.queries import fields_of, sql, value_of
from festinger.store.system.tenancy import TenantReads
from festinger.store.world.batches import AggregateWrites, BatchTransaction


class StateReads(TenantReads):
    """Reads of one tenant's trusted state."""

    # Both are set by `PostgresReads`.
    async def state(
        self,
        *,
        project: str = "",
        after: tuple[str, str] = ("", ""),
        limit: int = 50,
        removed: bool = False,  # with removed ones
    ) -> list[StateItem]:
        """Return items by project and key, after an item."""
        # Behind (project, key), and with at most `EARLIER_MAX` earlier values of each item.
        rows = await self._rows("state", project, *after, limit, EARLIER_MAX, removed)
        return [to_state(row) for row in rows]

    async def state_item(self, project: str, key: str) -> StateItem | None:
        """Return an item of a project's state; None if it was never written."""
        row = await self._row("state_item", project, key, EARLIER_MAX)
        return to_state(row) if row else None


@dataclass(slots=True)
class StateWrites(AggregateWrites):
    """Writes of items of projects' state, which keep their earlier values."""

    items: list[StateItem] = field(default_factory=list)

    async def write(self, transaction: BatchTransaction) -> None:
        """Write the items."""
        for item in self.items:
            await transaction.connection.execute(
                sql("set_state"),
                transaction.tenant,
                *fields_of(item, "project key value principal version"),
                to_time(item.updated_at),
            )
        # Other servers read the notes again.
        transaction.log.notes |= bool(self.items)

    def publish(self, world: World, version: int) -> None:
        """Replace the lines of the items."""
        # An empty change of records: only items are replaced.
        take_notes(world.lines.sources, notes_in(RecordChanges(), self.items))


def to_state(row: asyncpg.Record) -> StateItem:
    """Convert a row to an item of a project's state."""
    return value_of(StateItem, row)
