from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.graph.outcome import ASSERTED
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.graph.statement import parse_fact
from festinger.core.graph.tombstones import SettledBy, Tombstone
from festinger.core.world.draft import Draft
from festinger.core.world.publishing import (
    ConceptRow,
    ConceptSnapshot,
    renumber,
    take_over,
)
from tests.memories import NOW, held, propose, snapshot, stated, world_of
from tests.structures import soas_by_token

FACTS = [
    f"{concept} {verb} {parent}"
    for concept in ("ant", "bee", "cat")
    for verb in ("-isa", "-not -isa", "-ispart")
    for parent in ("dog", "eel")
]


def number(world, token):
    """Return the number of a name."""
    concept_id = world.id(token)
    assert concept_id is not None
    return concept_id


def edge(concept_id, parent_id, dim_id, confidence=0.9):
    """Return an edge as another server wrote it."""
    return _fast.Edge(
        concept_id,
        parent_id,
        dim_id,
        True,
        confidence,
        NOW,
        StatementSource.GUTASK.code,
        ASSERTED,
        1,
    )


def names_of(world, *tokens):
    """Return names as the database has them."""
    return [
        ConceptRow(number(world, it), it, novelty=0.0, everyday=False) for it in tokens
    ]


def everything(world, places, version):
    """Return the contents of a world about concepts, as news of them."""
    rows = [world.vocabulary.row(it) for it in world.vocabulary]
    return ConceptSnapshot(
        version,
        places,
        [ConceptRow(it.id, it.token, it.novelty, it.dictionary) for it in rows],
        [edge for edge in world.graph if edge.concept_id in places],
        {key: it for key, it in world.denials.items() if key[0] in places},
        {
            key: world.queued(key) or 0
            for key in world.conflicts
            if key.concept_id in places
        },
        {key: it for key, it in world.tombstones.items() if key[0] in places},
        {key: it for key, it in world.redirects.items() if key[0] in places},
    )


def write(world, statements):
    """State facts as one batch of a server, and say what that touched."""
    draft = Draft(world, now=NOW)
    for fact in statements:
        draft.propose(stated(fact))
    clashes = [it.clash for it in draft.changes.entries if it.clash]
    numbers = {it: count for count, it in enumerate(clashes, 1)}
    draft.publish(numbers, world.version + 1)
    return draft.changes.touched


def rewrite(world, retracted, moved):
    """Take back and moves what is held, as one batch, and say what that touched."""
    draft = Draft(world, now=NOW)
    for fact in retracted:
        triple = parse_fact(fact)
        if triple in held(world):
            draft.retract(triple, principal="op")
    for fact in moved:
        draft.move(parse_fact(fact), "tech", by="conflict 1")
    draft.publish({}, world.version + 1)
    return draft.changes.touched


def known(world):
    """Return the contents of a world by names, so that it compares."""
    token = world.vocabulary.token
    return {
        "held": held(world),
        "denied": {tuple(map(token, it)) for it in world.denials},
        "pending": {(*map(token, it[:3]), it[3]) for it in world.conflicts},
        "settled": {
            (*map(token, key[:3]), key[3], it) for key, it in world.tombstones.items()
        },
        "moved": {
            (*map(token, key[:3]), key[3], token(it))
            for key, it in world.redirects.items()
        },
        "contested": {
            (token(it.concept_id), token(it.dim_id))
            for it in world.graph
            if world.conflicts.contested(it.concept_id, it.dim_id)
        },
        "known": {token(it) for it in world.vocabulary if world.is_known(token(it))},
        "lines": {it.text for it in world.lines.every()},
    }


@given(
    first=st.lists(st.sampled_from(FACTS), max_size=6),
    second=st.lists(st.sampled_from(FACTS), max_size=6),
    retracted=st.lists(st.sampled_from(FACTS), max_size=2, unique=True),
    moved=st.lists(st.sampled_from(FACTS), max_size=2, unique=True),
)
def test_follower_knows_what_the_writer_knows(first, second, retracted, moved):
    """News of the changes of two batches alone bring another world to the same state."""
    writer, follower = world_of(*first), world_of()
    take_over(follower, everything(writer, list(writer.vocabulary), writer.version))

    touched = write(writer, second) | rewrite(writer, retracted, moved)
    take_over(follower, everything(writer, touched, writer.version))

    assert known(follower) == known(writer)
    assert follower.version == writer.version


def test_news_replace_what_was_held():
    """A fact that is not among the news of its concept is held no more."""
    world = world_of("ant -isa bee", "ant -ispart dog", "cat -isa bee")
    ant, bee, kind = (number(world, it) for it in ("ant", "bee", "type"))

    news = ConceptSnapshot(5, [ant], names_of(world, "ant"), [edge(ant, bee, kind)])
    take_over(world, news)

    assert held(world) == {
        Triple("ant", "bee", "type", True),
        Triple("cat", "bee", "type", True),
    }


def test_news_lift_what_was_settled_and_moved():
    """Tombstones, redirects and denials that are gone there are gone here."""
    world = world_of("ant -not -isa bee")
    ant, bee, kind = (number(world, it) for it in ("ant", "bee", "type"))
    key = Clash(ant, kind, bee, False)
    world.tombstones[key] = Tombstone(SettledBy.RETRACTED)
    world.redirects[key] = bee

    take_over(world, ConceptSnapshot(5, [ant], names_of(world, "ant")))

    assert not world.denials
    assert not world.tombstones
    assert not world.redirects


def test_what_is_on_its_way_stays_shown():
    """A conflict that a prompt showed and nobody wrote yet outlives the news."""
    world = world_of("ant -isa bee")
    ant, bee, kind = (number(world, it) for it in ("ant", "bee", "type"))
    shown, written = Clash(ant, kind, 1, False), Clash(ant, kind, 2, False)
    world.conflicts.add(shown)
    world.conflicts.add(written, 3)

    news = ConceptSnapshot(5, [ant], names_of(world, "ant"), [edge(ant, bee, kind)])
    take_over(world, news)

    assert list(world.conflicts) == [shown]


def test_older_news_do_not_turn_the_version_back():
    """A world reflects at least what it did."""
    world = world_of("ant -isa bee")
    world.version = 9

    take_over(world, ConceptSnapshot(5))

    assert world.version == 9


def test_nothing_new_changes_nothing():
    """News about no concept leave everything as it is."""
    world = world_of("ant -isa bee", "ant -isa cat", "ant -not -isa dog")
    before = snapshot(world)

    take_over(world, ConceptSnapshot(world.version))

    assert snapshot(world) == before


def test_name_that_was_written_is_saved():
    """A concept with a row is not written again, and is as novel as there."""
    world = world_of()
    (met,) = world.meet_all(["ant"], now=NOW)

    take_over(
        world,
        ConceptSnapshot(
            5, [met], [ConceptRow(met, "ant", novelty=1.0, everyday=False)]
        ),
    )

    assert met not in world.unsaved
    assert world.is_known("ant")


def test_new_name_of_another_server_is_known():
    """A token that was met elsewhere only has its number here too."""
    world = world_of()

    take_over(
        world,
        ConceptSnapshot(5, [7], [ConceptRow(7, "ant", novelty=0.0, everyday=True)]),
    )

    assert number(world, "ant") == 7
    assert world.vocabulary.row(7).dictionary


@pytest.mark.parametrize("rewritten", [False, True])
def test_dropped_name_of_a_read_statement_is_forgotten(rewritten):
    """Its statement is not found any more, even if the name was written anew since."""
    world = world_of("ant -isa bee")
    ant = number(world, "ant")
    (read,) = world.facts(ant)
    world.origins[read.assertion_id] = StatementOrigin(
        *("an ant is like a bee", "nadia", "nadia", "", "s", NOW, b"0" * 16),
        reader=StatementReader.MODEL,
    )
    world.statements.follow(ant)
    names = [ConceptRow(7, "ant", novelty=0.0, everyday=False)] if rewritten else []

    take_over(world, ConceptSnapshot(5, [ant], names))

    assert world.id("ant") == (7 if rewritten else None)
    assert not world.lines.search_text("ant", limit=9)


def test_dropped_name_is_forgotten():
    """A concept without a row is gone, however often it was met."""
    world = world_of()
    world.vocabulary.add("ant", 7, encounters=5)

    take_over(world, ConceptSnapshot(5, [7]))

    assert world.id("ant") is None
    assert 7 not in world.unsaved


def test_dropped_name_that_was_met_just_now_keeps_its_encounter():
    """A concept without a row whose encounter waits to be written is written with it."""
    world = world_of()
    (met,) = world.meet_all(["ant"], now=NOW)

    take_over(world, ConceptSnapshot(5, [met]))

    assert world.unsaved == {met: "ant"}
    assert world.vocabulary.drain() == [(met, 1, NOW)]


def test_unknown_concept_may_be_dropped():
    """News that a concept is gone which was never known here are no news."""
    world = world_of()

    take_over(world, ConceptSnapshot(5, [12345]))

    assert len(soas_by_token(world)) == 0


def test_token_takes_the_number_of_who_was_first():
    """Its encounters stay, and it needs no row of its own."""
    world = world_of()
    world.meet_all(["ant"], now=NOW)

    renumber(world, {"ant": 7})

    assert number(world, "ant") == 7
    assert world.vocabulary.row(7).encounters == 1
    assert world.unsaved == {}


@pytest.mark.parametrize(("token", "everyday"), [("ant", False), ("work", True)])
def test_token_that_was_not_met_is_numbered(token, everyday):
    """The number of another server is taken, and an everyday word stays one."""
    world = world_of(dictionary=frozenset(["work"]))

    renumber(world, {token: 7})

    assert number(world, token) == 7
    assert world.vocabulary.row(7).dictionary == everyday


def test_same_number_is_no_change():
    """A name that has the number already still waits for its row."""
    world = world_of()
    (met,) = world.meet_all(["ant"], now=NOW)

    renumber(world, {"ant": met})

    assert world.unsaved == {met: "ant"}


def test_conflict_is_told_once():
    """An item that was shown gets its number and is contested once."""
    world = world_of("ant -isa bee")
    propose(world, stated("ant -isa cat"))
    (key,) = world.conflicts

    take_over(world, everything(world, [key.concept_id], 5))

    assert world.conflicts.mentions(key.parent_id) == 1
