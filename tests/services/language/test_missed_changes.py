"""A model is asked once more about sentences of change from which it read nothing."""

from __future__ import annotations

import pytest

from festinger.errors import LeaseLost
from festinger.services.language.reader.turns import TurnReading
from tests.services.language.test_reading import (
    ROOM,
    answer,
    lapse,
    say,
    stated,
    texts,
    waiting,
)

PRICE = "For a parcel the courier wants 6 euros."
RAISED = "The courier takes 7.50 for a parcel now."
NOTHING = '{"statements": []}'


@pytest.fixture
async def reading(store, memories, memory):
    """Lend the turns of a memory that knows a price."""
    memories.have_read(True)
    reading = TurnReading(store.unread)
    await say(memory, PRICE)
    await read(reading, memory, answer(PRICE, "courier", "parcel price", "6 euros"))
    return reading


async def read(reading, memory, answered):
    """Have a model answer about the next batch."""
    leased = await reading.lease(memory, ROOM)
    await reading.submit(memory, leased.lease, answered)
    return leased


async def test_missed_change_is_read_alone_once_more(reading, memory, pool):
    """Then it replaces what was known, and its sentence counts as understood."""
    await say(memory, f"I had a look at it. {RAISED}", subject="nadia")
    await read(reading, memory, NOTHING)

    assert await waiting(pool) == [RAISED]
    number = next(iter(memory.world.read.recent())).key
    again = answer(RAISED, "courier", "parcel price", "7.50", replaces=number)
    leased = await read(reading, memory, again)
    assert texts(leased) == [RAISED]
    assert stated(memory.world) == {"shop/courier [parcel-price] 7.50 EUR"}
    assert await waiting(pool) == []


async def test_it_is_asked_once(reading, memory, pool):
    """A model that finds nothing a second time is believed."""
    await say(memory, RAISED)
    await read(reading, memory, NOTHING)
    await read(reading, memory, NOTHING)

    assert await waiting(pool) == []


@pytest.mark.parametrize(
    "text",
    [
        "For a parcel the courier wants 6 euros.",
        "Does the courier take 7.50 for a parcel now?",
        "Maybe the courier takes 7.50 for a parcel now.",
        "The bakery has new chairs now.",
    ],
)
async def test_what_changes_nothing_known_is_not_read_again(
    reading, memory, pool, text
):
    """Neither a repetition nor a question nor a guess, nor what is about something else."""
    await say(memory, f"{text} Nan has two cats.")
    await read(reading, memory, NOTHING)

    assert await waiting(pool) == []


async def test_lease_that_was_lost_asks_nothing(reading, memory, pool):
    """Another reader has the turn, which waits whole."""
    await say(memory, f"I had a look at it. {RAISED}")
    first = await reading.lease(memory, ROOM)
    await lapse(pool)
    second = await reading.lease(memory, ROOM)
    with pytest.raises(LeaseLost):
        await reading.submit(memory, first.lease, NOTHING)

    assert texts(second) == [f"I had a look at it. {RAISED}"]
