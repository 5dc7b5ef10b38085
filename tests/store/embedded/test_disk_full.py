from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest

from festinger.errors import DatabaseUnavailable
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.embedded import EmbeddedPostgres, binaries, processes
from festinger.store.migrations import migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import open_pool
from festinger.workers.periodic import DatabaseWatch
from tests.conftest import DATABASE
from tests.databases import answer_of
from tests.faults.disk import Disk
from tests.memories import DICTIONARY, TRUST, Clock, held
from tests.services.conftest import in_step, say, state
from tests.store.embedded.clusters import make_base, postmaster_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Disk.can_be_full(),
        reason="the fault is preloaded, which takes Linux and gcc",
    ),
]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """A disk with room, and programs of PostgreSQL that notice when it has none."""
    disk = Disk(make_base())
    monkeypatch.setenv(binaries.VARIABLE, str(disk.programs()))
    yield disk
    shutil.rmtree(disk.base)


@pytest.fixture
async def postgres(disk: Disk) -> AsyncIterator[EmbeddedPostgres]:
    """A server on the disk, with the newest schema."""
    postgres = EmbeddedPostgres(disk.data_dir)
    await migrate(await postgres.start())
    yield postgres
    (disk.base / "full").unlink(missing_ok=True)
    await postgres.stop()


@pytest.fixture
async def store(postgres: EmbeddedPostgres) -> AsyncIterator[PostgresStore]:
    """A store over it, with the tenant `default`."""
    async with await open_pool(await postgres.start(), DATABASE) as pool:
        store = PostgresStore(pool, DICTIONARY)
        await store.add_tenant("default")
        yield store


@pytest.fixture
async def memory(store: PostgresStore) -> AsyncIterator[TenantMemory]:
    """The memory `default`, which knows of one ant."""
    memories = Memories(store, now=Clock(), trust=TRUST)
    memory = await memories.get("default")
    await state(memory, "ant -isa pet")
    yield memory
    await memories.stop()


async def state_until_refused(memory: TenantMemory) -> tuple[set[str], str]:
    """
    State facts until one is refused; give the concepts of those that were not, and
    what the refusal says.
    """
    acknowledged: set[str] = set()
    for number in range(5000):
        try:
            await state(memory, f"name{number}x -isa thing")
        except DatabaseUnavailable as refusal:
            return acknowledged, refusal.message
        acknowledged.add(f"name{number}x")
    pytest.fail("the disk never was full")


async def what_a_restart_finds(store: PostgresStore) -> set[str]:
    """Return the concepts that have a place in the database."""
    return {triple.concept for triple in held(await store.load("default"))}


async def test_full_disk_refuses_and_loses_nothing(disk, memory, store):
    """
    While a table cannot grow, writes say that the database is away and prompts are
    answered from memory; with room again, the same process writes on.
    """
    server = postmaster_of(disk.data_dir)
    disk.fill()
    acknowledged, message = await state_until_refused(memory)
    told = say(memory, "ant").lines
    disk.free()
    await state(memory, "bee -isa insect")

    assert "disk of the database is full" in message
    assert told[0].text == "ant: [type] pet"
    assert acknowledged | {"ant", "bee"} <= await what_a_restart_finds(store)
    assert await in_step(memory, store)
    assert postmaster_of(disk.data_dir) == server


async def test_full_log_ends_the_server_and_loses_nothing(
    disk, postgres, memory, store
):
    """
    Without room for its log the server gives up and cannot be brought back; with room
    again the watch brings it back, and the same process writes on.
    """
    told: list[bool] = []

    async def tell(there: bool) -> None:
        told.append(there)

    watch = DatabaseWatch(store.ping, postgres.start, tell)
    server = postmaster_of(disk.data_dir)
    dsn = await postgres.start()
    await use_no_segment_again(dsn)
    # On a full disk a new connection may be refused, and then nothing is written.
    writer = await asyncpg.connect(dsn)
    disk.fill()
    await use_up_the_log(dsn)
    acknowledged, _ = await state_until_refused(memory)
    await write_until_given_up(writer, dsn, server)

    with pytest.raises(DatabaseUnavailable, match=r"Postgres ended|could not be"):
        await watch.look()
    with pytest.raises(DatabaseUnavailable):
        await state(memory, "bee -isa insect")
    while_full = say(memory, "ant").lines
    disk.free()
    await watch.look()
    await watch.look()
    await state(memory, "bee -isa insect")

    assert while_full[0].text == "ant: [type] pet"
    assert told == [False, True]
    assert acknowledged | {"ant", "bee"} <= await what_a_restart_finds(store)
    assert await in_step(memory, store)


async def use_no_segment_again(dsn: str) -> None:
    """
    Has old segments of the log removed: with one that is written over, which a checkpoint
    may provide at any time, the server lives on without room for a new one.
    """
    await answer_of(dsn, "alter system set wal_recycle = off")
    await answer_of(dsn, "select pg_reload_conf()")


async def use_up_the_log(dsn: str) -> None:
    """Turns the write-ahead log to a segment that is not there."""
    for _ in range(8):
        try:
            await answer_of(dsn, "select pg_switch_wal()")
            await answer_of(dsn, "select pg_logical_emit_message(true, 'full', 'x')")
        except (asyncpg.PostgresError, OSError):
            return
        await asyncio.sleep(0.01)
    pytest.fail("there was room for the log")


async def write_until_given_up(
    writer: asyncpg.Connection, dsn: str, server: int
) -> None:
    """
    Write into the log until the server has given up: what was refused before may have
    been a table's growth, which it survives. It ends, or stays between crash and start.
    """
    refused = 0
    for _ in range(600):
        if refused == 20 or not processes.arguments(server):
            return
        try:
            if writer.is_closed():
                writer = await asyncpg.connect(dsn)
            await writer.fetchval("select pg_switch_wal()")
            await writer.fetchval("select pg_logical_emit_message(true, 'full', 'x')")
        except asyncpg.CannotConnectNowError:
            refused += 1
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            refused = 0
        await asyncio.sleep(0.05)
    pytest.fail("the server lives on without a log")
