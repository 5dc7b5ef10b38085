"""The store: the promises of `flows.ports` kept by one Postgres."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Collection, Iterable, Set
from contextlib import asynccontextmanager

from festinger.core.candidates import Factoid, FactoidState
from festinger.core.draft import Witness
from festinger.core.outcome import Outcome
from festinger.core.preferences import Preferences
from festinger.core.resolution import Conflict, ConflictState
from festinger.core.world import World
from festinger.errors import ConflictNotFound, FactoidNotFound
from festinger.flows.ports import (
    Answered,
    Batch,
    Committed,
    Deltas,
    RaceLost,
    RequestKey,
    SegmentKey,
)
from festinger.store import commits, loading
from festinger.store.pool import ACQUIRE_SECONDS_MAX, Connection, Pool, translated
from festinger.store.queries import sql
from festinger.store.rows import to_conflict, to_factoid, to_outcome, to_triple
from festinger.store.tenants import add_tenant


class PostgresStore:
    """Keeps memories in a database whose schema is up to date.

    Args:
        pool: Closed by whoever opened it.
        dictionary: Everyday words.
    """

    def __init__(self, pool: Pool, dictionary: Set[str] = frozenset()) -> None:
        self._pool = pool
        self._dictionary = dictionary
        self._origin = uuid.uuid4()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        async with (
            translated(),
            self._pool.acquire(timeout=ACQUIRE_SECONDS_MAX) as connection,
        ):
            yield connection

    async def ping(self) -> None:
        """Raises `DatabaseUnavailable` if the database does not answer."""
        async with self._connection() as connection:
            await connection.fetchval("select 1")

    async def add_tenant(self, tenant: str) -> bool:
        """Makes a memory; False if there is one of that name."""
        async with self._connection() as connection:
            return await add_tenant(connection, tenant, self._dictionary)

    async def tenants(self) -> list[str]:
        """The names of the memories, in order."""
        async with self._connection() as connection:
            rows = await connection.fetch(sql("list_tenants"))
        return [row["tenant"] for row in rows]

    async def load(self, tenant: str) -> World:
        """The whole memory of a tenant."""
        async with self._connection() as connection:
            return await loading.load(connection, tenant, self._dictionary)

    async def preferences(self, tenant: str) -> tuple[Preferences, list[str]]:
        """A tenant's settings, and a sentence for each that cannot be used."""
        async with self._connection() as connection:
            rows = await connection.fetch(sql("config"), tenant)
        return Preferences.from_rows({row["key"]: row["value"] for row in rows})

    async def reserve(self, tenant: str, kind: str, count: int) -> range:
        """A block of unused numbers of a kind."""
        async with self._connection() as connection:
            first: int = await connection.fetchval(sql("reserve"), tenant, kind, count)
        return range(first, first + count)

    async def witnesses(self, tenant: str, asked: Iterable[Witness]) -> set[Witness]:
        """Which of these statements their principals made before."""
        columns = _columns(
            {
                (triple.concept, triple.parent, triple.dimension, principal)
                for triple, principal in asked
            }
        )
        if not columns:
            return set()
        async with self._connection() as connection:
            rows = await connection.fetch(sql("witnesses"), tenant, *columns)
        return {(to_triple(row), row["principal"]) for row in rows}

    async def judged(self, tenant: str, keys: Iterable[SegmentKey]) -> set[SegmentKey]:
        """Which of these statements of prompts are in the ledger already."""
        columns = _columns(set(keys))
        if not columns:
            return set()
        async with self._connection() as connection:
            rows = await connection.fetch(sql("judged"), tenant, *columns)
        return {(row["segment"], row["ordinal"]) for row in rows}

    async def answered(
        self, tenant: str, keys: Iterable[RequestKey]
    ) -> dict[tuple[str, str], tuple[RequestKey, Answered]]:
        """Which of these calls were answered, by principal and id."""
        columns = _columns({(key.principal, key.id) for key in keys})
        if not columns:
            return {}
        async with self._connection() as connection:
            rows = await connection.fetch(sql("answered"), tenant, *columns)
        return {
            (row["principal"], row["request_id"]): (
                RequestKey(
                    row["principal"],
                    row["request_id"],
                    row["method"],
                    row["payload_hash"],
                ),
                Answered(**json.loads(row["response"])),
            )
            for row in rows
        }

    async def commit(self, tenant: str, batch: Batch) -> Committed:
        """Writes a batch, all or nothing."""
        async with self._connection() as connection:
            return await commits.commit(connection, tenant, batch, self._dictionary)

    async def take_over(self, tenant: str, world: World, race: RaceLost) -> None:
        """Brings a world to what another server wrote."""
        async with self._connection() as connection:
            await loading.take_over(connection, tenant, world, race)

    async def flush(
        self, tenant: str, concepts: dict[int, str], deltas: Deltas, sequence: int
    ) -> None:
        """Adds counters, and rows for concepts without one; once per sequence."""
        async with self._connection() as connection, connection.transaction():
            claimed = await connection.fetchval(
                sql("claim_flush"), tenant, self._origin, sequence
            )
            if claimed is None:
                return
            await connection.execute(sql("forget_flushes"), tenant)
            await commits.add_concepts(connection, tenant, concepts, self._dictionary)
            columns = _columns(deltas)
            if columns:
                await connection.execute(sql("add_encounters"), tenant, *columns)

    async def outcome(self, tenant: str, assertion_id: int) -> Outcome:
        """What became of a statement, from the ledger."""
        async with self._connection() as connection:
            row = await connection.fetchrow(sql("assertion"), tenant, assertion_id)
        assert row is not None, "a remembered request names a row of the ledger"
        return to_outcome(row)

    async def conflict(self, tenant: str, conflict_id: int) -> Conflict:
        """A conflict."""
        found = await self.conflicts(tenant, after=max(conflict_id - 1, 0), limit=1)
        if not found or found[0].id != conflict_id:
            raise ConflictNotFound(
                f"there is no conflict #{conflict_id}. See: festinger conflicts",
                conflict_id=str(conflict_id),
            )
        return found[0]

    async def conflicts(
        self,
        tenant: str,
        *,
        states: Collection[ConflictState] = (),
        concept: str = "",
        after: int = 0,
        limit: int = 50,
    ) -> list[Conflict]:
        """Conflicts with numbers above `after`, oldest first."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                sql("conflicts"), tenant, after, list(states), concept, limit
            )
        return [to_conflict(row) for row in rows]

    async def factoid(self, tenant: str, factoid_id: int) -> Factoid:
        """A candidate."""
        found = await self.factoids(tenant, after=max(factoid_id - 1, 0), limit=1)
        if not found or found[0].id != factoid_id:
            raise FactoidNotFound(
                f"there is no candidate #{factoid_id}. See: festinger candidates",
                factoid_id=str(factoid_id),
            )
        return found[0]

    async def factoids(
        self,
        tenant: str,
        *,
        states: Collection[FactoidState] = (),
        after: int = 0,
        limit: int = 50,
    ) -> list[Factoid]:
        """Candidates with numbers above `after`, oldest first."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                sql("factoids"), tenant, after, list(states), limit
            )
        return [to_factoid(row) for row in rows]

    async def concepts(
        self, tenant: str, *, prefix: str, placed: bool, after: str, limit: int
    ) -> list[str]:
        """Tokens after one, in order."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                sql("list_concepts"), tenant, after, prefix, placed, limit
            )
        return [row["token"] for row in rows]


def _columns(rows: Collection[tuple[object, ...]]) -> list[list[object]]:
    """Rows as parallel arrays; none if there are no rows."""
    return [list(column) for column in zip(*rows, strict=True)]
