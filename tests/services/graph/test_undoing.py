from __future__ import annotations

import asyncio

import pytest

from festinger.core.graph.outcome import Verdict
from festinger.core.graph.resolution import ConflictDecision, ConflictState
from festinger.errors import CannotUndo, ConflictNotSettled, EtagMismatch
from festinger.services.graph.resolving import Undoing
from tests.memories import snapshot
from tests.services.conftest import in_step, key, state
from tests.services.review.decisions import (
    contradict,
    decompose,
    places,
    resolve,
    retract,
)
from tests.store.world.writing import read

REPO, CONTAINER = "gnommoweb -isa repo", "gnommoweb -isa container"


async def undo(memory, number, *, etag="", request=None, reasoning="it was right"):
    """Return the conflict after its decision was taken back by an operator."""
    conflict, _ = await memory.writer.submit(
        Undoing(number, principal="op", reasoning=reasoning, etag=etag, request=request)
    )
    return conflict


def knowledge(memory):
    """Return everything that decides what is told, with every number and time of it."""
    kept = ("urd_by_concept_dim", "denials", "queue", "pending_conflicts")
    seen = snapshot(memory.world)
    world = memory.world
    return (
        {key: seen[key] for key in kept},
        dict(world.tombstones.items()),
        dict(world.redirects.items()),
    )


def facts(memory):
    """Return the same without the roots of dimensions, which stay."""
    parts, *rest = knowledge(memory)
    edges = parts.pop("urd_by_concept_dim")
    real = {place: edge for place, edge in edges.items() if place[0] != place[1]}
    return real, parts, *rest


DECISIONS = {
    "update": (ConflictDecision.UPDATE, {}),
    "dismiss": (ConflictDecision.DISMISS, {}),
    "decompose": (
        ConflictDecision.DECOMPOSE,
        {"existing_dimension": "artifact", "incoming_dimension": "deployment"},
    ),
    "decompose, the fact stays": (
        ConflictDecision.DECOMPOSE,
        {"existing_dimension": "type", "incoming_dimension": "deployment"},
    ),
    "reclassify": (ConflictDecision.RECLASSIFY, {"incoming_dimension": "deployment"}),
}


@pytest.mark.parametrize("decision", DECISIONS)
async def test_undoing_restores_exactly(memory, store, clock, decision):
    """
    Edges with their confidence, time and ledger row, tombstones, redirects, the queue:
    all is as it was before the decision, here and in the database.
    """
    await contradict(memory, REPO, CONTAINER)
    await state(memory, REPO, principal="bob")
    before = facts(memory)
    clock.now += 60
    what, dimensions = DECISIONS[decision]
    await resolve(memory, 1, what, **dimensions)
    assert facts(memory) != before
    clock.now += 60

    conflict = await undo(memory, 1)

    assert facts(memory) == before
    assert conflict.state is ConflictState.PENDING
    assert conflict.is_for_models is False
    assert await in_step(memory, store)


async def test_undone_decision_is_remembered(memory):
    """An undone decision tells its author and reason, and who took it back and why."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1)

    conflict = await undo(memory, 1, reasoning="I was wrong")

    (earlier,) = conflict.earlier
    assert (earlier.decision, earlier.undone_by, earlier.undone_because) == (
        "update",
        "op",
        "I was wrong",
    )


async def test_undone_conflict_can_be_decided_anew(memory, store):
    """Another decision about it works as the first did, and is undone as well."""
    await contradict(memory, REPO, CONTAINER)
    before = facts(memory)
    await resolve(memory, 1)
    await undo(memory, 1)
    await decompose(memory, 1, "artifact", "deployment")
    assert places(memory) == {("artifact", "repo"), ("deployment", "container")}

    await undo(memory, 1)

    assert facts(memory) == before
    assert await in_step(memory, store)


async def test_undone_denial_is_denied_again(memory, store):
    """An update that ended a denial brings it back when it is undone."""
    await contradict(memory, "gnommoweb -not -isa repo", REPO)
    before = facts(memory)
    await resolve(memory, 1)

    await undo(memory, 1)

    assert facts(memory) == before
    assert await in_step(memory, store)


async def test_what_was_settled_with_it_waits_again(memory, store):
    """
    A conflict that the decision settled by the way is open again, and not for people
    only: nobody decided it.
    """
    await contradict(memory, REPO, CONTAINER, "gnommoweb -not -isa repo")
    before = facts(memory)
    await resolve(memory, 1)

    await undo(memory, 1)

    assert facts(memory) == before
    other = await read(memory.store, "conflict", 2)
    assert (other.state, other.for_people) == (ConflictState.PENDING, False)
    assert await in_step(memory, store)


async def test_what_was_settled_by_the_way_is_undone_with_its_cause(memory):
    """By itself it has no decision to take back; the message names the one that has."""
    await contradict(memory, REPO, CONTAINER, "gnommoweb -not -isa repo")
    await resolve(memory, 1)

    with pytest.raises(CannotUndo, match="agrees with conflict #1"):
        await undo(memory, 2)


async def test_changed_fact_keeps_a_decision(memory, store):
    """
    A decision about a fact that was then retracted cannot be undone past the
    retraction.
    """
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1)
    await retract(memory, CONTAINER)
    after = knowledge(memory)

    with pytest.raises(CannotUndo, match="gutask whatis gnommoweb --history"):
        await undo(memory, 1)

    assert knowledge(memory) == after
    assert await in_step(memory, store)


async def test_later_confirmation_does_not_keep_it(memory, store):
    """A fact that was confirmed since its decision is the same fact, and ends by undoing."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1)
    await state(memory, CONTAINER, principal="bob")

    await undo(memory, 1)

    assert places(memory) == {("type", "repo")}
    assert await in_step(memory, store)


async def test_what_waits_and_agrees_is_let_in(memory, store):
    """The old fact, stated again after an update, waits; undoing the update settles it."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1)
    outcome, _ = await state(memory, REPO)
    assert outcome.verdict is Verdict.CONFLICTED

    await undo(memory, 1)

    assert places(memory) == {("type", "repo")}
    other = await read(memory.store, "conflict", outcome.conflict_id)
    assert other.state is ConflictState.RESOLVED
    assert await in_step(memory, store)


async def test_restored_fact_closes_no_circle(memory, store):
    """A fact that ended and would close a circle by now is not held again."""
    await contradict(memory, "ant -isa bee", "ant -isa cat")
    await resolve(memory, 1)
    await state(memory, "bee -isa ant")
    after = knowledge(memory)

    with pytest.raises(CannotUndo, match="circle"):
        await undo(memory, 1)

    assert knowledge(memory) == after


async def test_restored_fact_is_not_denied(memory):
    """A fact that ended and was denied since is not held again."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1)
    await confirm_denial(memory)

    with pytest.raises(CannotUndo, match="denied"):
        await undo(memory, 1)


async def confirm_denial(memory):
    """Deny what the update ended."""
    outcome, _ = await state(memory, "gnommoweb -not -isa repo")
    assert outcome.verdict is Verdict.HELD


async def test_pending_conflict_has_nothing_to_undo(memory):
    """It was never decided."""
    await contradict(memory, REPO, CONTAINER)

    with pytest.raises(ConflictNotSettled):
        await undo(memory, 1)


async def test_undoing_minds_what_was_read(memory):
    """An etag from before another change is refused."""
    await contradict(memory, REPO, CONTAINER)
    stale = (await read(memory.store, "conflict", 1)).etag
    await resolve(memory, 1)

    with pytest.raises(EtagMismatch):
        await undo(memory, 1, etag=stale)


async def test_repeated_undoing_answers_again(memory):
    """The same request_id changes nothing twice."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1)
    first = await undo(memory, 1, request=key("u", method="Undo"))
    await resolve(memory, 1)

    again = await undo(memory, 1, request=key("u", method="Undo"))

    assert first.id == again.id
    assert places(memory) == {("type", "container")}


async def test_undoings_at_once(memory, store):
    """Of two operators who undo the same, one is told that it is pending already."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1)

    results = await asyncio.gather(
        undo(memory, 1), undo(memory, 1), return_exceptions=True
    )

    assert sorted(type(each).__name__ for each in results) == [
        "Conflict",
        "ConflictNotSettled",
    ]
    assert await in_step(memory, store)
