from __future__ import annotations

import asyncio

import pytest

from festinger.core.reading import Role, Turn
from festinger.core.resolution import Decision
from festinger.core.statement import parse_fact
from festinger.flows.decisions import Rejection
from festinger.flows.memory import PRUNE_SECONDS, Memories, Memory
from festinger.flows.recollect import recollect_prompt
from festinger.flows.resolving import Resolution
from festinger.flows.retract import retract_fact
from festinger.store.postgres import PostgresStore
from tests.flows.conftest import settled, state
from tests.memories import DAY, DICTIONARY, TRUST

WORDS = ("dobby", "houseelf", "hogwarts", "ranking", "bystander")
SEEDED = {"urd": "dim_id > 6 or id <> parent_id", "dimensions": "dim_id > 6"}
"""What of these tables no new memory has."""
ALL = f"What are {', '.join(WORDS)}?"


@pytest.fixture
async def memory(memories):
    """
    The memory `default`.
    """
    return await memories.get("default")


@pytest.fixture
async def others(pool, clock):
    """
    The memories of another server on the same database.
    """
    others = Memories(PostgresStore(pool, DICTIONARY), now=clock, trust=TRUST)
    yield others
    await others.stop()


def says(memory: Memory, text: str) -> None:
    """
    A prompt of a person comes by.
    """
    recollect_prompt(memory, [Turn(Role.USER, text)], principal="alice")


async def counts(pool):
    """
    How often each word was met, as the database has it.
    """
    rows = await pool.fetch(
        "select token, encounter_count from concepts where token = any($1)",
        list(WORDS),
    )
    return {row["token"]: row["encounter_count"] for row in rows}


async def grow_old(memories, memory, clock, text=ALL):
    """
    Words are met, written, and not met again for a month.
    """
    says(memory, text)
    await settled(memory)
    await memories.flush()
    clock.now += PRUNE_SECONDS + DAY
    # So that it is not closed for idleness.
    await memories.get("default")


async def test_old_words_are_dropped_everywhere(memories, others, memory, clock, pool):
    """
    In the database, in the server that sweeps and in the one that follows.
    """
    await grow_old(memories, memory, clock)
    other = await others.get("default")
    known = {word for word in WORDS if other.world.id(word)}

    await memories.prune()
    for each in (memories, others):
        await each.follow()

    assert known == set(WORDS)
    assert await counts(pool) == {}
    for world in (memory.world, other.world):
        assert not any(world.id(word) for word in WORDS)


async def test_young_words_and_those_met_twice_stay(memories, memory, clock, pool):
    """
    A month is not over, or somebody came back to them.
    """
    says(memory, "dobby")
    await grow_old(memories, memory, clock, "dobby or bystander")
    says(memory, "hogwarts")
    await memories.flush()

    await memories.prune()

    assert await counts(pool) == {"dobby": 2, "hogwarts": 1}


async def held(memory, pool):
    """
    A fact.
    """
    await state(memory, "dobby -isa houseelf in context of ranking")


async def ended(memory, pool):
    """
    A fact that was taken back, of which only the history is left.
    """
    await held(memory, pool)
    fact = parse_fact("dobby -isa houseelf in context of ranking")
    await retract_fact(memory, fact, principal="alice")
    await forget(pool, "tombstones")


async def denied(memory, pool):
    """
    A denial.
    """
    await state(memory, "dobby -not -isa houseelf in context of ranking")


async def rejected(memory, pool):
    """
    A statement that was settled against.
    """
    says(memory, "dobby kind of houseelf")
    await settled(memory)
    await memory.writer.submit(Rejection(1, principal="op", request=None))


async def waiting(memory, pool):
    """
    A statement that waits for a decision beside a fact.
    """
    await held(memory, pool)
    await state(memory, "dobby -isa hogwarts in context of ranking")


async def moved(memory, pool):
    """
    A statement that belongs to another dimension, of which only that is left.
    """
    await state(memory, "dobby -isa houseelf")
    await state(memory, "dobby -isa hogwarts")
    await memory.writer.submit(
        Resolution(
            1,
            Decision.RECLASSIFY,
            principal="op",
            reasoning="",
            etag="",
            request=None,
            incoming_dimension="ranking",
        )
    )
    await forget(pool, "resolution_queue", "urd", "dimensions")


async def forget(pool, *tables):
    """
    Empties tables, so that a single one is left to name a word.
    """
    for table in tables:
        await pool.execute(f"delete from {table} where {SEEDED.get(table, 'true')}")
    await pool.execute("update soas set novelty = 0")


@pytest.mark.parametrize(
    ("named", "stay"),
    [
        (held, ("dobby", "houseelf", "ranking")),
        (ended, ("dobby", "houseelf", "ranking")),
        (denied, ("dobby", "houseelf", "ranking")),
        (rejected, ("dobby", "houseelf")),
        (waiting, ("dobby", "houseelf", "hogwarts", "ranking")),
        (moved, ("dobby", "hogwarts", "ranking")),
    ],
)
async def test_named_words_stay(memories, memory, clock, pool, named, stay):
    """
    Whatever still names a word keeps it, however seldom it was met.
    """
    says(memory, ALL)
    await named(memory, pool)
    await memories.flush()
    await pool.execute("update encounters set encounter_count = 1")
    clock.now += PRUNE_SECONDS + DAY

    await memories.prune()

    assert set(await counts(pool)) == set(stay)


@pytest.mark.parametrize("follows", [True, False])
async def test_word_met_again_elsewhere_is_written_again(
    memories, others, memory, clock, pool, follows
):
    """
    Whether the other server learns of the sweep first or runs into it: what it counted
    meanwhile is written.
    """
    await grow_old(memories, memory, clock)
    other = await others.get("default")
    for _ in range(2):
        says(other, "dobby")
    await memories.prune()
    if follows:
        await others.follow()

    await others.flush()
    await memories.follow()

    assert await counts(pool) == {"dobby": 2}
    assert other.world.id("bystander") is None
    assert memory.world.id("dobby") in (None, other.world.id("dobby"))


async def test_word_that_is_being_counted_stays(memories, store, memory, clock, pool):
    """
    A sweep neither waits for a flush under way nor takes what it is writing.
    """
    await grow_old(memories, memory, clock)
    number = memory.world.id("dobby")
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute(
            "update encounters set encounter_count = 2 where id = $1", number
        )
        dropped = await store.prune("default", clock.now - PRUNE_SECONDS, 100)

    assert dropped == len(WORDS) - 1
    assert await counts(pool) == {"dobby": 2}


async def test_flushes_and_sweeps_at_once_lose_nothing(memories, others, clock, pool):
    """
    Whoever is first, each encounter since the sweep is in the database in the end.
    """
    memory, other = [await each.get("default") for each in (memories, others)]
    words = [f"word{number}x" for number in range(200)]
    says(memory, " ".join(words))
    await memories.flush()
    await others.follow()
    clock.now += PRUNE_SECONDS + DAY
    for each in (memory, other):
        says(each, " ".join(words[:100]))

    await asyncio.gather(memories.prune(), others.flush(), memories.flush())
    for each in (memories, others):
        await each.follow()
        await each.flush()

    rows = await pool.fetch("select token, encounter_count from concepts where id > 6")
    left = {row["token"]: row["encounter_count"] for row in rows}
    assert left.keys() == set(words[:100])
    assert all(count in (2, 3) for count in left.values())
