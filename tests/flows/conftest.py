from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from festinger.errors import DatabaseUnavailable
from festinger.flows.jobs import Prompt
from festinger.flows.memory import Memories, Memory
from festinger.store.postgres import PostgresStore
from tests.memories import TRUST, Clock


class Unreliable:
    """
    A store whose database goes away, hesitates, or loses its answers, as a test says.
    """

    def __init__(self, store: PostgresStore):
        self._store = store
        self.away = False
        self.answers_lost = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.commits = 0
        self._committing = asyncio.Event()
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        async def call(*arguments: Any, **keywords: Any) -> Any:
            self.calls.append(name)
            if self.away:
                raise DatabaseUnavailable("away")
            return await method(*arguments, **keywords)

        return call

    async def until_commit(self, number: int) -> None:
        """
        Waits until so many commits were begun.
        """
        while self.commits < number:
            self._committing.clear()
            await self._committing.wait()

    async def commit(self, tenant: str, batch: Any) -> Any:
        """
        Commits, if the gate is open and nothing is wrong.
        """
        self.commits += 1
        self._committing.set()
        await self.gate.wait()
        if self.away:
            raise DatabaseUnavailable("away")
        committed = await self._store.commit(tenant, batch)
        if self.answers_lost:
            self.answers_lost -= 1
            raise DatabaseUnavailable("the answer was lost")
        return committed


async def settled(memory: Memory) -> None:
    """
    Waits until everything that was offered so far is written.
    """
    await memory.writer.submit(Prompt([], memory.world.conflicts, []))


@pytest.fixture
def unreliable(store: PostgresStore) -> Unreliable:
    """
    The test's store, under the test's control.
    """
    return Unreliable(store)


@pytest.fixture
async def memories(unreliable: Any, clock: Clock) -> AsyncIterator[Memories]:
    """
    The memories over the unreliable store.
    """
    memories = Memories(unreliable, now=clock, trust=TRUST)
    yield memories
    unreliable.away = False
    unreliable.gate.set()
    await memories.stop()


@pytest.fixture
async def memory(memories: Memories) -> Memory:
    """
    The memory `default`.
    """
    return await memories.get("default")
