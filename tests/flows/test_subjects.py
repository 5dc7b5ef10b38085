from __future__ import annotations

from collections.abc import Collection

import pytest

from festinger.flows.jobs import Job
from festinger.flows.memory import Memories
from festinger.store.postgres import PostgresStore
from tests.flows.conftest import state
from tests.memories import DICTIONARY, TRUST


class Remembering(Job[int]):
    """
    Says that other things are remembered of some subjects.
    """

    def __init__(self, *subjects):
        super().__init__()
        self._subjects = subjects

    def decide(self, draft, batch):
        """
        Has it logged with the version.
        """
        draft.changes.subjects.update(self._subjects)

    def answer(self, committed):
        """
        The version.
        """
        return committed.version


@pytest.fixture
async def elsewhere(pool, clock):
    """
    The same memory on another server.
    """
    memories = Memories(PostgresStore(pool, DICTIONARY), now=clock, trust=TRUST)
    yield memories
    await memories.stop()


def listening(memory):
    """
    What a memory tells from now on.
    """
    told: list[Collection[str] | None] = []
    memory.subjects.subscribe(told.append)
    return told


async def test_told_after_the_commit(memory):
    """
    Who listens hears of whom other things are remembered, and of nobody else.
    """
    told = listening(memory)

    await state(memory, "gnommoweb -isa repo")
    await memory.writer.submit(Remembering("alice", "bob"))

    assert told == [{"alice", "bob"}]


async def test_other_servers_tell_it_too(memory, elsewhere):
    """
    A server that follows tells the subjects of all that it missed.
    """
    followed = await elsewhere.get("default")
    told = listening(followed)
    await memory.writer.submit(Remembering("alice"))
    await state(memory, "gnommoweb -isa repo")
    await memory.writer.submit(Remembering("bob"))

    await elsewhere.follow()
    await elsewhere.follow()

    assert told == [{"alice", "bob"}]


async def test_reload_may_change_everybody(memories, memory):
    """
    What was missed between two memories nobody knows.
    """
    told = listening(memory)

    await memories.reload("default")

    assert told == [None]
