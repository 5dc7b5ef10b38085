from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.queue import (
    CYCLE_MAX,
    FRESH_SECONDS,
    Cycle,
    KnownTexts,
    choose,
    confidence,
    fill,
    is_long_enough,
    rank,
    signal,
)
from festinger.core.review.records import MemoryRecord, Origin


@dataclass(frozen=True)
class Item:
    """Something that is ranked."""

    name: int
    rank: float

    @property
    def content(self) -> str:
        """Return words that no other has."""
        return f"part{self.name}"


@given(
    ranks=st.lists(st.floats(0, 1), max_size=120),
    written=st.integers(0, CYCLE_MAX),
    open=st.integers(0, CYCLE_MAX),
)
def test_the_best_are_let_in_and_nothing_is_lost(ranks, written, open):
    """A cycle never has more than fifty, and nobody left out is better than one let in."""
    items = [Item(name, rank) for name, rank in enumerate(ranks)]
    before = Cycle(3, written, min(open, written))

    after, let_in, rest = fill(before, items)

    assert sorted([*let_in, *rest], key=lambda it: it.name) == items
    assert after.written <= CYCLE_MAX
    assert not (rest and after.written < CYCLE_MAX)
    if let_in and rest:
        assert let_in[-1].rank >= rest[0].rank
    begun = bool(items) and before.open == 0
    assert after.number == (4 if begun else 3)
    assert after.written == (0 if begun else written) + len(let_in)


def test_of_the_same_rank_the_first_comes_first():
    """A record that has waited longer is not overtaken by its equals."""
    items = [Item(name, 0.5) for name in range(CYCLE_MAX + 2)]

    _, let_in, rest = fill(Cycle(), items)

    assert [it.name for it in let_in] == list(range(CYCLE_MAX))
    assert [it.name for it in rest] == [CYCLE_MAX, CYCLE_MAX + 1]


def record(status, cycle):
    """Return a record of a cycle."""
    return MemoryRecord(
        1,
        MemoryKind.MEMORY,
        MemoryType.DECISION,
        "Use Postgres",
        Origin(),
        status,
        0.5,
        "op",
        cycle=cycle,
    )


def test_a_cycle_counts_its_own_candidates():
    """It is over when none of its own waits, whatever happens to others."""
    waiting, decided = record(Status.CANDIDATE, 2), record(Status.ACTIVE, 2)
    other = record(Status.CANDIDATE, 1)

    cycle = Cycle(2, 50, 1).after([(other, None), (waiting, decided)])

    assert cycle == Cycle(2, 50, 0)
    assert cycle.is_over
    assert cycle.after([(decided, waiting), (None, other)]) == Cycle(2, 50, 1)


# Confidence and ranking

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
