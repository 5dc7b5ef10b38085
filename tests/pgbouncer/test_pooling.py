"""Two servers whose connections go through a PgBouncer in transaction mode."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from festinger.core.graph.proposal import Triple
from festinger.errors import DatabaseUnavailable
from festinger.services.graph.facts import assert_fact
from festinger.services.world.memory import Memories
from festinger.store.migrations import migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import open_pool
from tests.conftest import DATABASE
from tests.memories import DICTIONARY, TRUST, Clock
from tests.pgbouncer.bouncer import Bouncer

TENANTS = ("default", "acme")
FACTS = 60


@pytest.fixture
def pooled(empty_database: str) -> Iterator[Bouncer]:
    """A PgBouncer with fewer sessions than a server has connections."""
    with Bouncer(empty_database, sessions=3) as bouncer:
        yield bouncer


@asynccontextmanager
async def server(pooled: Bouncer) -> AsyncIterator[Memories]:
    """The memories of one server."""
    update = {"pooler": pooled.dsn, "connections_max": 8}
    settings = DATABASE.model_copy(update=update)
    async with await open_pool(pooled.database, settings) as pool:
        store = PostgresStore(pool, DICTIONARY)
        for tenant in TENANTS:
            await store.add_tenant(tenant)
        memories = Memories(store, now=Clock(), trust=TRUST)
        yield memories
        await memories.stop()


async def state(memories: Memories, tenant: str, name: str) -> None:
    """State a fact in a memory."""
    fact = Triple(name, f"{tenant}thing", "type", True)
    await assert_fact(await memories.get(tenant), fact, principal="alice")


async def test_servers_share_few_sessions(pooled):
    """
    Two servers write to two memories at once over three sessions; nothing is lost or
    seen by the other memory, and what both hold is what the database holds.
    """
    await migrate(pooled.database)
    async with server(pooled) as one, server(pooled) as other:
        await asyncio.gather(
            *(
                state((one, other)[number % 2], tenant, f"{tenant}{number}x")
                for number in range(FACTS)
                for tenant in TENANTS
            )
        )

        for memories in (one, other):
            for tenant in TENANTS:
                memory = await memories.get(tenant)
                assert await memory.writer.check() == []
                known = [
                    name
                    for number in range(FACTS)
                    for owner in TENANTS
                    if memory.world.is_known(name := f"{owner}{number}x")
                ]
                assert known == [f"{tenant}{number}x" for number in range(FACTS)]


async def test_server_outlives_its_pooler(pooled):
    """While it is away nothing can be stated; when it is back, the server needs no restart."""
    await migrate(pooled.database)
    async with server(pooled) as memories:
        await state(memories, "default", "before")
        pooled.stop()
        with pytest.raises(DatabaseUnavailable):
            await state(memories, "default", "meanwhile")
        pooled.start()

        await state(memories, "default", "after")
