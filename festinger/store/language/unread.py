"""Queue of the turns that a model is to read, in Postgres."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Sequence

import asyncpg

from festinger.core.language.reader.unread import TurnPart, UnreadTurn
from festinger.core.lines.turns import SpokenTurn
from festinger.store.graph.rows import to_seconds, to_time
from festinger.store.language.records import UnreadCounts
from festinger.store.system.pool import Connection, Pool, acquired
from festinger.store.system.queries import sql
from festinger.store.world.batches import Batch

WAITING_MAX = 5_000
"""The maximum number of unread turns in a memory; the oldest are dropped."""
TRIM_EVERY = 64
"""The number of added turns between checks of that maximum."""
CHOICE_MAX = 64
"""The number of oldest turns from which a batch is chosen."""


class PostgresUnread:
    """Queue of unread turns in the database.

    Args:
        pool: The connection pool; closed by the caller.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def tenants(self) -> list[str]:
        """Return the tenants that have unread turns."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(sql("unread_tenants"))
        return [row["tenant"] for row in rows]

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
        async with acquired(self._pool) as connection, connection.transaction():
            await connection.execute(sql("lock_reading"), tenant)
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
                    [part.number for part in chosen],
                    [part.place for part in chosen],
                    [part.end for part in chosen],
                )
        return chosen

    async def leased(self, tenant: str, lease: uuid.UUID) -> list[TurnPart]:
        """Return the leased parts of turns, in the order of the request."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(sql("leased_unread"), tenant, lease)
        return [_leased_part(row) for row in rows]

    async def release(self, tenant: str, lease: uuid.UUID) -> None:
        """Release a lease, leaving its turns unchanged."""
        async with acquired(self._pool) as connection:
            await connection.execute(sql("release_unread"), tenant, lease)

    async def postpone(
        self, tenant: str, lease: uuid.UUID, seconds: float, attempts_max: int
    ) -> int:
        """Postpone leased turns; return how many were dropped as unreadable."""
        async with acquired(self._pool) as connection, connection.transaction():
            given_up = await connection.fetch(
                sql("drop_unreadable"), tenant, lease, attempts_max
            )
            await connection.execute(sql("postpone_unread"), tenant, lease, seconds)
        return len(given_up)

    async def counts(self, tenant: str) -> UnreadCounts:
        """Return the counts of unread turns."""
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(sql("count_unread"), tenant)
        assert row is not None, "a count is one row"
        return UnreadCounts(
            row["waiting"], row["reading"], row["postponed"], to_seconds(row["oldest"])
        )

    async def clear(self, tenant: str) -> None:
        """Delete all unread turns."""
        async with acquired(self._pool) as connection:
            await connection.execute(sql("clear_unread"), tenant)


async def add(connection: Connection, tenant: str, batch: Batch) -> None:
    """Add the unread turns of a batch; called before its turns are written."""
    for turn in batch.unread:
        number = await connection.fetchval(
            sql("add_unread"),
            tenant,
            turn.digest,
            turn.speaker,
            turn.project,
            turn.principal,
            turn.session,
            to_time(turn.said),
            turn.text,
            turn.before,
            turn.before_role,
            turn.is_newest,
        )
        if number is not None and number % TRIM_EVERY == 0:
            await connection.execute(sql("trim_unread"), tenant, WAITING_MAX)


async def end(connection: Connection, tenant: str, batch: Batch) -> None:
    """Remove the unread parts that a batch has read or forgets."""
    for lease in batch.read:
        await connection.execute(sql("end_unread"), tenant, lease)
        await connection.execute(sql("advance_unread"), tenant, lease)
    if batch.evidence_before:
        before = to_time(batch.evidence_before)
        await connection.execute(sql("forget_unread"), tenant, before)
    if batch.reworded:
        await _erase(connection, tenant, batch.reworded)
    if batch.erased:
        texts = [text for text, _ in batch.erased]
        await connection.execute(sql("erase_unread"), tenant, texts)


async def _erase(
    connection: Connection, tenant: str, turns: Collection[SpokenTurn]
) -> None:
    digests = [turn.digest for turn in turns]
    await connection.execute(sql("erase_unread_turns"), tenant, digests)


def _left_of(row: asyncpg.Record) -> TurnPart:
    """Convert a row to the unread part of a turn."""
    turn = _to_turn(row)
    return TurnPart(row["number"], turn, row["done"], len(turn.text), row["attempts"])


def _leased_part(row: asyncpg.Record) -> TurnPart:
    return TurnPart(
        row["number"],
        _to_turn(row),
        row["done"],
        row["leased_end"],
        row["attempts"],
        row["leased_place"],
    )


def _to_turn(row: asyncpg.Record) -> UnreadTurn:
    return UnreadTurn(
        text=row["body"],
        speaker=row["speaker"],
        principal=row["principal"],
        project=row["project"],
        session=row["session"],
        said=row["said_at"].timestamp(),
        digest=row["digest"],
        before=row["before"],
        before_role=row["before_role"],
    )
