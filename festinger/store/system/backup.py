"""Backups of a database: written while servers write, and read back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import asyncpg

from festinger.errors import ConfigurationError, InvalidArgument, UnreadableFile
from festinger.private import replacing_bytes
from festinger.store.migrations import ReplacementRows, rebuild, require_known, tables
from festinger.store.system.archive import (
    ArchiveReader,
    ArchiveWriter,
    Manifest,
    RowSum,
    TableContent,
)
from festinger.store.system.pool import translated
from festinger.store.system.queries import sql

Report = Callable[[str, int, int], None]
"""Called with what is done, the tables that are done, and their number."""

SESSION: Final = {
    "application_name": "festinger-backup",
    "search_path": "public",
    # A backup has the rows of all tenants.
    "festinger.every_tenant": "on",
    # One form of each value, whatever the database is set to.
    "datestyle": "ISO, YMD",
    "intervalstyle": "postgres",
    "timezone": "UTC",
    "extra_float_digits": "3",
    "bytea_output": "hex",
    # What takes long is to be done all the same.
    "statement_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    "lock_timeout": "5s",
}


@asynccontextmanager
async def connected(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """Connect to a database as the owner of its tables.

    Raises:
        ConfigurationError: The database refuses the connection or what is asked.
        DatabaseUnavailable: It does not answer, or the connection was lost.
    """
    async with translated():
        try:
            connection = await asyncpg.connect(dsn, server_settings=SESSION)
        except asyncpg.PostgresError as error:
            raise ConfigurationError(
                f"the database refuses the connection: {error}. Check database.dsn "
                "(--dsn, FESTINGER_DSN)"
            ) from None
    try:
        async with translated(connection):
            yield connection
    except (asyncpg.InsufficientPrivilegeError, asyncpg.FeatureNotSupportedError) as no:
        raise ConfigurationError(
            f"the database refuses it: {no}. Name the owner of the tables in "
            "database.dsn (--dsn, FESTINGER_DSN)"
        ) from None
    finally:
        await connection.close()


def ignore(what: str, done: int, total: int) -> None:
    """Report nothing."""


async def back_up(dsn: str, file: Path, *, report: Report = ignore) -> Manifest:
    """Write a backup, read it back, and only then give it its name.

    Args:
        dsn: The database, as its owner.
        file: The new file, which only its owner can read (mode 0600).

    Raises:
        InvalidArgument: The file exists, or cannot be written.
        ConfigurationError: The database has no memory, or refuses to be read.
        DatabaseUnavailable: The connection was lost.
    """
    # Checked first, so that nothing is overwritten.
    _require_new(file)
    try:
        # The file gets its name at the end of the block, so that only a verified backup has it.
        with replacing_bytes(file, durable=True) as out:
            async with connected(dsn) as connection:
                with ArchiveWriter(out) as archive:
                    manifest = await _write(connection, archive, report)
            report("Reading back", 0, 1)
            # What the disk holds is compared with the manifest, not what was sent to it.
            out.seek(0)
            with ArchiveReader(out, str(file)) as reader:
                reader.verify()
            report("Reading back", 1, 1)
    except OSError as error:
        raise InvalidArgument(
            f"{file} cannot be written: {error.strerror or error}. Choose another place"
        ) from error
    return manifest


async def restore(
    dsn: str, file: Path, *, replace: bool = False, report: Report = ignore
) -> Manifest:
    """Make the memories of a database those of a backup, all of it or nothing.

    Args:
        dsn: The database, as its owner.
        replace: Whether memories that are there may be overwritten.

    Raises:
        UnreadableFile: It is no backup, or damaged.
        InvalidArgument: There are memories already, or a server uses them.
        ConfigurationError: A newer version made it, or the database refuses it.
        DatabaseUnavailable: The connection was lost.
    """
    try:
        opened = file.open("rb")
    except OSError as error:
        raise UnreadableFile(
            f"{file} cannot be read: {error.strerror}. Nothing was changed"
        ) from None
    with opened, ArchiveReader(opened, str(file)) as reader:
        # A newer version's schema cannot be made here, whatever the file holds.
        require_known(reader.manifest.schema, str(file))
        report("Checking the file", 0, 1)
        # All of the file is read before the database is touched.
        reader.verify()
        report("Checking the file", 1, 1)
        async with connected(dsn) as connection:
            await _require_free(connection, replace=replace)

        async def fill(connection: asyncpg.Connection) -> None:
            """Fill the restored database."""
            await _fill(connection, reader, report)

        # The file has no schema, since the migrations make any revision of it, and lead on to ours.
        await rebuild(dsn, ReplacementRows(reader.manifest.schema, fill))
        async with connected(dsn) as connection:
            # Else the first queries would be planned for empty tables.
            await connection.execute("analyze")
    return reader.manifest


def _require_new(file: Path) -> None:
    if file.exists():
        raise InvalidArgument(f"{file} exists already. Choose another name")


async def _write(
    connection: asyncpg.Connection, archive: ArchiveWriter, report: Report
) -> Manifest:
    """Copy all tables as of one moment."""
    columns = await _columns(connection)
    if "tenants" not in columns:
        raise ConfigurationError(
            "the database has no memory yet, so there is nothing to back up. Check "
            "database.dsn and data_dir"
        )
    # One transaction for all tables, so that the backup is of one moment.
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        # Held before the first row is read: nobody changes the schema meanwhile.
        await connection.execute(
            f"lock table {', '.join(columns)} in access share mode"
        )
        schema = await connection.fetchval("select version_num from alembic_version")
        made = await connection.fetchval("select now()")
        versions = await connection.fetch("select tenant, version from heads")
        content: dict[str, TableContent] = {}
        for name, names in columns.items():
            report("Copying tables", len(content), len(columns))
            with archive.table(name) as out:
                rows = await _copied(connection, name, names, out.write)
            content[name] = TableContent(names, rows.count, rows.checksum)
        sequences = await connection.fetch(sql("sequences"))
    report("Copying tables", len(columns), len(columns))
    manifest = Manifest(
        festinger=version("festinger"),
        schema=schema,
        postgres=".".join(map(str, connection.get_server_version()[:2])),
        made=made.astimezone(UTC).isoformat(timespec="seconds"),
        tenants=dict(map(tuple, versions)),
        tables=content,
        sequences=dict(map(tuple, sequences)),
    )
    archive.describe(manifest)
    return manifest


async def _copied(
    connection: asyncpg.Connection,
    table: str,
    columns: list[str],
    write: Callable[[bytes], Any] = len,
) -> RowSum:
    rows = RowSum()

    async def take(part: bytes) -> None:
        """Count the rows of a part and write it."""
        rows.add(part)
        write(part)

    # COPY and not pg_dump: that is not in every place where PostgreSQL's programs are found,
    # cannot read a server newer than itself, and its files have no checksums.
    await connection.copy_from_table(table, columns=columns, output=take)
    return rows


async def _require_free(connection: asyncpg.Connection, *, replace: bool) -> None:
    # Backups call themselves `festinger-backup`, so that only servers' connections count.
    if using := await connection.fetchval(sql("servers_of_database")):
        raise InvalidArgument(
            f"a memory server uses the database ({using} connections). Stop it, and "
            "restore again; nothing was changed"
        )
    is_there = await connection.fetchval("select to_regclass('tenants') is not null")
    if is_there and not replace:
        names = [row[0] for row in await connection.fetch("select tenant from heads")]
        if names:
            raise InvalidArgument(
                f"the database holds memories already ({', '.join(sorted(names)[:5])}). "
                "Restore with --replace to overwrite all of them; nothing was changed"
            )


async def _fill(
    connection: asyncpg.Connection, reader: ArchiveReader, report: Report
) -> None:
    """Fill the empty tables of the backup's schema, and read them back."""
    for name, value in SESSION.items():
        # `true`: until the transaction ends, since the connection is that of `rebuild`.
        await connection.execute("select set_config($1, $2, true)", name, value)
    there = await _columns(connection)
    content = reader.manifest.tables
    # Sorted, as COPY names its columns: their order may differ.
    if {name: sorted(them) for name, them in there.items()} != {
        name: sorted(table.columns) for name, table in content.items()
    }:
        raise UnreadableFile(
            f"the tables of the backup are not those of schema {reader.manifest.schema}."
            " It was changed by hand; nothing was restored"
        )
    # Checked all at once at the end, in whatever order the tables come: a check of each
    # row would fill the server's memory.
    references = await connection.fetch(sql("references"))
    for table, name, _ in references:
        await connection.execute(f'alter table {table} drop constraint "{name}"')
    for done, (name, table) in enumerate(content.items()):
        report("Restoring tables", done, len(content))
        await connection.copy_to_table(
            name, source=reader.stream(name), columns=table.columns
        )
        # Read back before the transaction is committed: else it is rolled back.
        copied = await _copied(connection, name, table.columns)
        reader.require_same(name, copied, " in the database")
    for table, name, definition in references:
        await connection.execute(
            f'alter table {table} add constraint "{name}" {definition}'
        )
    for name, last in reader.manifest.sequences.items():
        await connection.fetchval("select setval($1::text::regclass, $2)", name, last)
    report("Restoring tables", len(content), len(content))


async def _columns(connection: asyncpg.Connection) -> dict[str, list[str]]:
    """Return the columns of each table that holds something of ours."""
    rows = await connection.fetch(sql("columns_of_tables"), sorted(tables()))
    return {row["name"]: list(row["columns"]) for row in rows}
