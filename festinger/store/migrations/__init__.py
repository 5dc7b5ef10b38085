"""Brings a database to the schema of this version.

Alembic keeps the order of the steps; each step is a file of plain SQL. Several servers
may start at once on one database: a lease row lets one of them migrate while the others
wait. Alembic is imported only when there is something to do.
"""

from __future__ import annotations

import asyncio
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg

from festinger.errors import ConfigurationError

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD = "0001"
"""The revision that this version of the code works with."""
POSTGRES_MIN = 15
LEASE_SECONDS = 60

_FOLDER = Path(__file__).parent
_LEASE = """
create table if not exists migration_lease (
    one boolean primary key default true check (one),
    holder uuid not null,
    expires_at timestamptz not null
)
"""
_ACQUIRE = """
insert into migration_lease (holder, expires_at)
values ($1, now() + make_interval(secs => $2))
on conflict (one) do update
set holder = excluded.holder, expires_at = excluded.expires_at
where migration_lease.expires_at < now() or migration_lease.holder = excluded.holder
returning holder
"""
_RELEASE = "update migration_lease set expires_at = '-infinity' where holder = $1"


async def migrate(dsn: str) -> bool:
    """Brings the database to `HEAD`.

    Returns:
        Whether anything had to be done.

    Raises:
        ConfigurationError: The database is too old, or made by a newer Festinger.
    """
    connection = await asyncpg.connect(dsn)
    try:
        _require_version(connection)
        if await _revision(connection) == HEAD:
            return False
        holder = uuid.uuid4()
        await _acquire(connection, holder)
        try:
            if await _revision(connection) == HEAD:
                return False
            await _upgrade(dsn)
            return True
        finally:
            await connection.execute(_RELEASE, holder)
    finally:
        await connection.close()


def run_file(step: str) -> None:
    """Runs the SQL file beside a migration step, all of its statements at once.

    `op.execute` takes one statement and reads `:word` as a parameter, so the file goes
    through the driver's own connection.
    """
    from alembic import op
    from sqlalchemy.util import await_only

    sql = Path(step).with_suffix(".sql").read_text(encoding="utf-8")
    driver: Any = op.get_bind().connection.driver_connection
    await_only(driver.execute(sql))


def _require_version(connection: asyncpg.Connection) -> None:
    found = connection.get_server_version()
    if found.major < POSTGRES_MIN:
        raise ConfigurationError(
            f"the database is PostgreSQL {found.major}; Festinger needs "
            f"{POSTGRES_MIN} or newer"
        )


async def _revision(connection: asyncpg.Connection) -> str | None:
    if await connection.fetchval("select to_regclass('alembic_version')") is None:
        return None
    found: str | None = await connection.fetchval(
        "select version_num from alembic_version"
    )
    known = {path.name.split("_")[0] for path in _FOLDER.glob("versions/*_*.sql")}
    if found is not None and found not in known:
        raise ConfigurationError(
            f"the database has schema {found}, this Festinger knows up to {HEAD}: it "
            "was made by a newer version. Install that version, or restore a backup "
            "from before the upgrade"
        )
    return found


async def _acquire(connection: asyncpg.Connection, holder: uuid.UUID) -> None:
    # `if not exists` races with another server's; then the table is there.
    with suppress(asyncpg.UniqueViolationError):
        await connection.execute(_LEASE)
    while True:
        if await connection.fetchval(_ACQUIRE, holder, LEASE_SECONDS) is not None:
            return
        await asyncio.sleep(0.2)


async def _upgrade(dsn: str) -> None:
    from alembic import command
    from alembic.config import Config
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    async def connect() -> asyncpg.Connection:
        return await asyncpg.connect(dsn)

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=connect, poolclass=NullPool
    )
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.set_main_option("path_separator", "os")

    def upgrade(connection: Connection) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)

    try:
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
    finally:
        await engine.dispose()
