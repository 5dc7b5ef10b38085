"""The runs of the resolver, and the lease of who runs."""

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
    """Keeps runs in the database.

    Args:
        pool: Closed by whoever opened it.
    """

    lease = "resolver"

    async def scheduled(self) -> list[Scheduled]:
        """The memories for which a model is chosen."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(sql("scheduled"))
        return [
            Scheduled(row["tenant"], _schedule(row), row["since"], row["unfinished"])
            for row in rows
        ]

    async def running(self, tenant: str) -> Run | None:
        """The run that is under way, or whose process ended."""
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
        """A new run; None if that moment of the schedule had one."""
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
        """Writes how far a run is."""
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
        """A run as it stands."""
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(sql("run"), tenant, run_id)
        assert row is not None, "runs are never deleted"
        return _to_run(row)

    async def last(self, tenant: str, limit: int) -> list[Run]:
        """The newest runs, newest first."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(sql("last_runs"), tenant, limit)
        return [_to_run(row) for row in rows]

    async def for_models(self, tenant: str, only: Sequence[int] = ()) -> list[int]:
        """The conflicts that a model may settle, or these, the most urgent first."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(
                sql("for_models"), tenant, list(only), ATTEMPTS_MAX
            )
        return [row["id"] for row in rows]

    async def standing(self, tenant: str) -> RunBacklog:
        """What waits for a decision."""
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(sql("standing"), tenant, ATTEMPTS_MAX)
        assert row is not None, "a count is always there"
        return RunBacklog(row["pending"], row["for_people"], row["oldest"])

    async def fail(self, tenant: str, conflict_id: int, error: str) -> None:
        """Counts a failure of a model at a conflict."""
        async with acquired(self._pool) as connection:
            await connection.execute(sql("fail_conflict"), tenant, conflict_id, error)


def _schedule(row: asyncpg.Record) -> Schedule:
    """The schedule; what cannot be read is the default, as everywhere."""
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
