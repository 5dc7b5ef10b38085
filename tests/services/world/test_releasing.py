"""Whatever ended, wherever: what it kept waiting is held, the oldest first."""

from __future__ import annotations

from festinger.core.graph.resolution import ConflictDecision, ConflictState
from festinger.services.graph.resolving import Undoing
from tests.services.conftest import in_step, state
from tests.services.review.decisions import (
    contradict,
    decompose,
    dismiss,
    places,
    reclassify,
    resolve,
    retract,
)
from tests.store.world.writing import read

PENDING, RESOLVED = ConflictState.PENDING, ConflictState.RESOLVED
FIRST, SECOND, THIRD = "xx -ispart aa", "xx -ispart bb", "xx -ispart cc"


async def undo(memory, number):
    """Return the conflict after an operator took its decision back."""
    job = Undoing(number, principal="op", reasoning="", etag="", request=None)
    conflict, _ = await memory.writer.submit(job)
    return conflict


async def states(store, *numbers):
    """Return the states of conflicts."""
    return [(await read(store, "conflict", number)).state for number in numbers]


async def test_third_statement_takes_the_place_of_what_moved(memory, store):
    """Both sides of a decomposed conflict leave a dimension, and who waited there is held."""
    await contradict(memory, FIRST, SECOND, THIRD)

    await decompose(memory, 1, "team", "club")

    assert places(memory, "xx") == {
        ("team", "aa"),
        ("club", "bb"),
        ("membership", "cc"),
    }
    assert (
        await read(store, "conflict", 2)
    ).decided.reasoning == "agrees with conflict #1"
    assert memory.world.conflicts.doubts.keys() == set()
    assert await in_step(memory, store)


async def test_of_those_that_waited_for_what_moved_the_oldest_is_held(memory, store):
    """The younger one meets it."""
    await contradict(memory, FIRST, SECOND, THIRD, "xx -ispart dd")

    await decompose(memory, 1, "team", "club")

    assert ("membership", "cc") in places(memory, "xx")
    assert await states(store, 2, 3) == [RESOLVED, PENDING]


async def test_fact_that_stays_frees_nobody(memory, store):
    """If only the statement moves, a third one waits on."""
    await contradict(memory, FIRST, SECOND, THIRD)

    await reclassify(memory, 1, "club")

    assert await states(store, 2) == [PENDING]


async def test_undone_decision_brings_back_what_it_freed(memory, store):
    """It waits again, for what it waited for."""
    await contradict(memory, FIRST, SECOND, THIRD)
    await decompose(memory, 1, "team", "club")

    await undo(memory, 1)

    assert places(memory, "xx") == {("membership", "aa")}
    assert await states(store, 1, 2) == [PENDING, PENDING]
    assert await in_step(memory, store)


async def test_undone_decision_frees_what_waited_where_it_moved(memory, store):
    """
    The fact that the decision held elsewhere ends there, and the one that waited is
    held.
    """
    await contradict(memory, FIRST, SECOND)
    await decompose(memory, 1, "team", "club")
    await state(memory, "xx -ispart dd in context of club")

    await undo(memory, 1)

    assert places(memory, "xx") == {("membership", "aa"), ("club", "dd")}
    assert await states(store, 1, 2) == [PENDING, RESOLVED]
    assert await in_step(memory, store)


async def test_undone_decision_frees_what_waited_for_whom_it_freed(memory, store):
    """A concept that the decision only freed by the way is free of it again."""
    await contradict(memory, "ant -ispart bee", "bee -ispart ant", "ant -ispart cat")
    await resolve(memory, 2)
    await state(memory, "bee -ispart dog")

    await undo(memory, 2)

    assert places(memory, "ant") == {("membership", "bee")}
    assert places(memory, "bee") == {("membership", "dog")}
    assert await states(store, 1, 2, 3) == [PENDING, PENDING, RESOLVED]
    assert await in_step(memory, store)


async def test_reopened_statement_with_nothing_in_its_way_is_held(memory, store):
    """A dismissal is undone after the fact was taken back: nothing is left to decide."""
    await contradict(memory, FIRST, SECOND)
    await dismiss(memory, 1)
    await retract(memory, FIRST)

    conflict = await undo(memory, 1)

    assert (conflict.state, conflict.decision) == (RESOLVED, ConflictDecision.UPDATE)
    assert conflict.decided.reasoning == "agrees with undo of conflict 1"
    assert places(memory, "xx") == {("membership", "bb")}
    assert memory.world.conflicts.doubts.keys() == set()
    assert await in_step(memory, store)


async def test_circle_opens_where_its_other_half_was_moved(memory, store):
    """A fact that is taken back by its old name frees what waited for it where it is now."""
    await contradict(memory, "aa -ispart bb", "aa -ispart cc")
    await decompose(memory, 1, "club", "team")
    await state(memory, "bb -ispart aa in context of club")

    retracted = await retract(memory, "aa -ispart bb")

    assert retracted.settled == [2]
    assert places(memory, "bb") == {("club", "aa")}
    assert await in_step(memory, store)


async def test_statement_that_became_a_circle_is_freed(memory, store):
    """It met a fact of its own concept first, and waits for another concept's by now."""
    await contradict(memory, "aa -ispart cc", "aa -ispart bb", "bb -ispart aa")
    still = await retract(memory, "aa -ispart cc")

    retracted = await retract(memory, "bb -ispart aa")

    assert (still.settled, retracted.settled) == ([], [1])
    assert places(memory, "aa") == {("membership", "bb")}
    assert await in_step(memory, store)


async def test_moved_statement_is_freed_where_it_belongs(memory, store):
    """It waits for a circle of another dimension, whatever stands where it was stated."""
    await contradict(
        memory, "xx -isa pp", "xx -ispart pp in context of type", "xx -isa qq"
    )
    await decompose(memory, 2, "artifact", "type")
    await state(memory, "xx -isa zz in context of artifact")
    await resolve(memory, 3)
    await state(memory, "pp -ispart xx in context of artifact")
    still = await retract(memory, "xx -isa zz in context of artifact")

    retracted = await retract(memory, "pp -ispart xx in context of artifact")

    assert (still.settled, retracted.settled) == ([], [1])
    assert places(memory, "xx") == {("type", "qq"), ("artifact", "pp")}
    assert await in_step(memory, store)
