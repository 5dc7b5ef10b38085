"""Servers over one database, as the machines run them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine

from festinger.config import DatabaseSettings
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import Pool, open_pool
from tests.memories import DICTIONARY, TRUST, Clock
from tests.services.world.machine import Tenant
from tests.services.world.machine_truth import counts

DATABASE = DatabaseSettings(connections_max=4, statement_seconds_max=10)


class Arena:
    """A database, and an event loop in which servers use it, each over its own pool."""

    def __init__(self, dsn: str, servers: int):
        self.runner = asyncio.Runner()
        self.numbers = itertools.count(1)
        self.pools = [self.runner.run(open_pool(dsn, DATABASE)) for _ in range(servers)]
        self.stores = [PostgresStore(pool, DICTIONARY) for pool in self.pools]

    def close(self) -> None:
        """Close the pools and the loop."""
        for pool in self.pools:
            self.runner.run(pool.close())
        self.runner.close()


class Machine(RuleBasedStateMachine):
    """Two new memories in one database, and servers that have them open."""

    def __init__(self, arena: Arena):
        super().__init__()
        self.clock = Clock()
        self.arena = arena
        self.stores = arena.stores
        number = next(arena.numbers)
        self.tenants = [Tenant(f"m{number}{mark}", mark) for mark in "ab"]
        self.servers = [self.open(store) for store in self.stores]
        self.run(self.add_tenants())

    async def add_tenants(self) -> None:
        """Make the memories."""
        for tenant in self.tenants:
            await self.stores[0].add_tenant(tenant.name)

    def open(self, store: PostgresStore) -> Memories:
        """Return a server's memories, none of them loaded yet."""
        return Memories(store, now=self.clock, trust=TRUST)

    def run(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do something in the arena's event loop."""
        self.clock.now += 1
        self.arena.runner.run(doing)

    def teardown(self) -> None:
        """Stop the servers."""

        async def stop() -> None:
            for memories in self.servers:
                await memories.stop()

        self.run(stop())

    @property
    def pool(self) -> Pool:
        """Connections to look into the tables."""
        return self.arena.pools[0]

    async def each(
        self, do: Callable[[Tenant, TenantMemory], Awaitable[None]], server: int = 0
    ) -> None:
        """Do something with each memory of a server."""
        for tenant in self.tenants:
            await do(tenant, await self.servers[server].get(tenant.name))

    async def check_counts(self, tenant: Tenant) -> None:
        """
        Each encounter of the prompts is flushed, once; each server may still have the
        first of a word.
        """
        missing = dict(tenant.met)
        for token, count in (await counts(self.pool, tenant)).items():
            missing[token] = missing.get(token, 0) - count
        assert all(0 <= count <= len(self.servers) for count in missing.values())


async def kill(tenants: Any) -> None:
    """End the writers of memories as if the process had died."""
    names = {f"writer of {tenant}" for tenant in tenants}
    writers = [task for task in asyncio.all_tasks() if task.get_name() in names]
    for writer in writers:
        writer.cancel()
    await asyncio.gather(*writers, return_exceptions=True)
