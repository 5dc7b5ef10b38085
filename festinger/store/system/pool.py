"""Connections to Postgres, and what their failures mean."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import asyncpg

from festinger.config import DatabaseSettings
from festinger.errors import ConfigurationError, DatabaseUnavailable, Overloaded

Connection = asyncpg.pool.PoolConnectionProxy
Pool = asyncpg.Pool

ACQUIRE_SECONDS_MAX = 5.0
CLOSE_SECONDS_MAX = 5.0

IDLE_IN_TRANSACTION_SECONDS_MAX = 10
"""How long a server that hangs in a transaction may keep its locks from the others."""
LOCK_SECONDS_MAX = 5
"""How long a statement waits for another server's lock."""

# What goes away by itself, or with the database: worth trying again. The server being
# read-only, starting up or stopping is among them, and having been chosen to give way
# to another transaction; InternalClientError is what asyncpg raises when a socket dies
# between two of its states. InterfaceError is not: most of them are our own defects,
# and `translated` knows the others by the state of the connection.
TRANSIENT = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.InsufficientResourcesError,
    asyncpg.LockNotAvailableError,
    asyncpg.PostgresIOError,
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
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise ConfigurationError(
                f"the database refuses the connection: {error}. Check database.dsn "
                "(--dsn, FESTINGER_DSN)"
            ) from None
        except ValueError:
            # Its words quote what was read as a port, which may be half a password.
            raise ConfigurationError(
                "database.dsn (--dsn, FESTINGER_DSN) cannot be read, or PGPORT cannot. "
                "Write / # ? [ ] @ : and % within a user's name or a password as %2F "
                "%23 %3F %5B %5D %40 %3A and %25"
            ) from None


async def close_pool(pool: Pool) -> None:
    """Closes the connections, those to a server that hangs without its consent."""
    with suppress(asyncpg.InterfaceError, *TRANSIENT):
        await asyncio.wait_for(pool.close(), CLOSE_SECONDS_MAX)


@asynccontextmanager
async def translated(
    connection: asyncpg.Connection | Connection | None = None,
) -> AsyncIterator[None]:
    """Turns what the driver raises when the database is away into our own error.

    Args:
        connection: What the block uses, if it is one: its being lost is translated too.
    """
    try:
        yield
    except asyncpg.DiskFullError as error:
        raise DatabaseUnavailable(
            "the disk of the database is full; free some space there"
        ) from error
    except TRANSIENT as error:
        raise _unreachable() from error
    except asyncpg.InterfaceError as error:
        # Its subclasses are about arguments and settings.
        if type(error) is asyncpg.InterfaceError and _is_lost(connection):
            raise _unreachable() from error
        raise


@asynccontextmanager
async def acquired(pool: Pool) -> AsyncIterator[Connection]:
    """A connection of the pool, for the length of a block.

    Raises:
        Overloaded: All connections are in use and none came back in time.
        DatabaseUnavailable: There is no connection to be had, or this one was lost.
    """
    async with translated():
        connection = await _acquire(pool)
    cancelled = False
    try:
        async with translated(connection):
            yield connection
    except asyncio.CancelledError:
        cancelled = True
        raise
    finally:
        # What the block did is done: a connection that does not survive being tidied
        # up is replaced by the pool and takes nothing with it, whoever goes meanwhile.
        tidying = asyncio.create_task(_tidy(pool, connection, cancelled=cancelled))
        tidying.add_done_callback(lambda task: task.cancelled() or task.exception())
        with suppress(asyncpg.InterfaceError, *TRANSIENT):
            await asyncio.shield(tidying)


async def _tidy(pool: Pool, connection: Connection, *, cancelled: bool) -> None:
    """Gives a connection back.

    Whoever is cancelled between the preparing of a statement and its execution leaves
    the server within a transaction that the driver knows nothing of.
    """
    try:
        if cancelled and not connection.is_closed():
            await connection.execute("rollback")
    except (asyncpg.PostgresError, asyncpg.InterfaceError, *TRANSIENT):
        with suppress(asyncpg.InterfaceError):
            connection.terminate()
    finally:
        await pool.release(connection)


@asynccontextmanager
async def spare(pool: Pool) -> AsyncIterator[Connection | None]:
    """One more connection, for who can do without: None where others may need it."""
    busy = pool.get_size() - pool.get_idle_size()
    if pool.get_max_size() - busy < 2:
        yield None
        return
    async with acquired(pool) as connection:
        yield connection


async def _acquire(pool: Pool) -> Connection:
    try:
        return await pool.acquire(timeout=ACQUIRE_SECONDS_MAX)
    except TimeoutError as error:
        # Whoever waited in vain for a new connection has left a gap.
        if pool.get_size() < pool.get_max_size():
            raise
        raise Overloaded(
            f"all {pool.get_max_size()} connections to the database are busy; try "
            "again in a moment, or raise database.connections_max"
        ) from error
    except TRANSIENT:
        raise
    except asyncpg.PostgresError as error:
        raise DatabaseUnavailable(
            f"the database refuses the connection: {error}. Check database.dsn"
        ) from error
    except asyncpg.InterfaceError as error:
        if pool.is_closing():
            raise DatabaseUnavailable("the connections are being closed") from error
        raise


def _is_lost(connection: asyncpg.Connection | Connection | None) -> bool:
    if connection is None:
        return False
    try:
        return connection.is_closed()
    except asyncpg.InterfaceError:
        # The pool takes a connection from its user as soon as it breaks.
        return True


def _unreachable() -> DatabaseUnavailable:
    return DatabaseUnavailable("the database cannot be reached; try again in a moment")


async def _create(dsn: str, settings: DatabaseSettings) -> Pool:
    pool = await asyncpg.create_pool(
        dsn,
        # Else asyncpg itself looks for a database that is away, and logs tracebacks.
        min_size=0,
        max_size=settings.connections_max,
        timeout=ACQUIRE_SECONDS_MAX,
        command_timeout=settings.statement_seconds_max,
        reset=_leave_as_it_is,
        server_settings={
            "application_name": "festinger",
            "timezone": "UTC",
            "search_path": "public",
            # an acknowledged write is on disk
            "synchronous_commit": "on",
            "idle_in_transaction_session_timeout": (
                f"{IDLE_IN_TRANSACTION_SECONDS_MAX}s"
            ),
            "lock_timeout": f"{LOCK_SECONDS_MAX}s",
        },
    )
    try:
        async with pool.acquire():
            return pool
    except BaseException:
        pool.terminate()
        raise


async def _leave_as_it_is(connection: asyncpg.Connection) -> None:
    """What a connection needs before its next user: nothing, so no trip is made.

    A transaction that was left open is rolled back by asyncpg itself, and we keep no
    other state in a session: no settings, cursors, listeners or advisory locks.
    """
