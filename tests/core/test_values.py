from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.candidates import CONFIRMED_CONFIDENCE, Factoid, FactoidState
from festinger.core.conflicts import Clash, PendingConflicts
from festinger.core.ids import IdPool
from festinger.core.outcome import CollisionType
from festinger.core.preferences import Position, Preferences
from festinger.core.proposal import Source, Triple
from festinger.core.resolution import Conflict, ConflictState
from festinger.core.saliency import saliency
from festinger.core.world import World
from tests.memories import NOW, contested_world, world_of

BAD_ROWS = [
    ("saliency_read_threshold", "much"),
    ("saliency_read_threshold", "nan"),
    ("saliency_read_threshold", "-0.1"),
    ("recollection_max_concepts", "1.5"),
    ("recollection_max_concepts", "-1"),
    ("recollection_max_memories", "51"),
    ("hints_per_block", ""),
    ("recollection_position", "somewhere"),
    ("recollection_recency_days", "-3"),
]

CLASHES = st.builds(
    Clash,
    st.integers(1, 3),
    st.integers(4, 5),
    st.integers(1, 6),
    st.booleans(),
)


# Preferences


def test_preferences_default_to_the_specification():
    """
    A tenant without rows has the documents' values.
    """
    preferences, complaints = Preferences.from_rows({})

    assert (preferences, complaints) == (Preferences(), [])
    assert preferences.saliency_read_threshold == 0.5
    assert preferences.recollection_confidence_floor == 0.6
    assert preferences.recollection_recency_days == 90


def test_preferences_survive_their_rows():
    """
    What is written to the table is what is read from it.
    """
    preferences = Preferences(0.7, 0.1, 30.5, 3, Position.OFF, 0)

    assert Preferences.from_rows(preferences.rows()) == (preferences, [])


def test_rows_of_others_are_left_alone():
    """
    A row that no setting of this version reads changes nothing, and is no complaint.
    """
    preferences, complaints = Preferences.from_rows({"of_a_later_version": "3"})

    assert (preferences, complaints) == (Preferences(), [])


@pytest.mark.parametrize(("key", "value"), BAD_ROWS)
def test_unusable_row_keeps_the_default(key, value):
    """
    A setting that makes no sense is named, and everything else holds.
    """
    other = next(it.name for it in fields(Preferences) if it.name != key)
    rows = Preferences().rows() | {key: value}

    preferences, complaints = Preferences.from_rows(rows)

    assert getattr(preferences, key) == getattr(Preferences(), key)
    assert getattr(preferences, other) == getattr(Preferences(), other)
    assert len(complaints) == 1
    assert key in complaints[0]
    assert repr(value) in complaints[0]


# Numbers


def test_numbers_are_taken_in_order():
    """
    One block after the other, each number once.
    """
    pool = IdPool(range(1, 3))
    pool.add(range(7, 9))

    assert [pool.take() for _ in range(5)] == [1, 2, 7, 8, None]


def test_empty_blocks_are_no_blocks():
    """
    A block without numbers neither counts nor ends the pool.
    """
    pool = IdPool(range(0), range(5, 6))
    pool.add(range(3, 3))

    assert (len(pool), pool.take(), len(pool)) == (1, 5, 0)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 5)), max_size=8))
def test_pool_gives_out_what_it_was_given(blocks):
    """
    For any blocks: their numbers, in their order, and then None.
    """
    pool = IdPool()
    for start, size in blocks:
        pool.add(range(start, start + size))
    expected = [start + i for start, size in blocks for i in range(size)]

    taken = [pool.take() for _ in range(len(pool))]

    assert taken == expected
    assert pool.take() is None


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 5)), max_size=8),
    st.lists(st.integers(0, 7), max_size=8),
)
def test_many_numbers_are_those_of_many_times_one(blocks, counts):
    """
    Whatever is taken at once: the numbers that one after the other would be, as long
    as there are any.
    """
    ranges = [range(start, start + size) for start, size in blocks]
    one, many = IdPool(*ranges), IdPool(*ranges)

    for count in counts:
        each = [one.take() for _ in range(count)]
        assert many.take_many(count) == [it for it in each if it is not None]
        assert len(many) == len(one)


# Pending conflicts


@given(st.lists(st.tuples(st.booleans(), CLASHES, st.integers(0, 2))))
def test_pending_conflicts_are_a_set_of_clashes(steps):
    """
    However items come and go, every view is that of a plain dictionary.
    """
    pending = PendingConflicts()
    model: dict[Clash, int] = {}
    for adding, clash, number in steps:
        if adding:
            pending.add(clash, number)
            model[clash] = number or model.get(clash, 0)
        else:
            pending.discard(clash)
            model.pop(clash, None)

    assert set(pending) == set(model)
    assert pending.concepts == {clash.concept_id for clash in model}
    for concept in range(1, 7):
        mentions = [it for it in model if concept in (it.concept_id, it.parent_id)]
        assert pending.mentions(concept) == len(mentions)
        numbers = [model[it] for it in model if it.concept_id == concept]
        assert pending.about(concept) == sorted(filter(None, numbers))
        for dimension in (4, 5):
            contested = any(it[:2] == (concept, dimension) for it in model)
            assert pending.contested(concept, dimension) == contested


def test_number_is_told_later():
    """
    An item that was shown before it was written gets its number by being added again.
    """
    pending = PendingConflicts()
    clash = Clash(1, 2, 3, False)

    pending.add(clash)
    shown = pending.number(clash)
    pending.add(clash, 12)

    assert (shown, pending.number(clash), len(pending)) == (0, 12, 1)


# Saliency


@pytest.mark.parametrize(
    ("encounters", "expected"), [(0, 0), (1, 0), (4, 0.602), (16, 1.204), (1000, 3)]
)
def test_saliency_is_the_logarithm_of_the_count(encounters, expected):
    """
    0.5 means 4 encounters and 1.2 means 16 (B4).
    """
    assert saliency(encounters, dictionary=False) == pytest.approx(expected, abs=1e-3)


def test_everyday_words_have_no_saliency():
    """
    0 for ever for words of the dictionary.
    """
    assert saliency(10**6, dictionary=True) == 0.0


# Sources


@pytest.mark.parametrize("source", list(Source))
def test_source_has_a_number(source):
    """
    Compact records and the API count the doors alike.
    """
    assert Source.from_code(source.code) is source


@pytest.mark.parametrize("code", [0, 9, -1])
def test_unknown_source_is_refused(code):
    """
    A number that stands for no door is an error.
    """
    with pytest.raises(ValueError, match="no source"):
        Source.from_code(code)


# The five structures


def test_structures_are_what_they_were_filled_with():
    """
    The specification's mappings, read back.
    """
    world = contested_world(pending_conflicts={(101, 1)})

    assert world.soas_by_id == {
        101: "gnommoweb",
        201: "repo",
        202: "container",
        1: "type",
    }
    assert world.soas_by_token["repo"].novelty == 0.5
    assert list(world.urd_by_concept) == [101]
    assert world.urd_by_concept_dim[101, 1].parent_id == 201
    assert world.urd_by_concept_dim[101, 1].source == "cloud_llm"
    assert world.pending_conflicts == {101}


def test_structures_lack_what_was_not_met():
    """
    They are mappings: a missing key is a KeyError.
    """
    world = World.from_structures()

    for structure, key in (
        (world.soas_by_token, "x"),
        (world.soas_by_id, 1),
        (world.urd_by_concept, 1),
        (world.urd_by_concept_dim, (1, 1)),
    ):
        assert key not in structure


def test_world_knows_what_facts_placed():
    """
    A parent is mentioned, the concept is known; an unmet name is neither.
    """
    world = world_of("ant -isa bee")

    assert [world.is_known(it) for it in ("ant", "bee", "zork")] == [True, False, False]
    assert world.is_mentioned(world.soas_by_token["bee"].id)


# What people decide about


def test_confirmed_candidate_is_relied_on():
    """
    The person who confirms states it, with at least 0.95, and past its doubt.
    """
    factoid = Factoid(
        1,
        FactoidState.PENDING,
        Triple("ant", "bee", "type", True),
        0.5,
        Source.INFERRED,
        rule="is a",
        reason="doubtful",
        proposer="scanner",
        author="alice",
        subject="",
        evidence="An ant is a bee",
        statements=1,
        created=NOW,
    )

    proposal = factoid.confirmed("operator")

    assert proposal.confidence == CONFIRMED_CONFIDENCE
    assert (proposal.principal, proposal.proposer) == ("operator", "scanner")
    assert (proposal.source, proposal.decided) == (Source.VALIDATED, True)


def test_etag_changes_with_the_conflict():
    """
    A further statement and a decision are changes; nothing else is.
    """
    triple = Triple("ant", "bee", "type", True)

    def conflict(state, statements):
        return Conflict(
            1, state, CollisionType.ISA_ISA, triple, None, 1.0, Source.GUTASK, "", "", "", 0,
            statements, 1, NOW,
        )  # fmt: skip

    pending = ConflictState.PENDING
    etags = {
        conflict(state, statements).etag
        for state, statements in [
            (pending, 1),
            (pending, 2),
            (ConflictState.RESOLVED, 2),
        ]
    }
    assert len(etags) == 3
