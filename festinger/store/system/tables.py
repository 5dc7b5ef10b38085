"""Bases of stores: one query a transaction, several in one, or under a lease."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

import asyncpg

from festinger.store.system.pool import Connection, Pool
from festinger.store.system.queries import sql
from festinger.store.system.tenancy import transaction


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
