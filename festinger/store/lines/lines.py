"""Reads of turns and statements with their origin."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

import asyncpg

from festinger.core.graph.proposal import Triple
from festinger.core.graph.tokens import split_concept
from festinger.core.lines.index import LineKind
from festinger.core.lines.listing import LineStatus, ListedLine
from festinger.core.lines.turns import SpokenTurn
from festinger.store.graph.rows import to_seconds, to_triple
from festinger.store.language import turns
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql


class LineTables:
    """Reads of one tenant's turns and statements."""

    _connection: Connection
    _tenant: str

    async def turns(self, numbers: Collection[int]) -> list[SpokenTurn]:
        """Return the turns of these numbers, the oldest first."""
        return await turns.read(self._connection, self._tenant, numbers)

    async def stated_by(self, said: Sequence[tuple[str, str]]) -> list[Triple]:
        """Return the held statements that rest on some sentences alone.

        Args:
            said: Sentences, each with its speaker.
        """
        texts, speakers = [text for text, _ in said], [who for _, who in said]
        rows = await self._connection.fetch(
            sql("stated_by"), self._tenant, texts, speakers
        )
        return [to_triple(row) for row in rows]

    async def turns_behind(self, number: int, limit: int) -> list[SpokenTurn]:
        """Return turns with numbers above `number`, in ascending order."""
        rows = await self._connection.fetch(
            sql("export_turns"), self._tenant, number, limit
        )
        return [turns.to_turn(row) for row in rows]

    async def statements_behind(
        self, concept_id: int, dim_id: int, parent_id: int, limit: int
    ) -> tuple[list[ListedLine], tuple[int, int, int]]:
        """Return held statements after an edge, and the last edge; zeros at the end."""
        rows = await self._connection.fetch(
            sql("export_statements"),
            self._tenant,
            concept_id,
            dim_id,
            limit,
            parent_id,
        )
        last = (0, 0, 0)
        if len(rows) == limit:
            last = (rows[-1]["id"], rows[-1]["dim_id"], rows[-1]["parent_id"])
        return [_statement(row, row["last_confirmed"]) for row in rows], last

    async def closed_statements(self, skipped: int, limit: int) -> list[ListedLine]:
        """Return a page of closed statements, the earliest closed first."""
        rows = await self._connection.fetch(
            sql("export_closed"), self._tenant, skipped, limit
        )
        return [_statement(row, row["valid_to"], LineStatus.CLOSED) for row in rows]


def _statement(
    row: asyncpg.Record, time: datetime, status: LineStatus = LineStatus.ACTIVE
) -> ListedLine:
    concept, dimension, parent = row["concept"], row["dimension"], row["parent"]
    _, noun = split_concept(concept)
    subject, value = row["said_subject"] or noun, row["said_value"] or parent
    return ListedLine(
        name=f"{LineKind.STATEMENT}-{concept}/{dimension}/{parent}",
        kind=LineKind.STATEMENT,
        text=f"{subject}: [{dimension}] {value}",
        quote=row["sentence"],
        speaker=row["speaker"],
        project=row["project"],
        session=row["session"],
        said=to_seconds(time),
        status=status,
        subject=concept,
        predicate=dimension,
        value=parent,
    )
