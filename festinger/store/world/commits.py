"""Writes of a batch: all in one transaction, the tenant's version last."""

from __future__ import annotations

from collections.abc import Collection

import asyncpg

from festinger.store.graph import ledger
from festinger.store.graph.rows import to_time
from festinger.store.graph.writes import GraphWrites
from festinger.store.system.pool import Connection
from festinger.store.system.statement_batch import JoiningConnection
from festinger.store.world.batches import Batch, BatchTransaction, RaceLost


async def write(
    connection: Connection, tenant: str, batch: Batch, dictionary: Collection[str]
) -> int:
    """Write a batch in the transaction that holds the tenant's write lock.

    Returns:
        The tenant's version after it.

    Raises:
        RaceLost: Another server was first; the transaction must not be committed.
    """
    now = to_time(batch.now)
    joining = JoiningConnection(connection, tenant)
    transaction = BatchTransaction(joining, tenant, now, dictionary)
    writes = batch.writes
    try:
        for each in writes:
            await each.prepare(transaction)
        for each in writes:
            await each.write(transaction)
        for each in writes:
            await each.finish(transaction)
        version = await ledger.bump(joining, transaction.log, batch)
        for each in writes:
            await each.verify(transaction)
    except asyncpg.ForeignKeyViolationError as error:
        # Perhaps another server was first with a concept, under another number.
        tokens = list(batch.of(GraphWrites).draft.changes.concepts.values())
        raise RaceLost(places=transaction.log.places, tokens=tokens) from error
    except (
        asyncpg.UniqueViolationError,
        asyncpg.DeadlockDetectedError,
    ) as error:
        # The database differs from the world: something wrote without the write lock,
        # or a concurrent flush of counters for the same new words won a deadlock.
        raise RaceLost(places=transaction.log.places) from error
    return version
