from __future__ import annotations

import pytest

from festinger.core.graph.conflicts import Clash
from festinger.core.graph.gate import SETTLED, clash, judge, redirected
from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.graph.proposal import StatementSource
from festinger.core.graph.resolution import ConflictDecision, Settlement
from festinger.core.graph.statement import parse_fact
from festinger.core.graph.tombstones import SettledBy, Tombstone
from festinger.core.world.draft import Draft
from festinger.errors import FactNotHeld
from tests.memories import NOW, held, propose, stated, world_of
from tests.structures import soas_by_token

MACHINES = [
    StatementSource.INFERRED,
    StatementSource.CLOUD_LLM,
    StatementSource.EXTRACTED,
    StatementSource.DREAMING,
]
PEOPLE = [
    StatementSource.GUTASK,
    StatementSource.PROMOTED,
    StatementSource.VALIDATED,
    StatementSource.FESTINGER,
]

FACT = "ant -isa bee"


def key_of(world, fact):
    """Return the numbers of a statement."""
    key = clash(parse_fact(fact), world)
    assert key is not None
    return key


def add_tombstone(world, fact, ending=SettledBy.RETRACTED, conflict_id=0):
    """Let a statement be settled against."""
    draft = Draft(world, now=NOW)
    draft.add_tombstone(parse_fact(fact), Tombstone(ending, conflict_id))
    draft.publish({}, world.version + 1)


def retract(world, fact):
    """Take a statement back, and say what was."""
    draft = Draft(world, now=NOW)
    retraction = draft.retract(parse_fact(fact), principal="op", why="wrong")
    draft.publish({}, world.version + 1)
    return retraction


def replace(world, fact):
    """Decide the conflict of a statement for it."""
    draft = Draft(world, now=NOW)
    draft.settle(Settlement(key_of(world, fact), 7, ConflictDecision.UPDATE, "op"))
    draft.close(parse_fact(fact), by="conflict 7")
    outcome = draft.propose(stated(fact, "op", decided=True)).outcome
    draft.publish({}, world.version + 1)
    return outcome


def dismiss(world, fact):
    """Decide the conflict of a statement against it."""
    draft = Draft(world, now=NOW)
    draft.settle(Settlement(key_of(world, fact), 7, ConflictDecision.DISMISS, "op"))
    draft.publish({}, world.version + 1)


def move(world, fact, *dimensions):
    """Send a statement to a dimension, and from there to the next."""
    triple = parse_fact(fact)
    for dimension in dimensions:
        draft = Draft(world, now=NOW)
        triple = draft.move(triple, dimension, by="conflict 7")
        proposal = stated(FACT, "op", triple=triple, decided=True)
        draft.propose(proposal)
        draft.publish({}, world.version + 1)


def guessed(fact, source=StatementSource.INFERRED, **changes):
    """Return a proposal of what a machine found."""
    return stated(fact, source=source, confidence=0.75, **changes)


def led(world, fact):
    """Return the dimension in which a statement is judged."""
    return redirected(parse_fact(fact), world).dimension


@pytest.mark.parametrize("ending", SettledBy)
@pytest.mark.parametrize("source", MACHINES)
def test_machine_does_not_bring_back_what_is_settled(source, ending):
    """However it was settled against, a machine's statement is refused and says so."""
    world = world_of()
    add_tombstone(world, FACT, ending, conflict_id=7)

    (outcome,) = propose(world, guessed(FACT, source))

    assert (outcome.verdict, outcome.reason) == (Verdict.REJECTED, SETTLED)
    assert outcome.conflict_id == 7
    assert ending in outcome.message
    assert held(world) == set()


@pytest.mark.parametrize("ending", SettledBy)
@pytest.mark.parametrize("source", PEOPLE)
def test_person_brings_back_what_is_settled(source, ending):
    """A person's statement is held, and from then on a machine's confirms it."""
    world = world_of()
    add_tombstone(world, FACT, ending)

    outcomes = propose(world, stated(FACT, source=source), guessed(FACT))

    assert [it.verdict for it in outcomes] == [Verdict.HELD, Verdict.CORROBORATED]
    assert not world.tombstones


def test_confirmed_statement_of_a_machine_counts_anew():
    """Once a person decided for it, it matters no more who made it."""
    world = world_of()
    add_tombstone(world, FACT)

    (outcome,) = propose(world, guessed(FACT, decided=True))

    assert outcome.verdict is Verdict.HELD


@pytest.mark.parametrize("confidence", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("asserts", [True, False])
def test_settled_statement_is_no_candidate_either(confidence, asserts):
    """A statement that was settled against asks nobody for a confirmation again."""
    world = world_of()
    add_tombstone(world, FACT, SettledBy.REJECTED)

    outcome = judge(
        guessed(FACT, asserts=asserts)
        if confidence == 1.0
        else stated(FACT, source=StatementSource.INFERRED, confidence=confidence),
        world,
    )

    assert outcome.reason == SETTLED


@pytest.mark.parametrize(
    "other",
    [
        "ant -isa cat",
        "ant -isa bee in context of tech",
        "bee -isa ant",
        "ant -not -isa bee",
    ],
)
def test_other_statements_are_not_settled(other):
    """Another parent, dimension or concept, or the denial, is another statement."""
    world = world_of()
    add_tombstone(world, FACT)

    (outcome,) = propose(world, guessed(other))

    assert outcome.verdict is Verdict.HELD


def test_settled_statement_is_counted():
    """Each time that a machine makes it again is counted on what is left of it."""
    world = world_of()
    add_tombstone(world, FACT)
    draft = Draft(world, now=NOW)

    for _ in range(3):
        draft.propose(guessed(FACT))

    assert draft.changes.counted == {key_of(world, FACT): 3}


def test_settled_statement_raises_no_conflict():
    """A dismissed statement draws no marker and no new item, however often it is made."""
    world = world_of(FACT)
    propose(world, guessed("ant -isa cat"))
    dismiss(world, "ant -isa cat")

    (outcome,) = propose(world, guessed("ant -isa cat"))

    assert (outcome.reason, outcome.conflict_id) == (SETTLED, 7)
    assert outcome.fact is not None
    assert outcome.fact.parent == "bee"
    assert world.conflicts.doubts.keys() == set()


@pytest.mark.parametrize("fact", [FACT, "ant -not -isa bee"])
def test_retracted_is_held_no_more(fact):
    """A fact or a denial ends with its retraction, and is settled against."""
    world = world_of(fact)

    retraction = retract(world, fact)

    assert (held(world), dict(world.denials)) == (set(), {})
    assert world.tombstones == {key_of(world, fact): Tombstone(SettledBy.RETRACTED)}
    assert retraction.triple == parse_fact(fact)
    assert (retraction.fact is None) == parse_fact(fact).negated


@pytest.mark.parametrize(
    ("fact", "asked", "told"),
    [
        (FACT, "ant -isa cat", "held as -isa bee"),
        (FACT, "ant -ispart bee in context of type", "held as -isa bee"),
        (FACT, "ant -not -isa bee", "held as -isa bee"),
        (FACT, "bee -isa ant", "nothing of the kind"),
        (FACT, "zebra -isa yak in context of xenon", "nothing of the kind"),
        ("ant -not -isa bee", FACT, "nothing of the kind"),
        (FACT, "type -isa type", "nothing of the kind"),
        (FACT, "type -isa ant", "nothing of the kind"),
    ],
)
def test_only_what_is_held_is_retracted(fact, asked, told):
    """A retraction that misses says what is held there, and changes nothing."""
    world = world_of(fact)
    before = set(world.graph), dict(world.denials), set(soas_by_token(world))

    with pytest.raises(FactNotHeld, match=told) as caught:
        retract(world, asked)

    assert caught.value.metadata == {"fact": str(parse_fact(asked))}
    assert (set(world.graph), dict(world.denials), set(soas_by_token(world))) == before
    assert not world.tombstones


def test_retraction_is_a_reservation():
    """A draft that is not published takes nothing back."""
    world = world_of(FACT)

    Draft(world, now=NOW).retract(parse_fact(FACT), principal="op")

    assert held(world) == {parse_fact(FACT)}
    assert not world.tombstones


def test_replaced_fact_stays_replaced():
    """After an update a machine does not bring the old fact up again; a person may."""
    world = world_of(FACT)
    propose(world, stated("ant -isa cat"))
    replace(world, "ant -isa cat")

    machine, person = propose(world, guessed(FACT), stated(FACT))

    # the closed item is about the statement that won
    assert (machine.reason, machine.conflict_id) == (SETTLED, 0)
    assert person.verdict is Verdict.CONFLICTED


def test_replaced_flavour_stays_replaced():
    """The same parent in the other sense was decided as well: it is not asked again."""
    world = world_of(FACT)
    part = "ant -ispart bee in context of type"
    propose(world, stated(part))
    replace(world, part)

    of_old, of_new = propose(world, guessed(FACT), guessed(part))

    assert of_old.reason == SETTLED
    assert of_new.verdict is Verdict.CORROBORATED


def test_dismissed_flavour_leaves_the_fact_alone():
    """A denied part does not stand in the way of becoming one."""
    world = world_of(FACT)
    part = "ant -ispart bee in context of type"
    propose(world, guessed(part))
    dismiss(world, part)

    of_fact, of_part = propose(world, guessed(FACT, principal="bob"), guessed(part))

    assert of_fact.verdict is Verdict.CORROBORATED
    assert of_part.reason == SETTLED


def test_update_to_a_denial_settles_the_fact():
    """A decision that it is not so outlives every machine that says it is."""
    world = world_of(FACT)
    propose(world, stated("ant -not -isa bee"))
    replace(world, "ant -not -isa bee")

    (outcome,) = propose(world, guessed(FACT))

    assert outcome.reason == SETTLED
    assert world.conflicts.doubts.keys() == set()


def test_person_reopens_the_dismissed_item():
    """A dismissed statement waits again on its own item; a replaced one on a new."""
    world = world_of(FACT)
    propose(world, stated("ant -isa cat"))
    dismiss(world, "ant -isa cat")
    draft = Draft(world, now=NOW)

    entry = draft.propose(stated("ant -isa cat"))

    assert entry.outcome.verdict is Verdict.CONFLICTED
    assert entry.reopens == 7
    assert draft.changes.tombstones == {key_of(world, "ant -isa cat"): None}


@pytest.mark.parametrize("ending", set(SettledBy) - {SettledBy.DISMISSED})
def test_only_what_was_dismissed_has_an_item_to_reopen(ending):
    """Whatever else was settled against gets an item of its own."""
    world = world_of(FACT)
    add_tombstone(world, "ant -isa cat", ending, conflict_id=7)

    entry = Draft(world, now=NOW).propose(stated("ant -isa cat"))

    assert (entry.outcome.verdict, entry.reopens) == (Verdict.CONFLICTED, 0)


def test_held_fact_is_not_buried():
    """The rejection of a candidate that is held meanwhile takes nothing back."""
    world = world_of(FACT)

    add_tombstone(world, FACT, SettledBy.REJECTED)

    assert not world.tombstones


def test_first_settlement_stays():
    """The rejection of a candidate does not hide the dismissed item of its statement."""
    world = world_of("ant -isa cat")
    add_tombstone(world, FACT, SettledBy.DISMISSED, conflict_id=7)

    add_tombstone(world, FACT, SettledBy.REJECTED)

    assert world.tombstones[key_of(world, FACT)] == Tombstone(SettledBy.DISMISSED, 7)


def test_what_is_held_waits_no_more():
    """A circle that was opened elsewhere closes the item of whoever states it again."""
    world = world_of("bee -isa ant")
    propose(world, stated(FACT))
    retract(world, "bee -isa ant")
    draft = Draft(world, now=NOW)

    draft.propose(guessed(FACT))

    (settlement,) = draft.changes.settlements
    assert (settlement.conflict_id, settlement.decision) == (7, ConflictDecision.UPDATE)


def test_moved_fact_is_confirmed_where_it_is():
    """A statement in its old dimension confirms the one in the new dimension (C5a)."""
    world = world_of(FACT)
    move(world, FACT, "artifact-type")

    (outcome,) = propose(world, guessed(FACT, principal="bob"))

    assert outcome.verdict is Verdict.CORROBORATED
    assert outcome.triple.dimension == "artifact-type"
    assert {it.dimension for it in held(world)} == {"artifact-type"}


def test_redirects_are_followed_to_the_end():
    """A fact that was moved twice is found by both of its old names."""
    world = world_of(FACT)
    move(world, FACT, "tech", "geography", "history")

    for dimension in ("type", "tech", "geography", "history"):
        assert led(world, f"{FACT} in context of {dimension}") == "history"


def test_fact_that_was_moved_back_stays():
    """Back where it came from it is sent away no more, and its detour leads there."""
    world = world_of(FACT)
    move(world, FACT, "tech", "geography", "type")

    for dimension in ("type", "tech", "geography"):
        assert led(world, f"{FACT} in context of {dimension}") == "type"
    assert held(world) == {parse_fact(FACT)}


def test_circle_of_redirects_ends():
    """Redirects that run in a circle, by whatever mishap, do not hang the gate."""
    world = world_of(FACT, "cat -isa dog in context of tech")
    ant, kind, bee, _ = key_of(world, FACT)
    tech = soas_by_token(world)["tech"].id
    retract(world, FACT)
    world.redirects[Clash(ant, kind, bee, False)] = tech
    world.redirects[Clash(ant, tech, bee, False)] = kind

    assert led(world, FACT) in {"type", "tech"}


def test_redirect_is_of_one_statement():
    """Other parents of the concept, and other concepts, stay in the old dimension (C8)."""
    world = world_of(FACT)
    move(world, FACT, "tech")

    assert led(world, "ant -isa cat") == "type"
    assert led(world, "cat -isa bee") == "type"


def test_denial_follows_the_fact():
    """A denial refers to the fact in its present place: the two collide (C6)."""
    world = world_of(FACT)
    move(world, FACT, "tech")

    (outcome,) = propose(world, stated("ant -not -isa bee"))

    assert outcome.collision is CollisionType.NEGATION
    assert outcome.triple.dimension == "tech"
    assert not world.denials


def test_fact_does_not_follow_its_denial():
    """A denial that was moved alone leaves the fact where it is stated."""
    world = world_of()
    move(world, "ant -not -isa bee", "tech")

    (outcome,) = propose(world, stated(FACT))

    assert (outcome.verdict, outcome.triple.dimension) == (Verdict.HELD, "type")


def test_moved_fact_is_retracted_by_its_old_name():
    """It is taken back where it is held, and then its old name is settled too."""
    world = world_of(FACT)
    move(world, FACT, "tech")

    retraction = retract(world, FACT)
    (outcome,) = propose(world, guessed(FACT))

    assert retraction.triple.dimension == "tech"
    assert held(world) == set()
    assert outcome.reason == SETTLED


def test_candidate_of_a_moved_statement_is_buried_where_it_is_judged():
    """A rejection of its old name holds for the place to which it leads."""
    world = world_of(FACT)
    move(world, FACT, "tech")
    propose(world, guessed("ant -isa cat in context of tech"))
    retract(world, FACT)
    propose(world, stated(FACT))
    retract(world, FACT)
    world.tombstones.clear()

    add_tombstone(world, FACT, SettledBy.REJECTED)

    (key,) = world.tombstones
    assert key == key_of(world, f"{FACT} in context of tech")


def test_statement_moves_without_being_held():
    """A refused statement leaves a redirect too: its repetition goes where it belongs."""
    world = world_of("ant -isa cat")
    draft = Draft(world, now=NOW)

    moved = draft.move(parse_fact(FACT), "tech", by="conflict 7")

    assert moved.dimension == "tech"
    assert draft.changes.closings == []
    assert redirected(parse_fact(FACT), draft).dimension == "tech"


def test_statement_that_stays_leaves_no_redirect():
    """To move to where it is is nothing."""
    world = world_of(FACT)
    draft = Draft(world, now=NOW)

    draft.move(parse_fact(FACT), "type", by="conflict 7")

    assert not draft.changes.redirects
    assert draft.changes.closings == []


def test_others_hear_of_what_is_settled_and_moved():
    """The concepts of retractions and redirects are among those that changed."""
    world = world_of(FACT, "cat -isa dog")
    draft = Draft(world, now=NOW)

    draft.retract(parse_fact(FACT), principal="op")
    draft.move(parse_fact("eel -isa fox"), "tech", by="conflict 7")

    names = {world.token(number) for number in draft.changes.touched}
    assert names == {"ant", "eel"}
