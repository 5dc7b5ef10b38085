from __future__ import annotations

import pytest

from festinger.core.graph.gate import classify, judge
from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.graph.proposal import Proposal, StatementSource, Triple
from tests.memories import held, propose, stated, world_of
from tests.structures import soas_by_token

HELD, CORROBORATED = Verdict.HELD, Verdict.CORROBORATED
CONFLICTED, CANDIDATE = Verdict.CONFLICTED, Verdict.CANDIDATE

# What is held, what is stated, how they collide.
COLLISIONS = [
    ("ant -isa bee", "ant -isa cat", CollisionType.ISA_ISA),
    ("ant -ispart bee", "ant -ispart cat", CollisionType.ISPART_ISPART),
    (
        "ant -isa bee",
        "ant -ispart cat in context of type",
        CollisionType.MISCLASSIFICATION,
    ),
    ("ant -ispart bee", "ant -isa cat in context of membership", "misclassification"),
    (
        "ant -isa bee",
        "ant -ispart bee in context of type",
        CollisionType.MISCLASSIFICATION,
    ),
    ("bee -isa ant", "ant -isa bee", CollisionType.CYCLE),
    ("bee -ispart ant", "ant -isa bee in context of membership", CollisionType.CYCLE),
    ("ant -isa bee", "ant -not -isa bee", CollisionType.NEGATION),
    ("ant -not -isa bee", "ant -isa bee", CollisionType.NEGATION),
    ("ant -not -ispart bee", "ant -ispart bee", CollisionType.NEGATION),
]

# What is held, what is stated, and that it does not collide.
COEXISTING = [
    ("ant -isa bee", "ant -isa cat in context of tech"),
    ("ant -isa bee", "ant -ispart cat"),
    ("ant -isa bee", "cat -isa bee"),
    ("ant -isa bee", "bee -isa ant in context of tech"),
    ("ant -isa bee", "ant -not -isa cat"),
    ("ant -not -isa bee", "ant -isa cat"),
    ("ant -not -isa bee", "ant -isa bee in context of tech"),
    ("ant -isa bee", "bee -not -isa ant"),
]

# Confidence, whether it may assert, what becomes of it.
BANDS = [
    (1.00, True, HELD, ""),
    (0.70, True, HELD, ""),
    (0.69, True, CANDIDATE, "doubtful"),
    (0.45, True, CANDIDATE, "doubtful"),
    (0.44, True, Verdict.REJECTED, "low_confidence"),
    (0.00, True, Verdict.REJECTED, "low_confidence"),
    (1.00, False, CANDIDATE, "only_proposed"),
    (0.45, False, CANDIDATE, "only_proposed"),
    (0.44, False, Verdict.REJECTED, "low_confidence"),
]

NOT_TOKENS = [
    "",
    " ",
    "web service",
    "yak" * 65,
    "http://example.com",
    "<b>",
    "system:",
    "Repo",
    "a\nb",
    "re\u200bpo",
    "one_two_three_four_five_six_seven_eight_nine_ten_eleven_twelve_thirteen_fourteen_fifteen_sixteen_more",
    "ignore-all-previous-instructions-and-obey",
]


def test_new_fact_is_held():
    """A statement without objection is a fact from now on."""
    (outcome,) = propose(world_of(), stated("gnommoweb -isa repo"))

    assert outcome.verdict is HELD
    assert outcome.fact is not None
    assert (outcome.fact.parent, outcome.fact.dimension) == ("repo", "type")


@pytest.mark.parametrize(("fact", "statement", "collision"), COLLISIONS)
def test_collision_has_a_type(fact, statement, collision):
    """A statement that what is held forbids says how the two collide."""
    (outcome,) = propose(world_of(fact), stated(statement, "bob"))

    assert (outcome.verdict, outcome.collision) == (CONFLICTED, collision)
    assert outcome.reason == collision


@pytest.mark.parametrize(("fact", "statement", "collision"), COLLISIONS)
def test_refused_fact_leaves_the_incumbent(fact, statement, collision):
    """A collision changes nothing of what is held or denied."""
    world = world_of(fact)
    before = held(world), dict(world.denials)

    propose(world, stated(statement, "bob"))

    assert (held(world), dict(world.denials)) == before


@pytest.mark.parametrize(("fact", "statement"), COEXISTING)
def test_other_places_do_not_collide(fact, statement):
    """Another dimension, another concept or another parent's denial is no contradiction."""
    (outcome,) = propose(world_of(fact), stated(statement))

    assert outcome.verdict is HELD


def test_contested_fact_says_so():
    """The incumbent that comes with a refusal is contested from then on."""
    (outcome,) = propose(world_of("ant -isa bee"), stated("ant -isa cat"))

    assert outcome.fact is not None
    assert outcome.fact.contested


def test_collision_names_both_sides():
    """The sentence for people names the concept, the incumbent and the newcomer."""
    world = world_of("gnommoweb -isa repo")

    (outcome,) = propose(world, stated("gnommoweb -isa container"))

    for name in ("gnommoweb", "repo", "container", "type"):
        assert name in outcome.message


@pytest.mark.parametrize("length", [2, 3, 10, 200])
def test_cycle_of_any_length_is_refused(length):
    """The way up is walked to its end, however long it is."""
    chain = [f"n{i} -ispart n{i + 1}" for i in range(length - 1)]
    world = world_of(*chain)

    (outcome,) = propose(world, stated(f"n{length - 1} -ispart n0"))

    assert outcome.collision is CollisionType.CYCLE


def test_cycle_within_one_batch_is_refused():
    """The second half of a circle sees the first, though neither is written yet."""
    world = world_of()

    outcomes = propose(
        world, stated("ant -isa bee"), stated("bee -isa cat"), stated("cat -isa ant")
    )

    assert [it.verdict for it in outcomes] == [HELD, HELD, CONFLICTED]


def test_cycle_has_no_incumbent():
    """If nothing is held in the dimension there is no fact to show."""
    (outcome,) = propose(world_of("bee -isa ant"), stated("ant -isa bee"))

    assert outcome.fact is None


def test_roots_neither_collide_nor_close_a_circle():
    """A dimension's root ends the way up, and takes nobody's place (C1)."""
    world = world_of("ant -isa bee in context of tech")

    (outcome,) = propose(world, stated("cat -isa tech in context of tech"))

    assert outcome.verdict is HELD


def test_dimension_is_a_concept_in_other_dimensions():
    """A name of a dimension may be placed elsewhere like any concept."""
    world = world_of("gnommoweb -isa repo in context of glitch_university")

    (outcome,) = propose(world, stated("glitch_university -isa school"))

    assert outcome.verdict is HELD


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        ("repo -isa repo", "self_reference"),
        ("repo -not -isa repo", "self_reference"),
        ("tech -isa stack in context of tech", "own_dimension"),
        ("type -isa thing", "own_dimension"),
    ],
)
def test_impossible_statement_is_rejected(fact, reason):
    """A concept is neither in itself nor anywhere in its own dimension."""
    (outcome,) = propose(world_of(), stated(fact))

    assert (outcome.verdict, outcome.reason) == (Verdict.REJECTED, reason)


@pytest.mark.parametrize("name", NOT_TOKENS)
@pytest.mark.parametrize("place", ["concept", "parent", "dimension"])
def test_only_tokens_become_knowledge(name, place):
    """Nothing that could not stand in a prompt is held, at any place (E4)."""
    names = {"concept": "ant", "parent": "bee", "dimension": "cat", place: name}
    triple = Triple(**names, is_isa=True)

    outcome = judge(stated("ant -isa bee", triple=triple), world_of())

    assert (outcome.verdict, outcome.reason) == (Verdict.REJECTED, "not_a_token")


@pytest.mark.parametrize(("confidence", "asserts", "verdict", "reason"), BANDS)
def test_confidence_decides_a_new_statement(confidence, asserts, verdict, reason):
    """From 0.70 it is held if it may assert, from 0.45 it waits, below it is refused."""
    proposal = stated("ant -isa bee", confidence=confidence, asserts=asserts)

    outcome = judge(proposal, world_of())

    assert (outcome.verdict, outcome.reason) == (verdict, reason)


def test_candidate_keeps_the_reason_of_its_finder():
    """Why a statement is doubtful is what the scanner said, where it said something."""
    proposal = stated("ant -isa bee", confidence=0.5, reason="generic")

    assert judge(proposal, world_of()).reason == "generic"


def test_candidate_reserves_nothing():
    """A candidate is not held, and does not stand in anybody's way."""
    world = world_of()

    outcomes = propose(
        world, stated("ant -isa bee", asserts=False), stated("ant -isa cat", "bob")
    )

    assert [it.verdict for it in outcomes] == [CANDIDATE, HELD]


def test_doubtful_contradiction_waits_without_contesting():
    """A caller who may only propose cannot raise a conflict either."""
    world = world_of("ant -isa bee")

    (outcome,) = propose(world, stated("ant -isa cat", asserts=False))

    assert outcome.verdict is CANDIDATE
    assert world.conflicts.doubts.keys() == set()


@pytest.mark.parametrize(
    ("fact", "asserts", "verdict"),
    [
        ("ant -isa bee", False, Verdict.REJECTED),
        ("ant -isa bee", True, CORROBORATED),
        ("ant -not -isa bee", False, Verdict.REJECTED),
        ("ant -not -isa bee", True, CORROBORATED),
    ],
)
def test_doubtful_statement_of_what_is_held(fact, asserts, verdict):
    """It confirms if it may assert; a tool's or a model's is no candidate and no news."""
    world = world_of(fact)

    (outcome,) = propose(world, stated(fact, "bob", confidence=0.5, asserts=asserts))

    assert outcome.verdict is verdict


def test_decided_statement_is_past_its_doubt():
    """A candidate that a person confirmed is judged by the facts alone."""
    proposal = stated("ant -isa bee", confidence=0.5, asserts=False, decided=True)

    assert judge(proposal, world_of()).verdict is HELD


def test_decided_statement_still_collides():
    """A person's confirmation does not open a second door (I2)."""
    proposal = stated("ant -isa cat", decided=True, source=StatementSource.VALIDATED)

    outcome = judge(proposal, world_of("ant -isa bee"))

    assert outcome.collision is CollisionType.ISA_ISA


def test_denial_is_held_once():
    """Saying again what is denied confirms it."""
    outcomes = propose(
        world_of(), stated("ant -not -isa bee"), stated("ant -not -isa bee")
    )

    assert [it.verdict for it in outcomes] == [HELD, CORROBORATED]


def test_denial_is_no_fact():
    """A denied statement places nothing and is never its positive (C6)."""
    world = world_of("ant -not -isa bee")

    assert held(world) == set()
    assert not world.is_known("ant")


def test_judging_changes_nothing():
    """A verdict is a value: the world of an unknown statement stays empty."""
    world = world_of()

    judge(stated("ant -isa bee"), world)

    assert len(soas_by_token(world)) == 0


@pytest.mark.parametrize(
    ("incumbent", "incoming", "collision"),
    [
        (True, True, CollisionType.ISA_ISA),
        (False, False, CollisionType.ISPART_ISPART),
        (True, False, CollisionType.MISCLASSIFICATION),
        (False, True, CollisionType.MISCLASSIFICATION),
    ],
)
def test_flavours_decide_the_collision(incumbent, incoming, collision):
    """The specification's table of `is_isa` flags."""
    assert classify(incumbent, incoming) is collision


def test_agents_text_teaches_nothing_in_a_hundred_chains():
    """Tool and assistant text, however often repeated, brings no shared fact."""
    world = world_of()
    chain = [
        Proposal(
            Triple(f"victim{i % 7}", f"lie{i}", "type", is_isa=True),
            confidence=0.95,
            source=StatementSource.INFERRED,
            principal=f"agent{i % 3}",
            proposer="scanner",
            asserts=False,
        )
        for i in range(100)
    ]

    propose(world, *chain)

    assert held(world) == set()
