from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.queue import CYCLE_MAX, Cycle, fill
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
