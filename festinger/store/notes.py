"""Entities and projects' trusted state, as lines of the index."""

from __future__ import annotations

from festinger.core.memories.types import CONVERSATION_TYPES
from festinger.core.recollection.index import IndexedLine
from festinger.core.recollection.notes import note_of_claim, note_of_item
from festinger.store.claimrows import to_claim
from festinger.store.pool import Connection
from festinger.store.queries import sql
from festinger.store.state import to_state


async def read(connection: Connection, tenant: str) -> list[IndexedLine]:
    """Return what is told of entities and trusted state, the oldest of each first."""
    types = list(CONVERSATION_TYPES)
    claims = await connection.fetch(sql("noted_claims"), tenant, types)
    items = await connection.fetch(sql("noted_state"), tenant)
    return [
        *(note_of_claim(to_claim(row)) for row in claims),
        *(note_of_item(to_state(row)) for row in items),
    ]
