"""Runs of dreaming, in Postgres."""

from __future__ import annotations

import json

import asyncpg

from festinger.core.validation.backlog import BacklogItem, DreamReport, DreamRun
from festinger.store.graph.rows import time_or_none
from festinger.store.system.queries import fields_of, sql
from festinger.store.system.runs import RunQueries, RunStore
from festinger.store.system.values import value_of
from festinger.store.validation.backlog import to_item


class PostgresDreamRuns(RunStore[DreamRun]):
    """Store of the runs of dreaming in the database; the caller closes the pool."""

    # One dreamer a memory, in whichever process.
    lease_name = "dreamer"
    numbers = "dream"
    schedule = "dream_schedule"
    queries = RunQueries(
        scheduled=sql("dreaming_scheduled"),
        running=sql("dreaming"),
        add=sql("add_dream"),
        get=sql("dream"),
        last=sql("last_dreams"),
    )

    async def begin(
        self,
        tenant: str,
        principal: str,
        *,
        now: float,
        due: float | None,
        items_max: int,
    ) -> DreamRun | None:
        """Add a run; return None if that time of the schedule already has one."""
        # A run is limited by a number of items, as the resolver's is by conflicts.
        number = await self._add(tenant, principal, items_max, now=now, due=due)
        if number is None:
            return None
        return DreamRun(number, principal, now, due, items_max)

    async def save(self, tenant: str, run: DreamRun) -> None:
        """Save the progress of a run."""
        await self._run(
            sql("save_dream"),
            tenant,
            *fields_of(run, "id state total items asserted failed"),
            json.dumps(run.report.as_json()),
            time_or_none(run.ended),
            run.error,
        )

    async def items(self, tenant: str, dream_run: int) -> list[BacklogItem]:
        """Return the items that a run has processed."""
        # Each item keeps the run that ended it.
        rows = await self._rows(sql("backlog_of_dream"), tenant, dream_run)
        return list(map(to_item, rows))

    def _to_run(self, row: asyncpg.Record) -> DreamRun:
        report = DreamReport.of_json(json.loads(row["report"]))
        return value_of(DreamRun, row, report=report)
