"""Connections to Postgres, and what their failures mean."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import asyncpg

from festinger.config import DatabaseSettings
from festinger.errors import ConfigurationError, DatabaseUnavailable

Connection = asyncpg.pool.PoolConnectionProxy
Pool = asyncpg.Pool

ACQUIRE_SECONDS_MAX = 5.0

# What goes away by itself, or with the database: worth trying again. The server being
# read-only or starting up is among them, and having been chosen to give way to another
# transaction; InternalClientError is what asyncpg raises when a socket dies between two
# of its states.
TRANSIENT = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.QueryCanceledError,
    asyncpg.TransactionRollbackError,
)


async def open_pool(
    dsn: str,
    settings: DatabaseSettings,
    *,
    report: Callable[[str], None] = lambda message: None,
) -> Pool:
    """Opens a pool, waiting for a database that is not there yet.

    Args:
        report: Gets a sentence for people before each wait.

    Raises:
        DatabaseUnavailable: It did not come.
        ConfigurationError: It is there and refuses us, which waiting does not mend.
    """
    loop = asyncio.get_running_loop()
    deadline, pause = loop.time() + settings.start_seconds_max, 0.25
    while True:
        try:
            return await _create(dsn, settings)
        except (
            asyncpg.InvalidAuthorizationSpecificationError,
            asyncpg.InvalidCatalogNameError,
            asyncpg.ClientConfigurationError,
        ) as error:
            raise ConfigurationError(
                f"the database refuses the connection: {error}. Check database.dsn "
                "(--dsn, FESTINGER_DSN)"
            ) from None
        except TRANSIENT as error:
            if loop.time() + pause > deadline:
                raise DatabaseUnavailable(
                    f"no database after {settings.start_seconds_max:g} s: "
                    f"{error or 'time-out'}"
                    ". Start it, or check database.dsn (--dsn, FESTINGER_DSN)"
                ) from error
            report(f"the database is not there yet ({error}); trying again …")
            await asyncio.sleep(pause)
            pause = min(2 * pause, 5.0)


@asynccontextmanager
async def translated() -> AsyncIterator[None]:
    """Turns what the driver raises when the database is away into our own error."""
    try:
        yield
    except TRANSIENT as error:
        raise DatabaseUnavailable(
            "the database cannot be reached; try again in a moment"
        ) from error


async def _create(dsn: str, settings: DatabaseSettings) -> Pool:
    return await asyncpg.create_pool(
        dsn,
        min_size=1,
        max_size=settings.connections_max,
        timeout=ACQUIRE_SECONDS_MAX,
        command_timeout=settings.statement_seconds_max,
        server_settings={
            "application_name": "festinger",
            "timezone": "UTC",
            "search_path": "public",
            # an acknowledged write is on disk
            "synchronous_commit": "on",
        },
    )
