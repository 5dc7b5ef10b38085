"""What runs need of the database: promises that the store keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from festinger.core.system.runs import Run, Standing
from festinger.core.system.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A memory for which a model is chosen.

    Attributes:
        since: Moments of the schedule until then are done with, or were never meant; in
            seconds since the epoch.
        unfinished: Whether a run is under way, here or elsewhere, or was left.
    """

    tenant: str
    schedule: Schedule
    since: float
    unfinished: bool


AnyRun = TypeVar("AnyRun")


class Kept(Protocol[AnyRun]):
    """Keeps runs of a kind, and says who may run.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def take_lease(self, tenant: str, seconds: float) -> bool:
        """Takes or extends the right to run; False if another process has it."""

    async def drop_lease(self, tenant: str) -> None:
        """Gives the right to run back."""

    async def scheduled(self) -> list[Scheduled]:
        """The memories for which a model is chosen."""

    async def running(self, tenant: str) -> AnyRun | None:
        """The run that is under way, or whose process ended."""

    async def save(self, tenant: str, run: AnyRun) -> None:
        """Writes how far a run is."""

    async def get(self, tenant: str, run_id: int) -> AnyRun:
        """A run as it stands."""

    async def last(self, tenant: str, limit: int) -> list[AnyRun]:
        """The newest runs, newest first."""


class Runs(Kept[Run], Protocol):
    """Keeps the runs of the resolver."""

    async def begin(
        self,
        tenant: str,
        principal: str,
        *,
        now: float,
        due: float | None,
        only: Sequence[int],
    ) -> Run | None:
        """A new run; None if that moment of the schedule had one."""

    async def for_models(self, tenant: str, only: Sequence[int] = ()) -> list[int]:
        """The conflicts that a model may settle, or these, the most urgent first."""

    async def standing(self, tenant: str) -> Standing:
        """What waits for a decision."""

    async def fail(self, tenant: str, conflict_id: int, error: str) -> None:
        """Counts a failure of a model at a conflict."""
