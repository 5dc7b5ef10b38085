"""Lines: turns, statements with their origin, entities, trusted state, and feedback."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import asyncpg

from festinger.core.graph.proposal import Triple
from festinger.core.graph.tokens import split_concept
from festinger.core.lines.endings import Place
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.listing import HeldDetails, LineStatus, ListedLine
from festinger.core.lines.notes import note_of_item, note_of_record
from festinger.core.lines.turns import SpokenTurn
from festinger.core.lines.weights import LineVotes
from festinger.core.memories.feedback import (
    FeedbackState,
    FeedbackVerdict,
    LineFeedback,
)
from festinger.core.memories.types import CONVERSATION_TYPES
from festinger.core.world.world import World
from festinger.errors import ItemNotFound
from festinger.store.graph.origins import to_origin
from festinger.store.graph.rows import to_seconds, to_time, to_triple
from festinger.store.language import turns
from festinger.store.review.recordrows import to_record
from festinger.store.review.state import to_state
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql, value_of
from festinger.store.system.tenancy import TenantReads
from festinger.store.world.batches import AggregateWrites, BatchTransaction


class LineTables(TenantReads):
    """Reads of one tenant's turns and statements."""

    # Both are set by `PostgresReads`.
    async def turns(self, numbers: Collection[int]) -> list[SpokenTurn]:
        """Return the turns of these numbers, the oldest first."""
        return await turns.read(self._connection, self._tenant, numbers)

    async def turns_with(self, digests: Collection[bytes]) -> list[SpokenTurn]:
        """Return the turns with these digests, of any speaker."""
        rows = await self._connection.fetch(
            sql("turns_with"), self._tenant, list(digests)
        )
        return [turns.to_turn(row) for row in rows]

    async def stated_by(self, said: Sequence[tuple[str, str]]) -> list[Triple]:
        """Return the held statements that rest on some (sentence, speaker) pairs alone."""
        texts, speakers = [text for text, _ in said], [who for _, who in said]
        rows = await self._rows("stated_by", texts, speakers)
        return [to_triple(row) for row in rows]

    async def turns_behind(self, number: int, limit: int) -> list[SpokenTurn]:
        """Return turns with numbers above `number`, in ascending order."""
        rows = await self._rows("export_turns", number, limit)
        return [turns.to_turn(row) for row in rows]

    async def statements_behind(
        self, last: Place, limit: int, *, when: float = 0.0, denied: bool = False
    ) -> tuple[list[ListedLine], Place]:
        """Return held statements after an edge, and the last edge; zeros at the end.

        Args:
            last: Concept, dimension and parent of the edge.
            when: Only those that are held since this time; 0 for any.
            denied: Whether to return denials instead.
        """
        concept_id, dim_id, parent_id = last
        # Both queries have the same arguments and columns.
        rows = await self._connection.fetch(
            sql("export_denials") if denied else sql("export_statements"),
            self._tenant,
            concept_id,
            dim_id,
            limit,
            parent_id,
            to_time(when) if when else None,
        )
        # A page that is not full is the last one.
        last = (0, 0, 0)
        if len(rows) == limit:
            last = (rows[-1]["id"], rows[-1]["dim_id"], rows[-1]["parent_id"])
        return [_statement(row, row["last_confirmed"]) for row in rows], last

    async def closed_statements(
        self, skipped: int, limit: int, *, when: float = 0.0
    ) -> list[ListedLine]:
        """Return a page of closed statements, the earliest closed first.

        Args:
            skipped: Number of statements on the pages before.
            when: Only those that were held at this time, which are returned as active;
                0 for any.
        """
        rows = await self._rows(
            "export_closed", skipped, limit, to_time(when) if when else None
        )
        # At a moment it was held, and is listed as it was then; else by the time of its end.
        if when:
            return [_statement(row, row["last_confirmed"]) for row in rows]
        return [_statement(row, row["valid_to"], LineStatus.CLOSED) for row in rows]


def _statement(
    row: asyncpg.Record, time: datetime, status: LineStatus = LineStatus.ACTIVE
) -> ListedLine:
    concept, dimension, parent = row["concept"], row["dimension"], row["parent"]
    triple = to_triple(row)
    # `glitch_university/api` is a noun of a project (J5), shown as people say it.
    _, noun = split_concept(concept)
    subject, value = row["subject"] or noun, row["value"] or parent
    denied = "not " if triple.negated else ""
    # What was stated outright, and not read from words, has no origin.
    origin = to_origin(row) if row["reader"] is not None else None
    return ListedLine(
        name=f"{LineKind.STATEMENT}-{concept}/{dimension}/{denied}{parent}",
        kind=LineKind.STATEMENT,
        text=f"{subject}: [{dimension}] {denied}{value}",
        quote=row["quote"],
        speaker=row["speaker"],
        project=row["project"],
        session=row["session"],
        said=to_seconds(time),
        status=status,
        subject=concept,
        predicate=dimension,
        value=parent,
        held=HeldDetails(triple, row["confidence"], row["many"], row["belief"], origin),
    )


async def read_notes(connection: Connection, tenant: str) -> list[IndexedLine]:
    """Return active records and trusted state as lines, the oldest of each first."""
    types = list(CONVERSATION_TYPES)
    records = await connection.fetch(sql("noted_records"), tenant, types)
    items = await connection.fetch(sql("noted_state"), tenant)
    return [
        *(note_of_record(to_record(row)) for row in records),
        *(note_of_item(to_state(row)) for row in items),
    ]


async def read_votes(connection: Connection, tenant: str) -> LineVotes:
    """Return the feedback on all lines of a memory."""
    rows = await connection.fetch(sql("line_votes"), tenant)
    return LineVotes(
        # Lines that are unrated take no space.
        {row["line"]: row["helped"] for row in rows if row["helped"]},
        frozenset(row["line"] for row in rows if row["wrong"]),
    )


class FeedbackReads(TenantReads):
    """Reads of one tenant's feedback."""

    # Both are set by `PostgresReads`.
    async def feedback_by_id(self, ids: Collection[int]) -> dict[int, LineFeedback]:
        """Return feedback by number."""
        if not ids:
            return {}
        rows = await self._rows("feedback_by_id", list(ids))
        return {row["id"]: value_of(LineFeedback, row) for row in rows}

    async def feedback_on(
        self, line: str, principal: str, verdict: FeedbackVerdict
    ) -> LineFeedback | None:
        """Return a principal's latest feedback on a line; None if it is forgotten."""
        row = await self._row("feedback_on", line, principal, verdict)
        return value_of(LineFeedback, row) if row else None


@dataclass(frozen=True, slots=True)
class FeedbackMove:
    """Change of the state of feedback.

    Attributes:
        sources: States in which it has to be.
        target: Its state afterwards.
    """

    number: int
    sources: Sequence[FeedbackState]
    target: FeedbackState


@dataclass(slots=True)
class FeedbackWrites(AggregateWrites):
    """Writes of feedback in a batch."""

    given: list[LineFeedback] = field(default_factory=list)
    moves: list[FeedbackMove] = field(default_factory=list)
    _votes: LineVotes | None = None

    async def write(self, transaction: BatchTransaction) -> None:
        """Write the feedback and its changes. Raises `ItemNotFound`."""
        connection, tenant = transaction.connection, transaction.tenant
        for it in self.given:
            await connection.execute(
                sql("add_feedback"),
                tenant,
                *fields_of(it, "line text quote speaker project verdict state"),
                *fields_of(it, "principal prompt"),
                list(it.facts),
                to_time(it.created),
            )
        # A move holds only for feedback in its source states: somebody may have decided it.
        for move in self.moves:
            moved = await connection.fetchval(
                sql("move_feedback"),
                tenant,
                move.number,
                list(move.sources),
                move.target,
            )
            if moved is None:
                item_id = f"feedback-{move.number}"
                raise ItemNotFound(
                    f"{item_id} does not wait: it is decided, or was never there",
                    item_id=item_id,
                )
        # All votes are read again, which are few, instead of following each move.
        self._votes = await read_votes(connection, tenant)
        # Other servers read what is said of lines together with the notes.
        transaction.log.notes = True

    def publish(self, world: World, version: int) -> None:
        """Tell no longer what is wrong, and rank what helped higher."""
        assert self._votes is not None, "what is published was written"
        world.lines.votes = self._votes
