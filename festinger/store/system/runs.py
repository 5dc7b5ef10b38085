"""Runs of the resolver and of dreaming, and their leases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import asyncpg

from festinger.core.graph.resolution import ATTEMPTS_MAX
from festinger.core.system.preferences import Preferences
from festinger.core.system.runs import Run, RunBacklog
from festinger.core.system.schedule import Schedule
from festinger.store.graph.rows import time_or_none, to_time
from festinger.store.system.models import TenantSchedule
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql, value_of
from festinger.store.system.tenancy import Leased, every_tenant, transaction
from festinger.store.world.batches import AggregateWrites, BatchTransaction

AnyRun = TypeVar("AnyRun")


class RunQueries(NamedTuple):
    """Names of the queries of a kind of runs."""

    scheduled: str
    running: str
    add: str
    get: str
    last: str


class RunStore(Leased, ABC, Generic[AnyRun]):
    """Store of the runs of a kind in the database, with a lease per tenant.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is
    free.

    Attributes:
        kind: The class of the runs.
        queries: The queries of this kind.
        numbers: Name of the sequence of its numbers.
        schedule: Key of the setting with its schedule.
    """

    kind: ClassVar[type[Any]]
    queries: ClassVar[RunQueries]
    numbers: ClassVar[str]
    schedule: ClassVar[str]

    @abstractmethod
    async def save(self, tenant: str, run: AnyRun) -> None:
        """Save the progress of a run."""

    @abstractmethod
    def _to_run(self, row: asyncpg.Record) -> AnyRun:
        """Convert a row to a run."""

    async def scheduled(self) -> list[TenantSchedule]:
        """Return the tenants for which a model is chosen, with their schedules."""
        # One query finds who has work, of all tenants (A4).
        async with every_tenant(self._pool) as connection:
            rows = await connection.fetch(sql(self.queries.scheduled))
        return [
            TenantSchedule(
                row["tenant"], self._schedule(row), row["since"], row["unfinished"]
            )
            for row in rows
        ]

    async def running(self, tenant: str) -> AnyRun | None:
        """Return the run that is active or was abandoned; None if there is none."""
        row = await self._row(self.queries.running, tenant)
        return self._to_run(row) if row else None

    async def get(self, tenant: str, run_id: int) -> AnyRun:
        """Return the current state of a run."""
        row = await self._row(self.queries.get, tenant, run_id)
        assert row is not None, "runs are never deleted"
        return self._to_run(row)

    async def last(self, tenant: str, limit: int) -> list[AnyRun]:
        """Return the last runs, newest first."""
        rows = await self._rows(self.queries.last, tenant, limit)
        return list(map(self._to_run, rows))

    async def begin(
        self,
        tenant: str,
        principal: str,
        scope: Sequence[int] | int,
        *,
        now: float,
        due: float | None,
    ) -> AnyRun | None:
        """Add a run; return None if that time of the schedule already has one.

        Args:
            scope: What it is limited to: conflicts, or a number of items.
        """
        async with transaction(self._pool, tenant) as connection:
            number: int = await connection.fetchval(
                sql("reserve"), tenant, self.numbers, 1
            )
            begun = await connection.fetchval(
                sql(self.queries.add),
                tenant,
                number,
                principal,
                time_or_none(due),
                scope,
                to_time(now),
            )
        # Another process began the run that was due at that time; the number stays unused.
        if begun is None:
            return None
        run: AnyRun = self.kind(number, principal, now, due, scope)
        return run

    def _schedule(self, row: asyncpg.Record) -> Schedule:
        """Return the schedule of a row, with the default for invalid settings."""
        keys = (self.schedule, "resolution_timezone")
        # A key without a row keeps its default.
        values = {key: row[key] for key in keys if row[key] is not None}
        chosen, _ = Preferences.from_rows(values)
        return Schedule(getattr(chosen, self.schedule), chosen.resolution_timezone)


@dataclass(slots=True)
class RunWrites(AggregateWrites):
    """Progress of the resolver's runs in the batch that settles a conflict."""

    saved: list[Run] = field(default_factory=list)

    async def write(self, transaction: BatchTransaction) -> None:
        """Save the runs."""
        for run in self.saved:
            await _save(transaction.connection, transaction.tenant, run)


async def _save(connection: Connection, tenant: str, run: Run) -> None:
    await connection.execute(
        sql("save_run"),
        tenant,
        *fields_of(run, "id state total resolved dismissed failed skipped"),
        time_or_none(run.ended),
        run.error,
    )


class PostgresRuns(RunStore[Run]):
    """Store of the resolver's runs in the database."""

    # One resolver a memory, in whichever process.
    kind = Run
    lease_name = "resolver"
    numbers = "run"
    schedule = "resolution_schedule"
    queries = RunQueries(
        scheduled="scheduled",
        running="running",
        add="add_run",
        get="run",
        last="last_runs",
    )

    async def save(self, tenant: str, run: Run) -> None:
        """Save the progress of a run."""
        async with transaction(self._pool, tenant) as connection:
            await _save(connection, tenant, run)

    async def for_models(self, tenant: str, only: Sequence[int] = ()) -> list[int]:
        """Return the pending conflicts for a model, the most urgent first.

        Args:
            only: Numbers of the conflicts to return, even if models failed at them;
                empty for all that models may settle.
        """
        # After `ATTEMPTS_MAX` answers that could not be used an item is for people (C8).
        rows = await self._rows("for_models", tenant, list(only), ATTEMPTS_MAX)
        return [row["id"] for row in rows]

    async def standing(self, tenant: str) -> RunBacklog:
        """Return the counts of pending conflicts."""
        row = await self._row("standing", tenant, ATTEMPTS_MAX)
        assert row is not None, "a count is always there"
        return RunBacklog(row["pending"], row["for_people"], row["oldest"])

    async def fail(self, tenant: str, conflict_id: int, error: str) -> None:
        """Count a model's failure to settle a conflict."""
        await self._run("fail_conflict", tenant, conflict_id, error)

    def _to_run(self, row: asyncpg.Record) -> Run:
        return value_of(Run, row, only=tuple(row["conflict_ids"]))
