"""Runs of the resolver, and its lease."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from festinger.core.graph.resolution import ATTEMPTS_MAX
from festinger.core.system.preferences import Preferences
from festinger.core.system.runs import Run, RunBacklog, RunState
from festinger.core.system.schedule import Schedule
from festinger.store.graph.rows import to_seconds, to_time
from festinger.store.system.leases import Leased
from festinger.store.system.pool import acquired
from festinger.store.system.queries import sql
from festinger.store.system.records import Scheduled


class PostgresRuns(Leased):
    """Store of the resolver's runs in the database.

    Args:
        pool: The connection pool; closed by the caller.
    """

    lease = "resolver"

    async def scheduled(self) -> list[Scheduled]:
        """Return the tenants for which a model is chosen, with their schedules."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(sql("scheduled"))
        return [
            Scheduled(row["tenant"], _schedule(row), row["since"], row["unfinished"])
            for row in rows
        ]

    async def running(self, tenant: str) -> Run | None:
        """Return the run that is active or was abandoned; None if there is none."""
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(sql("running"), tenant)
        return _to_run(row) if row else None

    async def begin(
        self,
        tenant: str,
        principal: str,
        *,
        now: float,
        due: float | None,
        only: Sequence[int],
    ) -> Run | None:
        """Add a run; return None if that time of the schedule already has one."""
        async with acquired(self._pool) as connection, connection.transaction():
            number = await connection.fetchval(sql("reserve"), tenant, "run", 1)
            begun = await connection.fetchval(
                sql("add_run"),
                tenant,
                number,
                principal,
                None if due is None else to_time(due),
                list(only),
                to_time(now),
            )
        if begun is None:
            return None
        return Run(number, principal, now, due, tuple(only))

    async def save(self, tenant: str, run: Run) -> None:
        """Save the progress of a run."""
        async with acquired(self._pool) as connection:
            await connection.execute(
                sql("save_run"),
                tenant,
                run.id,
                run.state,
                run.total,
                run.resolved,
                run.dismissed,
                run.failed,
                run.skipped,
                None if run.ended is None else to_time(run.ended),
                run.error,
            )

    async def get(self, tenant: str, run_id: int) -> Run:
        """Return the current state of a run."""
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(sql("run"), tenant, run_id)
        assert row is not None, "runs are never deleted"
        return _to_run(row)

    async def last(self, tenant: str, limit: int) -> list[Run]:
        """Return the last runs, newest first."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(sql("last_runs"), tenant, limit)
        return [_to_run(row) for row in rows]

    async def for_models(self, tenant: str, only: Sequence[int] = ()) -> list[int]:
        """Return the pending conflicts for a model, the most urgent first.

        Args:
            only: Numbers of the conflicts to return, even if models failed at them;
                empty for all that models may settle.
        """
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(
                sql("for_models"), tenant, list(only), ATTEMPTS_MAX
            )
        return [row["id"] for row in rows]

    async def standing(self, tenant: str) -> RunBacklog:
        """Return the counts of pending conflicts."""
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(sql("standing"), tenant, ATTEMPTS_MAX)
        assert row is not None, "a count is always there"
        return RunBacklog(row["pending"], row["for_people"], row["oldest"])

    async def fail(self, tenant: str, conflict_id: int, error: str) -> None:
        """Count a model's failure to settle a conflict."""
        async with acquired(self._pool) as connection:
            await connection.execute(sql("fail_conflict"), tenant, conflict_id, error)


def _schedule(row: asyncpg.Record) -> Schedule:
    """Return the schedule of a row, with the default for invalid settings."""
    keys = ("resolution_schedule", "resolution_timezone")
    values = {key: row[key] for key in keys if row[key] is not None}
    chosen, _ = Preferences.from_rows(values)
    return Schedule(chosen.resolution_schedule, chosen.resolution_timezone)


def _to_run(row: asyncpg.Record) -> Run:
    return Run(
        row["id"],
        row["principal"],
        to_seconds(row["started_at"]),
        to_seconds(row["due_at"]) if row["due_at"] else None,
        tuple(row["conflict_ids"]),
        RunState(row["state"]),
        row["total"],
        row["resolved"],
        row["dismissed"],
        row["failed"],
        row["skipped"],
        to_seconds(row["ended_at"]) if row["ended_at"] else None,
        row["error"],
    )
