"""Store of all memories in a Postgres database."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Collection, Set
from contextlib import asynccontextmanager
from typing import NamedTuple

import asyncpg

from festinger.core.graph.predicates import Registry
from festinger.core.system.preferences import Preferences
from festinger.core.world.publishing import ConceptSnapshot
from festinger.core.world.world import World
from festinger.errors import TenantNotFound
from festinger.store.graph.concepts import add_concepts, numbers
from festinger.store.graph.predicates import PostgresPredicates
from festinger.store.graph.rows import to_time
from festinger.store.language.turn_queue import PostgresUnread
from festinger.store.memories.interactions import PostgresInteractions
from festinger.store.review.documents import PostgresDocuments
from festinger.store.review.inbox_writes import InboxWrites
from festinger.store.review.sweeps import PostgresSweeps
from festinger.store.system.models import PostgresModels
from festinger.store.system.pool import Connection, Pool, translated
from festinger.store.system.queries import columns_of, sql
from festinger.store.system.retention import PostgresRetention
from festinger.store.system.runs import PostgresRuns
from festinger.store.system.statement_batch import JoiningConnection
from festinger.store.system.tenancy import (
    TenantTables,
    add_tenant,
    every_tenant,
    snapshot,
    tenants_by,
    transaction,
)
from festinger.store.validation.backlog import PostgresBacklog, PostgresDreamRuns
from festinger.store.validation.learning import PostgresLessons
from festinger.store.validation.questions import PostgresQuestions
from festinger.store.world import commits, loading, quarantine
from festinger.store.world.batches import Batch, Deltas, RaceLost
from festinger.store.world.reads import PostgresReads


class MemoryHead(NamedTuple):
    """The newest version of a memory, and the server that it is assigned to."""

    version: int
    server: str


class PostgresStore(TenantTables):
    """Store of memories in a database with an up-to-date schema.

    Args:
        pool: The connection pool; closed by the caller.
        dictionary: Everyday words.

    Attributes:
        dictionary: Everyday words.
        models: The language models.
        runs: The runs of the resolver.
        interactions: The conversations of people and agents.
        documents: The documents that waves read.
        sweeps: The progress of extraction from the documents.
        questions: The questions to people.
        lessons: The reputations and calibrations learned from people's answers.
        predicates: The registered predicates.
        backlog: The candidates that people rejected or left undecided.
        dream_runs: The dreaming runs.
        unread: The queue of turns that a model is to read.
        retention: The rows that are kept for a time only.
    """

    def __init__(self, pool: Pool, dictionary: Set[str] = frozenset()) -> None:
        super().__init__(pool)
        self.dictionary = dictionary
        # With a sequence number it names a flush, of this process only.
        self._origin = uuid.uuid4()
        self.models = PostgresModels(pool)
        self.runs = PostgresRuns(pool)
        self.interactions = PostgresInteractions(pool)
        self.documents = PostgresDocuments(pool)
        self.sweeps = PostgresSweeps(pool)
        self.questions = PostgresQuestions(pool)
        self.lessons = PostgresLessons(pool)
        self.predicates = PostgresPredicates(pool)
        self.backlog = PostgresBacklog(pool)
        self.dream_runs = PostgresDreamRuns(pool)
        self.unread = PostgresUnread(pool)
        self.retention = PostgresRetention(pool)

    async def ping(self) -> None:
        """Check that the database answers, and terminate all connections if it does not.

        Raises:
            DatabaseUnavailable: It does not answer within two seconds.
        """
        async with translated():
            await self._pool.ping()

    async def add_tenant(self, tenant: str) -> bool:
        """Create a memory; return False if the name exists."""
        return await add_tenant(self._pool, tenant, self.dictionary)

    async def tenants(self) -> list[str]:
        """Return the names of the memories in alphabetical order."""
        return await tenants_by(self._pool, sql("list_tenants"))

    async def load(self, tenant: str) -> World:
        """Load the whole memory of a tenant."""
        return await loading.load(self._pool, tenant, self.dictionary)

    async def sweep(self, tenant: str) -> list[str]:
        """Quarantine the invalid rows of a memory; return a message for each."""
        async with transaction(self._pool, tenant) as connection:
            return await quarantine.sweep(connection, tenant)

    async def preferences(self, tenant: str) -> tuple[Preferences, list[str]]:
        """Return a tenant's settings, and a message for each invalid one."""
        rows = await self._rows("config", tenant)
        return Preferences.from_rows({row["key"]: row["value"] for row in rows})

    async def registry(self, tenant: str) -> tuple[Registry, list[str]]:
        """Return a tenant's predicates, and a message for each invalid one."""
        return await self.predicates.load(tenant)

    async def reserve(self, tenant: str, kind: str, count: int) -> range:
        """Reserve a block of unused numbers of a kind."""
        first: int = await self._value("reserve", tenant, kind, count)
        return range(first, first + count)

    @asynccontextmanager
    async def writing(self, tenant: str) -> AsyncIterator[PostgresWriting]:
        """Hold the tenant's write lock for a transaction, committed after the block.

        Raises:
            RaceLost: Another server was first; raised by the block.
        """
        try:
            # The lock is held from the first statement on: a batch is judged against what it reads.
            async with transaction(self._pool, tenant, locked=True) as connection:
                yield PostgresWriting(connection, tenant, self.dictionary)
        # Read after the rollback: the numbers are those that another server committed.
        except RaceLost as race:
            if race.tokens:
                async with transaction(self._pool, tenant) as connection:
                    race.concepts = await numbers(connection, tenant, race.tokens)
            raise

    @asynccontextmanager
    async def reading(self, tenant: str) -> AsyncIterator[PostgresReads]:
        """Return an object for reads on one connection, for the duration of a block."""
        async with transaction(self._pool, tenant) as connection:
            yield PostgresReads(connection, tenant)

    @asynccontextmanager
    async def inbox(self, tenant: str) -> AsyncIterator[InboxWrites]:
        """Return an object for writes of the inbox, committed after the block."""
        async with transaction(self._pool, tenant) as connection:
            yield InboxWrites(connection, tenant)

    async def heads(self, tenants: Collection[str]) -> dict[str, MemoryHead]:
        """Return the newest version and the server of each tenant."""
        async with every_tenant(self._pool) as connection:
            rows = await connection.fetch(sql("tenant_heads"), list(tenants))
        return {
            row["tenant"]: MemoryHead(row["version"], row["server"]) for row in rows
        }

    async def directory(self) -> dict[str, str]:
        """Return the server of each tenant, by name; empty for any."""
        async with every_tenant(self._pool) as connection:
            rows = await connection.fetch(sql("directory"))
        return {row["tenant"]: row["server"] for row in rows}

    async def assign_tenant(self, tenant: str, server: str) -> None:
        """Have a server serve a tenant, "" for any. Raises `TenantNotFound`."""
        found = await self._value("assign_tenant", tenant, server)
        if found is None:
            raise TenantNotFound(f"there is no tenant {tenant!r}", tenant=tenant)

    async def news(
        self, tenant: str, since: int, places: Collection[int] = ()
    ) -> ConceptSnapshot:
        """Return the changes since a version, and the content of some concepts."""
        # All parts of the news as of one version.
        async with snapshot(self._pool, tenant) as connection:
            return await loading.news(connection, tenant, since, places)

    async def flush(
        self, tenant: str, concepts: dict[int, str], deltas: Deltas, sequence: int
    ) -> None:
        """Add counters, and rows for new concepts; idempotent per sequence number."""
        async with transaction(self._pool, tenant) as connection:
            claimed = await connection.fetchval(
                sql("claim_flush"), tenant, self._origin, sequence
            )
            # The flush was committed before, and its answer lost: it counts once.
            if claimed is None:
                return
            await connection.execute(sql("forget_flushes"), tenant)
            joining = JoiningConnection(connection, tenant)
            written = await add_concepts(
                joining,
                tenant,
                concepts,
                self.dictionary,
                # A new row is written with its count.
                counted={number: (count, seen) for number, count, seen in deltas},
            )
            await joining.flush()
            added = set(written)
            # Concepts that have a row, perhaps since another server met them first.
            known = [each for each in deltas if each[0] not in added]
            if known:
                await _count(connection, tenant, known)

    async def tenants_over(self, now: float) -> list[str]:
        """Return the tenants that have an expired candidate without a decision."""
        return await tenants_by(self._pool, sql("tenants_over"), to_time(now))

    async def with_old_words(self, before: float) -> list[str]:
        """Return the tenants with texts of people from before a point in time."""
        return await tenants_by(self._pool, sql("with_old_words"), to_time(before))

    async def with_unsettled_changes(self, before: float) -> list[str]:
        """Return the tenants with changes from before a time that nothing followed."""
        return await tenants_by(
            self._pool, sql("with_unsettled_changes"), to_time(before)
        )

    async def leave_to_people(self, tenant: str, conflict_id: int) -> None:
        """Have people decide about a change that could not replace what is held."""
        async with transaction(self._pool, tenant) as connection:
            await connection.execute(sql("leave_to_people"), tenant, conflict_id)

    async def forget_changes(self, tenant: str, before: float) -> None:
        """Delete the entries of the change log from before a point in time."""
        await self._run("forget_changes", tenant, to_time(before))


class PostgresWriting(PostgresReads):
    """A write transaction that holds the tenant's write lock."""

    def __init__(
        self, connection: Connection, tenant: str, dictionary: Collection[str]
    ) -> None:
        super().__init__(connection, tenant)
        self._dictionary = dictionary

    async def news(self, since: int, places: Collection[int] = ()) -> ConceptSnapshot:
        """Return the changes since a version, and the content of some concepts."""
        # No snapshot: the lock keeps all others from writing.
        return await loading.news(self._connection, self._tenant, since, places)

    async def write(self, batch: Batch) -> int:
        """Write a batch, committed after the block; return the version after it."""
        return await commits.write(
            self._connection, self._tenant, batch, self._dictionary
        )


async def _count(connection: Connection, tenant: str, deltas: Deltas) -> None:
    """Add encounters to the rows of concepts."""
    try:
        counted = await connection.fetch(
            sql("add_encounters"), tenant, *columns_of(deltas)
        )
    # Rows are locked in the order of their ids; new words of two servers may still cross.
    except asyncpg.DeadlockDetectedError as error:
        raise RaceLost from error
    if len(counted) != len(deltas):
        # Another server dropped a word that was still to be counted.
        raise RaceLost
