"""Migrations of the database to the schema of this version, by steps of plain SQL."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import asyncpg

from festinger.errors import ConfigurationError, DatabaseUnavailable
from festinger.store.migrations import row_security
from festinger.store.system.pool import TRANSIENT, translated

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD = "0025"
"""The revision that this version of the code works with."""
POSTGRES_MIN = 15  # for views with `security_invoker`
LEASE_SECONDS = 60
"""The time that a killed server keeps others from migrating, in seconds."""

_FOLDER = Path(__file__).parent
# One row, so that one of several servers that start at once migrates, and the others wait.
_LEASE = """
create table if not exists migration_lease (
    one boolean primary key default true check (one),
    holder uuid not null,
    expires_at timestamptz not null
)
"""
# Takes a lease that ran out, or is ours, by the database's clock.
_ACQUIRE = """
insert into migration_lease (holder, expires_at)
values ($1, now() + make_interval(secs => $2))
on conflict (one) do update
set holder = excluded.holder, expires_at = excluded.expires_at
where migration_lease.expires_at < now() or migration_lease.holder = excluded.holder
returning holder
"""
# Renewed while the steps run, however long they take.
_RENEW = """
update migration_lease set expires_at = now() + make_interval(secs => $2)
where holder = $1
"""
# The row lock prevents a change of the lease until the steps are committed.
_HOLD = "select holder from migration_lease where holder = $1 for update"
# Expired at once, so that the row itself stays for the next holder.
_RELEASE = "update migration_lease set expires_at = '-infinity' where holder = $1"

# Finds `create table if not exists turns`, and the new name in `alter table a rename to b`.
_TABLE = re.compile(
    r"\b(?:create table(?: if not exists)?|alter table \w+ rename to) (\w+)"
)
# Without `create function pg_temp.…`, which ends with its session.
_OTHER = re.compile(r"\bcreate (?:or replace )?(view|function) (?!pg_temp\.)(\w+)")


class ReplacementRows(NamedTuple):
    """Rows that take the place of all there are.

    Attributes:
        revision: The revision of the schema that they are of.
        fill: Writes them, in the transaction of the connection that it is given.
    """

    revision: str
    fill: Callable[[asyncpg.Connection], Awaitable[None]]


def tables() -> set[str]:
    """Return the names of all tables that any revision has, or had."""
    return {name for sql in _files() for name in _TABLE.findall(sql)}


def require_known(revision: str, what: str) -> None:
    """Check that this version knows a revision.

    Args:
        what: What has this revision, for the error message.

    Raises:
        ConfigurationError: A newer version made it.
    """
    known = set(map(_revision_of, _FOLDER.glob("versions/*_*.sql")))
    if revision not in known:
        raise ConfigurationError(
            f"{what} has schema {revision}, this Festinger knows up to {HEAD}: it was "
            "made by a newer version. Install that version, or restore a backup from "
            "before the upgrade"
        )


async def rebuild(dsn: str, filling: ReplacementRows) -> None:
    """Drop all tables, make those of a revision, fill them and upgrade, in one transaction.

    Raises:
        ConfigurationError: The database is too old, or refuses something.
        DatabaseUnavailable: The connection was lost; nothing was changed.
    """
    connection = await _connect(dsn)
    try:
        async with translated(connection):
            _require_version(connection)
            async with _leased(connection, lambda message: None) as holder:
                await _upgrade(dsn, connection, holder, filling)
                # Rights of the tables that were made anew.
                await row_security.prepare(connection)
    except asyncpg.PostgresError as error:
        raise _refused("the backup's rows", error) from error
    finally:
        await connection.close()


async def migrate(
    dsn: str, *, report: Callable[[str], None] = lambda message: None
) -> bool:
    """Upgrade the database to `HEAD`, with all steps in one transaction.

    Args:
        report: Called with a message if another server migrates.

    Returns:
        Whether steps were run.

    Raises:
        ConfigurationError: The database is too old, or created by a newer Festinger, or
            refuses a step.
        DatabaseUnavailable: The connection was lost; nothing was changed.
    """
    connection = await _connect(dsn)
    try:
        async with translated(connection):
            _require_version(connection)
            # The usual start, which needs neither the lease nor Alembic.
            if await _revision(connection) == HEAD and await row_security.is_ready(
                connection
            ):
                return False
            async with _leased(connection, report) as holder:
                # Another server may have migrated while this one waited.
                behind = await _revision(connection) != HEAD
                if behind:
                    await _upgrade(dsn, connection, holder)
                await row_security.prepare(connection)
                return behind
    except asyncpg.PostgresError as error:
        raise _refused(f"schema {HEAD}", error) from error
    finally:
        await connection.close()


def step_of(module: str) -> tuple[str, str | None, Callable[[], None]]:
    """Return the revision of a step's module, the one before, and what runs its SQL.

    Args:
        module: The module's file, which lies beside that of its SQL.
    """
    file = Path(module).with_suffix(".sql")
    revision = _revision_of(file)
    others = map(_revision_of, file.parent.glob("*_*.sql"))
    before = max((it for it in others if it < revision), default=None)
    return revision, before, partial(_run_file, file)


def _revision_of(file: Path) -> str:
    # `0023_about.sql` is the step to revision 0023.
    return file.name.partition("_")[0]


def _run_file(file: Path) -> None:
    """Run the SQL file of a migration step, with all of its statements at once.

    Raises:
        ConfigurationError: The database refuses a statement.
    """
    from alembic import op
    from sqlalchemy.util import await_only

    sql = file.read_text(encoding="utf-8")
    # `op.execute` accepts one statement and parses `:word` as a parameter, so the file is run
    # by the driver's own connection.
    driver: Any = op.get_bind().connection.driver_connection
    try:
        await_only(driver.execute(sql))
    except TRANSIENT:
        raise
    except asyncpg.PostgresError as error:
        # The position is a number of characters in the whole file.
        line = sql[: int(error.position or 0)].count("\n") + 1
        where = f"{file.name}, line {line}" if error.position else file.name
        raise _refused(where, error) from error


def _files() -> list[str]:
    files = sorted(_FOLDER.glob("versions/*.sql"))
    return [file.read_text(encoding="utf-8") for file in files]


def _refused(where: str, error: asyncpg.PostgresError) -> ConfigurationError:
    return ConfigurationError(
        f"the database could not be brought up to date, {where}: {error}. Nothing was "
        "changed. Mend what it complains of, or install the version that ran before"
    )


async def _connect(dsn: str) -> asyncpg.Connection:
    settings = {"application_name": "festinger-migrate", "search_path": "public"}
    return await asyncpg.connect(dsn, server_settings=settings)


def _require_version(connection: asyncpg.Connection) -> None:
    found = connection.get_server_version()
    if found.major < POSTGRES_MIN:
        raise ConfigurationError(
            f"the database is PostgreSQL {found.major}; Festinger needs "
            f"{POSTGRES_MIN} or newer"
        )


async def revision_of(connection: asyncpg.Connection) -> str | None:
    """Return the revision of a database's schema; None if there is no schema."""
    # `to_regclass` gives null where selecting from a missing table would be an error.
    if await connection.fetchval("select to_regclass('alembic_version')") is None:
        return None
    found: str | None = await connection.fetchval(
        "select version_num from alembic_version"
    )
    return found


async def _revision(connection: asyncpg.Connection) -> str | None:
    found = await revision_of(connection)
    if found is not None:
        require_known(found, "the database")
    return found


@asynccontextmanager
async def _leased(
    connection: asyncpg.Connection, report: Callable[[str], None]
) -> AsyncIterator[uuid.UUID]:
    """Hold the lease for the duration of a block."""
    holder = uuid.uuid4()
    # `if not exists` races with another server's, after which the table exists.
    with suppress(
        asyncpg.UniqueViolationError,
        asyncpg.DuplicateTableError,
        asyncpg.DuplicateObjectError,
    ):
        await connection.execute(_LEASE)
    try:
        # A task that is cancelled here may hold the lease without knowing.
        await _acquire(connection, holder, report)
        yield holder
    finally:
        # If the connection is lost, the lease expires by itself.
        with suppress(asyncpg.InterfaceError, *TRANSIENT):
            await connection.execute(_RELEASE, holder)


async def _acquire(
    connection: asyncpg.Connection, holder: uuid.UUID, report: Callable[[str], None]
) -> None:
    waits = False
    while await connection.fetchval(_ACQUIRE, holder, LEASE_SECONDS) is None:
        if not waits:
            report("another server brings the database up to date; waiting …")
        waits = True
        await asyncio.sleep(0.2)


async def _renew(connection: asyncpg.Connection, holder: uuid.UUID) -> None:
    # If it fails, the lease expires and `_HOLD` detects that.
    while True:
        # Four times in its length, so that one renewal may fail.
        await asyncio.sleep(LEASE_SECONDS / 4)
        await connection.execute(_RENEW, holder, LEASE_SECONDS)


async def _upgrade(
    dsn: str,
    lease: asyncpg.Connection,
    holder: uuid.UUID,
    filling: ReplacementRows | None = None,
) -> None:
    # A connection of its own: the lease is renewed on the other one meanwhile.
    driver = await _connect(dsn)
    renewing = asyncio.create_task(_renew(lease, holder))
    try:
        async with translated(driver):
            # If the platform supports it, a killed server's step ends with the server.
            with suppress(asyncpg.PostgresError):
                await driver.execute("set client_connection_check_interval = '2s'")
            await _run_steps(driver, holder, filling)
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)
        await driver.close()


async def _run_steps(
    driver: asyncpg.Connection, holder: uuid.UUID, filling: ReplacementRows | None
) -> None:
    # Imported here, as only a migration needs them, and they take a start's time.
    from alembic import command
    from alembic.config import Config
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    async def given() -> asyncpg.Connection:
        """Return the open connection."""
        return driver

    # The engine is given a connection that is open, and must neither pool nor replace it.
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=given, poolclass=NullPool
    )
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.set_main_option("path_separator", "os")

    def upgrade(connection: Connection, revision: str) -> None:
        """Run the steps up to a revision."""
        config.attributes["connection"] = connection
        command.upgrade(config, revision)

    try:
        async with engine.begin() as connection:
            # Else the owner of the tables would see no rows of any tenant.
            await connection.exec_driver_sql(row_security.LIFT)
            if filling is not None:
                for statement in _drops():
                    await connection.exec_driver_sql(statement)
                await connection.run_sync(upgrade, filling.revision)
                # COPY does not write to tables whose policies hold the writer.
                await connection.exec_driver_sql(row_security.LIFT)
                await filling.fill(driver)
            await connection.run_sync(upgrade, HEAD)
            await connection.exec_driver_sql(row_security.FORCE)
            # The lease of a server that was paused may have run out: then it must not commit.
            if await driver.fetchval(_HOLD, holder) is None:
                raise DatabaseUnavailable(
                    "another server took over bringing the database up to date. "
                    "Nothing was changed; start again"
                )
    except DBAPIError as error:
        # SQLAlchemy wraps the driver's error, which callers translate.
        cause = error.orig and error.orig.__cause__
        raise cause or error from error
    finally:
        await engine.dispose()


def _drops() -> list[str]:
    """Return statements that drop everything that any revision has, or had."""
    # By name, so that what somebody else keeps in the same schema stays.
    others = {found for sql in _files() for found in _OTHER.findall(sql)}
    names = sorted({*tables(), "alembic_version"})
    return [
        "set local lock_timeout = '5s'",
        *(f"drop {kind} if exists {name} cascade" for kind, name in sorted(others)),
        f"drop table if exists {', '.join(names)} cascade",
    ]
