from __future__ import annotations

import asyncio

import pytest

from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.graph.resolution import ConflictDecision, ConflictState
from festinger.core.language.turns import Role
from festinger.errors import DatabaseUnavailable, FactNotHeld
from tests.memories import held
from tests.services.conftest import in_step, key, say, state
from tests.services.review.decisions import (
    confirm,
    contradict,
    parents,
    reject,
    resolve,
    retract,
    strand,
    tell,
)
from tests.store.world.writing import read

FACT = "gnommoweb -isa repo"


async def row(pool, question):
    """Return the database's answer to a question about one row."""
    async with pool.acquire() as connection:
        found = await connection.fetchrow(question)
    return tuple(found)


async def test_retracted_denial_is_held_no_more(memory, store):
    """A denial is taken back as it was stated, and leaves a history as facts do."""
    await state(memory, "gnommoweb -not -isa repo")

    retracted = await retract(memory, "gnommoweb -not -isa repo")

    assert retracted.retraction.fact is None
    assert memory.world.denials == {}
    assert await in_step(memory, store)


async def test_retraction_is_in_the_ledger(memory, pool):
    """Nothing is lost: who took it back, why, and until when it was held (C4)."""
    await state(memory, FACT)

    retracted = await retract(memory, FACT, principal="carol", why="it moved away")

    number = retracted.retraction.id
    entry = f"select outcome, principal, sentence from assertions where id = {number}"
    ended = "select closed_by, negated from urd_history"
    assert await row(pool, entry) == ("retracted", "carol", "it moved away")
    assert await row(pool, ended) == (f"retraction {number}", False)


async def test_retracted_fact_does_not_come_back_by_a_prompt(memory, store, pool):
    """Prompts that state it again are counted and told so (C5, C5a)."""
    await tell(memory, "gnommoweb is a repo")
    await retract(memory, FACT)

    recollection = say(memory, "gnommoweb is a repo")
    await tell(memory, "gnommoweb is a repo", principal="bob")

    (outcome,) = recollection.outcomes
    assert (outcome.verdict, outcome.reason) == (Verdict.REJECTED, "settled")
    assert parents(memory) == set()
    assert await row(pool, "select ending, statement_count from tombstones") == (
        "retracted",
        2,
    )
    assert await in_step(memory, store)


async def test_retracted_fact_survives_a_restart(memory, store):
    """The settled conflicts are read with the memory."""
    await state(memory, FACT)
    await retract(memory, FACT)

    loaded = await store.load("default")

    assert dict(loaded.tombstones) == dict(memory.world.tombstones)
    assert len(loaded.tombstones) == 1


@pytest.mark.parametrize("principal", ["op", "alice", "bob"])
async def test_person_states_it_again(memory, store, principal):
    """Whoever states it brings it back as a new fact, and machines confirm it again."""
    await state(memory, FACT)
    await retract(memory, FACT)

    outcome, _ = await state(memory, FACT, principal=principal)
    await tell(memory, "gnommoweb is a repo", principal="dave")

    assert outcome.verdict is Verdict.HELD
    assert not memory.world.tombstones
    assert parents(memory) == {"repo"}
    assert await in_step(memory, store)


async def test_fact_begins_anew(memory):
    """The confidence before the retraction does not count for the new fact."""
    await tell(memory, "gnommoweb is a repo")
    await tell(memory, "gnommoweb is a repo", principal="bob")
    await retract(memory, FACT)
    await tell(memory, "gnommoweb is a repo", Role.TOOL)

    outcome, _ = await state(memory, FACT)

    assert outcome.fact is not None
    assert outcome.fact.confidence == 1.0
    assert outcome.fact.assertion_id == outcome.assertion_id


async def test_candidate_of_what_was_retracted_may_be_confirmed(memory, store):
    """A candidate that waited since before is a person's to decide, and lifts it."""
    await tell(memory, "gnommoweb is a repo", Role.TOOL)
    await state(memory, FACT)
    await retract(memory, FACT)

    _, outcome, _ = await confirm(memory, 1)

    assert outcome.verdict is Verdict.HELD
    assert not memory.world.tombstones
    assert await in_step(memory, store)


async def test_rejected_candidate_does_not_come_back(memory, store):
    """A machine that proposes it again, however firmly, is only counted."""
    await tell(memory, "michigan kind of state")
    await reject(memory, 1)

    await tell(memory, "michigan kind of state")
    await tell(memory, "michigan is a state")

    assert held(memory.world) == set()
    assert len(await read(store, "candidates")) == 1
    assert await in_step(memory, store)


async def test_what_waited_is_held(memory, store):
    """The statement that the fact kept waiting takes its place."""
    await contradict(memory, FACT, "gnommoweb -isa container")

    retracted = await retract(memory, FACT)

    conflict = await read(store, "conflict", 1)
    assert retracted.settled == [1]
    assert (conflict.state, conflict.decision) == (
        ConflictState.RESOLVED,
        ConflictDecision.UPDATE,
    )
    assert (
        conflict.decided.reasoning == f"free since retraction {retracted.retraction.id}"
    )
    assert parents(memory) == {"container"}
    assert memory.world.conflicts.doubts.keys() == set()
    assert await in_step(memory, store)


async def test_of_two_that_waited_the_older_is_held(memory, store):
    """Two that exclude each other cannot both be: the younger meets the older."""
    await contradict(
        memory, FACT, "gnommoweb -isa container", "gnommoweb -isa database"
    )

    retracted = await retract(memory, FACT)

    other = await read(store, "conflict", 2)
    assert retracted.settled == [1]
    assert other.state is ConflictState.PENDING
    assert other.existing is not None
    assert other.existing.parent == "container"
    assert await in_step(memory, store)


async def test_denial_that_waited_is_held(memory, store):
    """With the fact gone nothing speaks against its denial."""
    await contradict(memory, FACT, "gnommoweb -not -isa repo")

    retracted = await retract(memory, FACT)

    assert retracted.settled == [1]
    assert len(memory.world.denials) == 1
    assert await in_step(memory, store)


async def test_fact_that_its_denial_kept_waiting_is_held(memory, store):
    """The other way round as well."""
    await contradict(memory, "gnommoweb -not -isa repo", FACT)

    retracted = await retract(memory, "gnommoweb -not -isa repo")

    assert retracted.settled == [1]
    assert parents(memory) == {"repo"}
    assert await in_step(memory, store)


async def test_other_sense_that_waited_leaves_the_retracted_one_settled(memory, store):
    """Held as a part, it does not become a kind again by a machine's word."""
    await contradict(memory, FACT, "gnommoweb -ispart repo in context of type")
    await retract(memory, FACT)

    (outcome,) = say(memory, "gnommoweb is a repo").outcomes

    assert outcome.reason == "settled"
    assert await in_step(memory, store)


async def test_what_waits_elsewhere_waits_on(memory, store):
    """A conflict of the concept in another dimension is none of its business."""
    await contradict(memory, FACT, "gnommoweb -ispart ant", "gnommoweb -ispart bee")

    retracted = await retract(memory, FACT)

    assert retracted.settled == []
    assert (await read(store, "conflict", 1)).state is ConflictState.PENDING


async def test_dismissed_statement_is_not_released(memory, store):
    """A statement decided against does not slip in behind a retraction."""
    await contradict(memory, FACT, "gnommoweb -isa container")
    await resolve(memory, 1, ConflictDecision.DISMISS)

    retracted = await retract(memory, FACT)

    assert retracted.settled == []
    assert held(memory.world) == set()
    assert await in_step(memory, store)


async def test_opened_circle_lets_its_statement_in(memory, store):
    """
    A statement of another concept that would have closed a circle waits for its other
    half too.
    """
    await contradict(memory, "ant -isa bee", "bee -isa ant")

    retracted = await retract(memory, "ant -isa bee")

    assert retracted.settled == [1]
    assert {(it.concept, it.parent) for it in held(memory.world)} == {("bee", "ant")}
    assert await in_step(memory, store)


async def test_stranded_statement_is_held_by_who_states_it_again(memory, store, pool):
    """One that waits for nothing, in a memory of before, is held and its item settled."""
    await contradict(memory, "ant -isa bee", "bee -isa ant")
    await strand(memory, pool, "ant")

    outcome, _ = await state(memory, "bee -isa ant")

    assert outcome.verdict is Verdict.HELD
    assert memory.world.conflicts.doubts.keys() == set()
    assert (await read(store, "conflict", 1)).type is CollisionType.CYCLE
    assert (await read(store, "conflict", 1)).state is ConflictState.RESOLVED
    assert await in_step(memory, store)


async def test_repeated_retraction_answers_again(memory):
    """The same request_id gets the first answer, though the fact is back by then."""
    await contradict(memory, FACT, "gnommoweb -isa container")
    first = await retract(memory, FACT, "alice", key(method="Retract"), "moved")
    await resolve_back(memory)

    again = await retract(memory, FACT, "alice", key(method="Retract"), "moved")

    assert again.retraction == first.retraction
    assert (list(again.settled), again.version) == (first.settled, first.version)
    assert parents(memory) == {"repo"}


async def resolve_back(memory):
    """Put the retracted fact back in the place of the one that waited."""
    outcome, _ = await state(memory, FACT)
    await resolve(memory, outcome.conflict_id)


async def test_refused_retraction_is_not_remembered(memory):
    """Its request_id may come again, once there is something to retract."""
    request = key(method="Retract")
    with pytest.raises(FactNotHeld):
        await retract(memory, FACT, "alice", request)
    await state(memory, FACT)

    await retract(memory, FACT, "alice", request)

    assert held(memory.world) == set()


async def test_lost_answer_is_found_again(memory, unreliable, store):
    """A retraction whose COMMIT was never answered took place once."""
    await state(memory, FACT)
    unreliable.answers_lost = 1
    with pytest.raises(DatabaseUnavailable):
        await retract(memory, FACT, "alice", key(method="Retract"))

    again = await retract(memory, FACT, "alice", key(method="Retract"))

    assert again.retraction.fact is not None
    assert held(memory.world) == set()
    assert await in_step(memory, store)


async def test_two_retractions_at_once_are_one(memory, store):
    """Of two people the first takes it back, the second is told that nothing is held."""
    await state(memory, FACT)

    answers = await asyncio.gather(
        retract(memory, FACT), retract(memory, FACT), return_exceptions=True
    )

    assert isinstance(answers[1], FactNotHeld)
    assert await in_step(memory, store)


async def test_tenants_are_apart(memories, memory, store):
    """A fact that one tenant retracts is held by the other, who can state it freely."""
    await store.add_tenant("other")
    other = await memories.get("other")
    await state(memory, FACT)
    await tell(other, "gnommoweb is a repo")

    await retract(memory, FACT)
    await tell(other, "gnommoweb is a repo", principal="bob")

    assert parents(other) == {"repo"}
    assert not other.world.tombstones
    assert parents(memory) == set()
