"""Writes of the queue of turns that a model is to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from festinger.core.language.reader.unread import UnreadTurn
from festinger.store.graph.rows import to_time
from festinger.store.system.queries import fields_of, sql
from festinger.store.world.batches import AggregateWrites, BatchTransaction

WAITING_MAX = 5_000
"""The maximum number of unread turns in a memory; the oldest are dropped."""
TRIM_EVERY = 64
"""The number of added turns between checks of that maximum."""


@dataclass(slots=True)
class UnreadWrites(AggregateWrites):
    """Writes of the queue.

    Attributes:
        turns: Turns to queue for a model.
        leases: The leases of the batches that a model has read.
    """

    turns: list[UnreadTurn] = field(default_factory=list)
    leases: list[UUID] = field(default_factory=list)

    async def prepare(self, transaction: BatchTransaction) -> None:
        """Add turns, unless they are stored already: those were read, or wait."""

        async def trim(numbers: Sequence[int]) -> None:
            """Drop the oldest turns, now and then."""
            # Numbers are given in order, so that one in `TRIM_EVERY` meets this.
            if any(number % TRIM_EVERY == 0 for number in numbers):
                await transaction.connection.execute(
                    sql("trim_unread"), transaction.tenant, WAITING_MAX
                )

        # Each needs a statement of its own: equal names are sent one after the other.
        for turn in self.turns:
            await transaction.joining.later(
                "add_unread",
                *fields_of(turn, "digest speaker project principal session"),
                to_time(turn.said),
                *fields_of(turn, "text before before_role is_newest"),
                check=trim,
            )

    async def finish(self, transaction: BatchTransaction) -> None:
        """Remove the parts that were read."""
        connection, tenant = transaction.connection, transaction.tenant
        for lease in self.leases:
            # A part that reaches the turn's end ends it; else the rest waits for the next batch.
            await connection.execute(sql("end_unread"), tenant, lease)
            await connection.execute(sql("advance_unread"), tenant, lease)
