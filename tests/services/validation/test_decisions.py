from __future__ import annotations

import asyncio

import pytest

from festinger.core.graph.outcome import CollisionType
from festinger.core.graph.proposal import Triple
from festinger.core.graph.resolution import ConflictDecision, ConflictState
from festinger.errors import (
    ConflictClosed,
    ConflictNotFound,
    EtagMismatch,
    InvalidArgument,
)
from festinger.store.world.batches import RequestKey
from tests.memories import held
from tests.services.conftest import in_step, state
from tests.services.review.decisions import (
    contradict,
    decompose,
    parents,
    places,
    resolve,
)
from tests.store.world.writing import read

PENDING, RESOLVED = ConflictState.PENDING, ConflictState.RESOLVED


async def test_update_replaces_the_fact(memory, store):
    """The statement is held, the fact is history, the item is resolved."""
    await contradict(memory, "gnommoweb -isa repo", "gnommoweb -isa container")

    conflict = await resolve(memory, 1, reasoning="it moved")

    assert (conflict.state, conflict.decision) == (RESOLVED, ConflictDecision.UPDATE)
    assert conflict.decided is not None
    assert (conflict.decided.principal, conflict.decided.reasoning) == (
        "op",
        "it moved",
    )
    assert parents(memory) == {"container"}
    assert await in_step(memory, store)


async def test_dismissal_leaves_the_fact(memory, store):
    """The item is closed and nothing else changes; the marker is gone."""
    await contradict(memory, "gnommoweb -isa repo", "gnommoweb -isa container")

    conflict = await resolve(memory, 1, ConflictDecision.DISMISS)

    assert conflict.state is ConflictState.DISMISSED
    assert parents(memory) == {"repo"}
    assert memory.world.conflicts.doubts.keys() == set()
    assert await in_step(memory, store)


async def test_update_moves_a_misplaced_fact(memory, store):
    """A misclassification may be settled in favour of the newcomer too (C7)."""
    await contradict(memory, "ant -isa bee", "ant -ispart nest in context of type")

    conflict = await resolve(memory, 1)

    assert conflict.type is CollisionType.MISCLASSIFICATION
    assert held(memory.world) == {Triple("ant", "nest", "type", False)}
    assert await in_step(memory, store)


@pytest.mark.parametrize(
    ("facts", "denied"),
    [
        (["gnommoweb -isa repo", "gnommoweb -not -isa repo"], True),
        (["gnommoweb -not -isa repo", "gnommoweb -isa repo"], False),
    ],
)
async def test_update_decides_between_fact_and_denial(memory, store, facts, denied):
    """The one that was refused is held, the other is not any more."""
    await contradict(memory, *facts)

    await resolve(memory, 1)

    assert bool(memory.world.denials) == denied
    assert parents(memory) == (set() if denied else {"repo"})
    assert await in_step(memory, store)


async def test_circle_is_not_settled_by_an_update(memory, store):
    """There is nothing to replace: the item stays, and the answer says what to do."""
    await contradict(memory, "ant -isa bee", "bee -isa ant")

    with pytest.raises(InvalidArgument, match="Dismiss it"):
        await resolve(memory, 1)

    assert (await read(store, "conflict", 1)).state is PENDING
    assert await in_step(memory, store)


async def test_others_stay_pending(memory, store):
    """A third class collides with the new fact as it did with the old one."""
    await contradict(
        memory,
        "gnommoweb -isa repo",
        "gnommoweb -isa container",
        "gnommoweb -isa database",
    )

    await resolve(memory, 1)

    other = await read(store, "conflict", 2)
    assert other.state is PENDING
    assert other.existing is not None
    assert other.existing.parent == "container"
    assert await in_step(memory, store)


async def test_what_agrees_is_settled_with_it(memory, store):
    """The denial of the fact that was replaced contradicts nothing any more."""
    await contradict(
        memory,
        "gnommoweb -isa repo",
        "gnommoweb -isa container",
        "gnommoweb -not -isa repo",
    )

    await resolve(memory, 1)

    other = await read(store, "conflict", 2)
    assert (other.state, other.decided.reasoning) == (
        RESOLVED,
        "agrees with conflict #1",
    )
    assert len(memory.world.denials) == 1
    assert await in_step(memory, store)


async def test_decision_has_numbers_for_what_agrees(memory, store):
    """However few numbers the ledger has left, a decision gets those it needs."""
    await contradict(
        memory,
        "gnommoweb -isa repo",
        "gnommoweb -isa container",
        "gnommoweb -not -isa repo",
    )
    while len(memory.world.ledger_ids) > 1:
        memory.world.ledger_ids.take()

    await resolve(memory, 1)

    assert (await read(store, "conflict", 2)).state is RESOLVED


async def test_two_decisions_at_once_are_one(memory, store):
    """Of two people the first decides."""
    await contradict(memory, "gnommoweb -isa repo", "gnommoweb -isa container")

    answers = await asyncio.gather(
        resolve(memory, 1),
        resolve(memory, 1, ConflictDecision.DISMISS),
        return_exceptions=True,
    )

    assert isinstance(answers[1], ConflictClosed)
    assert parents(memory) == {"container"}


async def test_unknown_conflict_is_not_found(memory):
    """A decision about nothing says so."""
    with pytest.raises(ConflictNotFound):
        await resolve(memory, 99)


async def test_decision_is_about_what_was_read(memory, store):
    """A further statement since it was read asks for another look."""
    await contradict(memory, "gnommoweb -isa repo", "gnommoweb -isa container")
    found = await read(store, "conflict", 1)
    await state(memory, "gnommoweb -isa container", principal="bob")

    with pytest.raises(EtagMismatch):
        await resolve(memory, 1, etag=found.etag)
    conflict = await resolve(memory, 1, etag=(await read(store, "conflict", 1)).etag)

    assert conflict.state is RESOLVED


async def test_repeated_decision_answers_again(memory):
    """The same request_id finds the conflict as it is, instead of a closed one."""
    await contradict(memory, "gnommoweb -isa repo", "gnommoweb -isa container")
    request = RequestKey("op", "r1", "Resolve", b"x")

    answers = [await resolve(memory, 1, request=request) for _ in range(2)]

    assert answers[0] == answers[1]


async def test_decision_is_about_the_fact_that_was_read(memory, store):
    """Another fact in its place since it was read asks for another look too."""
    await contradict(
        memory,
        "gnommoweb -isa repo",
        "gnommoweb -isa container",
        "gnommoweb -isa database",
    )
    found = await read(store, "conflict", 2)
    await resolve(memory, 1)

    with pytest.raises(EtagMismatch):
        await resolve(memory, 2, etag=found.etag)

    assert parents(memory) == {"container"}


async def test_statement_is_replaced_where_it_belongs(memory, store):
    """An update about what a decision moved since replaces the fact where it is now."""
    await contradict(
        memory,
        "gnommoweb -isa repo",
        "gnommoweb -isa container",
        "gnommoweb -not -isa repo",
    )
    await decompose(memory, 1, "artifact", "deployment")
    assert (await read(store, "conflict", 2)).state is PENDING

    await resolve(memory, 2)

    assert places(memory) == {("deployment", "container")}
    assert len(memory.world.denials) == 1
    assert await in_step(memory, store)
