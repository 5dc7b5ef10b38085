"""Queue of the turns that a model is to read, in Postgres."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

import asyncpg

from festinger.core.language.reader.unread import TurnPart, UnreadTurn
from festinger.store.graph.rows import to_time
from festinger.store.system.queries import arrays_of, fields_of, sql, value_of
from festinger.store.system.tenancy import TenantTables, tenants_by, transaction
from festinger.store.world.batches import AggregateWrites, BatchTransaction


class UnreadCounts(NamedTuple):
    """Numbers of unread turns in a memory.

    Attributes:
        waiting: All unread turns, including those that are leased.
        reading: Turns that are leased by a reader.
        postponed: Turns whose reading failed before.
        oldest: Time of the oldest turn, in seconds since the epoch; 0.0 for none.
    """

    waiting: int
    reading: int = 0
    postponed: int = 0
    oldest: float = 0.0


CHOICE_MAX = 64
"""The number of oldest turns from which a batch is chosen."""


class PostgresUnread(TenantTables):
    """Queue of unread turns in the database; the caller closes the pool."""

    async def tenants(self) -> list[str]:
        """Return the tenants that have unread turns."""
        return await tenants_by(self._pool, sql("unread_tenants"))

    async def lease(
        self,
        tenant: str,
        lease: uuid.UUID,
        seconds: float,
        choose: Callable[[Sequence[TurnPart]], Sequence[TurnPart]],
    ) -> Sequence[TurnPart]:
        """Lease the next turns; return none while the tenant has another lease.

        Args:
            lease: The identifier of the lease and its batch.
            seconds: The duration of the lease.
            choose: Called with the unread parts of the oldest turns; returns the parts
                to lease.
        """
        async with transaction(self._pool, tenant) as connection:
            # One server at a time chooses, so that no turn is leased twice.
            await connection.execute(sql("lock_reading"), tenant)
            # Batches of a memory follow one another: it has one lease at a time.
            if await connection.fetchval(sql("reads_now"), tenant):
                return ()
            rows = await connection.fetch(sql("next_unread"), tenant, CHOICE_MAX)
            chosen = choose([_left_of(row) for row in rows])
            if chosen:
                await connection.execute(
                    sql("lease_unread"),
                    tenant,
                    lease,
                    seconds,
                    *arrays_of(chosen, "number place end"),
                )
        return chosen

    async def leased(self, tenant: str, lease: uuid.UUID) -> list[TurnPart]:
        """Return the leased parts of turns, in the order of the request."""
        rows = await self._rows("leased_unread", tenant, lease)
        return [_leased_part(row) for row in rows]

    async def release(self, tenant: str, lease: uuid.UUID) -> None:
        """Release a lease, leaving its turns unchanged."""
        await self._run("release_unread", tenant, lease)

    async def postpone(
        self, tenant: str, lease: uuid.UUID, seconds: float, attempts_max: int
    ) -> int:
        """Postpone leased turns; return how many were dropped as unreadable."""
        async with transaction(self._pool, tenant) as connection:
            # First those whose attempts are used up; the others get another one.
            given_up = await connection.fetch(
                sql("drop_unreadable"), tenant, lease, attempts_max
            )
            await connection.execute(sql("postpone_unread"), tenant, lease, seconds)
        return len(given_up)

    async def counts(self, tenant: str) -> UnreadCounts:
        """Return the counts of unread turns."""
        row = await self._row("count_unread", tenant)
        assert row is not None, "a count is one row"
        return value_of(UnreadCounts, row)

    async def clear(self, tenant: str) -> None:
        """Delete all unread turns."""
        await self._run("clear_unread", tenant)


def _left_of(row: asyncpg.Record) -> TurnPart:
    """Convert a row to the unread part of a turn."""
    turn = _to_turn(row)
    # All that was not read yet is offered.
    return TurnPart(row["number"], turn, row["done"], len(turn.text), row["attempts"])


def _leased_part(row: asyncpg.Record) -> TurnPart:
    return TurnPart(
        row["number"],
        _to_turn(row),
        row["done"],
        row["leased_end"],  # a lease may end within a turn
        row["attempts"],
        row["leased_place"],
    )


def _to_turn(row: asyncpg.Record) -> UnreadTurn:
    return value_of(UnreadTurn, row, text=row["body"], is_newest=False)


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
        rereads: Turns that a model reads once more: lease, digest, and the sentences.
    """

    turns: list[UnreadTurn] = field(default_factory=list)
    leases: list[UUID] = field(default_factory=list)
    rereads: list[tuple[UUID, bytes, str]] = field(default_factory=list)

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
        # First: what is without a lease is not removed.
        for reread in self.rereads:
            await connection.execute(sql("reread_unread"), tenant, *reread)
        for lease in self.leases:
            # A part that reaches the turn's end ends it; else the rest waits for the next batch.
            await connection.execute(sql("end_unread"), tenant, lease)
            await connection.execute(sql("advance_unread"), tenant, lease)
