"""Connections that are open fall silent while new ones work: they are replaced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest

from festinger.errors import DatabaseUnavailable
from festinger.lifetimes import cancel_all
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.pool import TRANSIENT, Pool, acquired, open_pool
from tests.conftest import DATABASE
from tests.faults.proxy import Fault, Proxy
from tests.services.conftest import key, state
from tests.waiting import until

STATEMENT_SECONDS_MAX = 120.0
LIMIT_SECONDS = 60.0
"""
Only what waits for a statement's limit takes so long.
"""


@pytest.fixture
async def proxied_pool(through: tuple[Proxy, str]) -> AsyncIterator[Pool]:
    """Connections through the proxy, whose statements may take long."""
    update = {"statement_seconds_max": STATEMENT_SECONDS_MAX}
    pool = await open_pool(through[1], DATABASE.model_copy(update=update))
    yield pool
    pool.terminate()


@asynccontextmanager
async def pinged(pool: Pool) -> AsyncIterator[None]:
    """The database is pinged for the length of a block, over a connection made in it."""

    async def ping() -> None:
        while True:
            with suppress(*TRANSIENT):
                await pool.ping()
            await asyncio.sleep(0.1)

    pinging = asyncio.create_task(ping())
    try:
        yield
    finally:
        await cancel_all([pinging])


async def use_all(pool: Pool) -> None:
    """Has all connections open at once, and asks on each."""
    async with AsyncExitStack() as stack:
        for _ in range(pool.get_max_size()):
            connection = await stack.enter_async_context(acquired(pool))
            await connection.fetchval("select 1")


async def until_stated(memory: TenantMemory) -> None:
    """State a fact until it is answered."""
    await until(
        lambda: state(memory, "gnommoweb -isa repo", request=key("r1")),
        LIMIT_SECONDS,
        0.05,
        DatabaseUnavailable,
    )


async def test_writer_leaves_connections_that_fell_silent(memory, proxied_pool, proxy):
    """
    All connections but that of the pings are silent, and new ones work: writes are
    committed long before a statement's limit, and all connections work again.
    """
    await use_all(proxied_pool)
    proxy.hang()

    async with pinged(proxied_pool), asyncio.timeout(LIMIT_SECONDS):
        await until_stated(memory)
        await use_all(proxied_pool)

    assert memory.world.is_known("gnommoweb")


async def test_one_silent_commit_is_noticed(memory, proxied_pool, proxy, pool):
    """
    A commit whose answer never comes, where all other connections work, ends long before
    a statement's limit, and the repeated request counts once.
    """
    proxy.arm(Fault.HANG_AFTER)

    async with pinged(proxied_pool), asyncio.timeout(LIMIT_SECONDS):
        with pytest.raises(DatabaseUnavailable):
            await state(memory, "gnommoweb -isa repo", request=key("r1"))
        await until_stated(memory)

    assert await pool.fetchval("select count(*) from assertions") == 1


async def test_cancelled_caller_does_not_wait_for_a_silent_connection(
    proxied_pool, proxy
):
    """Whoever is cancelled while the connection is silent ends soon, without any ping."""
    async with acquired(proxied_pool) as connection:
        await connection.fetchval("select 1")

    async def ask() -> None:
        async with acquired(proxied_pool) as connection:
            proxy.hang()
            await connection.fetchval("select 1")

    asking = asyncio.create_task(ask())
    await asyncio.sleep(0.1)
    asking.cancel()
    async with asyncio.timeout(LIMIT_SECONDS):
        await asyncio.gather(asking, return_exceptions=True)

        await use_all(proxied_pool)
