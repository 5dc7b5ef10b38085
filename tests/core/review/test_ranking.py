from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.review.queue import (
    CYCLE_MAX,
    FRESH_SECONDS,
    KnownTexts,
    choose,
    confidence,
    is_long_enough,
    rank,
    signal,
)

NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/decisions/1.md", 1.1), ("STATUS.md", 1.1), ("project-charter.md", 1.1),
        ("docs/adr/0001-use-postgres.md", 1.1), ("requirements/api.md", 1.1),
        ("notes.md", 1.0), ("", 1.0), ("quadrant.md", 1.0), ("folder/golden.md", 1.0),
        ("_archive/decisions.md", 0.9), ("docs/_history/a.md", 0.9), ("old/a.md", 0.9),
    ],
)  # fmt: skip
def test_signal_of_a_path(path, expected):
    """A usual place of such things counts more, an archive less, and the archive wins."""
    assert signal(path) == expected


@pytest.mark.parametrize(
    ("prior", "path", "age", "expected"),
    [
        (0.7, "notes.md", None, 0.7),
        (0.7, "decisions.md", None, 0.77),
        (0.7, "decisions.md", 0, 0.8085),
        (0.5, "_archive/a.md", FRESH_SECONDS - 1, 0.4725),
        (0.5, "_archive/a.md", FRESH_SECONDS, 0.45),
        (0.95, "decisions.md", 0, 1.0),
    ],
)
def test_confidence(prior, path, age, expected):
    """The prior times signal times freshness, at most 1; 30 days are not within 30 days."""
    changed = None if age is None else NOW - age

    assert confidence(prior, path, changed=changed, now=NOW) == pytest.approx(expected)


@given(st.floats(0, 1), st.floats(0, 1), st.text(max_size=300))
def test_rank_is_within_bounds(one, other, content):
    """A rank is a number between 0 and 1, whatever it is made of."""
    novelty = KnownTexts([content]).novelty(content)

    assert novelty == 0.0
    assert 0.0 <= rank(one, content, other) <= 1.0
    assert 0.0 <= confidence(one, content) <= 1.0


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("We use Postgres", 0.0),
        ("Using the Postgres", 0.0),
        ("Kafka queues messages", 1.0),
        ("We use Kafka", 0.5),
        ("", 0.0),
    ],
)
def test_novelty(content, expected):
    """The share of stems that the most similar memory does not have."""
    known = KnownTexts(["We use Postgres", "The API must be fast"])

    assert known.novelty(content) == expected


def test_nothing_known_is_all_new():
    """In an empty memory everything is new."""
    assert KnownTexts().novelty("We use Postgres") == 1.0


class Said(NamedTuple):
    """Something that is ranked."""

    content: str
    rank: float


def test_the_best_are_kept():
    """Records beyond a cycle's room come back in order; of equals the earlier one is kept."""
    candidates = [Said(f"part{n}", (n % 7) / 10) for n in range(CYCLE_MAX + 20)]

    kept, overflow = choose(candidates, CYCLE_MAX)

    assert len(kept) == CYCLE_MAX
    assert sorted(kept + overflow) == sorted(candidates)
    ranks = [it.rank for it in kept + overflow]
    assert ranks == sorted(ranks, reverse=True)
    best = [it.content for it in kept if it.rank == 0.6]
    assert best == [f"part{number}" for number in range(6, 70, 7)]


def test_one_of_several_that_say_nearly_the_same_is_kept():
    """Whichever was read first, the best comes, and then another subject."""
    candidates = [
        Said("Service alpha answers within a second", 0.5),
        Said("Service alpha answers within two seconds", 0.6),
        Said("Backups run at night", 0.3),
    ]

    for order in permutations(candidates):
        kept, overflow = choose(order, 2)

        assert kept == [candidates[1], candidates[2]]
        assert overflow == [candidates[0]]


@pytest.mark.parametrize("room", [0, -3])
def test_no_room(room):
    """Without room, all is overflow."""
    one, two = Said("one", 0.1), Said("two", 0.2)

    assert choose([one, two], room) == ([], [two, one])


@pytest.mark.parametrize(
    ("content", "expected"),
    [("Use gRPC.", True), ("Use Go.", False), ("!!!!!!!!!!" * 2, True), ("  ", False)],
)
def test_least_length(content, expected):
    """A word out of something is no candidate."""
    assert is_long_enough(content) == expected
