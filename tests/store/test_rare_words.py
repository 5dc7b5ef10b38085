from __future__ import annotations

import pytest

from festinger.core.graph.resolution import ConflictDecision
from festinger.core.graph.statement import parse_fact
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.listing import UtteranceFilter
from festinger.core.validation.votes import EventResponse
from festinger.services.graph.facts import retract_fact
from festinger.services.graph.resolving import Resolution
from festinger.services.language.forgetting import forget_lines
from festinger.services.validation.answers import operator_answer
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.language.turns import drop_tokens
from tests.memories import DICTIONARY, recollect_prompt
from tests.services.conftest import settled, state
from tests.structures import soas_by_token

WORDS = ("dobby", "houseelf", "hogwarts", "ranking", "bystander")
SEEDED = {"urd": "dim_id > 6 or id <> parent_id", "dimensions": "dim_id > 6"}
"""What of these tables no new memory has."""
ALL = f"What are {', '.join(WORDS)}?"


@pytest.fixture
async def memory(memories):
    """The memory `default`."""
    return await memories.get("default")


def says(memory: TenantMemory, text: str) -> None:
    """A prompt of a person comes by."""
    recollect_prompt(memory, [Turn(Role.USER, text)], principal="alice")


async def counts(pool):
    """Return the number of times that each word was met, in the database."""
    rows = await pool.fetch(
        "select token, encounter_count from concepts where token = any($1)",
        list(WORDS),
    )
    return {row["token"]: row["encounter_count"] for row in rows}


async def test_word_that_is_met_again_is_written(memories, memory, pool):
    """With all of its encounters; one that was met once waits in memory for the second."""
    says(memory, "dobby or bystander")
    await memories.flush()
    assert await counts(pool) == {}

    says(memory, "dobby")
    await memories.flush()

    assert await counts(pool) == {"dobby": 2}
    assert soas_by_token(memory.world)["bystander"].encounter_count == 1


async def test_word_that_a_fact_names_is_written(memories, memory, pool):
    """It has its row with the fact, and its encounters with the second of them."""
    says(memory, ALL)
    await state(memory, "dobby -isa houseelf in context of ranking")
    await memories.flush()
    assert await counts(pool) == dict.fromkeys(("dobby", "houseelf", "ranking"), 0)

    says(memory, "dobby")
    await memories.flush()

    assert (await counts(pool))["dobby"] == 2


async def test_everyday_words_are_written_when_the_memory_is_closed(
    memories, memory, pool
):
    """Or when somebody wants something forgotten: nothing depends on how often one was met."""
    word = sorted(DICTIONARY)[0]
    asked = "select encounter_count from concepts where token = $1"
    for _ in range(3):
        says(memory, word)
    await memories.flush()
    before = await pool.fetchval(asked, word)

    await memories.stop()

    assert (before or 0, await pool.fetchval(asked, word)) == (0, 3)


async def test_newest_words_are_remembered(memory):
    """Of words that were met once the oldest go; those that wait to be written stay."""
    says(memory, "dobby")
    says(memory, "dobby")
    for word in ("houseelf", "hogwarts", "bystander"):
        says(memory, word)

    memory.world.forget_seldom(2)

    known = {word for word in WORDS if memory.world.id(word)}
    assert known == {"dobby", "hogwarts", "bystander"}


async def test_both_servers_count_a_word_that_each_met_once(
    memories, others, memory, pool
):
    """Neither writes it alone; with its second encounter anywhere it is, and nothing is lost."""
    other = await others.get("default")
    for each in (memory, other):
        says(each, "dobby")
    says(memory, "dobby")
    await memories.flush()
    says(other, "dobby")
    await others.flush()

    assert await counts(pool) == {"dobby": 4}
    assert memory.world.id("dobby") == other.world.id("dobby")


async def test_forgotten_word_that_was_met_once_is_in_no_memory(memories, memory):
    """A person who wants a sentence forgotten wants its words forgotten as well."""
    says(memory, "The dobby reset is done by hogwarts on Fridays.")
    await settled(memory)

    await forget_lines(memory, UtteranceFilter(speaker="alice"), principal="alice")

    assert memory.world.id("dobby") is None
    assert memory.world.id("hogwarts") is None


async def held(memory, pool):
    """A fact."""
    await state(memory, "dobby -isa houseelf in context of ranking")


async def ended(memory, pool):
    """A fact that was taken back, of which only the history is left."""
    await held(memory, pool)
    fact = parse_fact("dobby -isa houseelf in context of ranking")
    await retract_fact(memory, fact, principal="alice")
    await forget(pool, "tombstones")


async def denied(memory, pool):
    """A denial."""
    await state(memory, "dobby -not -isa houseelf in context of ranking")


async def rejected(memory, pool):
    """A statement that was settled against."""
    says(memory, "dobby kind of houseelf")
    await settled(memory)
    policy = memory.validation.policy
    await memory.writer.submit(
        operator_answer(1, EventResponse.REJECTED, principal="op", policy=policy)
    )


async def waiting(memory, pool):
    """A statement that waits for a decision beside a fact."""
    await held(memory, pool)
    await state(memory, "dobby -isa hogwarts in context of ranking")


async def moved(memory, pool):
    """A statement that belongs to another dimension, of which only that is left."""
    await state(memory, "dobby -isa houseelf")
    await state(memory, "dobby -isa hogwarts")
    await memory.writer.submit(
        Resolution(
            1,
            ConflictDecision.RECLASSIFY,
            principal="op",
            reasoning="",
            etag="",
            request=None,
            incoming_dimension="ranking",
        )
    )
    await forget(pool, "resolution_queue", "urd", "dimensions")


async def forget(pool, *tables):
    """Empty tables, so that a single one is left to name a word."""
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
    """Whatever still names a word keeps it, however seldom it was met."""
    for _ in range(2):
        says(memory, ALL)
    await named(memory, pool)
    await memories.flush()

    async with pool.acquire() as connection:
        await drop_tokens(connection, "default", WORDS)

    assert set(await counts(pool)) == set(stay)
