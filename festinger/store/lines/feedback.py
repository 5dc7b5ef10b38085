"""People's ratings of lines that prompts were told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from festinger.core.lines.votes import LineVotes
from festinger.core.memories.feedback import (
    FeedbackState,
    FeedbackVerdict,
    LineFeedback,
)
from festinger.errors import ItemNotFound
from festinger.store.graph.rows import to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql
from festinger.store.system.tables import TenantReads
from festinger.store.system.values import value_of
from festinger.store.world.batches import AggregateWrites, BatchTransaction

if TYPE_CHECKING:
    from festinger.core.world.world import World


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
        rows = await self._rows(sql("feedback_by_id"), list(ids))
        return {row["id"]: value_of(LineFeedback, row) for row in rows}

    async def feedback_on(
        self, line: str, principal: str, verdict: FeedbackVerdict
    ) -> LineFeedback | None:
        """Return a principal's latest feedback on a line; None if it is forgotten."""
        row = await self._row(sql("feedback_on"), line, principal, verdict)
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
        """Write the feedback and its changes.

        Raises:
            ItemNotFound: Another decided about it meanwhile.
        """
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
