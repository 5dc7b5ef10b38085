"""Transactions of one tenant, which row-level security keeps to its rows.

Stores run one query in each, several, or some under a lease. Each may raise `Overloaded` or `DatabaseUnavailable`, as `acquired` does.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator, Set
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, ClassVar

import asyncpg

from festinger.core.system.preferences import Preferences
from festinger.errors import InvalidArgument
from festinger.store.system import pool as pools
from festinger.store.system.pool import TRANSIENT, Connection, Pool, acquired
from festinger.store.system.queries import columns_of, sql

# No quote can be in it, since `_settings` writes it into a statement.
NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,62}")
"""What the name of a tenant may be."""


@asynccontextmanager
async def transaction(
    pool: Pool, tenant: str, *, locked: bool = False
) -> AsyncIterator[Connection]:
    """Run a block in a transaction that sees and writes the rows of one tenant.

    Args:
        locked: Whether it holds the tenant's write lock from its begin on.
    """
    async with (
        acquired(pool) as connection,
        _begun(connection, "begin", tenant, pool.role),
    ):
        if locked:
            await connection.execute(sql("take_pen"), tenant)
        yield connection


@asynccontextmanager
async def snapshot(pool: Pool, tenant: str) -> AsyncIterator[Connection]:
    """Run a block in a read-only transaction of a tenant, as of one point in time."""
    async with (
        acquired(pool) as connection,
        snapshot_on(connection, tenant, pool.role),
    ):
        yield connection


@asynccontextmanager
async def snapshot_on(
    connection: Connection, tenant: str, role: str
) -> AsyncIterator[None]:
    """Run a block in a read-only transaction of a tenant, on an acquired connection.

    Args:
        role: The role that the transaction takes on.
    """
    begin = "begin isolation level repeatable read read only"
    async with _begun(connection, begin, tenant, role):
        yield


@asynccontextmanager
async def every_tenant(pool: Pool) -> AsyncIterator[Connection]:
    """Run a block in a transaction that reads the rows of all tenants (A4)."""
    # For jobs that find out which tenants have work: it is done in transactions of those.
    async with (
        acquired(pool) as connection,
        _begun(connection, "begin read only", "", pool.role, every="on"),
    ):
        yield connection


async def tenants_by(pool: Pool, query: str, *arguments: object) -> list[str]:
    """Return the tenants that a query of all tenants' rows finds, in its order."""
    async with every_tenant(pool) as connection:
        rows = await connection.fetch(query, *arguments)
    return [row["tenant"] for row in rows]


@asynccontextmanager
async def _begun(
    connection: Connection, begin: str, tenant: str, role: str, *, every: str = "off"
) -> AsyncIterator[None]:
    """Run a block in a transaction; on an error, roll back and keep the error.

    Args:
        begin: The statement that begins it.
        every: "on" to see the rows of all tenants.
    """
    try:
        # Sent together, as one round trip.
        await connection.execute(f"{begin}; {_settings(tenant, role, every)}")
        yield
    except BaseException:
        try:
            await connection.execute("rollback", timeout=pools.PING_SECONDS_MAX)
        except (asyncpg.InterfaceError, *TRANSIENT):
            # After an aborted COPY the driver cannot continue, and may have closed the
            # connection itself.
            with suppress(asyncpg.InterfaceError):
                connection.terminate()
        raise
    await connection.execute("commit")


def _settings(tenant: str, role: str, every: str) -> str:
    """Return the statements that make the settings of a transaction."""
    # A text that is no name is replaced by an empty one, so that it gets into no statement.
    settings = {
        "role": role,
        "festinger.tenant": tenant if NAME.fullmatch(tenant) else "",
        "festinger.every_tenant": every,
        "search_path": "public",
        # An acknowledged write is on disk.
        "synchronous_commit": "on",
        # Whoever hangs gives its locks back, and nobody waits for them for ever.
        "lock_timeout": f"{pools.LOCK_SECONDS_MAX}s",
        "idle_in_transaction_session_timeout": (
            f"{pools.IDLE_IN_TRANSACTION_SECONDS_MAX}s"
        ),
    }
    # `set local` ends with the transaction, as a pooler needs it. No calls of `set_config`:
    # Citus tells its nodes of `set local` only. And as it sends them everything that comes with
    # it, no query is among these statements.
    return "; ".join(
        f"set local {name} = '{value}'" for name, value in settings.items()
    )


SEEDS = (
    ("type", "What kind of thing is this?", True),
    ("membership", "What system or project does this belong to?", False),
    ("runs-on", "What infrastructure hosts or executes this?", False),
    ("tech", "What technology stack is it built with?", False),
    ("owned-by", "Who is responsible for this?", False),
    ("geography", "Where is this spatially or organisationally located?", False),
)
"""The initial dimensions of every memory: token, question, is_isa."""
MODEL = "llama3.2"
"""Ollama's name of the initial model of every memory: a small one that is widely
installed. It is not used until it is chosen."""


async def add_tenant(pool: Pool, tenant: str, dictionary: Set[str]) -> bool:
    """Create a memory, unless the name exists.

    Returns:
        Whether it was created.

    Raises:
        InvalidArgument: The name is invalid.
    """
    if not NAME.fullmatch(tenant):
        raise InvalidArgument(
            f"{tenant[:80]!r} cannot be a tenant: write 1 to 63 small letters, digits "
            "or _ . - and begin with a letter or a digit",
            field="tenant",
        )
    async with transaction(pool, tenant) as connection:
        # The name exists: nothing of it is changed.
        if await connection.fetchval(sql("add_tenant"), tenant) is None:
            return False
        await connection.execute(sql("add_head"), tenant)
        await connection.execute(sql("add_id_blocks"), tenant)
        rows = Preferences().rows()
        await connection.execute(
            sql("seed_config"), tenant, list(rows), list(rows.values())
        )
        number = await connection.fetchval(sql("reserve"), tenant, "model", 1)
        await connection.execute(sql("seed_model"), tenant, number, MODEL)
        await _seed_dimensions(connection, tenant, dictionary)
    return True


async def _seed_dimensions(
    connection: Connection, tenant: str, dictionary: Set[str]
) -> None:
    tokens, questions, flavours = columns_of(SEEDS)
    first: int = await connection.fetchval(
        sql("reserve"), tenant, "concept", len(SEEDS)
    )
    ids = list(range(first, first + len(SEEDS)))
    # Some are everyday words, such as `type` (B4a).
    everyday = [token in dictionary for token in tokens]
    await connection.fetch(
        sql("add_concepts"), tenant, ids, tokens, everyday, [], [], []
    )
    await connection.execute(sql("seed_dimensions"), tenant, ids, questions, flavours)
    # Each dimension's tree ends in its own concept (C1).
    await connection.execute(sql("add_roots"), tenant, ids, flavours, datetime.now(UTC))


class TenantTables:
    """Base of stores whose methods each run a transaction of one tenant.

    Every method may raise `Overloaded` or `DatabaseUnavailable`.

    Args:
        pool: The connection pool; closed by the caller.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def _rows(
        self, name: str, tenant: str, *arguments: Any
    ) -> list[asyncpg.Record]:
        """Return the rows of a named query, which takes the tenant first."""
        async with transaction(self._pool, tenant) as connection:
            return await connection.fetch(sql(name), tenant, *arguments)

    async def _row(
        self, name: str, tenant: str, *arguments: Any
    ) -> asyncpg.Record | None:
        """Return the first row of a named query; None if there is none."""
        async with transaction(self._pool, tenant) as connection:
            return await connection.fetchrow(sql(name), tenant, *arguments)

    async def _value(self, name: str, tenant: str, *arguments: Any) -> Any:
        """Return the first column of the first row; None if there is none."""
        async with transaction(self._pool, tenant) as connection:
            return await connection.fetchval(sql(name), tenant, *arguments)

    async def _run(self, name: str, tenant: str, *arguments: Any) -> None:
        """Run a named statement without a result."""
        async with transaction(self._pool, tenant) as connection:
            await connection.execute(sql(name), tenant, *arguments)


class TenantReads:
    """Base of reads of one tenant's tables, on one connection and in its transaction.

    Args:
        connection: The connection, in a transaction of the tenant.
    """

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    async def _rows(self, name: str, *arguments: Any) -> list[asyncpg.Record]:
        """Return the rows of a named query, which takes the tenant first."""
        return await self._connection.fetch(sql(name), self._tenant, *arguments)

    async def _row(self, name: str, *arguments: Any) -> asyncpg.Record | None:
        """Return the first row of a named query; None if there is none."""
        return await self._connection.fetchrow(sql(name), self._tenant, *arguments)

    async def _value(self, name: str, *arguments: Any) -> Any:
        """Return the first column of the first row; None if there is none."""
        return await self._connection.fetchval(sql(name), self._tenant, *arguments)


class Leased(TenantTables):
    """Base of stores whose work is done by one process at a time.

    Args:
        pool: The connection pool; closed by the caller.

    Attributes:
        lease_name: The name of the lease in the database.
    """

    lease_name: ClassVar[str]

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        # Another process, or this one after a restart, is another holder.
        self._holder = uuid.uuid4()

    async def take_lease(self, tenant: str, seconds: float) -> bool:
        """Acquire or extend the lease; return False if another process holds it."""
        # By the database's clock. Without a row, another holder's lease has not run out.
        row = await self._row(
            "take_lease", tenant, self.lease_name, self._holder, seconds
        )
        return row is not None

    async def drop_lease(self, tenant: str) -> None:
        """Release the lease."""
        await self._run("drop_lease", tenant, self.lease_name, self._holder)
