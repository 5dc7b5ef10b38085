"""Taking in a memory while Postgres sends it."""

from __future__ import annotations

import asyncio
import threading

import pytest

from festinger import _fast
from festinger.config import DatabaseSettings
from festinger.errors import CorruptMemory
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import open_pool, spare
from festinger.store.system.queries import sql
from festinger.store.world import loading
from festinger.store.world.loading import PARSED_BYTES, copy
from tests.memories import DICTIONARY, NOW, held, snapshot, stated
from tests.store.world.writing import write

WORDS = 20_000
"""More than is parsed at a time."""


@pytest.fixture
async def world(store):
    """A memory that holds a fact."""
    world = await store.load("default")
    await write(store, world, stated("gnommoweb -isa repo"))
    return world


@pytest.fixture
async def many(world, pool):
    """The memory with many words more."""
    await pool.execute(
        "insert into soas (tenant, id, token) select 'default', n, 'a-longer-word-' || n "
        "from generate_series(1000000, 999999 + $1::int) as n",
        WORDS,
    )
    return world


async def test_parts_are_parsed_while_others_are_served(many, pool):
    """Until somebody else has been served, the first part is not parsed."""
    served = threading.Event()
    sizes = []

    def feed(part):
        assert served.wait(30)
        sizes.append(len(part))

    async with pool.acquire() as connection:
        copying = asyncio.create_task(
            copy(connection, sql("copy_words"), "default", feed)
        )
        await pool.fetchval("select 1")
        served.set()
        await copying

    assert len(sizes) > 1
    assert max(sizes) < 3 * PARSED_BYTES


async def test_memory_is_of_one_moment(many, store, pool, monkeypatch):
    """A commit during the reading, before the edges are read, is in no part of it."""
    before = snapshot(many)
    keys = ("urd_by_concept_dim", "denials", "queue", "pending_conflicts", "version")
    late = await store.load("default")

    async def slowly(connection, query, *arguments):
        if query == sql("copy_edges"):
            await write(store, late, stated("gnommoweb -isa container"))
            await write(store, late, stated("wiki -isa repo"))
        await copy(connection, query, *arguments)

    monkeypatch.setattr(loading, "copy", slowly)

    loaded = await store.load("default")

    assert [snapshot(loaded)[key] for key in keys] == [before[key] for key in keys]
    assert loaded.id("wiki") is None
    assert len(held(late)) == len(held(loaded)) + 1


async def test_memory_is_loaded_by_one_connection_where_no_other_is_free(
    many, database
):
    """Nobody is kept from the last connection, and the memory is the same."""
    settings = DatabaseSettings(connections_max=2, statement_seconds_max=10)
    async with (
        await open_pool(database, settings) as narrow,
        narrow.acquire() as connection,
    ):
        async with spare(narrow) as other:
            assert other is None
        store = PostgresStore(narrow, DICTIONARY)

        loaded = await asyncio.wait_for(store.load("default"), 10)

        assert await connection.fetchval("select 1") == 1
    assert (
        snapshot(loaded)["urd_by_concept_dim"] == snapshot(many)["urd_by_concept_dim"]
    )
    assert loaded.id(f"a-longer-word-{999_999 + WORDS}") == 999_999 + WORDS


async def test_load_that_fails_half_way_gives_its_connections_back(many, store, pool):
    """The row is named, and the next load finds free connections without a transaction."""
    await pool.execute("alter table urd drop constraint urd_source_check")
    await pool.execute("update urd set source = 'nobody'")

    for _ in range(5):
        with pytest.raises(CorruptMemory, match="NULL in column 7"):
            await store.load("default")

    open_ones = await pool.fetchval(
        "select count(*) from pg_stat_activity where datname = current_database() "
        "and state like 'idle in transaction%'"
    )
    assert (open_ones, pool.get_idle_size()) == (0, pool.get_size())
    await pool.execute("update urd set source = 'gutask'")
    assert len(held(await store.load("default"))) == 1


@pytest.mark.parametrize("stream", ["words", "edges"])
async def test_load_that_is_given_up_gives_its_connections_back(
    many, store, pool, monkeypatch, stream
):
    """Whoever cancels it in the middle of a stream finds everything as before."""
    begun = asyncio.Event()
    to_thread = asyncio.to_thread

    async def for_ever(feed, data):
        if feed.__name__ == stream:
            begun.set()
            await asyncio.Event().wait()
        await to_thread(feed, data)

    monkeypatch.setattr(asyncio, "to_thread", for_ever)
    load = asyncio.create_task(store.load("default"))
    await begun.wait()
    load.cancel()
    with pytest.raises(asyncio.CancelledError):
        await load
    monkeypatch.undo()

    assert len(held(await store.load("default"))) == 1
    assert pool.get_idle_size() == pool.get_size()


async def test_counters_come_with_their_words(store, pool, world):
    """As often and as lately as they were met; words that were not are there without."""
    gnommoweb = world.id("gnommoweb")
    words = world.vocabulary.read(
        _fast.scan("gnommoweb"), now=NOW + 0.123456, threshold=9.0, count=True
    )
    assert words.unknown_tokens == []
    await store.flush("default", {}, world.vocabulary.drain(), 1)

    loaded = (await store.load("default")).vocabulary

    assert loaded.row(gnommoweb) == world.vocabulary.row(gnommoweb)
    assert loaded.row(gnommoweb).last_seen == NOW + 0.123456
    assert loaded.row(world.id("repo")).encounters == 0
