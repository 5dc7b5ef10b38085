"""What every kind of run needs of the store."""

from __future__ import annotations

from typing import Protocol, TypeVar

from festinger.store.system.records import Scheduled

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
