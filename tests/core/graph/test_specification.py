from __future__ import annotations

from typing import Any

from festinger.core.graph.conflicts import Clash
from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.language.turns import Role, Turn
from festinger.core.recollection.concepts import render
from festinger.core.system.preferences import Preferences
from festinger.services.world.tenant_memory import TenantMemory
from tests.memories import NOW, TRUST, contested_world, recollect_prompt
from tests.structures import (
    SoasRow,
    UrdEdge,
    build_world,
    soas_by_token,
    urd_by_concept,
    urd_by_concept_dim,
)

# The documents' own cases, on the five structures that they name.

PROMPT_A = "Please update gnommoweb to use FastAPI instead"
PROMPT_B = "gnommoweb is a container deployed on Docker"

DICTIONARY = frozenset({"please", "update", "use", "instead"})

HINT = (
    "? gnommoweb: no recollection. If not a typo, store it before proceeding:\n"
    "  gutask iknowthat 'gnommoweb -isa <parent> in context of <dimension>'\n"
    "  gutask iknowthat 'gnommoweb -ispart <system> in context of <dimension>'"
)


class Queue:
    """A writer that keeps what it is offered."""

    def __init__(self, world):
        self.world = world
        self.jobs = []

    def offer(self, job):
        """Take it."""
        self.jobs.append(job)
        return True

    def refill(self):
        """Numbers are enough."""


def memory_of(world):
    """Return a memory over a world, whose writer writes nothing."""
    queue: Any = Queue(world)
    nowhere: Any = None
    settings = Preferences()
    return TenantMemory("default", queue, nowhere, lambda: NOW, TRUST, settings, 0)


async def ask(world, text):
    """Send a prompt of a person to a world; give the answer's block and outcomes."""
    turns = [Turn(Role.USER, text)]
    answer = recollect_prompt(memory_of(world), turns, principal="alice")
    return render(answer.lines), answer.outcomes


async def test_a_new_concepts_get_a_number_and_no_saliency():
    """Words that were never met are in the vocabulary after the prompt, at saliency 0."""
    world = build_world({}, dictionary=DICTIONARY, ids=range(101, 200))

    await ask(world, PROMPT_A)

    rows = [soas_by_token(world)[token] for token in ("gnommoweb", "fastapi")]
    assert {row.saliency for row in rows} == {0.0}
    assert {world.token(row.id) for row in rows} == {"gnommoweb", "fastapi"}


async def test_a_nothing_is_told_of_new_concepts():
    """A first encounter is below the read threshold, so there is no block."""
    world = build_world({}, dictionary=DICTIONARY)

    block, outcomes = await ask(world, PROMPT_A)

    assert (block, outcomes) == ("", [])


async def test_a_nothing_collides():
    """A prompt that states nothing leaves the graph and the queue as they were."""
    world = build_world({}, dictionary=DICTIONARY)

    await ask(world, PROMPT_A)

    assert world.conflicts.doubts.keys() == set()
    assert len(world.conflicts) == 0
    assert urd_by_concept(world) == {}


async def test_a_variant_salient_and_unknown_draws_a_hint():
    """A concept that was met often and that nothing places is asked about."""
    soas = {"gnommoweb": SoasRow(id=101, saliency=0.9, encounter_count=50)}
    world = build_world(soas, {101: "gnommoweb"}, dictionary=DICTIONARY)

    block, _ = await ask(world, PROMPT_A)

    assert block == f"<recollection>\n{HINT}\n</recollection>"
    assert world.conflicts.doubts.keys() == set()


async def test_a_variant_needs_no_count_beside_a_saliency():
    """A row that was filled by hand with a saliency alone has the count of it."""
    soas = {"gnommoweb": SoasRow(id=101, saliency=0.9)}
    world = build_world(soas, dictionary=DICTIONARY)

    block, _ = await ask(world, PROMPT_A)

    assert HINT in block


async def test_what_the_prompt_places_is_not_asked_about():
    """Its agent has just been told; from the next prompt on it is a fact."""
    soas = {"gnommoweb": SoasRow(id=101, saliency=0.9, encounter_count=50)}
    world = build_world(soas, {101: "gnommoweb"}, dictionary=DICTIONARY)

    block, outcomes = await ask(world, "gnommoweb is a repo")

    assert [it.verdict for it in outcomes] == [Verdict.HELD]
    assert block == ""


async def test_what_the_prompt_contests_is_not_asked_about():
    """However weak the fact is that it contradicts: something waits for a decision."""
    edge = UrdEdge(101, 201, 1, True, confidence=0.3)
    world = contested_world(edges=[edge])

    block, outcomes = await ask(world, PROMPT_B)

    assert outcomes[0].verdict is Verdict.CONFLICTED
    assert "no recollection" not in block


async def test_b_collides_and_the_incumbent_stays():
    """A second class in one dimension is refused, and the first one is what is held."""
    world = contested_world()

    _, outcomes = await ask(world, PROMPT_B)

    assert [(it.verdict, it.collision) for it in outcomes[:1]] == [
        (Verdict.CONFLICTED, CollisionType.ISA_ISA)
    ]
    assert urd_by_concept_dim(world)[101, 1].parent_id == 201
    assert urd_by_concept(world)[101] == [urd_by_concept_dim(world)[101, 1]]


async def test_b_is_pending_at_once():
    """The concept is among the contested ones before anything was written."""
    world = contested_world()

    await ask(world, PROMPT_B)

    assert world.conflicts.doubts.keys() == {101}
    assert list(world.conflicts) == [Clash(101, 1, 202, negated=False)]


async def test_b_tells_of_the_conflict_in_the_same_answer():
    """The block of the prompt that raised a conflict says so."""
    block, _ = await ask(contested_world(), PROMPT_B)

    assert block == (
        "<recollection>\ngnommoweb: [type?] repo — conflict pending\n</recollection>"
    )


async def test_b_queues_one_item():
    """The writer gets the statement, once."""
    world = contested_world()
    memory = memory_of(world)

    recollect_prompt(memory, [Turn(Role.USER, PROMPT_B)], principal="alice")

    (job,) = memory.writer.jobs
    stated = [str(proposal.triple) for proposal in job.proposals]
    assert stated.count("gnommoweb -isa container in context of type") == 1


async def test_two_dimensions_are_told_in_the_order_of_their_names():
    """The documents' example line: dimensions in name order, no marker."""
    names = {1: "geography", 2: "glitch_university", 3: "ramanujan", 4: "repo"}
    world = build_world(
        {"gnommoweb": SoasRow(id=101, novelty=1.0)},
        names,
        edges=[UrdEdge(101, 4, 2, True), UrdEdge(101, 3, 1, False)],
    )

    block, _ = await ask(world, "What about gnommoweb?")

    line = "gnommoweb: [geography] ramanujan [glitch_university] repo"
    assert block == f"<recollection>\n{line}\n</recollection>"


async def test_a_hand_filled_pending_conflict_marks_the_line():
    """`contested` given as bare concepts contests all of their dimensions."""
    world = contested_world(contested={101})

    block, _ = await ask(world, "gnommoweb again")

    assert "gnommoweb: [type?] repo — conflict pending" in block
