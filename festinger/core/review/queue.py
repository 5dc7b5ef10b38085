"""Review cycles: people review some candidates of a project at a time (H1).

Each project has its cycle, so that none waits for the people of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from festinger.core.memories.types import Status
from festinger.core.review.ranking import CYCLE_MAX, Ranked, choose
from festinger.core.review.records import MemoryRecord

Item = TypeVar("Item", bound=Ranked)


@dataclass(frozen=True, slots=True)
class Cycle:
    """State of a project's review cycle.

    Attributes:
        number: From 1; 0 before the first.
        written: Number of candidates that were written in it, whatever their state.
        open: Number of those that are pending or deferred.
        size: Maximum number of candidates of a cycle.
        project: The project; empty for what belongs to none.
    """

    number: int = 0
    written: int = 0
    open: int = 0
    size: int = CYCLE_MAX
    project: str = ""

    @property
    def is_over(self) -> bool:
        """True if no candidate is open, so that the next ones begin another cycle."""
        # Deferred ones count as open: they are still to be decided.
        return self.open == 0

    def after(
        self, changes: Iterable[tuple[MemoryRecord | None, MemoryRecord | None]]
    ) -> Cycle:
        """Return the cycle after changes of records, each given as before and after."""
        change = sum(
            self._is_open(after) - self._is_open(before) for before, after in changes
        )
        return replace(self, open=self.open + change)

    def _is_open(self, record: MemoryRecord | None) -> bool:
        return (
            record is not None
            and record.status is Status.CANDIDATE
            and record.project == self.project
            # Candidates of conversations have cycle 0 and wait for none.
            and record.cycle == self.number > 0
        )


def fill(
    cycle: Cycle, items: Sequence[Item]
) -> tuple[Cycle, Sequence[Item], Sequence[Item]]:
    """Admit the best items to a cycle, or to the next one if it is over.

    Args:
        items: Items to admit; of the same rank, the first comes first.

    Returns:
        The resulting cycle, the admitted items, and the items without room, both the
        best first.
    """
    if not items:
        return cycle, (), ()
    # Everything is decided: the next cycle begins, with as much room as the first.
    if cycle.is_over:
        cycle = replace(cycle, number=cycle.number + 1, written=0, open=0)
    # Room is by what was written, not by what is open: deciding does not refill a cycle.
    room = max(0, cycle.size - cycle.written)
    let_in, rest = choose(items, room)
    count = len(let_in)
    cycle = replace(cycle, written=cycle.written + count, open=cycle.open + count)
    return cycle, let_in, rest


@dataclass(frozen=True, slots=True)
class FacetCount:
    """Number of candidates with the same property. Example: `type` is `decision`."""

    name: str
    value: str
    count: int


@dataclass(frozen=True, slots=True)
class QueueStanding:
    """State of the review queue.

    Attributes:
        deferred: Number of its candidates that are deferred.
        pending: Number of candidates that wait, of all cycles.
        stale: Number of those that have waited for too long.
        overflow: Number of candidates that wait for a later cycle.
        oldest: Since when the oldest candidate waits, in seconds since the epoch; None
            if none waits.
    """

    cycle: Cycle
    deferred: int = 0
    pending: int = 0
    stale: int = 0
    overflow: int = 0
    oldest: float | None = None
    facets: Sequence[FacetCount] = ()
