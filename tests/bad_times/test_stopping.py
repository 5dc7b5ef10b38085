"""Servers are told to stop at bad moments: they end soon, in order, and lose nothing."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1 import memory_service_pb2_grpc
from festinger.credentials import SHIM, read_token
from tests.faults.proxy import Fault, Proxy, proxied
from tests.kill.audit import Records, audit
from tests.kill.clients import Clients
from tests.kill.program import FORKED, Process, run
from tests.kill.server import OPTIONS, Serving, environment, free_port
from tests.waiting import until

pytestmark = pytest.mark.slow

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

DRAIN_SECONDS = 30.0
SOON = 20.0
"""Seconds that a stop may take on a busy machine, where nothing is left to wait for."""
CALLS, CONNECTIONS = 64, 4
STARTS = 3


@pytest.fixture
async def behind_proxy(serving: Serving, database: str) -> AsyncIterator[Proxy]:
    """The server has a database behind a proxy."""
    async with proxied(database) as (proxy, dsn):
        serving.dsn = dsn
        yield proxy
        # Before the proxy goes.
        await serving.clear()


def told(serving: Serving) -> str:
    """Return the server's output, if it was nothing but words for people."""
    output = serving.output()
    assert "Traceback" not in output, output
    return output


async def state(channel: grpc.aio.Channel, number: int) -> int:
    """State a fact, and give the number of its row in the ledger."""
    stub = memory_service_pb2_grpc.MemoryServiceStub(channel)
    fact = f"name{number}x -isa thing"
    request = pb.AssertRequest(fact=fact, request_id=f"r{number}")
    answer = await stub.Assert(request, timeout=60)
    row: int = answer.outcome.assertion_id
    return row


@asynccontextmanager
async def channels(serving: Serving) -> AsyncIterator[list[grpc.aio.Channel]]:
    """Several connections to a server."""
    opened = [
        grpc.aio.insecure_channel(serving.address, OPTIONS) for _ in range(CONNECTIONS)
    ]
    try:
        yield opened
    finally:
        for channel in opened:
            await channel.close()


async def watch(channel: grpc.aio.Channel, seen: list[int]) -> None:
    """Take down what the health service says, until the server goes."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    with suppress(grpc.aio.AioRpcError):
        async for answer in stub.Watch(health_pb2.HealthCheckRequest()):
            seen.append(answer.status)


# --- under load


async def test_calls_under_way_are_answered(serving, behind_proxy, pool, report):
    """
    First the health service says no, then the calls under way end well, new ones are
    refused, and the process ends with 0.
    """
    await serving.start()
    seen: list[int] = []
    async with channels(serving) as opened:
        watching = asyncio.create_task(watch(opened[0], seen))
        await until(lambda: SERVING in seen)
        behind_proxy.arm(Fault.DELAY)
        calls = [
            asyncio.create_task(state(opened[number % CONNECTIONS], number))
            for number in range(CALLS)
        ]
        await behind_proxy.met()
        # The others wait behind the first COMMIT, of which the database loses patience
        # after three seconds. Nothing tells that they have come.
        await asyncio.sleep(1)
        began = time.monotonic()
        os.kill(serving.pid, signal.SIGTERM)
        await until(lambda: NOT_SERVING in seen)
        answered_before = sum(call.done() for call in calls)
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await state(opened[0], CALLS)
        behind_proxy.gate.set()
        rows = await asyncio.gather(*calls, return_exceptions=True)
        code = await serving.end(0)
        seconds = time.monotonic() - began
        await watching

    report(f"{CALLS} calls under way at SIGTERM ended in {seconds:.2f} s")
    answers = [row for row in rows if isinstance(row, int)]
    assert len(answers) == CALLS, rows
    assert (answered_before, seen, code) == (0, [SERVING, NOT_SERVING], 0)
    assert refusal.value.code() is grpc.StatusCode.UNAVAILABLE
    assert seconds < DRAIN_SECONDS
    held = await pool.fetch("select assertion_id from urd where id <> dim_id")
    assert sorted(row["assertion_id"] for row in held) == sorted(answers)
    told(serving)


async def test_stop_under_load_loses_nothing(serving, seed, report):
    """Clients that call all the time, and call again, find everything after the restart."""
    await serving.start()
    token = str(read_token(serving.data_dir, SHIM))
    clients = Clients(serving.address, token, seed)
    async with clients.calling() as ledger:
        for _ in range(2):
            await asyncio.wait_for(ledger.answered_after(time.monotonic()), 30)
            await asyncio.sleep(0.5)
            began = time.monotonic()
            assert await serving.end() == 0, serving.output()
            report(f"ended under load in {time.monotonic() - began:.2f} s")
            await serving.start()
        await asyncio.wait_for(ledger.answered_after(time.monotonic()), 30)

    audit(ledger, await Records.read(serving.place.dsn))
    assert await serving.end() == 0
    told(serving)


# --- insisting


async def test_second_sigterm_ends_at_once(serving, behind_proxy, pool):
    """
    Whoever insists does not wait for a call that hangs, and the call is there once
    when it is repeated.
    """
    await serving.start()
    async with channels(serving) as opened:
        behind_proxy.arm(Fault.DELAY)
        call = asyncio.create_task(state(opened[0], 1))
        await behind_proxy.met()
        os.kill(serving.pid, signal.SIGTERM)
        # Two signals that nobody has read yet are one.
        await until(lambda: "Stopping" in serving.output())
        still = serving.code
        code = await serving.end(signal.SIGTERM)
        with pytest.raises(grpc.aio.AioRpcError):
            await call
        behind_proxy.mend()
        await serving.start()
        row = await state(opened[0], 1)

    assert (still, code) == (None, 130)
    assert await pool.fetchval("select array_agg(id) from assertions") == [row]
    assert await serving.end() == 0
    told(serving)


async def test_second_sigterm_leaves_a_directory_that_starts(serving):
    """Postgres, which was left running, is taken over by the next start."""
    await serving.start()
    async with channels(serving) as opened:
        row = await state(opened[0], 1)
        for _ in range(2):
            os.kill(serving.pid, signal.SIGTERM)
        code = await serving.end(0)
        await serving.start()
        again = await state(opened[0], 1)

    # Two signals may arrive as one.
    assert code in (0, 130)
    assert again == row
    assert await serving.end() == 0
    await serving.gone()


# --- while starting


async def test_stop_while_starting_leaves_nothing(serving, seed):
    """
    At any point of a start SIGTERM ends it soon, without a word for programmers and
    without a process left; afterwards the directory starts.
    """
    took, draw = await serving.start(), random.Random(seed)
    assert await serving.end() == 0
    for number in range(STARTS):
        await serving.launch()
        await asyncio.sleep(took * (number + draw.random()) / STARTS)
        code = await serving.end()
        # Before our own handlers are there, the signal ends it.
        assert code in (0, -signal.SIGTERM), serving.output()
        await serving.gone()

    await serving.start()
    assert await serving.end() == 0
    told(serving)


# --- out of order


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGKILL], ids=["stopped", "killed"]
)
async def test_stop_after_the_database(serving, number):
    """A server whose Postgres was stopped first ends soon all the same, and leaves nothing."""
    await serving.start()
    async with channels(serving) as opened:
        await state(opened[0], 1)
    os.kill(serving.postmaster(), number)
    began = time.monotonic()

    code = await serving.end()

    assert code == 0, serving.output()
    assert time.monotonic() - began < SOON
    told(serving)
    await serving.gone()


async def test_stop_while_the_database_is_away(serving, behind_proxy):
    """Counts that can no longer be written do not keep the server from stopping."""
    await serving.start()
    async with channels(serving) as opened:
        await state(opened[0], 1)
    behind_proxy.refusing = True
    behind_proxy.cut()
    began = time.monotonic()

    code = await serving.end()

    assert code == 0, serving.output()
    assert time.monotonic() - began < SOON
    told(serving)


async def test_stop_while_the_database_hangs(serving, behind_proxy):
    """Nor does a database that neither answers nor goes."""
    await serving.start()
    async with channels(serving) as opened:
        await state(opened[0], 1)
    behind_proxy.hang()
    began = time.monotonic()

    code = await serving.end()

    assert code == 0, serving.output()
    # A statement may take 30 s, and then the connection must be given up.
    assert time.monotonic() - began < 60
    told(serving)


async def test_database_is_stopped_under_a_call(serving, behind_proxy):
    """Stopped with a call under way whose answer never comes: the caller is told."""
    await serving.start()
    async with channels(serving) as opened:
        behind_proxy.arm(Fault.DELAY)
        call = asyncio.create_task(state(opened[0], 1))
        await behind_proxy.met()
        ending = asyncio.create_task(serving.end())
        await asyncio.sleep(0.5)
        behind_proxy.refusing = True
        behind_proxy.cut()
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await call

    assert refusal.value.code() is grpc.StatusCode.UNAVAILABLE
    assert await ending == 0, serving.output()
    told(serving)


# --- beside a shim


@asynccontextmanager
async def shim_of(
    serving: Serving,
) -> AsyncIterator[tuple[Process, str, Path]]:
    """A shim process of a server, its URL, and the file of what it prints."""
    address, output = f"127.0.0.1:{free_port()}", serving.data_dir.parent / "shim"
    with output.open("wb") as stream:
        where = ("--data-dir", str(serving.data_dir), "--server", serving.address)
        process = await run(
            *(*FORKED, "system", "shim", *where, "--shim", address),
            *("--upstream", "http://127.0.0.1:1"),
            environment=environment(),
            output=stream.fileno(),
        )
    try:
        yield process, f"http://{address}", output
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def until_listening(url: str) -> None:
    """Wait until a shim answers."""

    async def answer() -> bytes:
        async with session.get(f"{url}/festinger/health") as response:
            return await response.read()

    async with aiohttp.ClientSession() as session:
        await until(answer, 60, 0.05, aiohttp.ClientError)


@pytest.mark.parametrize("first", ["shim", "server"])
async def test_shim_and_server_stop_in_any_order(serving, first):
    """Neither waits for the other, neither complains."""
    await serving.start()
    async with shim_of(serving) as (shim, url, output):
        await until_listening(url)
        if first == "server":
            assert await asyncio.wait_for(serving.end(), SOON) == 0
            await until_listening(url)
        shim.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(shim.wait(), SOON) == 0
        if first == "shim":
            assert await asyncio.wait_for(serving.end(), SOON) == 0

    assert "Traceback" not in output.read_text()
    told(serving)
    await serving.gone()
