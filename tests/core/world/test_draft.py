from __future__ import annotations

import pytest

from festinger.core.graph.conflicts import Clash
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Triple
from festinger.core.graph.resolution import ConflictDecision, Settlement
from festinger.core.world.draft import Draft, corroborated
from tests.memories import NOW, held, propose, snapshot, stated, world_of
from tests.structures import build_world, soas_by_token, urd_by_concept_dim

PRINCIPALS = ["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"]


def confidence(world, concept, dimension="type"):
    """Return the world's confidence in a fact."""
    key = soas_by_token(world)[concept].id, soas_by_token(world)[dimension].id
    return urd_by_concept_dim(world)[key].confidence


def test_statements_of_a_batch_are_judged_in_order():
    """The first of two contradicting statements is held, the second meets it."""
    outcomes = propose(
        world_of(), stated("ant -isa bee"), stated("ant -isa cat", "bob")
    )

    assert [it.verdict for it in outcomes] == [Verdict.HELD, Verdict.CONFLICTED]


def test_second_statement_of_a_batch_confirms_the_first():
    """The same fact from two principals in one batch is held once, and confirmed."""
    world = world_of()

    propose(
        world,
        stated("ant -isa bee", confidence=0.8),
        stated("ant -isa bee", "bob", confidence=0.8),
    )

    assert held(world) == {Triple("ant", "bee", "type", True)}
    assert confidence(world, "ant") == pytest.approx(0.96)


def test_reservations_vanish_with_the_draft():
    """A draft that is not published leaves facts, denials and conflicts as they were."""
    world = world_of("ant -isa bee")
    before = snapshot(world) | {"soas_by_token": {}, "soas_by_id": {}}

    draft = Draft(world, now=NOW)
    for fact in ("cat -isa dog in context of eel", "ant -isa cat", "ant -not -isa yak"):
        draft.propose(stated(fact))

    assert snapshot(world) | {"soas_by_token": {}, "soas_by_id": {}} == before


def test_names_of_a_draft_stay():
    """Names enter the vocabulary at once, so that prompts meet the same concepts."""
    world = world_of()

    Draft(world, now=NOW).propose(stated("ant -isa bee"))

    assert {"ant", "bee", "type"} <= set(soas_by_token(world))
    assert set(world.unsaved.values()) == {"ant", "bee", "type"}


def test_publishing_holds_the_facts():
    """A held statement is an edge, its concept is placed, its dimension has a root."""
    world = world_of("gnommoweb -isa repo in context of tools")

    tools = soas_by_token(world)["tools"].id
    assert held(world) == {Triple("gnommoweb", "repo", "tools", True)}
    assert urd_by_concept_dim(world)[tools, tools].parent_id == tools
    assert soas_by_token(world)["gnommoweb"].novelty == 1.0


def test_only_the_placed_concept_becomes_novel():
    """Parent and dimension were named, not placed (B5, C1)."""
    world = world_of("gnommoweb -isa repo in context of tools")

    assert {soas_by_token(world)[it].novelty for it in ("repo", "tools")} == {0.0}


def test_publishing_sets_the_version():
    """The world says which commit it reflects."""
    world = world_of()
    draft = Draft(world, now=NOW)

    draft.publish({}, 42)

    assert world.version == 42


def test_publishing_numbers_the_conflicts():
    """A refused statement is known by the number that its queue item got."""
    world = world_of("ant -isa bee")
    draft = Draft(world, now=NOW)
    entry = draft.propose(stated("ant -isa cat"))
    assert entry.clash is not None

    draft.publish({entry.clash: 12}, 2)

    assert world.queued(entry.clash) == 12
    assert world.conflicts.about(entry.clash.concept_id) == [12]


def test_touched_names_every_changed_concept():
    """Held, denied, refused and new dimensions: others must look at all of these."""
    world = world_of("ant -isa bee")
    draft = Draft(world, now=NOW)

    draft.propose(stated("cat -isa dog in context of eel"))
    draft.propose(stated("fox -not -isa gnu"))
    draft.propose(stated("ant -isa hen"))
    draft.propose(stated("ibis -isa ibis"))

    names = {world.token(number) for number in draft.changes.touched}
    assert names == {"cat", "eel", "fox", "ant"}


def test_corroboration_is_a_noisy_or():
    """Two independent statements err together more rarely than each alone."""
    assert corroborated(0.7, 0.7) == pytest.approx(0.91)


@pytest.mark.parametrize(
    ("held", "by", "expected"),
    [(0.9, 0.95, 0.99), (0.99, 1.0, 0.99), (1.0, 0.5, 1.0), (0.7, 0.0, 0.7)],
)
def test_corroboration_stops_at_99_percent_and_never_lowers(held, by, expected):
    """No number of statements makes a certainty, and none takes one away (C3)."""
    assert corroborated(held, by) == pytest.approx(expected)


def test_each_principal_corroborates_once():
    """Saying it again moves the date, not the confidence."""
    world = world_of()
    fact = stated("ant -isa bee", confidence=0.7)

    draft = Draft(world, now=NOW)
    first = [draft.propose(fact).outcome.fact for _ in range(50)][-1]

    assert first is not None
    assert first.confidence == 0.7


def test_earlier_witnesses_count_no_second_time():
    """A person who stated a fact before this batch adds nothing to it now."""
    world = world_of()
    fact = stated("ant -isa bee", confidence=0.7)
    propose(world, fact)

    draft = Draft(world, witnesses={(fact.triple, "alice")}, now=NOW)
    again = draft.propose(fact).outcome.fact

    assert again is not None
    assert again.confidence == 0.7


def test_many_principals_reach_the_limit_and_stay():
    """Confidence rises with each principal up to 0.99."""
    world = world_of()
    rising = []
    for principal in PRINCIPALS:
        propose(world, stated("ant -isa bee", principal, confidence=0.7))
        rising.append(confidence(world, "ant"))

    assert rising == sorted(rising)
    assert rising[-1] == 0.99


def test_corroboration_moves_the_date_forwards_only():
    """A fact is as fresh as its newest statement, whatever the clock does."""
    world = world_of("ant -isa bee")

    for moment in (NOW + 100, NOW - 100):
        propose(world, stated("ant -isa bee", "bob"), now=moment)

    (edge,) = (it for it in world.graph if it.concept_id != it.parent_id)
    assert edge.last_confirmed == NOW + 100


def test_closing_an_edge_makes_room():
    """A fact that a decision ends is gone within the draft, and after it."""
    world = world_of("ant -isa bee")
    propose(world, stated("ant -isa cat"))
    draft = Draft(world, now=NOW)

    draft.close(Triple("ant", "cat", "type", True), by="conflict 1")
    draft.propose(stated("ant -isa cat"))
    draft.publish({}, 2)

    assert held(world) == {Triple("ant", "cat", "type", True)}
    assert [closing.by for closing in draft.changes.closings] == ["conflict 1"]


def test_closing_for_a_positive_ends_its_denial():
    """A statement that wins over its denial is held, and the denial is not."""
    world = world_of("ant -not -isa bee")
    draft = Draft(world, now=NOW)

    draft.close(Triple("ant", "bee", "type", True), by="conflict 1")
    draft.propose(stated("ant -isa bee"))
    draft.publish({}, 2)

    assert held(world) == {Triple("ant", "bee", "type", True)}
    assert world.denials == {}


def test_closing_for_a_denial_leaves_another_parent_alone():
    """A denial that it is a container does not end that it is a repo."""
    world = world_of("ant -isa repo", "yak -isa container")

    draft = Draft(world, now=NOW)
    draft.close(Triple("ant", "container", "type", True, negated=True), by="conflict 1")

    assert draft.changes.closings == []


def test_settling_takes_the_item_out():
    """A decided item is no longer pending once the decision is committed."""
    world = world_of("ant -isa bee")
    propose(world, stated("ant -isa cat"))
    (clash,) = world.conflicts

    draft = Draft(world, now=NOW)
    draft.settle(Settlement(clash, 7, ConflictDecision.UPDATE, "op"))
    draft.publish({}, 3)

    assert world.conflicts.doubts.keys() == set()
    assert draft.queued(clash) is None


def test_numbers_run_out_loudly():
    """A draft without numbers left is a defect of its writer, not a lost statement."""
    world = build_world(ids=range(1, 3))

    with pytest.raises(AssertionError, match="reserves numbers"):
        Draft(world, now=NOW).propose(stated("ant -isa bee"))


def test_repeated_refusals_are_one_item():
    """One pending item per refused statement, however often it is made."""
    world = world_of("ant -isa bee")

    propose(world, *[stated("ant -isa cat", name) for name in PRINCIPALS])

    assert len(world.conflicts) == 1


def test_refused_statement_and_its_denial_are_two_items():
    """The item's key holds the polarity."""
    keys = {Clash(1, 2, 3, False), Clash(1, 2, 3, True)}

    assert len(keys) == 2
