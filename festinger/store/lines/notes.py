"""Entities and projects' trusted state, as lines of the index."""

from __future__ import annotations

from festinger.core.lines.index import IndexedLine
from festinger.core.lines.notes import note_of_claim, note_of_item
from festinger.core.memories.types import CONVERSATION_TYPES
from festinger.store.review.claimrows import to_claim
from festinger.store.review.state import to_state
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql


async def read(connection: Connection, tenant: str) -> list[IndexedLine]:
    """Return active claims and trusted state as lines, the oldest of each first."""
    types = list(CONVERSATION_TYPES)
    claims = await connection.fetch(sql("noted_claims"), tenant, types)
    items = await connection.fetch(sql("noted_state"), tenant)
    return [
        *(note_of_claim(to_claim(row)) for row in claims),
        *(note_of_item(to_state(row)) for row in items),
    ]
