"""A run of the resolver: who asked, and how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

SCHEDULE = "festinger:schedule"
"""Who asks when the schedule does."""
RESOLVER = "festinger:resolver"
"""Who decides what a model advised."""


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    """It is under way, or its process ended and another will go on with it."""
    DONE = "done"
    """It looked at everything that was pending."""
    FAILED = "failed"
    """It could not go on; what it had decided stays decided."""


@dataclass(slots=True)
class Run:
    """A run of the resolver.

    Attributes:
        principal: Who asked for it.
        started: Seconds since the epoch.
        due: The moment of the schedule that it is for, in seconds since the epoch; None
            if a person asked.
        only: The conflicts that it looks at; empty for all that are for models.
        total: Conflicts that it was to look at when it began.
        resolved: Of these it settled so many by changing what is held,
        dismissed: … so many by letting it stand,
        failed: … and so many not.
        skipped: … while so many were settled by others meanwhile.
        ended: Seconds since the epoch; None while it is under way.
        error: Why it could not go on.
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
        """At how many conflicts it has looked."""
        return self.resolved + self.dismissed + self.failed + self.skipped


@dataclass(frozen=True, slots=True)
class RunBacklog:
    """What waits for a decision.

    Attributes:
        for_people: Of these so many wait for a person.
        oldest: When the oldest was first stated, in seconds since the epoch; None if
            nothing waits.
    """

    pending: int
    for_people: int
    oldest: float | None
