"""Entities and trusted state are lines that prompts may be told, on every server."""

from __future__ import annotations

import pytest

from festinger.core.language.turns import Role, Turn
from festinger.core.lines.line import LineFilter, LineKind
from festinger.core.memories.types import MemoryKind, MemoryType
from festinger.core.recollection.retelling import StandingLine
from festinger.services.recollection.recollect import PromptOrigin
from festinger.services.review.curation import StateSetting
from festinger.services.review.promotion import promote, revert
from festinger.services.world.memory import Memories
from tests.memories import TRUST, recollect_prompt
from tests.services.conftest import in_step
from tests.services.review.offers import decide, interact, write

PROMPT = "which search engine did we decide on for the shop catalogue, elasticsearch?"
DECIDED = "Typesense instead of Elasticsearch for the catalogue"


@pytest.fixture(autouse=True)
async def _interaction(pool):
    await interact(pool)


def texts(memory, kind):
    """Return the texts of a kind in the index."""
    matches = memory.world.lines.search_text("", LineFilter(kinds=[kind]), limit=50)
    return [it.line.text for it in matches]


async def decision(memory, content=DECIDED, **parts):
    """Return a decision that a person confirmed."""
    parts = {
        "kind": MemoryKind.ENTITY,
        "type": MemoryType.DECISION,
        "project": "shop",
    } | parts
    record = await write(memory, content, **parts)
    await decide(memory, promote, record.id)
    return record.id


async def write_down(memory, value):
    """Return an item of the shop's trusted state."""
    job = StateSetting("shop", "checkout_port", value, principal="op")
    return await memory.writer.submit(job)


def asked(memory, prompt, *, project="shop", told=()):
    """Return the answer to a prompt that is typed in a project."""
    return recollect_prompt(
        memory,
        [Turn(Role.USER, prompt)],
        principal="alice",
        told=told,
        where=PromptOrigin(project=project),
    )


async def test_candidate_is_no_line(memory):
    """Until a person decides nobody is told."""
    await write(memory, DECIDED, kind=MemoryKind.ENTITY, type=MemoryType.DECISION)

    assert texts(memory, LineKind.ENTITY) == []


async def test_decision_is_a_line_while_it_holds(memory, store):
    """A restart finds the same."""
    number = await decision(memory)
    held = texts(memory, LineKind.ENTITY)
    same = await in_step(memory, store)
    await decide(memory, revert, number)

    assert (held, same) == ([DECIDED], True)
    assert texts(memory, LineKind.ENTITY) == []
    assert await in_step(memory, store)


async def test_state_is_a_line_as_it_was_written_last(memory, store):
    """And none once it is removed."""
    await write_down(memory, "8443")
    await write_down(memory, "9443")
    held = texts(memory, LineKind.STATE)
    same = await in_step(memory, store)
    await write_down(memory, "")

    assert (held, same) == (["checkout_port: 9443"], True)
    assert texts(memory, LineKind.STATE) == []


async def test_follower_takes_over_what_is_noted(memory, store, clock):
    """Promotions, edits and reversals of another server are followed."""
    others = Memories(store, now=clock, trust=TRUST)
    other = await others.get("default")
    try:
        number = await decision(memory)
        await write_down(memory, "8443")
        await other.writer.follow()
        held = texts(other, LineKind.ENTITY) + texts(other, LineKind.STATE)
        await decide(memory, revert, number)
        await write_down(memory, "")
        await other.writer.follow()
        left = texts(other, LineKind.ENTITY) + texts(other, LineKind.STATE)
    finally:
        await others.stop()

    assert held == [DECIDED, "checkout_port: 8443"]
    assert left == []


async def test_told_decision_holds_until_it_is_taken_back(memory):
    """The next answer says so to the session that was told it."""
    number = await decision(memory)
    answer = asked(memory, PROMPT)
    told = [StandingLine(it.concept, it.text) for it in answer.lines]

    unchanged = asked(memory, PROMPT, told=told)
    await decide(memory, revert, number)
    changed = asked(memory, PROMPT, told=told)

    assert [it.text for it in told] == [f"decided (15 Jan): {DECIDED}"]
    assert unchanged.changes == []
    assert [(it.index, it.line) for it in changed.changes] == [(0, None)]


async def test_decision_that_a_prompt_keeps_is_not_told_again(memory):
    """It stands there already."""
    await decision(memory)
    first = asked(memory, PROMPT).lines

    kept = [StandingLine(it.concept, it.text, kept=True) for it in first]

    assert len(first) == 1
    assert not asked(memory, PROMPT, told=kept).lines


async def test_memory_about_a_person_is_no_entity(memory):
    """A preference of theirs is found, and told to nobody else."""
    await decision(
        memory,
        "prefers Typesense over Elasticsearch in the shop catalogue",
        kind=MemoryKind.MEMORY,
        type=MemoryType.PREFERENCE,
        subject="bob",
    )
    (match,) = memory.world.lines.search_text("typesense", limit=9)

    assert match.line.subject == "bob"
    assert not asked(memory, PROMPT).lines
