"""Transactions for one tenant, which row-level security keeps to that tenant's rows.

All settings and the role are local to the transaction, so that they hold behind a pooler
that gives each transaction another connection.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import asyncpg
from asyncpg.transaction import Transaction

from festinger.store.system import pool as pools
from festinger.store.system.pool import TRANSIENT, Connection, Pool, acquired

NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,62}")
"""What the name of a tenant may be."""


@asynccontextmanager
async def transaction(pool: Pool, tenant: str) -> AsyncIterator[Connection]:
    """Run a block in a transaction that sees and writes the rows of one tenant.

    Raises:
        Overloaded: All connections are in use and none was released in time.
        DatabaseUnavailable: No connection can be made, or this one was lost.
    """
    async with (
        acquired(pool) as connection,
        _begun(connection, connection.transaction()),
    ):
        await _enter(connection, tenant, pool.role)
        yield connection


@asynccontextmanager
async def snapshot(pool: Pool, tenant: str) -> AsyncIterator[Connection]:
    """Run a block in a read-only transaction of a tenant, as of one point in time.

    Raises:
        Overloaded: All connections are in use and none was released in time.
        DatabaseUnavailable: No connection can be made, or this one was lost.
    """
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
    begun = connection.transaction(isolation="repeatable_read", readonly=True)
    async with _begun(connection, begun):
        await _enter(connection, tenant, role)
        yield


@asynccontextmanager
async def every_tenant(pool: Pool) -> AsyncIterator[Connection]:
    """Run a block in a transaction that reads the rows of all tenants.

    It is for jobs that find out which tenants have work to do, each of which is then
    done in a transaction of that tenant.

    Raises:
        Overloaded: All connections are in use and none was released in time.
        DatabaseUnavailable: No connection can be made, or this one was lost.
    """
    async with (
        acquired(pool) as connection,
        _begun(connection, connection.transaction(readonly=True)),
    ):
        await _enter(connection, "", pool.role, every="on")
        yield connection


async def _enter(
    connection: Connection, tenant: str, role: str, every: str = "off"
) -> None:
    """Make the settings of a transaction, in one round trip.

    They are no calls of `set_config`, since Citus tells its nodes of `SET LOCAL` only.
    A text that is no name gets into no statement: it stands for no tenant.

    Args:
        every: "on" to see the rows of all tenants.
    """
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
    await connection.execute(
        "; ".join(f"set local {name} = '{value}'" for name, value in settings.items())
    )


@asynccontextmanager
async def _begun(
    connection: Connection, transaction: Transaction
) -> AsyncIterator[None]:
    """Run a block in a transaction; on an error, roll back and keep the error."""
    await transaction.start()
    try:
        yield
    except BaseException:
        try:
            await transaction.rollback()
        except (asyncpg.InterfaceError, *TRANSIENT):
            # After an aborted COPY the driver cannot continue, and may have closed the
            # connection itself.
            with suppress(asyncpg.InterfaceError):
                connection.terminate()
        raise
    await transaction.commit()
