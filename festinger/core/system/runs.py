"""Runs of the resolver and their progress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

SCHEDULE = "festinger:schedule"
"""Principal of scheduled runs."""
RESOLVER = "festinger:resolver"
"""Principal of decisions that follow a model's advice."""


class RunState(StrEnum):
    """State of a run."""

    RUNNING = "running"
    """In progress, or interrupted and to be continued by another process."""
    DONE = "done"
    """It processed all pending conflicts."""
    FAILED = "failed"
    """It was aborted by an error; the decisions made before it remain."""


@dataclass(slots=True)
class Run:
    """A run of the resolver.

    Attributes:
        principal: Principal who requested it.
        due: Scheduled time, in seconds since the epoch; None if a person requested it.
        only: Conflicts to process; empty for all that models may decide.
        total: Number of conflicts to process when it began.
        resolved: Number of conflicts settled by changing what is held.
        dismissed: Number of conflicts settled by keeping what is held.
        failed: Number of conflicts that could not be settled.
        skipped: Number of conflicts that others settled during the run.
        ended: Seconds since the epoch; None while it is running.
    """

    id: int
    principal: str
    started: float
    due: float | None = None
    only: Sequence[int] = ()
    state: RunState = RunState.RUNNING
    total: int = 0
    resolved: int = 0
    dismissed: int = 0
    failed: int = 0
    skipped: int = 0
    ended: float | None = None
    error: str = ""

    @property
    def done(self) -> int:
        """The number of conflicts processed so far."""
        return self.resolved + self.dismissed + self.failed + self.skipped


@dataclass(frozen=True, slots=True)
class RunBacklog:
    """Conflicts that wait for a decision.

    Attributes:
        for_people: Number of those that only a person can decide.
        oldest: Time at which the oldest was first stated, in seconds since the epoch;
            None if there is none.
    """

    pending: int
    for_people: int
    oldest: float | None
