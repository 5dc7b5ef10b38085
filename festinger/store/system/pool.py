"""Connections to Postgres, and translation of the driver's errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from weakref import WeakSet

import asyncpg

from festinger.config import DatabaseSettings
from festinger.errors import ConfigurationError, DatabaseUnavailable, Overloaded
from festinger.sockets import keep_alive
from festinger.store.system.connection import CachingConnection, UnattendedStatements
from festinger.store.system.queries import sql

Connection = asyncpg.pool.PoolConnectionProxy

ACQUIRE_SECONDS_MAX = 5.0
CLOSE_SECONDS_MAX = 5.0

IDLE_IN_TRANSACTION_SECONDS_MAX = 3
"""The time after which an idle transaction of a hanging server is ended, in seconds."""
LOCK_SECONDS_MAX = 5
"""The time that a statement waits for a lock, in seconds."""

PING_SECONDS_MAX = 2.0
"""The time in seconds after which a database that does not answer a ping is silent."""

# Errors that pass by themselves, or when the database returns, and are worth a retry.
# They include a server that is read-only, starting or stopping, and a transaction that
# was chosen as a deadlock's victim; asyncpg raises InternalClientError when a socket
# breaks between two protocol states. InterfaceError is not included: most of them are
# our own defects, and `translated` detects the others by the connection's state.
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


class Pool(asyncpg.Pool):
    """Connection pool that notices when the database falls silent.

    Args:
        dsn: The database.
        settings: The settings of the database; their pooler takes its place.

    Attributes:
        role: The role that transactions take on; "none" if the user of the DSN is
            subject to row-level security.
        is_pooled: Whether it connects to a pooler.
    """

    def __init__(self, dsn: str, settings: DatabaseSettings) -> None:
        self._settings: dict[str, Any] = {
            "timeout": ACQUIRE_SECONDS_MAX,
            "command_timeout": settings.statement_seconds_max,
            # Further settings are those of a transaction, see `tenancy`: a pooler
            # knows only these.
            "server_settings": {"application_name": "festinger", "timezone": "UTC"},
        }
        if settings.pooler is not None:
            dsn = settings.pooler
            # A pooler may give each transaction another session, which lacks prepared statements.
            self._settings["statement_cache_size"] = 0
        self._dsn = dsn
        self.is_pooled = settings.pooler is not None
        self.role = "none"
        # Known, so that they can be ended: a connection whose other end vanished without a
        # reset would keep its statement waiting for `statement_seconds_max`.
        self._open: WeakSet[CachingConnection] = WeakSet()
        self._pinging: CachingConnection | None = None
        self._unattended = UnattendedStatements()
        super().__init__(
            dsn,
            # With a minimum, asyncpg itself would retry a lost database and log
            # tracebacks.
            min_size=0,
            max_size=settings.connections_max,
            # The defaults of `create_pool`, which the class lacks.
            max_queries=50_000,
            max_inactive_connection_lifetime=300.0,
            loop=None,
            connection_class=CachingConnection,
            record_class=asyncpg.Record,
            init=self._add,
            reset=_leave_as_it_is,
            **self._settings,
        )

    async def ping(self) -> None:
        """Check that the database answers; end connections that are silent.

        Raises:
            OSError: The database does not answer, as any other error in `TRANSIENT`.
        """
        loop = asyncio.get_running_loop()
        # A database that is silent here is silent on all connections: each statement fails.
        timer = loop.call_later(PING_SECONDS_MAX, self.drop)
        try:
            # A connection of its own: all of the pool's may wait for long statements.
            connection = self._pinging
            if connection is None or connection.is_closed():
                connection = self._pinging = await self._connect_to_ping()
            if lost := await self._unattended.find(connection, self._open):
                for each in lost:
                    each.abandon()
                # Idle ones may be as silent: they are replaced before their next use.
                await self.expire_connections()
        finally:
            timer.cancel()

    def drop(self) -> None:
        """End all connections, whose statements fail; new ones are opened."""
        for connection in list(self._open):
            connection.abandon()

    async def close(self) -> None:
        """Close all connections once they are released."""
        if self._pinging is not None:
            self._pinging.terminate()
        await super().close()

    def terminate(self) -> None:
        """Terminate all connections, and close the pool."""
        self.drop()
        super().terminate()

    async def _add(self, connection: Any) -> None:
        self._open.add(connection)
        # asyncpg has no setting for it.
        keep_alive(connection._transport.get_extra_info("socket"))
        try:
            async with connection.transaction():
                self.role = await connection.fetchval(sql("role_of_transactions"))
        except asyncpg.InterfaceError as error:
            # It was lost, which is no defect, if it is closed.
            if _is_lost(connection):
                raise ConnectionResetError("a new connection was closed") from error
            raise

    async def _connect_to_ping(self) -> CachingConnection:
        try:
            connection: CachingConnection = await asyncpg.connect(
                self._dsn,
                connection_class=CachingConnection,
                **{**self._settings, "timeout": PING_SECONDS_MAX},
            )
        except TimeoutError:
            self.drop()
            raise
        try:
            await self._add(connection)
        except BaseException:
            # Nobody knows of it yet, who could close it.
            connection.terminate()
            raise
        return connection


async def open_pool(
    dsn: str,
    settings: DatabaseSettings,
    *,
    report: Callable[[str], None] = lambda message: None,
) -> Pool:
    """Open a pool, waiting for a database that cannot be reached or written yet.

    Args:
        report: Called with a message before each retry.

    Raises:
        DatabaseUnavailable: The database could not be reached, or written, in time.
        ConfigurationError: The database refuses the connection, or the DSN is invalid.
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
            # The message quotes the text parsed as a port, perhaps half a password.
            raise ConfigurationError(
                "database.dsn (--dsn, FESTINGER_DSN) cannot be read, or PGPORT cannot. "
                "Write / # ? [ ] @ : and % within a user's name or a password as %2F "
                "%23 %3F %5B %5D %40 %3A and %25"
            ) from None


async def close_pool(pool: Pool) -> None:
    """Close the pool; give up on connections to a hanging server after a timeout."""
    with suppress(asyncpg.InterfaceError, *TRANSIENT):
        async with asyncio.timeout(CLOSE_SECONDS_MAX):
            await pool.close()


@asynccontextmanager
async def translated(
    connection: asyncpg.Connection | Connection | None = None,
) -> AsyncIterator[None]:
    """Translate the driver's connection errors to `DatabaseUnavailable`.

    Args:
        connection: The block's connection, if any, whose loss is translated too.
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
    """Acquire a connection of the pool for the duration of a block.

    Raises:
        Overloaded: All connections are in use and none was released in time.
        DatabaseUnavailable: No connection can be made, or this one was lost.
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
        # The block's work is complete: a connection that breaks during its cleanup is
        # replaced by the pool without an error, even if this task is cancelled.
        tidying = asyncio.create_task(_tidy(pool, connection, cancelled=cancelled))
        # Fetching the exception keeps asyncio from logging that nobody did.
        tidying.add_done_callback(lambda task: task.cancelled() or task.exception())
        with suppress(asyncpg.InterfaceError, *TRANSIENT):
            await asyncio.shield(tidying)


async def _tidy(pool: Pool, connection: Connection, *, cancelled: bool) -> None:
    """Release a connection to the pool."""
    try:
        # A task that is cancelled between the preparation of a statement and its execution
        # leaves the server in a transaction that the driver does not know of.
        if cancelled and not connection.is_closed():
            await connection.execute("rollback", timeout=PING_SECONDS_MAX)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, *TRANSIENT):
        with suppress(asyncpg.InterfaceError):
            connection.terminate()
    finally:
        await pool.release(connection)


@asynccontextmanager
async def spare(pool: Pool) -> AsyncIterator[Connection | None]:
    """Acquire an optional connection; yield None if others may need it."""
    # A pooler's sessions may all be held by those who wait for a second one.
    busy = pool.get_size() - pool.get_idle_size()
    if pool.is_pooled or pool.get_max_size() - busy < 2:
        yield None
        return
    async with acquired(pool) as connection:
        yield connection


async def _acquire(pool: Pool) -> Connection:
    try:
        return await pool.acquire(timeout=ACQUIRE_SECONDS_MAX)
    except TimeoutError as error:
        # The pool has free slots, so the timeout was that of a new connection.
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
        # The pool detaches a connection from its user as soon as it breaks.
        return True


def _unreachable() -> DatabaseUnavailable:
    return DatabaseUnavailable("the database cannot be reached; try again in a moment")


async def _create(dsn: str, settings: DatabaseSettings) -> Pool:
    pool = await Pool(dsn, settings)
    try:
        # The pool opens nothing by itself: this connection shows that the database is there.
        async with pool.acquire() as connection:
            # A standby answers, and takes no writes before its promotion.
            if await connection.fetchval("show transaction_read_only") == "on":
                raise asyncpg.ReadOnlySQLTransactionError("it is read-only")
            return pool
    except BaseException:
        pool.terminate()
        raise


async def _leave_as_it_is(connection: asyncpg.Connection) -> None:
    """Reset nothing before a connection's next use, which saves a round trip."""
    # asyncpg itself rolls back an open transaction, and sessions carry no other state: no
    # settings, cursors, listeners or advisory locks.
