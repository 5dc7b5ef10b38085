"""People's decisions about records, and the effects on the graph."""

from __future__ import annotations

import asyncio

import pytest

from festinger.core.graph.outcome import Verdict
from festinger.core.graph.resolution import ConflictDecision, ConflictState
from festinger.core.graph.statement import parse_fact
from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.records import Action, RecordStep, changed, same_but_seen
from festinger.errors import (
    EtagMismatch,
    PermissionDenied,
    RecordExists,
    RecordNotFound,
)
from festinger.services.graph.facts import retract_fact
from festinger.services.review.decisions import DecisionPlan, RecordDecision
from festinger.services.review.promotion import (
    confirm,
    correct,
    defer,
    delete,
    graduate,
    promote,
    reject,
    revert,
    undo_edit,
)
from tests.services.conftest import in_step, state
from tests.services.review.decisions import resolve
from tests.services.review.offers import (
    BY_HAND,
    decide,
    edits,
    interact,
    read_record,
    records,
    write,
)

ENTITY = {"kind": MemoryKind.ENTITY, "type": MemoryType.COMPONENT}
REPO = "gnommoweb -isa repo"


@pytest.fixture(autouse=True)
async def _interaction(pool):
    await interact(pool)


async def entity(memory, fact=REPO, content="", **parts):
    """Return an entity's candidate that states a relation."""
    return await write(memory, content or fact, fact=fact, **ENTITY, **parts)


async def edit_record(memory, record_id, content, **parts):
    """Edit a candidate's text."""
    job = correct(record_id, content, principal="op", **parts)
    return await memory.writer.submit(job)


def parent(memory, concept="gnommoweb", dimension="type"):
    """Return the parent of a concept in a dimension; None for none."""
    world = memory.world
    edge = world.edge(world.id(concept) or 0, world.id(dimension) or 0)
    return world.token(edge.parent_id) if edge else None


async def test_a_promoted_record_is_active(memory, clock):
    """It has who decided, keeps where it was found, and waits no more."""
    before = await write(memory, "Use Postgres")
    clock.now += 60

    decided = await decide(memory, promote, 1)

    [record] = decided.records
    assert (record.status, record.decider) == (Status.ACTIVE, "op")
    assert (record.origin, record.pending_since) == (before.origin, None)
    assert record.confirmed_at == clock.now
    assert await read_record(memory, 1) == record
    [edit, _] = await edits(memory, 1)
    assert (edit.action, edit.principal) == (Action.PROMOTE, "op")
    assert (edit.before, edit.after) == (before, record)
    assert decided.edits == (edit.id,)
    assert decided.outcome is None


async def test_a_promoted_entity_goes_through_the_gate(memory, store):
    """Its relation is held, as said by whoever promoted it, and is in the ledger."""
    await entity(memory)

    decided = await decide(memory, promote, 1)

    assert decided.outcome.verdict is Verdict.HELD
    assert parent(memory) == "repo"
    record = await read_record(memory, 1)
    assert (record.outcome, record.assertion_id) == (
        "held",
        decided.outcome.assertion_id,
    )
    assert await in_step(memory, store)


async def test_a_memory_states_nothing(memory):
    """Only entities speak to the graph: a memory with a relation keeps it to itself."""
    await write(memory, "Use Postgres", fact=REPO)

    decided = await decide(memory, promote, 1)

    assert (decided.outcome, parent(memory)) == (None, None)


async def test_a_promoted_entity_may_conflict(memory, store):
    """It is active, and its relation waits in the resolution queue as any other."""
    await state(memory, "gnommoweb -isa container")
    await entity(memory)

    decided = await decide(memory, promote, 1)

    assert decided.outcome.verdict is Verdict.CONFLICTED
    assert decided.outcome.conflict_id == 1
    assert (await read_record(memory, 1)).outcome == "conflicted"
    assert parent(memory) == "container"
    assert await in_step(memory, store)


async def test_what_an_entity_holds_goes_with_it(memory, store):
    """Reverted, its relation is taken back; promoted again, it is held again."""
    await entity(memory)
    await decide(memory, promote, 1)

    await decide(memory, revert, 1)

    record = await read_record(memory, 1)
    assert (record.status, record.outcome, record.assertion_id) == (
        Status.CANDIDATE,
        "",
        0,
    )
    assert parent(memory) is None
    assert await in_step(memory, store)

    again = await decide(memory, promote, 1)

    assert again.outcome.verdict is Verdict.HELD
    assert parent(memory) == "repo"
    assert await in_step(memory, store)


async def test_what_was_held_before_stays(memory):
    """A relation that was only confirmed by the promotion is not its own to take back."""
    await state(memory, REPO)
    await entity(memory)
    assert (await decide(memory, promote, 1)).outcome.verdict is Verdict.CORROBORATED

    await decide(memory, revert, 1)

    assert parent(memory) == "repo"


async def test_what_others_stated_since_stays(memory):
    """Somebody who said the same after the promotion is not overruled by its end."""
    await entity(memory)
    await decide(memory, promote, 1)
    await state(memory, REPO, principal="bob")

    await decide(memory, revert, 1)

    assert parent(memory) == "repo"


async def test_what_two_entities_state_goes_with_the_second(memory, store):
    """A relation stays for as long as one of those who brought it is active."""
    await entity(memory)
    await entity(memory, content="It is a repo")
    await decide(memory, promote, 1)
    assert (await decide(memory, promote, 2)).outcome.verdict is Verdict.CORROBORATED

    await decide(memory, revert, 1)
    assert parent(memory) == "repo"
    await decide(memory, revert, 2)

    assert parent(memory) is None
    assert await in_step(memory, store)


async def test_the_same_in_another_dimension_is_something_else(memory):
    """Another entity's statement elsewhere keeps nothing here."""
    await entity(memory)
    await entity(memory, "gnommoweb -isa repo in context of source")
    await decide(memory, promote, 1)
    await decide(memory, promote, 2)

    await decide(memory, revert, 1)

    assert parent(memory) is None
    assert parent(memory, dimension="source") == "repo"


async def test_what_was_held_in_the_end_goes_too(memory, store):
    """A relation that waited until nothing ran against it any more is the entity's own."""
    await entity(memory, "gnommoweb -isa container")
    await entity(memory)
    await decide(memory, promote, 1)
    await decide(memory, promote, 2)
    await decide(memory, revert, 1)
    assert parent(memory) == "repo"

    await decide(memory, revert, 2)

    assert parent(memory) is None
    assert await in_step(memory, store)


async def test_what_is_held_instead_stays(memory):
    """A relation that was replaced since is not the promotion's any more."""
    await entity(memory)
    await decide(memory, promote, 1)
    await state(memory, "gnommoweb -isa container")
    await resolve(memory, 1)

    await decide(memory, revert, 1)

    assert parent(memory) == "container"


async def test_what_was_moved_goes_all_the_same(memory, store):
    """A decision that only moved the relation to another dimension did not state it."""
    await entity(memory)
    await decide(memory, promote, 1)
    await state(memory, "gnommoweb -isa container")
    await resolve(
        memory,
        1,
        ConflictDecision.DECOMPOSE,
        existing_dimension="source",
        incoming_dimension="runtime",
    )
    assert parent(memory, dimension="source") == "repo"

    await decide(memory, revert, 1)

    assert parent(memory, dimension="source") is None
    assert parent(memory, dimension="runtime") == "container"
    assert await in_step(memory, store)


async def test_a_relation_that_waits_goes_with_its_entity(memory, store):
    """Reverted, what it stated waits no more in the resolution queue."""
    await state(memory, "gnommoweb -isa container")
    await entity(memory)
    await decide(memory, promote, 1)

    await decide(memory, revert, 1)

    async with store.reading("default") as reads:
        conflict = await reads.conflict(1)
    assert conflict.state is ConflictState.DISMISSED
    assert not memory.world.conflicts.doubts.keys()
    assert await in_step(memory, store)


async def test_what_waited_for_an_entity_is_held_after_it(memory, store):
    """A statement that ran against nothing but the relation takes its place."""
    await entity(memory)
    await decide(memory, promote, 1)
    await state(memory, "gnommoweb -isa container")

    await decide(memory, revert, 1)

    assert parent(memory) == "container"
    assert await in_step(memory, store)


async def test_an_entity_takes_anothers_place(memory, store):
    """The old one is superseded, its relation ends, and the new one is held."""
    await entity(memory)
    await decide(memory, promote, 1)
    await entity(memory, "gnommoweb -isa container")

    decided = await decide(memory, promote, 2, supersedes=1)

    new, old = decided.records
    assert (new.status, old.status) == (Status.ACTIVE, Status.SUPERSEDED)
    assert old.superseded_by == 2
    assert decided.outcome.verdict is Verdict.HELD
    assert parent(memory) == "container"
    assert await in_step(memory, store)


@pytest.mark.parametrize("job", ["revert", "undo"])
async def test_the_place_is_given_back(memory, store, job):
    """Reverted or undone, the old entity is active again, and so is its relation."""
    await entity(memory)
    await decide(memory, promote, 1)
    await entity(memory, "gnommoweb -isa container")
    decided = await decide(memory, promote, 2, supersedes=1)

    if job == "revert":
        await decide(memory, revert, 2)
    else:
        await decide(memory, undo_edit, decided.edits[0])

    old, new = await records(memory)
    assert (old.status, old.superseded_by) == (Status.ACTIVE, 0)
    assert new.status is Status.CANDIDATE
    assert parent(memory) == "repo"
    assert await in_step(memory, store)


async def test_a_place_that_is_taken_is_not_given_back(memory):
    """A record of the same text came in between: the superseded one stays so."""
    await write(memory, "Use Postgres")
    await decide(memory, promote, 1)
    await write(memory, "Use Redis")
    decided = await decide(memory, promote, 2, supersedes=1)
    await write(memory, "Use Postgres")

    with pytest.raises(RecordExists):
        await decide(memory, undo_edit, decided.edits[0])
    await decide(memory, revert, 2)

    assert [each.status for each in await records(memory)] == [
        Status.SUPERSEDED,
        Status.CANDIDATE,
        Status.CANDIDATE,
    ]


async def test_an_undone_reversal_goes_through_the_gate(memory, store):
    """Active again, the entity states its relation anew."""
    await entity(memory)
    promoted = await decide(memory, promote, 1)
    reverted = await decide(memory, revert, 1)

    undone = await decide(memory, undo_edit, reverted.edits[0])

    assert undone.outcome.verdict is Verdict.HELD
    assert parent(memory) == "repo"
    record = await read_record(memory, 1)
    assert same_but_seen(record, promoted.records[0])
    assert record.assertion_id == undone.outcome.assertion_id

    await decide(memory, undo_edit, promoted.edits[0])

    assert parent(memory) is None
    assert await in_step(memory, store)


async def test_undo_goes_back_step_by_step(memory, clock):
    """Each step is taken back in its turn, and the record is exactly what it was."""
    first = await write(memory, "Use Postgres")
    trail = []
    for job in (
        correct(1, "Use Redis", principal="op"),
        defer(1, principal="op"),
        promote(1, principal="op"),
        confirm(1, principal="op"),
        graduate(1, principal="op"),
    ):
        clock.now += 60
        trail.append((await read_record(memory, 1), await memory.writer.submit(job)))

    for before, decided in reversed(trail):
        await decide(memory, undo_edit, decided.edits[0])
        now = await read_record(memory, 1)
        assert same_but_seen(now, before)
        assert now.confirmed_at == before.confirmed_at

    assert same_but_seen(await read_record(memory, 1), first)
    assert [record.id for record in await records(memory)] == [1]


async def test_an_undone_proposal_is_gone_and_may_come_again(memory):
    """The candidate is deleted as if it had never been written; undone again, it is back."""
    written = await write(memory, "Use Postgres")
    [proposed] = await edits(memory, 1)

    undone = await decide(memory, undo_edit, proposed.id)

    assert undone.records == (None,)
    with pytest.raises(RecordNotFound):
        await read_record(memory, 1)
    await decide(memory, undo_edit, undone.edits[0])
    assert same_but_seen(await read_record(memory, 1), written)


async def test_undo_takes_back_all_of_a_large_decision(memory):
    """However many records it changed."""
    many = [await write(memory, f"Rule {number}") for number in range(201)]
    steps = [
        RecordStep(Action.EDIT, it, changed(it, content=f"{it.content}, at last"))
        for it in many
    ]

    async def plan(reads):
        return DecisionPlan(lambda now: [steps])

    job = RecordDecision(plan, principal="op", request=None)
    decided = await memory.writer.submit(job)
    await decide(memory, undo_edit, decided.edits[0])

    assert [it.content for it in await records(memory)] == [it.content for it in many]


async def test_a_deleted_candidate_may_be_proposed_again(memory):
    """Nothing is left of it but the log, whose undo must make way for the new one."""
    await write(memory, "Use Postgres")
    deleted = await decide(memory, delete, 1)
    record = await write(memory, "Use Postgres")

    assert (record.id, record.status) == (2, Status.CANDIDATE)
    with pytest.raises(RecordExists) as caught:
        await decide(memory, undo_edit, deleted.edits[0])
    assert caught.value.metadata["record_id"] == "2"


async def test_an_edit_may_not_make_a_second_of_the_same(memory):
    """Two candidates never say the same, however they came to."""
    await write(memory, "Use Postgres")
    await write(memory, "Use Redis")

    with pytest.raises(RecordExists) as caught:
        await edit_record(memory, 2, "use  postgres.")

    assert caught.value.metadata == {"record_id": "1", "status": "candidate"}
    assert (await read_record(memory, 2)).content == "Use Redis"


async def test_nobody_promotes_what_they_proposed(memory):
    """Not beside another who decides here; while there is none, it is on record."""
    await write(memory, "Use Postgres", origin=BY_HAND, proposer="op")
    await write(memory, "Use Redis", origin=BY_HAND, proposer="op")
    assert (await decide(memory, promote, 1)).records[0].sole

    await decide(memory, defer, 2, principal="bob")
    await decide(memory, defer, 2, principal="bob", resume=True)

    with pytest.raises(PermissionDenied):
        await decide(memory, promote, 2)
    record = (await decide(memory, promote, 2, principal="bob")).records[0]
    assert (record.decider, record.sole) == ("bob", False)


async def test_an_extractor_is_not_a_person(memory):
    """A record that a principal extracted is never theirs to promote, alone or not."""
    await write(memory, "Use Postgres", proposer="op")

    with pytest.raises(PermissionDenied):
        await decide(memory, promote, 1)


@pytest.mark.parametrize("job", [promote, reject, revert, graduate, delete])
async def test_a_decision_is_about_what_was_read(memory, job):
    """An etag of before is refused, and nothing changes."""
    record = await write(memory, "Use Postgres")
    await edit_record(memory, 1, "Use Redis")
    before = await read_record(memory, 1)

    with pytest.raises(EtagMismatch):
        await decide(memory, job, 1, etag=record.etag)

    assert await read_record(memory, 1) == before


async def test_of_two_who_decide_at_once_one_is_late(memory):
    """Both read the same candidate; one promotes it, and the other is told."""
    record = await write(memory, "Use Postgres")

    answers = await asyncio.gather(
        decide(memory, promote, 1, etag=record.etag),
        decide(memory, reject, 1, etag=record.etag, principal="bob"),
        return_exceptions=True,
    )

    assert [type(answer).__name__ for answer in answers] == [
        "RecordDecisionResult",
        "EtagMismatch",
    ]
    assert (await read_record(memory, 1)).status is Status.ACTIVE


async def test_a_decision_that_is_judged_again_is_done_once(memory, unreliable):
    """Another server was first: the whole of it is decided anew, on what there is then."""
    await entity(memory)

    attempts = iter([True, False])

    unreliable.loses = lambda batch: next(attempts)
    decided = await decide(memory, promote, 1)

    assert list(attempts) == []
    assert len(decided.records) == len(decided.edits) == 1
    assert [edit.action for edit in await edits(memory)] == [
        Action.PROMOTE,
        Action.PROPOSE,
    ]


async def test_settling_by_the_way_is_no_decision(memory):
    """Whoever states facts decides nothing, and leaves the one who does alone."""
    await state(memory, "gnommoweb -isa repo")
    await state(memory, "gnommoweb -isa container")
    await retract_fact(memory, parse_fact("gnommoweb -isa repo"), principal="alice")
    await write(memory, "Use Postgres", origin=BY_HAND, proposer="op")

    assert (await decide(memory, promote, 1)).records[0].sole


@pytest.mark.parametrize("by", ["op", "bob"])
async def test_who_settled_a_conflict_decides_here(memory, by):
    """Another who does leaves nobody alone."""
    await state(memory, "gnommoweb -isa repo")
    await state(memory, "gnommoweb -isa container")
    await resolve(memory, 1, principal=by)
    await write(memory, "Use Postgres", origin=BY_HAND, proposer="op")

    if by == "op":
        assert (await decide(memory, promote, 1)).records[0].sole
    else:
        with pytest.raises(PermissionDenied):
            await decide(memory, promote, 1)
