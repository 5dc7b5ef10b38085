"""Interface of stores of runs."""

from __future__ import annotations

from typing import Protocol, TypeVar

from festinger.store.system.records import Scheduled

AnyRun = TypeVar("AnyRun")


class Kept(Protocol[AnyRun]):
    """Store of runs of a kind, with a lease per tenant.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is
    free.
    """

    async def take_lease(self, tenant: str, seconds: float) -> bool:
        """Take or extend the lease; return False if another process holds it."""

    async def drop_lease(self, tenant: str) -> None:
        """Release the lease."""

    async def scheduled(self) -> list[Scheduled]:
        """Return the tenants that have a model, with their schedules."""

    async def running(self, tenant: str) -> AnyRun | None:
        """Return the unfinished run, whether or not its process is alive."""

    async def save(self, tenant: str, run: AnyRun) -> None:
        """Write the state of a run."""

    async def get(self, tenant: str, run_id: int) -> AnyRun:
        """Return a run as it is stored."""

    async def last(self, tenant: str, limit: int) -> list[AnyRun]:
        """Return the newest runs, newest first."""
