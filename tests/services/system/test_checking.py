from __future__ import annotations

import re
from dataclasses import replace

import pytest

from festinger.core.graph.conflicts import Clash
from festinger.core.memories.types import MemoryType, Status
from tests.services.conftest import say, state
from tests.services.graph.test_undoing import undo
from tests.services.review.decisions import (
    contradict,
    decompose,
    resolve,
    retract,
    tell,
)
from tests.services.review.offers import BY_HAND, write


async def live(memory):
    """Everything that can happen to a memory, once."""
    await contradict(memory, "gnommoweb -isa repo", "gnommoweb -isa container")
    await contradict(memory, "ant -isa bee", "bee -isa ant", "ant -isa cat")
    await state(memory, "wasp -not -isa fish")
    await tell(memory, "daemon runs on ramanujan. Is it a bee?")
    await decompose(memory, 1, "artifact", "deployment")
    await resolve(memory, 3)
    await undo(memory, 3)
    await state(memory, "fly -isa insect")
    await retract(memory, "fly -isa insect")
    say(memory, "what a word, quux")
    for content in ("Loves tea", "Has a cat"):
        await write(
            memory,
            content,
            type=MemoryType.USER_FACT,
            status=Status.ACTIVE,
            subject="alice",
            origin=BY_HAND,
        )


async def test_memory_equals_the_database(memory):
    """After decisions, undoings, retractions and prompts nothing differs."""
    await live(memory)

    assert await memory.writer.check() == []


def no_edge(world):
    """Spoil a world: no edge."""
    edge = next(edge for edge in world.graph if edge.concept_id != edge.dim_id)
    world.graph.remove(edge.concept_id, edge.dim_id)


def one_value_more(world):
    """Spoil a world: one value more where there may be several."""
    edge = next(edge for edge in world.graph if edge.concept_id != edge.dim_id)
    world.graph.put(edge._replace(dim_id=999_999, many=True))


def other_edge(world):
    """Spoil a world: other edge."""
    edge = next(edge for edge in world.graph if edge.concept_id != edge.dim_id)
    world.graph.put(edge._replace(confidence=0.123))


def no_denial(world):
    """Spoil a world: no denial."""
    world.denials.popitem()


def no_tombstone(world):
    """Spoil a world: no tombstone."""
    world.tombstones.popitem()


def no_redirect(world):
    """Spoil a world: no redirect."""
    world.redirects.popitem()


def no_conflict(world):
    """Spoil a world: no conflict."""
    world.conflicts.discard(next(iter(world.conflicts)))


def one_conflict_more(world):
    """Spoil a world: one conflict more."""
    world.conflicts.add(Clash(1, 2, 3, False), 99)


def other_novelty(world):
    """Spoil a world: other novelty."""
    world.vocabulary.set_novelty(world.id("gnommoweb"), 0.5)


def no_memory(world):
    """Spoil a world: no memory."""
    world.people.replace(["alice"], {})


def other_memory(world):
    """Spoil a world: other memory."""
    tea, cat = world.people.memories.values()
    world.people.replace(["alice"], {"alice": [replace(tea, content="Hates tea"), cat]})


def unknown_word(world):
    """Spoil a world: unknown word."""
    world.vocabulary.add("quuux", 123_456)


async def test_forgotten_person_is_found(memory):
    """Of whom nothing is remembered here, each memory in the database is named."""
    await live(memory)
    no_memory(memory.world)

    found = await memory.writer.check()

    assert [it.startswith("memory ('alice', ") for it in found] == [True, True]
    await memory.writer.reload()
    assert await memory.writer.check() == []


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (no_edge, "edge .* in the database only"),
        (one_value_more, "edge .*999999.* here only"),
        (other_edge, "edge .*0.123.* here, "),
        (no_denial, "denial .* in the database only"),
        (no_tombstone, "tombstone .* in the database only"),
        (no_redirect, "redirect .* in the database only"),
        (no_conflict, "conflict .* in the database only"),
        (one_conflict_more, "conflict .* here only"),
        (other_novelty, "'gnommoweb' has another novelty"),
        (other_memory, "memory .*Hates tea.* here, .*Loves tea.* in the database"),
        (unknown_word, "'quuux' is 123456 here and is missing"),
    ],
)
async def test_difference_is_found_and_mended(memory, spoil, said):
    """Whatever is not as the database has it is named, and loading anew mends it."""
    await live(memory)
    spoil(memory.world)

    found = await memory.writer.check()

    assert len(found) == 1
    assert re.search(said, found[0])
    await memory.writer.reload()
    assert await memory.writer.check() == []
