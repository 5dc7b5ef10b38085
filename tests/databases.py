"""Databases for tests, which are emptied after use: a tenth of the cost of a new one.

Who gets one finds it as if it were new. What its template holds is there in the same
order, all other tables have no page, and nobody else is connected. What cannot be
brought back to that is dropped: one whose schema was changed, or which became large.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import asyncpg

LARGE = 4 * 2**20
"""With so many bytes in a table it is cheaper to drop a database."""

ATTEMPTS = 1_000
"""How often one looks whether a connection is gone, which one that hangs never is."""

# In the template: a copy of what is in it, and a note of whatever changes a schema.
PREPARED = """
create schema kept;
do $$
declare name text; filled boolean;
begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('select exists (table public.%I)', name) into filled;
        if filled then
            execute format('create table kept.%1$I as table public.%1$I', name);
        end if;
    end loop;
end $$;
create schema changes;
create table changes.made ();
create function changes.note() returns event_trigger language plpgsql security definer
    as $$ begin insert into changes.made default values; end $$;
create event trigger note on ddl_command_end execute function changes.note();
"""

KEPT = "select tablename from pg_tables where schemaname = 'kept'"
# The numbers of transactions are given out when they write, and by the whole server.
WRITTEN = "select pg_snapshot_xmax(pg_current_snapshot())::text"
OTHERS_ENDED = """
select count(pg_terminate_backend(pid)) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()
"""
# An analysed table is planned for otherwise, even when it is empty again; and settings of
# a database are noted by nobody.
CHANGED = """
select exists (table changes.made)
    or exists (select from pg_statistic where starelid >= 16384)
    or exists (select from pg_db_role_setting where setdatabase = oid)
    or not datallowconn or datconnlimit <> -1
from pg_database where datname = current_database()
"""
# Emptied is another thing than never filled, and planned for otherwise.
FORGOTTEN = """
select pg_clear_relation_stats('public', relname::text) from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')
"""
FILLED = """
select relname, pg_relation_size(oid) as size from pg_class
where relnamespace = 'public'::regnamespace and relkind = 'r'
    and pg_relation_size(oid) > 0
"""
# Whether somebody is in a `pg_sleep`.
ASLEEP = """
select exists (
    select from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep')
"""
# All of it goes, and all of it comes, so that the references need not be checked.
UNCHECKED = "set local session_replication_role = replica;"


@dataclass
class Database:
    """A database that a test may have."""

    name: str
    connection: asyncpg.Connection
    kept: list[str]
    """The tables that are not empty in the template."""
    written: str
    """How far the server had come with its transactions when this was as if new."""


class Databases:
    """Gives out databases that are, or look, new."""

    def __init__(self, postgres: str, template: str) -> None:
        self._postgres, self._template = postgres, template
        self._names = (f"test_{number}" for number in itertools.count(1))
        self._free: list[Database] = []
        # The connections outlive the loops of the tests.
        self._loop = asyncio.new_event_loop()

    def take(self) -> Database:
        """Return one of those that were given back, else a new one."""
        if self._free:
            return self._free.pop()
        return self._loop.run_until_complete(self._make())

    def give_back(self, database: Database) -> None:
        """Empty it for the next, or drops it."""
        self._loop.run_until_complete(self._take_back(database))

    def close(self) -> None:
        """Close the connections; the server may take the databases with it."""
        for database in self._free:
            database.connection.terminate()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _make(self) -> Database:
        name = next(self._names)
        await create(self._postgres, name, self._template)
        connection = await asyncpg.connect(dsn_of(self._postgres, name))
        kept = [row[0] for row in await connection.fetch(KEPT)]
        return Database(name, connection, kept, await connection.fetchval(WRITTEN))

    async def _take_back(self, database: Database) -> None:
        try:
            as_new = await _emptied(database)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            as_new = False
        if as_new:
            self._free.append(database)
        else:
            database.connection.terminate()
            await drop(self._postgres, database.name)


async def _emptied(database: Database) -> bool:
    """Bring a database back to what it was; whether that could be done."""
    connection = database.connection
    for _ in range(ATTEMPTS):
        if not await connection.fetchval(OTHERS_ENDED):
            break
        await asyncio.sleep(0.002)
    else:
        return False
    if await connection.fetchval(WRITTEN) == database.written:
        return True
    filled = {name: size for name, size in await connection.fetch(FILLED)}
    if await connection.fetchval(CHANGED) or max(filled.values(), default=0) > LARGE:
        return False
    await _together(connection, (f"delete from {name}" for name in filled))
    # Else rows would come to lie, and to be found, where there is a gap.
    await connection.execute(f"vacuum {', '.join(filled)}")
    if await connection.fetch(FILLED):
        return False
    await connection.execute(FORGOTTEN)
    await _together(
        connection, (f"insert into {name} table kept.{name}" for name in database.kept)
    )
    database.written = await connection.fetchval(WRITTEN)
    return True


async def _together(connection: asyncpg.Connection, statements: Iterable[str]) -> None:
    async with connection.transaction():
        await connection.execute(UNCHECKED + ";".join(statements))


async def create(postgres: str, name: str, template: str) -> None:
    """Make a database, from another."""
    # The other strategy takes twice as long, and leaves more for the first connection.
    await command(
        postgres, f"create database {name} template {template} strategy file_copy"
    )


async def drop(postgres: str, name: str) -> None:
    """Drop a database, whoever uses it."""
    await command(postgres, f"drop database {name} with (force)")


def dsn_of(postgres: str, name: str) -> str:
    """Return the DSN of another database of the same server."""
    before, question_mark, after = postgres.partition("?")
    return before.rpartition("/")[0] + "/" + name + question_mark + after


async def command(dsn: str, statement: str) -> None:
    """Has the server do something outside of a transaction."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def answer_of(dsn: str, question: str) -> Any:
    """Return the answer to a question that has one."""
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(question)
    finally:
        await connection.close()
