"""The memory never lies: random calls against real Postgres, one server and two."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    invariant,
    rule,
    run_state_machine_as_test,
)

from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from tests.services.conftest import settled
from tests.services.world.machine import Call, Say, Tenant, calls
from tests.services.world.machine_servers import Arena, Machine, kill
from tests.services.world.machine_truth import (
    assert_in_step,
    assert_opposed,
    assert_sound,
    assert_true,
    counts,
    taught,
)

# Each example takes seconds, and each run tries others.
SETTINGS = settings(
    max_examples=6,
    stateful_step_count=15,
    deadline=None,
    # A database is as slow as it is.
    suppress_health_check=list(HealthCheck),
)
TENANTS = st.integers(0, 1)


class OneServer(Machine):
    """One server, which is restarted, reloaded and killed."""

    @property
    def memories(self) -> Memories:
        """The server's memories."""
        return self.servers[0]

    @rule(number=TENANTS, call=calls())
    def ask(self, number: int, call: Call | Say) -> None:
        """Somebody asks something."""

        async def do() -> None:
            tenant = self.tenants[number]
            memory = await self.memories.get(tenant.name)
            await call.ask(tenant, memory)
            await settled(memory)

        self.run(do())

    @rule()
    def restart(self) -> None:
        """Stopped and started: nothing is lost but the first encounter of a word."""

        async def do() -> None:
            await self.memories.stop()
            self.servers = [self.open(self.stores[0])]
            for tenant in self.tenants:
                await self.check_counts(tenant)
                # A word that is met once between restarts may lose one each time.
                tenant.met = await counts(self.pool, tenant)

        self.run(do())

    @rule()
    def reload(self) -> None:
        """The memories are loaded anew while they are used."""
        self.run(self.each(lambda tenant, memory: memory.writer.reload()))

    @rule()
    def flush(self) -> None:
        """The counters are written, and every encounter counts once."""

        async def do() -> None:
            await self.memories.flush()
            for tenant in self.tenants:
                await self.check_counts(tenant)

        self.run(do())

    @rule(number=TENANTS, asked=st.lists(calls(), max_size=6), waits=st.integers(0, 40))
    def crash(self, number: int, asked: list[Call | Say], waits: int) -> None:
        """Killed in the middle of something: what was acknowledged stays."""

        async def do() -> None:
            tenant = self.tenants[number]
            memory = await self.memories.get(tenant.name)
            before = await counts(self.pool, tenant)
            tasks = [asyncio.create_task(each.ask(tenant, memory)) for each in asked]
            await asyncio.sleep(waits / 1000)
            await kill(tenant.name for tenant in self.tenants)
            for task in tasks:
                task.cancel()
            for error in await asyncio.gather(*tasks, return_exceptions=True):
                assert not isinstance(error, Exception), error
            self.servers = [self.open(self.stores[0])]
            for each in self.tenants:
                left = await counts(self.pool, each)
                assert left <= each.met
                each.met = left
                each.taught = await taught(self.pool, each)
            assert before <= tenant.met

        self.run(do())

    @invariant()
    def never_lies(self) -> None:
        """The tables are sound, and the memories are what a restart would load."""

        async def check(tenant: Tenant, memory: TenantMemory) -> None:
            await assert_in_step(memory, self.stores[0])
            await assert_opposed(memory)
            assert_sound(memory.world, tenant)
            await assert_true(self.pool, tenant)

        self.run(self.each(check))


class TwoServers(Machine):
    """Two servers over one database, which are asked at the same time."""

    @rule(
        asked=st.lists(
            st.tuples(
                TENANTS,
                st.integers(0, 1),
                calls() | st.sampled_from(["follow", "flush", "reload"]),
            ),
            min_size=2,
            max_size=10,
        )
    )
    def race(self, asked: list[tuple[int, int, Call | Say | str]]) -> None:
        """Everything at once, on both."""

        async def do(number: int, server: int, what: Call | Say | str) -> None:
            tenant, memories = self.tenants[number], self.servers[server]
            memory = await memories.get(tenant.name)
            if what == "reload":
                await memory.writer.reload()
            elif isinstance(what, str):
                await getattr(memories, what)()
            else:
                await what.ask(tenant, memory)

        async def race() -> None:
            await asyncio.gather(*(do(*each) for each in asked))

        self.run(race())

    @rule(keep=st.integers(0, 3))
    def forget_changes(self, keep: int) -> None:
        """The log of changes ends before a server that is behind begins."""

        async def do() -> None:
            for tenant in self.tenants:
                await self.pool.execute(
                    "delete from change_log l using heads h where l.tenant = h.tenant "
                    "and h.tenant = $1 and l.version <= h.version - $2",
                    tenant.name,
                    keep,
                )

        self.run(do())

    @rule()
    def flush(self) -> None:
        """Both write their counters: every encounter counts once."""

        async def do() -> None:
            await asyncio.gather(*(memories.flush() for memories in self.servers))
            for tenant in self.tenants:
                await self.check_counts(tenant)

        self.run(do())

    @invariant()
    def never_lies(self) -> None:
        """Once both have followed, both are what a restart would load."""

        async def check(server: int, tenant: Tenant, memory: TenantMemory) -> None:
            await assert_in_step(memory, self.stores[server])
            await assert_opposed(memory)
            assert_sound(memory.world, tenant)

        async def do() -> None:
            for server in (0, 1):
                await self.each(lambda tenant, memory: settled(memory), server)
            for server, memories in enumerate(self.servers):
                await memories.follow()
                await self.each(partial(check, server), server)
            for tenant in self.tenants:
                await assert_true(self.pool, tenant)

        self.run(do())


def run(machine: Callable[[Arena], Machine], dsn: str, *, servers: int) -> None:
    """Has a machine try to make the memory lie."""
    arena = Arena(dsn, servers)
    try:
        # It is called for each example; that it is a class is not needed.
        factory: Any = partial(machine, arena)
        run_state_machine_as_test(factory, settings=SETTINGS)
    finally:
        arena.close()


def test_memory_never_lies(database: str) -> None:
    """Whatever one server is asked, and however it ends, its memory is the database's."""
    run(OneServer, database, servers=1)


def test_servers_never_contradict_each_other(database: str) -> None:
    """Two servers race for everything, and agree with the database afterwards."""
    run(TwoServers, database, servers=2)
