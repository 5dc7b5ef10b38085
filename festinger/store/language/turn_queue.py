"""Queue of the turns that a model is to read, in Postgres."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

import asyncpg

from festinger.core.language.reader.unread import TurnPart, UnreadTurn
from festinger.store.language.records import UnreadCounts
from festinger.store.system.queries import arrays_of, sql
from festinger.store.system.tables import TenantTables
from festinger.store.system.tenancy import tenants_by, transaction
from festinger.store.system.values import value_of

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
        rows = await self._rows(sql("leased_unread"), tenant, lease)
        return [_leased_part(row) for row in rows]

    async def release(self, tenant: str, lease: uuid.UUID) -> None:
        """Release a lease, leaving its turns unchanged."""
        await self._run(sql("release_unread"), tenant, lease)

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
        row = await self._row(sql("count_unread"), tenant)
        assert row is not None, "a count is one row"
        return value_of(UnreadCounts, row)

    async def clear(self, tenant: str) -> None:
        """Delete all unread turns."""
        await self._run(sql("clear_unread"), tenant)


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
