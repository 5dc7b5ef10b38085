from __future__ import annotations

import pytest

from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.graph.proposal import Proposal, StatementSource, Triple
from festinger.core.graph.resolution import ConflictDecision, ConflictState
from festinger.core.graph.statement import parse_fact
from festinger.core.language.turns import Role
from festinger.errors import InvalidArgument
from festinger.services.world.jobs import Assertion
from tests.memories import held
from tests.services.conftest import in_step, say, state
from tests.services.review.decisions import (
    confirm,
    contradict,
    decompose,
    places,
    reclassify,
    resolve,
    retract,
    tell,
)
from tests.store.world.writing import read
from tests.structures import soas_by_token, urd_by_concept, urd_by_concept_dim

PENDING, RESOLVED = ConflictState.PENDING, ConflictState.RESOLVED
REPO, CONTAINER = "gnommoweb -isa repo", "gnommoweb -isa container"


async def guess(memory, fact, principal="llm"):
    """Return the result of an answer of a language model."""
    proposal = Proposal(
        parse_fact(fact),
        confidence=0.75,
        source=StatementSource.CLOUD_LLM,
        principal=principal,
        proposer="writer",
    )
    outcome, _ = await memory.writer.submit(Assertion(proposal, None))
    return outcome


async def test_decompose_gives_each_a_dimension(memory, store):
    """The specification's Test C: both are held, nothing is contested, one transaction."""
    await contradict(memory, REPO, CONTAINER)
    before = memory.world.version

    conflict = await decompose(memory, 1, "artifact-type", "deployment-type")

    world = memory.world
    artifact = soas_by_token(world)["artifact-type"].id
    assert places(memory) == {
        ("artifact-type", "repo"),
        ("deployment-type", "container"),
    }
    assert (conflict.state, conflict.decision) == (RESOLVED, ConflictDecision.DECOMPOSE)
    assert urd_by_concept_dim(world)[artifact, artifact].parent_id == artifact
    assert world.conflicts.doubts.keys() == set()
    assert world.version == before + 1
    assert await in_step(memory, store)


async def test_decompose_is_told_without_a_marker(memory):
    """The next recollection has both dimensions and no question mark."""
    await contradict(memory, REPO, CONTAINER)
    await decompose(memory, 1, "artifact-type", "deployment-type")

    lines = say(memory, "what is gnommoweb?").lines

    assert [line.text for line in lines] == [
        "gnommoweb: [artifact-type] repo [deployment-type] container"
    ]


async def test_decompose_leaves_other_concepts(memory, store):
    """Other concepts' parents in the old dimension stay there (C8)."""
    await contradict(memory, REPO, CONTAINER, "dobby -isa repo")

    await decompose(memory, 1, "artifact-type", "deployment-type")
    await state(memory, "winky -isa container")

    assert places(memory, "dobby") == {("type", "repo")}
    assert places(memory, "winky") == {("type", "container")}
    assert await in_step(memory, store)


async def test_fact_may_stay_where_it_is(memory, store):
    """Its present dimension as its new one moves the statement only."""
    await contradict(memory, REPO, CONTAINER)
    edge = {it.parent: it for it in held(memory.world)}["repo"]

    await decompose(memory, 1, "type", "deployment-type")

    assert edge in held(memory.world)
    assert places(memory) == {("type", "repo"), ("deployment-type", "container")}
    assert await in_step(memory, store)


async def test_statement_may_take_the_place_of_the_fact(memory, store):
    """Its own dimension as its new one moves the fact only, which is found from there."""
    await contradict(memory, REPO, CONTAINER)

    await decompose(memory, 1, "artifact", "type")
    outcome = await guess(memory, REPO)

    assert places(memory) == {("artifact", "repo"), ("type", "container")}
    assert outcome.verdict is Verdict.CORROBORATED
    assert await in_step(memory, store)


@pytest.mark.parametrize(
    ("facts", "type_"),
    [
        (["ant -ispart bee", "ant -ispart cat"], CollisionType.ISPART_ISPART),
        (
            ["ant -ispart bee", "ant -isa cat in context of membership"],
            CollisionType.MISCLASSIFICATION,
        ),
        (["ant -ispart bee", "ant -not -ispart bee"], CollisionType.NEGATION),
    ],
)
async def test_decompose_is_open_to_other_collisions(memory, store, facts, type_):
    """Two clubs may both be true, and so may a fact here and its denial there (C7)."""
    await contradict(memory, *facts)

    conflict = await decompose(memory, 1, "chess", "bridge")

    assert conflict.type is type_
    assert ("chess", "bee") in places(memory, "ant")
    assert len(held(memory.world)) + len(memory.world.denials) == 2
    assert await in_step(memory, store)


async def test_both_sides_of_a_negation_go_their_ways(memory, store):
    """The fact confirms itself in its dimension, and the denial itself in the other."""
    await contradict(memory, REPO, "gnommoweb -not -isa repo")
    await decompose(memory, 1, "chess", "bridge")

    of_fact, _ = await state(memory, REPO, principal="bob")
    of_denial, _ = await state(memory, "gnommoweb -not -isa repo", principal="bob")

    assert (of_fact.verdict, of_fact.triple.dimension) == (
        Verdict.CORROBORATED,
        "chess",
    )
    assert (of_denial.verdict, of_denial.triple.dimension) == (
        Verdict.CORROBORATED,
        "bridge",
    )
    assert await in_step(memory, store)


@pytest.mark.parametrize(
    "facts", [["ant -isa bee", "bee -isa ant"], ["ant -not -isa bee", "ant -isa bee"]]
)
async def test_only_a_fact_can_be_decomposed(memory, store, facts):
    """Without a fact in the way there is none to move: reclassify does."""
    await contradict(memory, *facts)

    with pytest.raises(InvalidArgument, match="reclassify"):
        await decompose(memory, 1, "chess", "bridge")
    conflict = await reclassify(memory, 1, "bridge")

    assert conflict.state is RESOLVED
    assert {it.dimension for it in held(memory.world)} >= {"bridge"}
    assert await in_step(memory, store)


async def test_reclassify_leaves_the_fact(memory, store):
    """The statement is held in the other dimension, by whoever decided."""
    await contradict(memory, REPO, "gnommoweb -ispart agent0 in context of type")

    conflict = await reclassify(memory, 1, "membership")

    assert (conflict.state, conflict.decision) == (
        RESOLVED,
        ConflictDecision.RECLASSIFY,
    )
    assert places(memory) == {("type", "repo"), ("membership", "agent0")}
    fact = urd_by_concept(memory.world)[soas_by_token(memory.world)["gnommoweb"].id]
    assert {edge.source for edge in fact} == {
        StatementSource.GUTASK,
        StatementSource.FESTINGER,
    }
    assert await in_step(memory, store)


async def test_reclassify_into_what_is_held_there_confirms_it(memory, store):
    """A statement that is held there already collides with nothing."""
    await contradict(memory, f"{CONTAINER} in context of tech", REPO, CONTAINER)

    conflict = await reclassify(memory, 1, "tech")

    assert conflict.state is RESOLVED
    assert places(memory) == {("type", "repo"), ("tech", "container")}
    assert await in_step(memory, store)


@pytest.mark.parametrize(
    ("existing", "incoming", "field"),
    [
        ("", "artifact", "existing_dimension"),
        ("artifact", "artifact", "existing_dimension"),
        ("artifact", "taken", "decision"),
        ("taken", "artifact", "decision"),
        ("gnommoweb", "artifact", "decision"),
        ("artifact", "gnommoweb", "decision"),
        ("two words", "artifact", "decision"),
        ("artifact", "http://example.com", "decision"),
    ],
)
async def test_unusable_dimension_changes_nothing(
    memory, store, existing, incoming, field
):
    """Missing, equal, occupied, the concept's own, not a token: the item waits on (C8)."""
    await contradict(
        memory, REPO, CONTAINER, "gnommoweb -isa service in context of taken"
    )
    before = places(memory), memory.world.version

    with pytest.raises(InvalidArgument) as caught:
        await decompose(memory, 1, existing, incoming)

    assert caught.value.metadata == {"field": field}
    assert (places(memory), memory.world.version) == before
    assert not memory.world.redirects
    assert (await read(store, "conflict", 1)).state is PENDING
    assert await in_step(memory, store)


async def test_moved_fact_confirms_once_a_principal(memory):
    """A person who stated it before it was moved is no new witness of it (C3)."""
    await tell(memory, "gnommoweb is a repo")
    await state(memory, CONTAINER, principal="bob")
    await decompose(memory, 1, "artifact", "deployment")

    confidences = []
    for principal in ("alice", "alice", "carol"):
        outcome = await guess(memory, REPO, principal)
        assert outcome.fact is not None
        confidences.append(outcome.fact.confidence)

    assert confidences[:2] == [0.75, 0.75]
    assert confidences[2] == pytest.approx(0.9375)


async def test_moved_fact_keeps_its_confidence(memory):
    """To be moved makes nothing more certain."""
    await tell(memory, "gnommoweb is a repo")
    await state(memory, CONTAINER)

    await decompose(memory, 1, "artifact", "deployment")

    edges = urd_by_concept(memory.world)[soas_by_token(memory.world)["gnommoweb"].id]
    assert sorted(edge.confidence for edge in edges) == [0.75, 1.0]


async def test_denial_of_a_moved_fact_waits_on(memory, store):
    """The fact's new place does not make its denial true."""
    await contradict(memory, REPO, CONTAINER, "gnommoweb -not -isa repo")

    await decompose(memory, 1, "artifact", "deployment")

    assert memory.world.denials == {}
    assert (await read(store, "conflict", 2)).state is PENDING
    assert await in_step(memory, store)


async def test_moved_statement_goes_on_from_there(memory, store):
    """A second decision moves it further, and its first name still leads to it."""
    await contradict(memory, REPO, CONTAINER)
    await decompose(memory, 1, "artifact", "deployment")
    await state(memory, "gnommoweb -isa daemon in context of deployment")
    await decompose(memory, 2, "packaging", "runtime")

    outcome = await guess(memory, CONTAINER)

    assert (outcome.verdict, outcome.triple.dimension) == (
        Verdict.CORROBORATED,
        "packaging",
    )
    assert await in_step(memory, store)


async def test_moved_statement_comes_back(memory, store):
    """A decision may send it where it came from: then it is stated there again."""
    await contradict(memory, REPO, CONTAINER)
    await decompose(memory, 1, "artifact", "deployment")
    await state(memory, "gnommoweb -isa daemon in context of deployment")
    await decompose(memory, 2, "type", "deployment2")

    outcome = await guess(memory, f"{CONTAINER} in context of deployment")

    assert outcome.triple == Triple("gnommoweb", "container", "type", True)
    assert outcome.verdict is Verdict.CORROBORATED
    assert await in_step(memory, store)


async def test_redirects_survive_a_restart(memory, store):
    """The moves of statements are read with the memory."""
    await contradict(memory, REPO, CONTAINER)
    await decompose(memory, 1, "artifact", "deployment")

    loaded = await store.load("default")

    assert dict(loaded.redirects) == dict(memory.world.redirects)
    assert len(loaded.redirects) == 2


async def test_dismissed_statement_does_not_come_back_by_machines(memory, store):
    """Prompts, documents and models only count on the closed item (C5a)."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1, ConflictDecision.DISMISS)

    await tell(memory, "gnommoweb is a container")
    await tell(memory, "gnommoweb is a container", Role.TOOL)
    outcome = await guess(memory, CONTAINER)

    conflict = await read(store, "conflict", 1)
    assert (outcome.verdict, outcome.reason) == (Verdict.REJECTED, "settled")
    assert outcome.conflict_id == 1
    assert (conflict.state, conflict.statements) == (ConflictState.DISMISSED, 4)
    assert await read(store, "candidates") == []
    assert memory.world.conflicts.doubts.keys() == set()
    assert await in_step(memory, store)


async def test_dismissed_statement_is_reopened_by_a_person(memory, store):
    """The same item waits once more, undecided, and the decision of then is history."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1, ConflictDecision.DISMISS)

    outcome, _ = await state(memory, CONTAINER)

    conflict = await read(store, "conflict", 1)
    assert (outcome.verdict, outcome.conflict_id) == (Verdict.CONFLICTED, 1)
    assert (conflict.state, conflict.statements) == (PENDING, 2)
    assert conflict.decision is None
    assert not memory.world.tombstones
    assert await in_step(memory, store)


async def test_dismissed_statement_is_reopened_by_a_confirmation(memory, store):
    """A candidate of it that waited since before is a person's word once confirmed."""
    await tell(memory, "gnommoweb is a container", Role.TOOL)
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1, ConflictDecision.DISMISS)

    _, outcome, _ = await confirm(memory, 1)

    assert (outcome.verdict, outcome.conflict_id) == (Verdict.CONFLICTED, 1)
    assert (await read(store, "conflict", 1)).state is PENDING
    assert await in_step(memory, store)


async def test_reopened_item_collides_as_things_are_now(memory, store):
    """It says how it collides with what is held since."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1, ConflictDecision.DISMISS)
    await retract(memory, REPO)
    await state(memory, "gnommoweb -ispart agent0 in context of type")

    await state(memory, CONTAINER)

    conflict = await read(store, "conflict", 1)
    assert conflict.type is CollisionType.MISCLASSIFICATION
    assert conflict.existing is not None
    assert conflict.existing.parent == "agent0"
    assert await in_step(memory, store)


async def test_reopened_item_is_decided_anew(memory, store):
    """It may be dismissed again, reopened again, and won in the end."""
    await contradict(memory, REPO, CONTAINER)
    for _ in range(2):
        await resolve(memory, 1, ConflictDecision.DISMISS)
        await state(memory, CONTAINER)

    conflict = await resolve(memory, 1)

    assert (conflict.state, conflict.statements) == (RESOLVED, 3)
    assert places(memory) == {("type", "container")}
    assert await in_step(memory, store)


async def test_dismissed_statement_with_nothing_in_its_way_is_held(memory, store):
    """Once the fact is gone a person's statement needs no decision."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1, ConflictDecision.DISMISS)
    await retract(memory, REPO)

    machine = await guess(memory, CONTAINER)
    person, _ = await state(memory, CONTAINER)

    assert machine.reason == "settled"
    assert person.verdict is Verdict.HELD
    assert (await read(store, "conflict", 1)).state is ConflictState.DISMISSED
    assert await in_step(memory, store)


async def test_replaced_fact_gets_an_item_of_its_own(memory, store):
    """A person who states again what an update replaced opens a new conflict."""
    await contradict(memory, REPO, CONTAINER)
    await resolve(memory, 1)

    machine = await guess(memory, REPO)
    person, _ = await state(memory, REPO)

    assert machine.reason == "settled"
    assert (person.verdict, person.conflict_id) == (Verdict.CONFLICTED, 2)
    assert (await read(store, "conflict", 1)).state is RESOLVED
    assert await in_step(memory, store)
