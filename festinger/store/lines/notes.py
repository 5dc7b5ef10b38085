"""Entities and projects' trusted state, as lines of the index."""

from __future__ import annotations

from festinger.core.lines.line import IndexedLine
from festinger.core.lines.notes import note_of_item, note_of_record
from festinger.core.memories.types import CONVERSATION_TYPES
from festinger.store.review.recordrows import to_record
from festinger.store.review.state import to_state
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql


async def read(connection: Connection, tenant: str) -> list[IndexedLine]:
    """Return active records and trusted state as lines, the oldest of each first."""
    types = list(CONVERSATION_TYPES)
    records = await connection.fetch(sql("noted_records"), tenant, types)
    items = await connection.fetch(sql("noted_state"), tenant)
    return [
        *(note_of_record(to_record(row)) for row in records),
        *(note_of_item(to_state(row)) for row in items),
    ]
