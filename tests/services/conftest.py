from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from festinger.core.graph.outcome import Outcome
from festinger.core.graph.statement import parse_fact
from festinger.core.language.turns import Role, Turn
from festinger.errors import CorruptMemory, DatabaseUnavailable
from festinger.services.graph.facts import assert_fact
from festinger.services.recollection.recollect import Recollection
from festinger.services.world.jobs import PromptJob
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import Pool
from festinger.store.world.batches import Batch, RaceLost, RequestKey
from tests.memories import TRUST, Clock, recollect_prompt, snapshot


class Unreliable:
    """A store whose database goes away, hesitates, or loses its answers, as a test says."""

    def __init__(self, store: PostgresStore):
        self._store = store
        self.away = False
        self.answers_lost = 0
        self.loses: Callable[[Batch], bool] = lambda batch: False
        self.gate = asyncio.Event()
        self.gate.set()
        self.commits = 0
        self._committing = asyncio.Event()
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        async def call(*arguments: Any, **keywords: Any) -> Any:
            self.calls.append(name)
            self._require()
            return await method(*arguments, **keywords)

        return call

    async def until_commit(self, number: int) -> None:
        """Wait until so many commits were begun."""
        while self.commits < number:
            self._committing.clear()
            await self._committing.wait()

    @asynccontextmanager
    async def reading(self, tenant: str) -> AsyncIterator[Any]:
        """Reads, unless the database is away."""
        self._require()
        async with self._store.reading(tenant) as reads:
            yield reads

    @asynccontextmanager
    async def inbox(self, tenant: str) -> AsyncIterator[Any]:
        """Writes of the inbox, unless the database is away."""
        self._require()
        async with self._store.inbox(tenant) as inbox:
            yield inbox

    @asynccontextmanager
    async def writing(self, tenant: str) -> AsyncIterator[Any]:
        """Writes, if the gate is open and nothing is wrong."""
        self._require()
        async with self._store.writing(tenant) as writing:
            write, before = writing.write, self.commits

            async def hesitate(batch: Any) -> Any:
                self.commits += 1
                self._committing.set()
                await self.gate.wait()
                self._require()
                if self.loses(batch):
                    raise RaceLost
                return await write(batch)

            writing.write = hesitate  # type: ignore[method-assign]
            yield writing
        if self.answers_lost and self.commits > before:
            self.answers_lost -= 1
            raise DatabaseUnavailable("the answer was lost")

    def _require(self) -> None:
        if self.away:
            raise DatabaseUnavailable("away")


async def state(
    memory: TenantMemory,
    fact: str,
    principal: str = "alice",
    request: RequestKey | None = None,
) -> tuple[Outcome, int]:
    """State a fact; return the outcome and the version after it."""
    return await assert_fact(
        memory, parse_fact(fact), principal=principal, request=request
    )


def say(memory: TenantMemory, text: str, **turn: Any) -> Recollection:
    """Return the answer to a prompt of a person."""
    return recollect_prompt(memory, [Turn(Role.USER, text, **turn)], principal="alice")


def key(name: str = "r1", payload: bytes = b"x", method: str = "Assert") -> RequestKey:
    """Return the name of a call."""
    return RequestKey("alice", name, method, payload)


async def in_step(memory: TenantMemory, store: PostgresStore) -> bool:
    """Return whether the memory is what a restart would load."""
    keys = (
        "urd_by_concept_dim",
        "denials",
        "queue",
        "pending_conflicts",
        "people",
        "lines",
        "version",
    )
    ours = snapshot(memory.world)
    theirs = snapshot(await store.load(memory.tenant))
    return all(ours[key] == theirs[key] for key in keys)


async def choose_model(
    pool: Pool,
    clock: Callable[[], float],
    *,
    keys: tuple[str, str],
    cron: str,
    model: str = "1",
    timezone: str = "UTC",
) -> None:
    """
    Choose a model and a schedule, as an operator would.

    Args:
        keys: The settings of the model and of the schedule.
    """
    keys_and_values = zip(
        (*keys, "resolution_timezone"), (model, cron, timezone), strict=True
    )
    for key, value in keys_and_values:
        await pool.execute(
            "update config set value = $2, updated_at = to_timestamp($3) where key = $1",
            key,
            value,
            clock(),
        )
    await pool.execute("update tenants set created_at = to_timestamp($1)", clock())


@pytest.fixture
async def broken(store, memories, monkeypatch):
    """Has a method of a store name a tenant that cannot be loaded before the others."""
    await store.add_tenant("broken")
    get = memories.get

    async def get_or_not(tenant):
        if tenant == "broken":
            raise CorruptMemory("a row is torn")
        return await get(tenant)

    monkeypatch.setattr(memories, "get", get_or_not)

    def name(owner, method):
        tenants = getattr(owner, method)

        async def both(*arguments, **keywords):
            return ["broken", *await tenants(*arguments, **keywords)]

        monkeypatch.setattr(owner, method, both)

    return name


async def settled(memory: TenantMemory) -> None:
    """Wait until everything that was offered so far is written."""
    await memory.settle()
    await memory.writer.submit(PromptJob([], memory.world.conflicts, []))


@pytest.fixture
def unreliable(store: PostgresStore) -> Unreliable:
    """The test's store, under the test's control."""
    return Unreliable(store)


@pytest.fixture
async def memories(unreliable: Any, clock: Clock) -> AsyncIterator[Memories]:
    """The memories over the unreliable store."""
    memories = Memories(unreliable, now=clock, trust=TRUST)
    yield memories
    unreliable.away = False
    unreliable.gate.set()
    await memories.stop()


@pytest.fixture
async def memory(memories: Memories) -> TenantMemory:
    """The memory `default`."""
    return await memories.get("default")
