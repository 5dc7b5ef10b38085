from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger.core.graph.conflicts import Clash
from festinger.core.recollection.concepts import EDGES_MAX, Kind, recollect, render
from festinger.core.system.preferences import Preferences
from tests.memories import DAY, NOW, contested_world, propose, stated, world_of
from tests.structures import SoasRow, UrdEdge, build_world, soas_by_token

NAMES = ["ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"]


def tell(world, *concepts, now=NOW, **preferences):
    """Return the lines that tell of concepts, in this order of the prompt."""
    salient = [soas_by_token(world)[concept].id for concept in concepts]
    return recollect(world, salient, preferences=Preferences(**preferences), now=now)


def texts(*arguments, **keywords):
    """Return the texts of these lines."""
    return [line.text for line in tell(*arguments, **keywords)]


def world_with(*edges):
    """Return a world whose concept `dobby` has edges: confidence and age in days of each."""
    names = {1: "dobby"}
    placed = []
    for number, (confidence, days) in enumerate(edges, 10):
        names |= {number: f"dim{number}", number + 100: f"par{number}"}
        confirmed = NOW - days * DAY
        placed.append(
            UrdEdge(1, number + 100, number, True, confidence, last_confirmed=confirmed)
        )
    return build_world({"dobby": SoasRow(id=1, novelty=1.0)}, names, edges=placed)


def test_edges_of_a_concept_are_one_line():
    """Dimensions in the order of their names, however they were stated (D2)."""
    world = world_of(
        "gnommoweb -isa repo in context of glitch_university",
        "gnommoweb -ispart ramanujan in context of geography",
    )

    assert texts(world, "gnommoweb") == [
        "gnommoweb: [geography] ramanujan [glitch_university] repo"
    ]


def test_concepts_are_told_by_name():
    """The block's order is the names', not the prompt's."""
    world = world_of("cat -isa pet", "ant -isa pet", "bee -isa pet")

    concepts = [line.concept for line in tell(world, "cat", "ant", "bee")]

    assert concepts == ["ant", "bee", "cat"]


def test_only_direct_edges_are_told():
    """Depth is 1: what a parent is part of is not told of the child (D1)."""
    world = world_of("ant -isa bee", "bee -isa cat")

    assert texts(world, "ant") == ["ant: [type] bee"]


def test_roots_are_not_told():
    """A dimension's place in itself is no knowledge (C1)."""
    world = world_of("ant -isa bee in context of tools")

    assert texts(world, "tools") == []


def test_contested_dimension_is_marked_once():
    """The dimension has a question mark, and the line says why at its end."""
    world = world_of("ant -isa bee", "ant -ispart nest")
    propose(world, stated("ant -isa cat"), stated("ant -isa dog"))

    assert texts(world, "ant") == [
        "ant: [membership] nest [type?] bee — conflict pending"
    ]


@pytest.mark.parametrize(
    "statement", ["ant -not -isa bee", "ant -ispart cat in context of type"]
)
def test_every_kind_of_conflict_marks_what_is_held(statement):
    """A negation and a misclassification contest the fact like another class does."""
    world = world_of("ant -isa bee")
    propose(world, stated(statement))

    assert texts(world, "ant") == ["ant: [type?] bee — conflict pending"]


def test_conflict_without_a_fact_draws_no_marker():
    """A cycle where nothing is held in the dimension leaves the line as it is (C6)."""
    world = world_of("bee -isa ant", "ant -ispart nest")
    propose(world, stated("ant -isa bee"))

    assert texts(world, "ant") == ["ant: [membership] nest"]


def test_weak_and_old_edges_are_not_told():
    """Below the confidence floor or beyond the recency window an edge is left out (D4)."""
    world = world_with((0.59, 0), (0.60, 0), (0.9, 89.9), (0.9, 90.1))

    assert texts(world, "dobby") == ["dobby: [dim11] par11 [dim12] par12"]


@pytest.mark.parametrize(("confidence", "days"), [(0.59, 0), (0.9, 400)])
def test_contested_edge_is_told_however_weak_or_old(confidence, days):
    """
    A line that a reader would not have been told otherwise is told with its mark while
    a conflict about it is pending; other edges of that kind are not.
    """
    world = world_with((confidence, days), (confidence, days))
    world.conflicts.add(Clash(1, 10, 111, False), 1)

    assert texts(world, "dobby") == ["dobby: [dim10?] par10 — conflict pending"]


def test_window_and_floor_are_the_tenants():
    """The two limits come from the configuration."""
    world = world_with((0.3, 0), (0.9, 200))

    lines = texts(
        world,
        "dobby",
        recollection_confidence_floor=0.2,
        recollection_recency_days=365,
    )

    assert lines == ["dobby: [dim10] par10 [dim11] par11"]


def test_at_most_eight_edges_a_concept():
    """The surest and freshest are told, still in the order of their dimensions."""
    ages = list(range(12))
    random.Random(7).shuffle(ages)
    world = world_with(*[(0.9, days) for days in ages])

    (line,) = texts(world, "dobby")

    youngest = sorted(10 + ages.index(days) for days in range(EDGES_MAX))
    assert line == "dobby: " + " ".join(f"[dim{it}] par{it}" for it in youngest)


def test_confidence_outweighs_a_little_age():
    """Edges are weighed by confidence times recency."""
    weak_and_new = [(0.6, 0)] * 8
    world = world_with((1.0, 15), *weak_and_new)

    (line,) = texts(world, "dobby")

    assert "[dim10] par10" in line


def test_at_most_twelve_concepts_a_block():
    """More concepts than the limit are not told."""
    facts = [f"name{i:02} -isa thing" for i in range(20)]
    world = world_of(*facts)

    assert len(tell(world, *[f"name{i:02}" for i in range(20)])) == 12


def test_important_concepts_are_chosen():
    """By max(saliency, novelty), halved with every 30 days since the last encounter."""
    edges = [UrdEdge(i, 100, 101, True) for i in (1, 2, 3)]
    world = build_world(
        {
            "often": SoasRow(id=1, encounter_count=1000, last_seen=NOW - 61 * DAY),
            "new": SoasRow(id=2, novelty=1.0, last_seen=NOW),
            "rare": SoasRow(id=3, encounter_count=5, last_seen=NOW),
        },
        {100: "thing", 101: "type"},
        edges=edges,
    )

    chosen = [
        [
            line.concept
            for line in tell(
                world, "often", "new", "rare", recollection_max_concepts=size
            )
        ]
        for size in (1, 2)
    ]

    assert chosen == [["new"], ["new", "often"]]


def test_contested_concepts_are_chosen_first():
    """A conflict outranks every importance."""
    world = world_of("ant -isa thing", "bee -isa thing")
    world.vocabulary.set_novelty(soas_by_token(world)["bee"].id, 0.1)
    propose(world, stated("bee -isa cat"))

    (line,) = tell(world, "ant", "bee", recollection_max_concepts=1)

    assert (line.concept, line.why) == ("bee", "conflict")


def test_prompt_order_breaks_ties():
    """Among equals the one that came first in the prompt is told."""
    world = world_of("ant -isa thing", "bee -isa thing")

    (line,) = tell(world, "bee", "ant", recollection_max_concepts=1)

    assert line.concept == "bee"


def test_line_says_why():
    """People see what made a concept surface."""
    world = build_world(
        {
            "often": SoasRow(id=1, encounter_count=50),
            "new": SoasRow(id=2, novelty=1.0),
        },
        {100: "thing", 101: "type"},
        edges=[UrdEdge(i, 100, 101, True) for i in (1, 2)],
    )

    reasons = {line.concept: line.why for line in tell(world, "often", "new")}

    assert reasons == {"often": "met 50 times", "new": "novelty 1.0"}


def test_block_wraps_the_lines():
    """The lines stand between the tags, one a line."""
    world = contested_world()

    assert render(tell(world, "gnommoweb")) == (
        "<recollection>\ngnommoweb: [type] repo\n</recollection>"
    )


def test_nothing_to_say_is_no_block():
    """Without lines there are no tags either (D7)."""
    assert render([]) == ""


def test_known_lines_come_before_hints():
    """Hints are last, whatever their names."""
    world = build_world(
        {"ant": SoasRow(id=1, encounter_count=9), "zoo": SoasRow(id=2, novelty=1.0)},
        {100: "thing", 101: "type"},
        edges=[UrdEdge(2, 100, 101, True)],
    )
    scan = _fast.scan("ant zoo")

    lines = recollect(world, [1, 2], [scan], preferences=Preferences(), now=NOW)

    assert [(it.concept, it.kind) for it in lines] == [
        ("zoo", Kind.RECOLLECTION),
        ("ant", Kind.HINT),
    ]


def test_digest_is_the_texts():
    """Equal lines have equal digests of eight bytes; another text has another."""
    world = world_of("ant -isa bee", "cat -isa bee")

    ant, cat = tell(world, "ant", "cat")
    (again,) = tell(world, "ant")

    assert len(ant.digest) == 8
    assert ant.digest == again.digest != cat.digest


FACTS = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.sampled_from(["type", "tech", "tools"]),
    ),
    min_size=1,
    max_size=12,
)


@given(FACTS, st.randoms(use_true_random=False), st.floats(0, 80))
def test_same_knowledge_is_the_same_bytes(facts, shuffle, days):
    """Neither the order of the prompt nor time, counts or scores change the block."""
    world = world_of(*[f"{a} -isa {b} in context of {c}" for a, b, c in facts])
    known = [token for token in NAMES if world.is_known(token)]
    first = render(tell(world, *known))

    for concept in known:
        for _ in range(shuffle.randrange(3)):
            scan = _fast.scan(concept)
            world.vocabulary.read(scan, now=NOW, threshold=0.5, count=True)
    shuffle.shuffle(known)

    assert render(tell(world, *known, now=NOW + days * DAY)) == first
