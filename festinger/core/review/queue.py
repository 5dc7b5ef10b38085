"""The cycle of reviews: people see fifty candidates at a time, the best ones (H1).

A cycle ends when none of its candidates is pending or put aside; then the next one begins
with the best of what did not fit. Nothing is lost: the rest waits in the overflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from festinger.core.memories.types import Status
from festinger.core.review.claims import Claim
from festinger.core.review.ranking import CYCLE_MAX, choose


class Ranked(Protocol):
    """What can be put in order."""

    @property
    def rank(self) -> float:
        """The best come first."""


Item = TypeVar("Item", bound=Ranked)


@dataclass(frozen=True, slots=True)
class Cycle:
    """How a cycle of reviews stands.

    Attributes:
        number: From 1; 0 before the first.
        written: Candidates that were written in it, whatever became of them.
        open: Those of them that are pending or put aside.
    """

    number: int = 0
    written: int = 0
    open: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the next candidates begin another one."""
        return self.open == 0

    def after(self, changes: Iterable[tuple[Claim | None, Claim | None]]) -> Cycle:
        """The cycle after claims changed, each from the first to the second."""
        change = sum(
            self._is_open(after) - self._is_open(before) for before, after in changes
        )
        return replace(self, open=self.open + change)

    def _is_open(self, claim: Claim | None) -> bool:
        return (
            claim is not None
            and claim.status is Status.CANDIDATE
            and claim.cycle == self.number > 0
        )


def fill(
    cycle: Cycle, items: Sequence[Item]
) -> tuple[Cycle, Sequence[Item], Sequence[Item]]:
    """Lets the best in, into the next cycle if this one is over.

    Args:
        items: Of the same rank, the first comes first.

    Returns:
        The cycle after that, those let in, and those for whom there is no room: both the
        best first.
    """
    if not items:
        return cycle, (), ()
    if cycle.is_over:
        cycle = Cycle(cycle.number + 1)
    room = CYCLE_MAX - cycle.written
    let_in, rest = choose(items, room, lambda item: item.rank)
    count = len(let_in)
    cycle = replace(cycle, written=cycle.written + count, open=cycle.open + count)
    return cycle, let_in, rest


@dataclass(frozen=True, slots=True)
class FacetCount:
    """How many candidates have a property in common. Example: `type` is `decision`."""

    name: str
    value: str
    count: int


@dataclass(frozen=True, slots=True)
class QueueStanding:
    """How the review queue stands.

    Attributes:
        cycle: The cycle of now.
        deferred: Of its candidates, those put aside.
        pending: Candidates that wait, of whatever cycle.
        stale: Those of them that wait for too long.
        overflow: What did not fit, and comes later.
        oldest: Since when the oldest candidate waits; None if none does.
    """

    cycle: Cycle
    deferred: int = 0
    pending: int = 0
    stale: int = 0
    overflow: int = 0
    oldest: float | None = None
    facets: Sequence[FacetCount] = ()
