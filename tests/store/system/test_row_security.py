from __future__ import annotations

import json
import re
from pathlib import Path

import asyncpg
import pytest

import festinger.store
from festinger.errors import ConfigurationError
from festinger.store.migrations import migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system.backup import back_up, restore
from festinger.store.system.pool import open_pool
from festinger.store.system.tenancy import every_tenant, transaction
from tests.conftest import DATABASE
from tests.databases import command
from tests.memories import DICTIONARY

RELATIONS = """
select c.relname from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant'
where c.relnamespace = 'public'::regnamespace and c.relkind = any($1)
    and not a.attisdropped
order by c.relname
"""
WITHOUT_TENANT = {"alembic_version", "migration_lease"}


async def tables(connection):
    """Return the tables that have a tenant."""
    return [row[0] for row in await connection.fetch(RELATIONS, [b"r"])]


async def put_a_row(connection, table, tenant):
    """
    Write a row of a tenant, with what each column's type has for nothing.

    Neither references nor checks are looked at: only a superuser can do that.
    """
    columns = await connection.fetch(
        """
        select attname as name, format_type(atttypid, null) as type
        from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped
            and attnotnull and attidentity = '' and attgenerated = ''
            and attname <> 'tenant'
        """,
        table,
    )
    names = ", ".join(["tenant", *(f'"{each["name"]}"' for each in columns)])
    values = ", ".join(["$1", *map(some, (each["type"] for each in columns))])
    await connection.execute(f"insert into {table} ({names}) values ({values})", tenant)


def some(kind):
    """Return a value of a type, as SQL."""
    text = {
        "text": "x",
        "uuid": "00000000-0000-0000-0000-000000000000",
        "jsonb": "{}",
        "bytea": "x",
        "boolean": "true",
        "date": "2026-01-01",
        "timestamp with time zone": "2026-01-01",
    }
    return f"'{'{}' if kind.endswith('[]') else text.get(kind, '1')}'::{kind}"


async def without_constraints(connection):
    """Drop the checks and references, so that a row of any content can be written."""
    for table, name in await connection.fetch(
        """
        select conrelid::regclass::text, conname from pg_constraint
        where connamespace = 'public'::regnamespace and contype in ('c', 'f')
        """
    ):
        await connection.execute(f'alter table {table} drop constraint "{name}"')


@pytest.fixture
async def rows_of_both(database):
    """A database in which each table has rows of the tenants `mine` and `theirs`."""
    connection = await asyncpg.connect(database)
    try:
        await without_constraints(connection)
        for table in await tables(connection):
            for tenant in ("mine", "theirs"):
                await put_a_row(connection, table, tenant)
        yield connection
    finally:
        await connection.close()


async def crossings(pool, connection):
    """Return the access of transactions of `mine` to the rows of `theirs`."""
    found = []
    for table in await tables(connection):
        async with transaction(pool, "mine") as run:
            if await run.fetch(f"select from {table} where tenant <> 'mine'"):
                found.append(f"select {table}")
            if not await run.fetch(f"select from {table}"):
                found.append(f"{table} hides rows of its own tenant")
        for statement in (
            f"update {table} set tenant = tenant where tenant = 'theirs'",
            f"delete from {table} where tenant = 'theirs'",
        ):
            async with transaction(pool, "mine") as run:
                if not (await run.execute(statement)).endswith(" 0"):
                    found.append(statement)
        for adds in (True, False):
            try:
                async with transaction(pool, "mine") as run:
                    if adds:
                        await put_a_row(run, table, "third")
                    else:
                        await run.execute(f"update {table} set tenant = 'b'")
            except asyncpg.PostgresError as error:
                if "row-level security policy" not in str(error):
                    found.append(f"{table}: {error}")
            else:
                found.append(f"a row of another tenant gets into {table}")
    return found


async def test_no_table_lets_a_tenant_cross(rows_of_both, pool):
    """
    In each table with a tenant, the server's transactions read, add, change and delete
    rows of their own tenant only, whatever the statement says.
    """
    found = await crossings(pool, rows_of_both)

    assert found == []


async def test_table_without_a_policy_would_be_seen(rows_of_both, pool):
    """The check above finds a table whose wall is down."""
    await rows_of_both.execute("alter table heads disable row level security")

    found = await crossings(pool, rows_of_both)

    assert len(found) == 5
    assert all("heads" in each for each in found)


async def test_every_table_with_a_tenant_has_forced_row_security(pool):
    """
    All tables have a tenant, apart from those of migrating, and row-level security is
    enabled and forced on all that do.
    """
    async with pool.acquire() as connection:
        of_all = await connection.fetch(
            """
            select relname, relrowsecurity and relforcerowsecurity as forced
            from pg_class where relnamespace = 'public'::regnamespace
                and relkind in ('r', 'p', 'm', 'f')
            """
        )
        walled = set(await tables(connection))

    assert {row["relname"] for row in of_all} - walled == WITHOUT_TENANT
    assert {row["relname"] for row in of_all if row["forced"]} == walled


async def test_nothing_reads_with_the_rights_of_its_owner(pool):
    """Views and functions are subject to the policies for who uses them."""
    async with pool.acquire() as connection:
        found = await connection.fetch(
            """
            select relname from pg_class
            where relnamespace = 'public'::regnamespace and relkind = 'v'
                and not coalesce(reloptions @> '{security_invoker=true}', false)
            union all
            select proname from pg_proc
            where pronamespace = 'public'::regnamespace and prosecdef
            """
        )

    assert found == []


async def test_runtime_identity_has_no_rights_but_to_rows(pool):
    """
    The role of the server's transactions is no superuser, owns nothing, and can neither
    empty a table nor change its policies.
    """
    async with transaction(pool, "default") as connection:
        role = await connection.fetchrow(
            """
            select rolsuper or rolbypassrls or rolcreaterole as mighty, oid
            from pg_roles where rolname = current_user
            """
        )
        assert role is not None, "there is always a current role"
        owned = await connection.fetch(
            "select from pg_class where relowner = $1", role["oid"]
        )
        emptied = await connection.fetch(
            """
            select relname from pg_class
            where relnamespace = 'public'::regnamespace and relkind = 'r'
                and has_table_privilege(oid, 'truncate, trigger, references')
            """
        )

    assert not role["mighty"]
    assert owned == emptied == []


async def test_transactions_leave_nothing_behind(pool):
    """
    The tenant and the role end with the transaction, so that a pooler may give the
    connection to another.
    """
    async with pool.acquire() as connection:
        before = await connection.fetchrow("select current_user, session_user")
    async with transaction(pool, "default"):
        pass
    async with every_tenant(pool):
        pass
    async with pool.acquire() as connection:
        after = await connection.fetchrow("select current_user, session_user")
        kept = [
            await connection.fetchval(f"select current_setting('festinger.{it}', true)")
            for it in ("tenant", "every_tenant")
        ]

    assert after == before
    assert not any(kept)


async def test_transaction_of_no_tenant_sees_nothing(pool):
    """A caller who takes on the role without a tenant finds every table empty."""
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("set local role festinger_runtime")
        seen = [
            name
            for name in await tables(connection)
            if await connection.fetch(f"select from {name}")
        ]

    assert seen == []


@pytest.mark.parametrize("name", ["a' or '1'='1", "a\\", "'; reset role; --", "A", "é"])
async def test_text_that_is_no_name_is_no_tenant(rows_of_both, pool, name):
    """Whatever a caller sends as the tenant's name gets into no statement."""
    async with transaction(pool, name) as connection:
        role = await connection.fetchval("select current_user")
        seen = await connection.fetch("select from heads")

    assert role == "festinger_runtime"
    assert seen == []


async def test_planner_expects_the_rows_that_there_are(store, pool):
    """
    The policies do not make a memory look small beside many others, for which queries
    would be planned that take long on a large one.
    """
    async with pool.acquire() as connection:
        await connection.execute(
            """
            insert into tenants select 't' || n from generate_series(1, 500) n;
            insert into soas (tenant, id, token)
                select 'default', 100 + n, 'w' || n from generate_series(1, 9000) n;
            insert into soas (tenant, id, token)
                select 't' || n, 1, 'w' from generate_series(1, 500) n;
            analyze soas
            """
        )
    async with transaction(pool, "default") as connection:
        plan = await connection.fetchval(
            "explain (format json) select from soas where tenant = 'default'"
        )

    assert json.loads(plan)[0]["Plan"]["Plan Rows"] > 3_000


async def test_jobs_over_all_tenants_only_read(store, pool):
    """
    The search for tenants with work to do sees all of them, and would write to none
    even if its transaction were not read-only.
    """
    await store.add_tenant("other")

    async with every_tenant(pool) as connection:
        seen = await connection.fetch("select tenant from heads order by tenant")
        only_reads = await connection.fetchval("show transaction_read_only")
    async with transaction(pool, "") as connection:
        await connection.execute("set local festinger.every_tenant = 'on'")
        updated = await connection.execute("update heads set version = version")
        deleted = await connection.execute("delete from heads")

    assert [row[0] for row in seen] == ["default", "other"]
    assert (only_reads, updated, deleted) == ("on", "UPDATE 0", "DELETE 0")


@pytest.fixture
async def as_user(empty_database):
    """Make a user who may make tables, with some attributes; return the user's DSN."""
    dropped = []

    async def make(attributes):
        await command(
            empty_database,
            f"create role plain login {attributes};"
            "grant create on schema public to plain",
        )
        dropped.append("drop owned by plain; drop role plain")
        return empty_database.replace("festinger@", "plain@")

    yield make
    for statement in dropped:
        await command(empty_database, statement)


async def test_owner_of_the_tables_is_kept_apart_without_a_second_role(
    empty_database, as_user
):
    """
    A user who owns the tables and may not create roles needs none: the policies are
    forced on the owner, for whom the server works as for any other.
    """
    owner = await as_user("nocreaterole")
    await migrate(owner)
    superuser = await asyncpg.connect(empty_database)
    async with await open_pool(owner, DATABASE) as pool:
        store = PostgresStore(pool, DICTIONARY)
        made = await store.add_tenant("acme")
        loaded = await store.load("acme")
        await without_constraints(superuser)
        for table in await tables(superuser):
            for tenant in ("mine", "theirs"):
                await put_a_row(superuser, table, tenant)
        found = await crossings(pool, superuser)
    await superuser.close()

    assert (made, found) == (True, [])
    assert loaded.id("type")


async def test_owner_of_the_tables_backs_up_and_restores_all(
    empty_database, as_user, tmp_path
):
    """
    The policies hide nothing from a backup, and restoring it works, for an owner on
    whom they are forced.
    """
    owner = await as_user("nocreaterole")
    await migrate(owner)
    async with await open_pool(owner, DATABASE) as pool:
        await PostgresStore(pool, DICTIONARY).add_tenant("acme")
        await PostgresStore(pool, DICTIONARY).add_tenant("emca")

    manifest = await back_up(owner, tmp_path / "backup")
    await restore(owner, tmp_path / "backup", replace=True)

    async with await open_pool(owner, DATABASE) as pool:
        restored = await PostgresStore(pool, DICTIONARY).tenants()
        async with transaction(pool, "acme") as connection:
            seen = await connection.fetchval("select count(*) from heads")
    assert set(manifest.tenants) == {"acme", "emca"}
    assert (restored, seen) == (["acme", "emca"], 1)


async def test_bypassing_user_who_may_not_create_the_role_is_told(
    empty_database, as_user
):
    """
    A server whose tenants would not be kept apart does not start; what the message says
    to do helps.
    """
    user = await as_user("bypassrls")
    await command(empty_database, "alter role festinger_runtime rename to gone")
    try:
        with pytest.raises(ConfigurationError) as refusal:
            await migrate(user)
        await command(empty_database, refusal.value.message.rpartition(": ")[2])
        await migrate(user)
        async with await open_pool(user, DATABASE) as pool:
            await PostgresStore(pool, DICTIONARY).add_tenant("acme")
            async with transaction(pool, "acme") as connection:
                role = await connection.fetchval("select current_user")
    finally:
        await command(
            empty_database,
            "drop owned by festinger_runtime; drop role festinger_runtime;"
            "alter role gone rename to festinger_runtime",
        )

    assert role == "festinger_runtime"


async def test_role_that_is_lost_is_made_again(database):
    """
    A database that was restored elsewhere, where the role has no rights, is put right
    by the next start.
    """
    await command(
        database, "revoke all on all tables in schema public from festinger_runtime"
    )

    await migrate(database)

    async with await open_pool(database, DATABASE) as pool:
        assert await PostgresStore(pool, DICTIONARY).add_tenant("acme")


def test_statements_run_in_transactions_of_a_tenant():
    """Connections without a tenant are acquired where transactions begin, and for ANALYZE."""
    store = Path(festinger.store.__file__).parent
    users = {
        file.relative_to(store).as_posix()
        for file in store.rglob("*.py")
        if re.search(r"(?<!def )\b(acquired|spare)\(|pool\.acquire", file.read_text())
    }

    assert users == {
        "system/pool.py",
        "system/tenancy.py",
        "world/loading.py",
        "review/documents.py",
    }
