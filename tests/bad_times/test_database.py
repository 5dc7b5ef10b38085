"""The database goes away while the server runs, or is too busy: reads go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2

from festinger import app, config
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.errors import Overloaded
from festinger.programs import server
from festinger.services.world import writer
from festinger.store.system import pool as pools
from festinger.store.system.pool import Pool, acquired
from festinger.workers import periodic
from tests.conftest import DATABASE
from tests.faults.proxy import Fault, Proxy, proxied
from tests.memories import write_dictionary
from tests.services.conftest import say
from tests.serving import Client, refused
from tests.waiting import becomes, until

SERVING = health_pb2.HealthCheckResponse.SERVING
STATEMENT_SECONDS_MAX = 20
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
async def through(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Proxy, Client]]:
    """A whole server behind whose back a proxy takes the database away, and its client."""
    monkeypatch.setattr(server, "WATCH_SECONDS", 0.1)
    monkeypatch.setattr(writer, "RETRY_SECONDS", (0.05,))
    write_dictionary(tmp_path)
    async with proxied(database) as (proxy, dsn):
        values = {
            "data_dir": tmp_path,
            "server": {"address": "127.0.0.1:0"},
            "database": {"dsn": dsn, "statement_seconds_max": STATEMENT_SECONDS_MAX},
        }
        settings = config.load(overrides=values, environment={})
        async with (
            app.serving(settings) as started,
            grpc.aio.insecure_channel(started.server) as channel,
        ):
            yield proxy, Client(channel)
            proxy.mend()


async def until_answered(client: Client, fact: str, **fields: Any) -> Any:
    """Return the answer to a fact that is stated until there is one."""
    return await until(
        lambda: client.states(fact, **fields), 30, 0.05, grpc.aio.AioRpcError
    )


# --- away


async def test_database_that_goes_and_comes(through):
    """
    Reads go on from memory, writes say at once that they cannot, the health service
    tells, and all is well again without a restart.
    """
    proxy, client = through
    await client.states("gnommoweb -isa repo")
    proxy.refusing = True
    proxy.cut()

    with refused() as refusal:
        await client.states("dobby -isa worker", request_id="r1")
    await becomes(lambda: client.health("database"), NOT_SERVING)
    overall = await client.health()
    told = await client.says("What is gnommoweb?")
    concept = await client.concept("gnommoweb")
    proxy.mend()
    await becomes(lambda: client.health("database"), SERVING)
    answer = await client.states("dobby -isa worker", request_id="r1")

    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.UNAVAILABLE,
        "DATABASE_UNAVAILABLE",
    )
    assert "the database cannot be reached; try again" in refusal.message
    assert overall == SERVING
    assert told.lines[0].text == "gnommoweb: [type] repo"
    assert concept.edges[0].parent == "repo"
    assert answer.outcome.verdict == Outcome.VERDICT_HELD


async def test_writes_do_not_wait_for_a_database_that_is_away(through):
    """Everybody is told while it is away: nobody waits for it to come back."""
    proxy, client = through
    proxy.refusing = True
    proxy.cut()

    calls = [client.states(f"name{number}x -isa thing") for number in range(50)]
    ended = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 20)

    codes = {error.code() for error in ended if isinstance(error, grpc.RpcError)}
    assert len(ended) == 50
    assert codes == {grpc.StatusCode.UNAVAILABLE}


async def test_what_was_said_while_it_was_away_is_learnt(through):
    """Prompts are answered, show their contradictions, and are written afterwards."""
    proxy, client = through
    await client.states("gnommoweb -isa repo")
    proxy.refusing = True
    proxy.cut()
    told = await client.says("gnommoweb is a container. dobby is a worker.")
    proxy.mend()
    # Behind the prompt in the queue.
    await until_answered(client, "ant -isa pet")

    dobby = await client.concept("dobby")
    conflict = await client.conflict(1)

    assert told.lines[0].text == "gnommoweb: [type?] repo — conflict pending"
    assert dobby.edges[0].parent == "worker"
    assert (conflict.incoming.parent, conflict.statement_count) == ("container", 1)


async def test_database_that_goes_again_and_again(through, pool):
    """Statements under one id, in a database that comes and goes, are there once."""
    proxy, client = through
    verdicts = set()
    for turn, fault in enumerate((Fault.CUT_AFTER, Fault.CUT_BEFORE) * 2):
        proxy.arm(fault)
        stating = [
            asyncio.create_task(
                until_answered(client, f"{name} -isa thing", request_id=name)
            )
            for name in (f"name{turn}x{number}" for number in range(10))
        ]
        await asyncio.wait_for(proxy.met(), 20)
        proxy.refusing = True
        proxy.cut()
        await asyncio.sleep(0.2)
        proxy.mend()
        verdicts |= {(await call).outcome.verdict for call in stating}

    assert verdicts == {Outcome.VERDICT_HELD}
    assert await pool.fetchval("select count(*) from assertions") == 40
    assert await pool.fetchval("select count(*) from urd where id <> dim_id") == 40


# --- silent


async def test_database_that_falls_silent_is_noticed(monkeypatch, through):
    """
    A statement whose connection is open but silent ends long before a statement's time
    limit, the health service tells, and afterwards all is well without a restart.
    """
    proxy, client = through
    await client.states("gnommoweb -isa repo")
    with monkeypatch.context() as patch:
        patch.setattr(pools, "PING_SECONDS_MAX", 0.3)
        proxy.silence()
        with refused() as refusal:
            async with asyncio.timeout(STATEMENT_SECONDS_MAX * 0.75):
                await client.states("dobby -isa worker", request_id="r1")
    told = await client.says("What is gnommoweb?")
    proxy.mend()
    await becomes(lambda: client.health("database"), SERVING)
    answer = await until_answered(client, "dobby -isa worker", request_id="r1")

    assert refusal.reason == "DATABASE_UNAVAILABLE"
    assert told.lines[0].text == "gnommoweb: [type] repo"
    assert answer.outcome.verdict == Outcome.VERDICT_HELD


async def test_only_old_connections_that_fall_silent_are_noticed(through):
    """
    A server whose connections are silent, while new ones work, is told so long before a
    statement's limit, and then writes without a restart.
    """
    proxy, client = through
    await client.states("gnommoweb -isa repo")
    proxy.hang()
    async with asyncio.timeout(STATEMENT_SECONDS_MAX * 0.75):
        answer = await until_answered(client, "dobby -isa worker", request_id="r1")
    await becomes(lambda: client.health("database"), SERVING)

    assert answer.outcome.verdict == Outcome.VERDICT_HELD


async def test_long_statement_is_not_silence(monkeypatch, pool):
    """A statement may take longer than a ping while the database answers pings."""
    monkeypatch.setattr(pools, "PING_SECONDS_MAX", 0.2)

    async def sleep() -> Any:
        async with acquired(pool) as connection:
            return await connection.fetchval("select 1 from pg_sleep(1)")

    statement = asyncio.create_task(sleep())
    while not statement.done():
        await pool.ping()
        await asyncio.sleep(0.05)

    assert await statement == 1


# --- too busy


@asynccontextmanager
async def exhausted(pool: Pool) -> AsyncIterator[None]:
    """All connections are in use for the length of a block."""
    async with AsyncExitStack() as stack:
        for _ in range(DATABASE.connections_max):
            await stack.enter_async_context(acquired(pool))
        yield


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long, neither for a connection nor between two attempts."""
    monkeypatch.setattr(pools, "ACQUIRE_SECONDS_MAX", 0.3)
    monkeypatch.setattr(writer, "RETRY_SECONDS", (0.05,))


@pytest.mark.usefixtures("impatient")
async def test_exhausted_pool_names_its_setting(client, pool):
    """Writes are told what to raise, reads go on, and afterwards all is well."""
    await until_answered(client, "gnommoweb -isa repo")
    async with exhausted(pool):
        with refused() as refusal:
            await client.states("dobby -isa worker", request_id="r1")
        told = await client.says("What is gnommoweb?")

    answer = await client.states("dobby -isa worker", request_id="r1")

    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.UNAVAILABLE,
        "OVERLOADED",
    )
    assert "database.connections_max" in refusal.message
    assert told.lines[0].text == "gnommoweb: [type] repo"
    assert answer.outcome.verdict == Outcome.VERDICT_HELD


@pytest.mark.usefixtures("impatient")
async def test_exhausted_pool_loses_nothing(client, memories, pool):
    """Statements and counts of prompts meanwhile are written once there is a connection."""
    await until_answered(client, "gnommoweb -isa repo")
    async with exhausted(pool):
        await client.says("gnommoweb is a container. dobby is a worker.")
        await client.says("What is dobby?")
        with pytest.raises(Overloaded):
            await memories.flush()
        await asyncio.sleep(0.5)
    await until_answered(client, "ant -isa pet")
    await memories.flush()

    dobby = await client.concept("dobby")
    conflict = await client.conflict(1)

    assert (dobby.edges[0].parent, dobby.encounter_count) == ("worker", 2)
    assert conflict.statement_count == 1
    counted = "select encounter_count from concepts where token = 'dobby'"
    assert await pool.fetchval(counted) == 2


@pytest.mark.usefixtures("impatient")
async def test_exhausted_pool_does_not_hinder_a_stop(memories, pool):
    """Memories are closed all the same; what could not be counted is not."""
    memory = await memories.get("default")
    say(memory, "dobby")
    async with exhausted(pool):
        await memories.stop()

    with pytest.raises(Overloaded, match="stopping"):
        await memory.writer.submit(None)


async def test_busy_database_is_no_defect_of_a_worker(monkeypatch):
    """A worker that finds no connection tries again, and logs no traceback."""
    defects: list[object] = []
    monkeypatch.setattr(
        periodic.log, "exception", lambda *_, **values: defects.append(values)
    )
    done = asyncio.Event()
    attempts = iter((Overloaded("busy"), None))

    async def work() -> None:
        if error := next(attempts):
            raise error
        done.set()

    task = asyncio.create_task(periodic.every(0.01, "work", work))
    await done.wait()
    task.cancel()

    assert defects == []
