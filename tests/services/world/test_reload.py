"""Loading a memory anew while it is used."""

from __future__ import annotations

import asyncio

import pytest

from festinger.core.graph.outcome import Verdict
from festinger.errors import CorruptMemory, DatabaseUnavailable, Overloaded
from festinger.services.world.memory import Memories
from tests.memories import TRUST, held
from tests.services.conftest import in_step, say, state
from tests.structures import soas_by_token

LATE = "insert into soas (tenant, id, token) values ('default', 999999, 'nightly')"


class Gate:
    """Holds up each load when it has read the database, until it is opened."""

    def __init__(self, load):
        self._load = load
        self._open = asyncio.Event()
        self.loading = asyncio.Event()
        self.loads = 0

    async def __call__(self, tenant):
        """Load as the store does."""
        world = await self._load(tenant)
        self.loads += 1
        self.loading.set()
        await self._open.wait()
        return world

    def open(self):
        """Let this load go on, and all that follow."""
        self._open.set()


@pytest.fixture
def gate(unreliable, memory):
    """The store's loading, held up; the memory `default` is loaded already."""
    unreliable.load = gate = Gate(unreliable.load)
    return gate


def count(memory, token):
    """Return the number of times that a word was met, in the world."""
    return soas_by_token(memory.world)[token].encounter_count


async def counted(pool, token):
    """Return the number of times that a word was met, in the database."""
    return await pool.fetchval(
        "select encounter_count from concepts where token = $1", token
    )


async def test_what_others_wrote_past_the_server_is_known(memories, memory, pool):
    """A row that no log tells of is there after a reload, in a world of its own."""
    before = memory.world
    await pool.execute(LATE)
    assert memory.world.id("nightly") is None

    reloaded = await memories.reload("default")

    assert reloaded is memory
    assert memory.world is not before
    assert memory.world.id("nightly") == 999999


async def test_nobody_waits_for_a_reload(memories, memory, gate, store, pool):
    """
    While the new world is loaded, prompts are answered from the old one, facts are
    stated and committed, and all of it is in the new one.
    """
    await state(memory, "gnommoweb -isa repo")
    before = memory.world
    await pool.execute(LATE)
    reloading = asyncio.create_task(memories.reload("default"))
    await gate.loading.wait()

    told = say(memory, "what is gnommoweb, and dobby?")
    outcome, version = await state(memory, "dobby -isa houseelf")

    assert not reloading.done()
    assert memory.world is before
    assert "repo" in told.lines[0].text
    assert (outcome.verdict, version) == (Verdict.HELD, 2)

    gate.open()
    await reloading

    assert memory.world is not before
    assert memory.world.id("nightly") == 999999
    assert {fact.concept for fact in held(memory.world)} == {"gnommoweb", "dobby"}
    assert await in_step(memory, store)


async def test_encounters_during_a_reload_count_once(memories, memory, gate, pool):
    """
    Those from before, those meanwhile and those that a flush wants to write meanwhile,
    in memory and in the database alike.
    """
    say(memory, "dobby and winky")
    reloading = asyncio.create_task(memories.reload("default"))
    await gate.loading.wait()
    say(memory, "dobby and hokey")
    flushing = asyncio.create_task(memories.flush())
    say(memory, "dobby")
    gate.open()
    await reloading
    say(memory, "dobby")
    await flushing
    await memories.flush()

    expected = {"dobby": 4, "winky": 1, "hokey": 1}
    assert {token: count(memory, token) for token in expected} == expected
    in_database = {token: await counted(pool, token) for token in expected}
    assert in_database == {"dobby": 4, "winky": None, "hokey": None}


async def test_fact_of_another_server_during_a_reload_is_known(
    memories, memory, gate, store, pool
):
    """A commit after the new world was read is taken over before it is used."""
    others = Memories(store, now=lambda: 0.0, trust=TRUST)
    reloading = asyncio.create_task(memories.reload("default"))
    await gate.loading.wait()
    await state(await others.get("default"), "wiki -isa repo")
    gate.open()

    await reloading

    assert {fact.concept for fact in held(memory.world)} == {"wiki"}
    assert await in_step(memory, store)
    await others.stop()


async def test_log_that_is_lost_during_a_reload_loads_again(
    memories, memory, gate, store, pool
):
    """Rows written meanwhile without a log entry are read with the memory itself."""
    reloading = asyncio.create_task(memories.reload("default"))
    await gate.loading.wait()
    await state(memory, "wiki -isa repo")
    await pool.execute("delete from change_log")
    gate.open()

    await reloading

    assert gate.loads == 2
    assert {fact.concept for fact in held(memory.world)} == {"wiki"}
    assert await in_step(memory, store)


async def test_reload_that_is_asked_for_meanwhile_comes_after(
    memories, memory, gate, pool
):
    """It has what was written before it was asked for; two that wait share one load."""
    first = asyncio.create_task(memories.reload("default"))
    await gate.loading.wait()
    await pool.execute(LATE)
    more = [asyncio.create_task(memories.reload("default")) for _ in range(2)]
    gate.open()

    await first
    await asyncio.gather(*more)

    assert gate.loads == 2
    assert memory.world.id("nightly") == 999999


async def test_caller_who_goes_does_not_end_a_reload(memories, memory, gate, pool):
    """It is done for whoever else asked."""
    await pool.execute(LATE)
    first = asyncio.create_task(memories.reload("default"))
    await gate.loading.wait()
    first.cancel()
    second = asyncio.create_task(memories.reload("default"))
    gate.open()

    await second

    assert first.cancelled()
    assert memory.world.id("nightly") == 999999


async def test_reload_fails_while_the_database_is_away(memories, memory, unreliable):
    """The old world stays, with what it has not saved, and answers."""
    await state(memory, "gnommoweb -isa repo")
    say(memory, "dobby")
    before = memory.world
    unreliable.away = True

    with pytest.raises(DatabaseUnavailable):
        await memories.reload("default")

    assert memory.world is before
    assert "repo" in say(memory, "gnommoweb").lines[0].text
    assert count(memory, "dobby") == 1
    unreliable.away = False
    await memories.reload("default")
    assert memory.world is not before
    assert count(memory, "dobby") == 1


async def test_reload_that_meets_a_corrupt_row_says_which(memories, memory, pool):
    """A row that cannot be set aside leaves the old world in use."""
    await state(memory, "gnommoweb -isa repo")
    before = memory.world
    await pool.execute("alter table soas drop constraint soas_encounter_count_check")
    await pool.execute("update soas set encounter_count = -1, last_seen = now()")

    with pytest.raises(CorruptMemory, match="encounters -1 is not a count"):
        await memories.reload("default")

    assert memory.world is before
    assert "repo" in say(memory, "gnommoweb").lines[0].text
    assert (await state(memory, "wiki -isa repo"))[0].verdict is Verdict.HELD


async def test_reload_sets_broken_rows_aside(unreliable, clock, pool):
    """As at a start: each is named, and the rest is loaded."""
    complaints: list[str] = []
    memories = Memories(unreliable, now=clock, trust=TRUST, complain=complaints.append)
    memory = await memories.get("default")
    await state(memory, "gnommoweb -isa repo")
    await state(memory, "wiki -isa repo")
    await pool.execute("alter table urd drop constraint urd_source_check")
    await pool.execute(
        "update urd set source = 'nobody' where id = $1", memory.world.id("wiki")
    )

    await memories.reload("default")

    assert ["its source is unknown" in complaint for complaint in complaints] == [True]
    assert {fact.concept for fact in held(memory.world)} == {"gnommoweb"}
    assert await pool.fetchval("select count(*) from quarantine") == 1
    await memories.stop()


async def test_memory_that_is_not_open_is_loaded_once(memories, unreliable):
    """To load it anew is to load it."""
    memory = await memories.reload("default")

    assert memories.ready("default") is memory
    assert unreliable.calls.count("load") == 1


async def test_server_that_stops_ends_a_reload(memories, memory, gate, pool):
    """Whoever waits is told, and what was met is saved."""
    reloading = asyncio.create_task(memories.reload("default"))
    await gate.loading.wait()
    say(memory, "dobby")
    say(memory, "dobby")

    await memories.stop()

    with pytest.raises((asyncio.CancelledError, Overloaded)):
        await reloading
    assert await counted(pool, "dobby") == 2
