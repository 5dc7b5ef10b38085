from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from festinger.services.world import writer
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.postgres import PostgresStore
from festinger.store.system import pool as pools
from festinger.store.system.pool import Pool, open_pool
from tests.conftest import DATABASE
from tests.faults.proxy import Proxy, proxied
from tests.memories import DICTIONARY, TRUST, Clock

STATEMENT_SECONDS = 1.0


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The pauses between attempts are short enough for a test, and so is what a dead
    server's transaction may keep from the others.
    """
    monkeypatch.setattr(writer, "RETRY_SECONDS", (0.05,))
    monkeypatch.setattr(pools, "IDLE_IN_TRANSACTION_SECONDS_MAX", 1)


@pytest.fixture
async def through(database: str) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy before the test's database, and the DSN that leads through it."""
    async with proxied(database) as through:
        yield through


@pytest.fixture
def proxy(through: tuple[Proxy, str]) -> Proxy:
    """The proxy between the memories and their database."""
    return through[0]


@pytest.fixture
async def proxied_pool(through: tuple[Proxy, str]) -> AsyncIterator[Pool]:
    """Connections through the proxy, whose statements are given up soon."""
    update = {"statement_seconds_max": STATEMENT_SECONDS}
    pool = await open_pool(through[1], DATABASE.model_copy(update=update))
    yield pool
    pool.terminate()


@pytest.fixture
async def memories(
    proxied_pool: Pool, proxy: Proxy, clock: Clock
) -> AsyncIterator[Memories]:
    """The memories over the proxy."""
    store = PostgresStore(proxied_pool, DICTIONARY)
    memories = Memories(store, now=clock, trust=TRUST)
    yield memories
    proxy.mend()
    await memories.stop()


@pytest.fixture
async def memory(memories: Memories) -> TenantMemory:
    """The memory `default`, in which something is held already."""
    return await memories.get("default")
