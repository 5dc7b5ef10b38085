from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from festinger.core.graph.history import EventKind, HistoryMark
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Proposal, StatementSource, Triple
from festinger.core.graph.resolution import ConflictDecision
from festinger.errors import FactNotHeld, InvalidArgument
from festinger.services.graph.facts import retract_fact
from festinger.services.graph.whatis import as_of, history, whatis
from festinger.services.world.jobs import Assertion
from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import open_pool
from tests.conftest import DATABASE
from tests.memories import DICTIONARY, NOW, TRUST, Clock
from tests.services.conftest import state
from tests.services.review.decisions import (
    decompose,
    reject,
    resolve,
    retract,
    tell,
)

STATED, RETRACTED = EventKind.STATED, EventKind.RETRACTED
RULED = EventKind.RULED
ENDED, SETTLED = EventKind.ENDED, EventKind.SETTLED

REPO, CONTAINER = "gnommoweb -isa repo", "gnommoweb -isa container"

NAMES = ["ant", "bee", "cat"]
DIMENSIONS = ["type", "tech"]
TRIPLES = st.builds(
    Triple,
    concept=st.sampled_from(NAMES),
    parent=st.sampled_from(NAMES),
    dimension=st.sampled_from(DIMENSIONS),
    is_isa=st.sampled_from([True, True, False]),
    negated=st.sampled_from([False, False, True]),
)
PROPOSALS = st.builds(
    # Of a named tuple it would make up what has a default as well.
    lambda **given: Proposal(**given),
    triple=TRIPLES,
    confidence=st.sampled_from([0.7, 0.8, 1.0]),
    source=st.sampled_from([StatementSource.GUTASK, StatementSource.INFERRED]),
    principal=st.sampled_from(["alice", "bob", "carol"]),
    proposer=st.just("scanner"),
)
DECISIONS = st.tuples(
    st.integers(1, 4),
    st.sampled_from(list(ConflictDecision)),
    st.sampled_from([*DIMENSIONS, "tools"]),
    st.sampled_from([*DIMENSIONS, "hosts"]),
)
STEPS = st.lists(
    st.tuples(st.sampled_from([1e-6, 0.5, 60.0]), PROPOSALS | TRIPLES | DECISIONS),
    min_size=1,
    max_size=14,
)

_tenants = itertools.count(1)


@pytest.fixture
async def memory(memories):
    """The memory `default`."""
    return await memories.get("default")


async def told(memory, token="gnommoweb", *, dimension="", after=None, limit=100):
    """Return the history of a concept."""
    return await history(
        memory, token, dimension=dimension, after=after or HistoryMark(), limit=limit
    )


async def kinds(memory, token="gnommoweb", **narrowed):
    """Return the events of a concept, and the parent of each."""
    events = await told(memory, token, **narrowed)
    return [(event.kind, event.triple.parent) for event in events]


async def was(memory, when, token="gnommoweb"):
    """Return the parents of a concept at a moment, with the confidence of then."""
    concept = await as_of(memory, whatis(memory.world, token), when)
    return [(it.dimension, it.parent, it.confidence) for it in concept.facts]


async def waited(memory, when, token="gnommoweb"):
    """Return which conflicts about a concept waited at a moment."""
    return (await as_of(memory, whatis(memory.world, token), when)).conflicts


async def test_statements_are_told_in_their_order(memory, clock):
    """Each with who made it, through which door, and what became of it."""
    await state(memory, REPO)
    clock.now += 1
    await tell(memory, "gnommoweb is a container", principal="bob")

    first, second = await told(memory)

    assert (first.kind, first.verdict, first.when) == (STATED, Verdict.HELD, NOW)
    assert (first.principal, first.source, first.confidence) == (
        "alice",
        StatementSource.GUTASK,
        1.0,
    )
    assert (second.verdict, second.conflict_id) == (Verdict.CONFLICTED, 1)
    assert (second.reason, second.text) == ("isa_isa", "gnommoweb is a container")
    assert (second.principal, second.source) == ("bob", StatementSource.INFERRED)


async def test_retraction_is_told(memory, clock):
    """The history tells who took it back and why, and since when it had been held."""
    await state(memory, REPO)
    clock.now += 60

    retracted = await retract(memory, REPO, why="it moved away")

    _, taken, ended = await told(memory)
    assert (taken.kind, taken.principal, taken.text) == (
        RETRACTED,
        "op",
        "it moved away",
    )
    assert taken.verdict is None
    assert taken.assertion_id == retracted.retraction.id
    assert (ended.kind, ended.valid_from, ended.when) == (ENDED, NOW, NOW + 60)
    assert ended.closed_by == f"retraction {taken.assertion_id}"


async def test_decision_is_told(memory, clock):
    """In one moment: it was decided, the fact ended, the statement was held."""
    await state(memory, REPO)
    await state(memory, CONTAINER)
    clock.now += 1
    await resolve(memory, 1, reasoning="it moved")

    *_, decided, ended, stated = await told(memory)

    assert (decided.kind, decided.decision, decided.text) == (
        SETTLED,
        ConflictDecision.UPDATE,
        "it moved",
    )
    assert (decided.principal, decided.conflict_id) == ("op", 1)
    assert decided.triple.parent == "container"
    assert (ended.kind, ended.closed_by) == (ENDED, "conflict 1")
    assert (stated.kind, stated.verdict) == (STATED, Verdict.HELD)


async def test_decompose_is_told_in_both_dimensions(memory, clock):
    """A fact that left the old dimension is told there, one that came to a new one here."""
    await state(memory, REPO)
    await state(memory, CONTAINER)
    clock.now += 1
    await decompose(memory, 1, "artifact", "deployment")

    assert await kinds(memory, dimension="type") == [
        (STATED, "repo"),
        (STATED, "container"),
        (SETTLED, "container"),
        (ENDED, "repo"),
    ]
    assert await kinds(memory, dimension="artifact") == [(STATED, "repo")]
    assert await kinds(memory, dimension="deployment") == [(STATED, "container")]


async def test_every_decision_of_a_reopened_item_is_told(memory, clock):
    """An item that was dismissed, reopened and won has both decisions in its history."""
    await state(memory, REPO)
    await state(memory, CONTAINER)
    for decision in (ConflictDecision.DISMISS, ConflictDecision.UPDATE):
        clock.now += 1
        await resolve(memory, 1, decision, reasoning=f"so {decision}")
        clock.now += 1
        await state(memory, CONTAINER)

    decided = [it for it in await told(memory) if it.kind is SETTLED]

    assert [(it.decision, it.text) for it in decided] == [
        (ConflictDecision.DISMISS, "so dismiss"),
        (ConflictDecision.UPDATE, "so update"),
    ]
    assert [it.when for it in decided] == [NOW + 1, NOW + 3]


async def test_denial_has_a_history(memory, clock):
    """A denial that ended is told as a denial."""
    await state(memory, "gnommoweb -not -isa repo")
    clock.now += 1
    await retract(memory, "gnommoweb -not -isa repo")

    events = await told(memory)

    assert [it.kind for it in events] == [STATED, RETRACTED, ENDED]
    assert all(it.triple.negated for it in events)
    assert await was(memory, NOW) == []


async def test_what_was_refused_is_told(memory):
    """Rejected statements and candidates are part of what happened."""
    await tell(memory, "michigan kind of state")
    await reject(memory, 1)
    await tell(memory, "michigan kind of state")

    # all of one moment
    ruled, waited, refused = await told(memory, "michigan")

    assert (ruled.kind, ruled.reason, ruled.candidate_id) == (RULED, "rejected", 1)
    assert (waited.verdict, waited.candidate_id) == (Verdict.CANDIDATE, 1)
    assert (refused.verdict, refused.reason) == (Verdict.REJECTED, "settled")


async def test_concept_that_is_only_a_parent_has_no_history(memory):
    """The events of a concept are the statements about it."""
    await state(memory, REPO)

    assert await told(memory, "repo") == []
    assert await kinds(memory, dimension="geography") == []


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
@pytest.mark.parametrize("ticks", [0, 1])
async def test_pages_are_the_history(memory, clock, limit, ticks):
    """
    Whatever the length of a page, every event comes once, and in order; also when all
    of it happened in one moment.
    """
    for parent in ("repo", "container", "database"):
        await state(memory, f"gnommoweb -isa {parent}")
        clock.now += ticks
    for number in (1, 2):
        await resolve(memory, number)
        clock.now += ticks
    await retract(memory, "gnommoweb -isa database")

    whole, paged, after = await told(memory), [], HistoryMark()
    while page := await told(memory, after=after, limit=limit):
        paged += page
        after = page[-1].mark

    assert paged == whole
    assert len(whole) == 3 + 2 * 3 + 2
    assert [it.mark for it in whole] == sorted({it.mark for it in whole})


async def test_dimension_narrows_every_kind(memory):
    """Statements, ends and decisions of other dimensions are left out."""
    for dimension in ("type", "geography"):
        await state(memory, f"{REPO} in context of {dimension}")
        await state(memory, f"{CONTAINER} in context of {dimension}")
    await resolve(memory, 1)
    await resolve(memory, 2)
    await retract(memory, f"{CONTAINER} in context of geography")

    events = await told(memory, dimension="geography")

    assert {it.triple.dimension for it in events} == {"geography"}
    assert {it.kind for it in events} == set(EventKind) - {RULED}
    assert len(await told(memory)) > len(events)


async def test_tenants_are_apart(memories, memory, store):
    """An event of one memory is not told in the other."""
    await store.add_tenant("other")
    other = await memories.get("other")
    await state(memory, REPO)
    await retract(memory, REPO)
    await state(other, CONTAINER)

    assert await kinds(other) == [(STATED, "container")]
    assert await was(other, NOW) == [("type", "container", 1.0)]


async def test_facts_of_a_moment(memory, clock):
    """Before the first nothing, from its moment on the fact, until the moment it ends."""
    await state(memory, REPO)
    clock.now += 60
    await retract(memory, REPO)

    assert await was(memory, NOW - 1e-6) == []
    assert await was(memory, NOW) == [("type", "repo", 1.0)]
    assert await was(memory, NOW + 60 - 1e-6) == [("type", "repo", 1.0)]
    assert await was(memory, NOW + 60) == []


async def test_confidence_of_a_moment(memory, clock):
    """A fact of then is as certain as it was then, whatever it became and ended as."""
    for principal in ("alice", "bob", "carol"):
        await tell(memory, "gnommoweb is a repo", principal=principal)
        clock.now += 60
    await retract(memory, REPO)

    moments = [await was(memory, NOW + seconds) for seconds in (0, 60, 179)]

    assert [facts[0][2] for facts in moments] == pytest.approx([0.75, 0.9375, 0.984375])


async def test_fact_that_came_back_is_another(memory, clock):
    """Between its retraction and its return it was not held."""
    await tell(memory, "gnommoweb is a repo")
    clock.now += 60
    await retract(memory, REPO)
    clock.now += 60
    await state(memory, REPO)

    assert await was(memory, NOW + 59) == [("type", "repo", 0.75)]
    assert await was(memory, NOW + 60) == []
    assert await was(memory, NOW + 120) == [("type", "repo", 1.0)]


async def test_facts_of_a_moment_are_in_order(memory):
    """By dimension, in the order that today's facts have."""
    for dimension in ("tools", "art_2", "art", "art-1", "näive", "type"):
        await state(memory, f"{REPO} in context of {dimension}")

    today = [fact.dimension for fact in whatis(memory.world, "gnommoweb").facts]
    assert [dimension for dimension, _, _ in await was(memory, NOW)] == today


async def test_conflicts_of_a_moment(memory, clock):
    """One waits from its first statement to its decision, and marks the fact as long."""
    await state(memory, REPO)
    clock.now += 60
    await state(memory, CONTAINER)
    clock.now += 60
    await resolve(memory, 1, ConflictDecision.DISMISS)

    concept = whatis(memory.world, "gnommoweb")
    moments = [await as_of(memory, concept, NOW + it) for it in (59, 60, 119, 120)]

    assert [it.conflicts for it in moments] == [[], [1], [1], []]
    assert [it.facts[0].contested for it in moments] == [False, True, True, False]


async def test_reopened_conflict_did_not_wait_while_it_was_dismissed(memory, clock):
    """Between its dismissal and the statement that reopened it nothing waited."""
    await state(memory, REPO)
    await state(memory, CONTAINER)
    for _ in range(2):
        clock.now += 60
        await resolve(memory, 1, ConflictDecision.DISMISS)
        clock.now += 60
        await state(memory, CONTAINER)

    moments = [
        await waited(memory, NOW + it) for it in (0, 60, 119, 120, 180, 239, 240)
    ]

    assert moments == [[1], [], [], [1], [], [], [1]]


async def test_denials_of_a_moment(memory, clock):
    """A denial of then is told as one, in the order of today's denials."""
    for dimension in ("tools", "art_2", "art-1"):
        await state(memory, f"gnommoweb -not -isa repo in context of {dimension}")
    before = whatis(memory.world, "gnommoweb").denials
    clock.now += 60
    await retract(memory, "gnommoweb -not -isa repo in context of tools")

    concept = whatis(memory.world, "gnommoweb")
    moments = [await as_of(memory, concept, NOW + it) for it in (-1, 0, 59, 60)]

    assert [it.denials for it in moments] == [[], before, before, before[:2]]
    assert len(before) == 3


@pytest.mark.parametrize("when", [0.0, -1e9, 253_402_300_799.0])
async def test_every_moment_may_be_asked(memory, when):
    """Long before and long after there is an answer too."""
    await state(memory, REPO)

    assert await was(memory, when) == ([("type", "repo", 1.0)] if when > NOW else [])


@given(STEPS)
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_each_moment_is_what_the_world_held_then(database, steps):
    """
    After any statements, retractions and decisions: asked for a moment, the memory tells
    what it held then, with the confidence of then, and which conflicts waited.
    """

    async def run() -> None:
        tenant, clock = f"t{next(_tenants)}", Clock()
        async with await open_pool(database, DATABASE) as pool:
            store = PostgresStore(pool, DICTIONARY)
            await store.add_tenant(tenant)
            memories = Memories(store, now=clock, trust=TRUST)
            memory = await memories.get(tenant)
            moments = []
            for seconds, step in steps:
                clock.now += seconds
                await take(memory, step)
                moments.append((clock.now, today(memory)))
            for when, held in moments:
                for token, concept in held.items():
                    assert await as_of(memory, concept, when) == concept, token
            await memories.stop()

    asyncio.run(run())


async def take(memory, step):
    """Has one thing happen, or nothing where it cannot."""
    try:
        match step:
            case Proposal():
                await memory.writer.submit(Assertion(step, None))
            case Triple():
                await retract_fact(memory, step, principal="op")
            case number, ConflictDecision.DECOMPOSE, existing, incoming:
                if number in pending(memory):
                    await decompose(memory, number, existing, incoming)
            case number, decision, _, incoming:
                if number in pending(memory):
                    where = incoming if decision is ConflictDecision.RECLASSIFY else ""
                    await resolve(memory, number, decision, incoming_dimension=where)
    except (FactNotHeld, InvalidArgument):
        pass


def pending(memory):
    """Return the numbers of the conflicts that wait."""
    world = memory.world
    return {
        number for name in world.vocabulary for number in world.conflicts.about(name)
    }


def today(memory):
    """Return the present facts of each name."""
    return {it: whatis(memory.world, it) for it in NAMES if memory.world.id(it)}
