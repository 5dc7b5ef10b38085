from __future__ import annotations

import asyncio

import pytest

from festinger.core.graph.predicates import Cardinality, PredicateEdit
from festinger.core.graph.proposal import Proposal, StatementSource, Triple
from festinger.errors import DatabaseUnavailable
from festinger.services.graph.predicates import PredicateSet, set_predicate
from festinger.services.world.jobs import Assertion
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.postgres import PostgresStore
from tests.memories import DICTIONARY, TRUST
from tests.services.conftest import Unreliable, in_step

SINGLE = PredicateEdit("mirrored-by", cardinality="single")


async def hold(memory: TenantMemory, concept: str, parent: str, dimension: str) -> None:
    """Hold one of several values."""
    proposal = Proposal(
        Triple(concept, parent, dimension, False),
        confidence=1.0,
        source=StatementSource.GUTASK,
        principal="alice",
        proposer="alice",
        many=True,
    )
    await memory.writer.submit(Assertion(proposal, None))


async def mirrored(memory: TenantMemory, concepts: int) -> list[str]:
    """Hold two values of each of some concepts; return the names of the concepts."""
    names = [f"thing{number}" for number in range(concepts)]
    for name in names:
        await hold(memory, name, "north", "mirrored-by")
        await hold(memory, name, "south", "mirrored-by")
    return names


def counts(memory: TenantMemory, names: list[str]) -> set[int]:
    """Return how many values the concepts have."""
    world = memory.world
    ids = [number for name in names if (number := world.id(name)) is not None]
    assert len(ids) == len(names)
    return {len(world.facts(number)) for number in ids}


async def single(memory: TenantMemory) -> PredicateSet:
    """Let there be one mirror only."""
    return await set_predicate(memory, SINGLE, "operator")


async def test_definition_and_edges_are_written_together(memory, unreliable, store):
    """However many concepts it moves: more than one transaction could be cut short between."""
    names = await mirrored(memory, 120)
    before = unreliable.commits

    done = await single(memory)

    assert unreliable.commits == before + 1
    assert (done.after, done.queued) == (Cardinality.SINGLE, 120)
    assert counts(memory, names) == {1}
    assert await in_step(memory, store)


async def test_definition_that_is_not_committed_moves_nothing(
    memory: TenantMemory, unreliable: Unreliable, store: PostgresStore
) -> None:
    """The database goes away at the commit: neither the definition nor an edge is changed."""
    names = await mirrored(memory, 3)
    unreliable.gate.clear()
    call = asyncio.ensure_future(single(memory))
    await unreliable.until_commit(unreliable.commits + 1)
    unreliable.away = True
    unreliable.gate.set()

    with pytest.raises(DatabaseUnavailable):
        await call

    unreliable.away = False
    await memory.writer.follow()
    registry, _ = await store.registry("default")
    assert registry.cardinality("mirrored-by") is None
    assert memory.registry.cardinality("mirrored-by") is None
    assert counts(memory, names) == {2}
    assert await in_step(memory, store)


async def test_call_whose_answer_was_lost_is_repeated(
    memory: TenantMemory, unreliable: Unreliable, store: PostgresStore
) -> None:
    """The first call was committed whole; the second finds nothing left to move."""
    names = await mirrored(memory, 3)
    unreliable.answers_lost = 1
    with pytest.raises(DatabaseUnavailable):
        await single(memory)

    done = await single(memory)

    assert (done.before, done.after) == (Cardinality.SINGLE, Cardinality.SINGLE)
    assert done.queued == 0
    assert counts(memory, names) == {1}
    assert await in_step(memory, store)


async def test_values_that_lead_in_a_circle_wait(memory, store):
    """Many values may; of single ones the last is no place that could be held."""
    await hold(memory, "north", "south", "mirrored-by")
    await hold(memory, "south", "north", "mirrored-by")

    done = await single(memory)

    assert done.queued == 1
    assert counts(memory, ["north"]) == {1}
    assert counts(memory, ["south"]) == {0}
    assert await in_step(memory, store)


async def test_other_servers_judge_by_it_at_once(memory, pool, clock):
    """A second value on another server is a conflict before that one's next flush."""
    await hold(memory, "thing", "north", "mirrored-by")
    others = Memories(PostgresStore(pool, DICTIONARY), now=clock, trust=TRUST)
    try:
        other = await others.get("default")
        await single(memory)

        await hold(other, "thing", "south", "mirrored-by")

        assert other.registry.cardinality("mirrored-by") is Cardinality.SINGLE
        assert counts(other, ["thing"]) == {1}
        assert len(other.world.conflicts) == 1
    finally:
        await others.stop()


async def test_memory_that_is_loaded_again_has_the_definitions(memory, pool, clock):
    """As of the version that it is loaded at, like all the rest."""
    others = Memories(PostgresStore(pool, DICTIONARY), now=clock, trust=TRUST)
    try:
        await single(await others.get("default"))

        await memory.writer.reload()

        assert memory.registry.cardinality("mirrored-by") is Cardinality.SINGLE
    finally:
        await others.stop()


async def test_predicate_that_leaves_a_dimension_leaves_it_to_the_next(memory):
    """Which says that there is one value: the other one waits."""
    for edit in (
        PredicateEdit("t:savedTo", "copies", cardinality="single"),
        PredicateEdit("t:copiedTo", "copies"),
        PredicateEdit("t:copiedTo", cardinality="multi"),
    ):
        await set_predicate(memory, edit, "operator")
    await hold(memory, "thing", "north", "copies")
    await hold(memory, "thing", "south", "copies")
    assert counts(memory, ["thing"]) == {2}

    await set_predicate(memory, PredicateEdit("t:copiedTo", "elsewhere"), "operator")

    assert memory.registry.cardinality("copies") is Cardinality.SINGLE
    assert counts(memory, ["thing"]) == {1}
