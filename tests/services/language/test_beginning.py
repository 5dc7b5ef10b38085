"""Statements about a later time, which become facts when that has come."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from festinger.core.lines.listing import UtteranceFilter
from festinger.services.language.beginning import Beginner, state_begun
from festinger.services.language.forgetting import forget_lines
from tests.services.conftest import say
from tests.services.language.test_changes_heard import prompt


def day(year: int, month: int, number: int) -> float:
    """Return ten o'clock of a day."""
    return datetime(year, month, number, 10, tzinfo=UTC).timestamp()


def held(memory):
    """Return what is held of what was said, in words."""
    facts = [memory.world.name(it) for it in memory.world.graph if it.assertion_id]
    return {f"{it.concept} {it.dimension} {it.parent}" for it in facts}


def told(memory, text):
    """Ask something, and return what the prompt is told."""
    return "\n".join(it.text for it in say(memory, text).lines)


@pytest.fixture
async def november(memory, clock):
    """A memory in November 2026, in which the rent is known and the next one, too."""
    clock.now = day(2026, 11, 5)
    await prompt(memory, "the rent is 1180 euros", "alice", "one")
    clock.now = day(2026, 11, 9)
    await prompt(memory, "From January the rent is 1240 euros.", "alice", "two")
    return memory


async def test_value_of_a_later_time_holds_once_that_has_come(november, clock):
    """The old value holds until the day, and has ended from then on."""
    clock.now = day(2026, 12, 31)
    await state_begun(november)
    before = held(november)
    clock.now = day(2027, 1, 1)
    await state_begun(november)

    assert before == {"rent is 1180 EUR"}
    assert held(november) == {"rent is 1240 EUR"}


async def test_value_of_a_later_time_is_told_as_such_before_it_begins(november, clock):
    """Before, the sentence is told with its "from January"; afterwards the new value is."""
    clock.now = day(2026, 12, 31)
    before = told(november, "what rent in euros do I pay?")
    clock.now = day(2027, 1, 1)
    await state_begun(november)
    after = told(november, "what rent in euros do I pay?")

    assert "From January the rent is 1240 euros" in before
    assert "rent: [is] 1240 euros, no longer 1180 euros" in after


async def test_later_value_begins_once(november, clock):
    """A value that is said after it began is not replaced by the next look."""
    clock.now = day(2027, 1, 1)
    await state_begun(november)
    await prompt(november, "the rent is 1300 euros now", "alice", "three")
    clock.now = day(2027, 1, 2)
    await state_begun(november)

    assert held(november) == {"rent is 1300 EUR"}


LATER = [
    "the rent is 1200 euros now",
    "the rent doesn't go up in January after all",
    "good news, the rent stays as it is",
]


@pytest.mark.parametrize("said", LATER)
async def test_later_value_does_not_begin_if_people_said_otherwise(
    november, clock, said
):
    """Words that were said after the plan are newer than it."""
    clock.now = day(2026, 12, 3)
    await prompt(november, said, "bob", "three")
    before = held(november)
    clock.now = day(2027, 1, 1)
    await state_begun(november)

    assert held(november) == before


async def test_forgotten_sentence_does_not_begin(november, clock):
    """Nothing is held because of words that are forgotten."""
    await forget_lines(november, UtteranceFilter(phrase="January"), principal="alice")
    clock.now = day(2027, 1, 1)
    await state_begun(november)

    assert held(november) == {"rent is 1180 EUR"}


async def test_memories_are_looked_through_on_each_day(november, memories, clock):
    """A server that goes on from December to January needs nobody to tell it."""
    beginner = Beginner(memories, now=clock)
    clock.now = day(2026, 12, 31)
    await beginner.look()
    clock.now = day(2027, 1, 1)
    await beginner.look()

    assert held(november) == {"rent is 1240 EUR"}
