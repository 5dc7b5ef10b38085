from __future__ import annotations

import asyncio

import pytest

from festinger.core.preferences import Preferences
from festinger.errors import ConfigurationError, InvalidArgument
from festinger.store.migrations import HEAD, migrate
from festinger.store.postgres import PostgresStore
from festinger.store.tenants import SEEDS
from tests.conftest import command
from tests.memories import DICTIONARY, snapshot


async def column(pool, question, *arguments):
    """
    The first column of an answer.
    """
    return [row[0] for row in await pool.fetch(question, *arguments)]


async def test_second_run_has_nothing_to_do(empty_database):
    """
    Migrating is for every start: the first makes the tables, the second looks.
    """
    assert [await migrate(empty_database) for _ in range(2)] == [True, False]


async def test_three_at_once_make_one_schema(empty_database):
    """
    Servers that start together on an empty database wait for the one that migrates.
    """
    done = await asyncio.gather(*(migrate(empty_database) for _ in range(3)))

    assert sorted(done) == [False, False, True]


async def test_schema_of_a_newer_version_is_left_alone(empty_database):
    """
    A database that this version does not know is refused, with what to do.
    """
    await migrate(empty_database)
    await command(empty_database, "update alembic_version set version_num = '9999'")

    with pytest.raises(ConfigurationError, match="newer version"):
        await migrate(empty_database)


async def test_lease_of_a_dead_server_runs_out(empty_database):
    """
    A server that was killed while it migrated does not lock others out.
    """
    await migrate(empty_database)
    await command(empty_database, "drop schema public cascade; create schema public")
    await command(
        empty_database,
        """
        create table migration_lease (
            one boolean primary key default true check (one),
            holder uuid not null,
            expires_at timestamptz not null);
        insert into migration_lease (holder, expires_at)
        values (gen_random_uuid(), now() + interval '0.3 seconds')
        """,
    )

    assert await migrate(empty_database)


async def test_every_key_begins_with_the_tenant(pool):
    """
    Every unique index of every table of ours has the tenant in front (A4).
    """
    first_columns = await pool.fetch(
        """
        select c.relname, a.attname
        from pg_index i
        join pg_class c on c.oid = i.indrelid
        join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indisunique and c.relname not in ('alembic_version', 'migration_lease')
        """
    )

    assert {row["attname"] for row in first_columns} == {"tenant"}
    assert len(first_columns) > 15


async def test_schema_is_at_head(pool):
    """
    The template of these tests has the newest schema.
    """
    assert await column(pool, "select version_num from alembic_version") == [HEAD]


async def test_new_memory_has_its_six_dimensions(store):
    """
    A tenant starts with the roots of the seed list and nothing else.
    """
    await store.add_tenant("acme")

    world = await store.load("acme")

    roots = {world.soas_by_id[edge.concept_id] for edge in world.graph}
    assert roots == set(world.soas_by_token) == {token for token, _, _ in SEEDS}
    assert len(world.graph) == 6


async def test_new_memory_has_the_default_settings(store, pool):
    """
    The config table is seeded with what the specification says.
    """
    preferences, complaints = await store.preferences("default")

    keys = await column(pool, "select key from config where updated_at is null")
    assert (preferences, complaints) == (Preferences(), [])
    assert set(keys) == set(Preferences().rows())


async def test_memory_is_made_once(store):
    """
    Adding a tenant again says so and changes nothing.
    """
    added = [await store.add_tenant("acme") for _ in range(2)]

    assert added == [True, False]
    assert await store.tenants() == ["acme", "default"]


async def test_tenants_are_made_at_once_by_two(store):
    """
    Two servers that add the same tenant make one.
    """
    added = await asyncio.gather(*(store.add_tenant("acme") for _ in range(2)))

    assert sorted(added) == [False, True]


@pytest.mark.parametrize("name", ["", "Acme", "a b", "-x", "x" * 64, "ä"])
async def test_tenants_have_plain_names(store, name):
    """
    A tenant's name is fit for a file name and a header.
    """
    with pytest.raises(InvalidArgument, match="cannot be a tenant"):
        await store.add_tenant(name)


async def test_seeded_dimensions_know_the_dictionary(pool):
    """
    A dimension that is an everyday word is marked as one.
    """
    await PostgresStore(pool, DICTIONARY | {"type"}).add_tenant("acme")

    everyday = await column(
        pool, "select token from soas where tenant = 'acme' and is_dictionary"
    )
    assert everyday == ["type"]


async def test_loading_twice_gives_equal_worlds(store):
    """
    What is loaded depends on the database alone.
    """
    first, second = await store.load("default"), await store.load("default")

    assert snapshot(first) == snapshot(second)
