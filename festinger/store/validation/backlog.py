"""Backlog of rejected or undecided candidates, and runs of dreaming on it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any
from uuid import UUID

import asyncpg

from festinger.core.graph.candidates import Candidate
from festinger.core.validation.backlog import (
    ATTEMPTS_MAX,
    BacklogItem,
    BacklogReason,
    BacklogResult,
    BacklogState,
    DreamReport,
    DreamRun,
)
from festinger.core.validation.votes import ValidationEvent
from festinger.errors import ItemNotFound
from festinger.store.graph.rows import time_or_none, to_time
from festinger.store.system.queries import fields_of, sql, value_of
from festinger.store.system.runs import RunQueries, RunStore
from festinger.store.system.tenancy import TenantTables, transaction
from festinger.store.validation.answers import to_event
from festinger.store.validation.records import CompletedItem, NearbyTurn
from festinger.store.world.batches import AggregateWrites, BatchTransaction

NEAR_TURNS = 3
"""The number of turns to return before and after the turn of a candidate."""


class PostgresBacklog(TenantTables):
    """Store of the backlog in the database; the caller closes the pool."""

    async def due(self, tenant: str, now: float | None, limit: int) -> list[int]:
        """Return the unleased items, the most urgent first, then the oldest.

        Args:
            now: The latest due time, in seconds since the epoch; None for any.
        """
        moment = time_or_none(now)
        rows = await self._rows("backlog_due", tenant, moment, limit)
        return [row["id"] for row in rows]

    async def lease(
        self, tenant: str, ids: Collection[int], lessee: str, seconds: float
    ) -> list[BacklogItem]:
        """Lease those of the items that are free; return them in the given order."""
        wanted = list(ids)
        async with transaction(self._pool, tenant) as connection:
            # First what was leased and given up too often: it may be what ends its workers.
            await connection.execute(sql("fail_abandoned"), tenant, ATTEMPTS_MAX)
            rows = await connection.fetch(
                sql("lease_backlog"), tenant, wanted, lessee, seconds
            )
        # The statement returns rows in any order.
        return sorted(map(to_item, rows), key=lambda item: wanted.index(item.id))

    async def extend(
        self, tenant: str, item_id: int, lease: UUID, seconds: float
    ) -> bool:
        """Extend a lease; return False if it was lost."""
        row = await self._row("extend_backlog", tenant, item_id, lease, seconds)
        return row is not None

    async def give_back(
        self, tenant: str, item: BacklogItem, lease: UUID, dream_run: int = 0
    ) -> bool:
        """Release a lease, saving the item; return False if it was lost."""
        row = await self._row(
            "give_back_backlog",
            tenant,
            item.id,
            lease,
            *fields_of(item, "state attempts last_error"),
            to_time(item.due),
            time_or_none(item.done),
            dream_run or None,  # None: asked for by hand
        )
        return row is not None

    async def get(self, tenant: str, item_id: int) -> BacklogItem:
        """Return an item, or raise `ItemNotFound`."""
        row = await self._row("backlog_item", tenant, item_id)
        if row is None:
            raise ItemNotFound(
                f"there is no item {item_id} in the backlog. List it with: festinger "
                "validation dream --waiting",
                backlog_id=str(item_id),
            )
        return to_item(row)

    async def said_around(self, tenant: str, candidate: Candidate) -> list[NearbyTurn]:
        """Return the stored text around a candidate, in order."""
        said: list[NearbyTurn] = []
        async with transaction(self._pool, tenant) as connection:
            # A candidate of a document: its chunk and the neighbours.
            if candidate.chunk_id:
                rows = await connection.fetch(
                    sql("remarks_of_document"), tenant, candidate.chunk_id
                )
                said += [NearbyTurn(row["text"], chunk_id=row["id"]) for row in rows]
            # One of a conversation: the turns around its sentence.
            if candidate.evidence:
                row = await connection.fetchrow(
                    sql("remarks_of_interaction"),
                    tenant,
                    *fields_of(candidate, "subject author evidence"),
                )
                said += _near(row) if row else []
            rows = await connection.fetch(sql("remarks_of_turn"), tenant, candidate.id)
        # At last what else was found in the same turn, unless it is in the text above.
        whole = "\n".join(each.text for each in said)
        said += [
            NearbyTurn(row["sentence"], reason=row["reason"])
            for row in rows
            if row["sentence"] not in whole
        ]
        return said

    async def list(
        self,
        tenant: str,
        *,
        states: Collection[BacklogState] = (),
        after: int = 0,
        limit: int = 50,
    ) -> list[BacklogItem]:
        """Return items with numbers above `after`, in ascending order."""
        rows = await self._rows("backlog", tenant, [*states], after, limit)
        return list(map(to_item, rows))

    async def events(
        self, tenant: str, candidates: Collection[int]
    ) -> dict[int, Sequence[ValidationEvent]]:
        """Return the answers about candidates, oldest first, by candidate."""
        rows = await self._rows("events_of_candidates", tenant, list(candidates))
        found: dict[int, Sequence[ValidationEvent]] = {}
        # The rows come by candidate, as `groupby` needs it.
        for candidate_id, group in groupby(map(to_event, rows), _candidate_of):
            found[candidate_id] = list(group)
        return found


@dataclass(slots=True)
class BacklogWrites(AggregateWrites):
    """Completions of items, in the transaction that stores their findings."""

    dreamt: list[CompletedItem] = field(default_factory=list)

    async def write(self, transaction: BatchTransaction) -> None:
        """Mark the items as done."""
        for each in self.dreamt:
            await transaction.connection.execute(
                sql("end_backlog"),
                transaction.tenant,
                each.item_id,
                each.lease,
                json.dumps(list(map(asdict, each.findings))),
                transaction.now,
                each.dream_run or None,
            )


def to_item(row: asyncpg.Record) -> BacklogItem:
    """Convert a row to an item of the backlog."""
    return value_of(
        BacklogItem,
        row,
        because=BacklogReason(row["reason"]),
        lease=row["leased_by"],
        findings=[BacklogResult(**each) for each in json.loads(row["findings"])],
        dream_run=row["dream_id"] or 0,
    )


def _candidate_of(event: ValidationEvent) -> int:
    return event.candidate_id


def _near(row: asyncpg.Record) -> list[NearbyTurn]:
    """Return the turns around the one that contains a sentence, in order."""
    turns: list[dict[str, Any]] = json.loads(row["turns"])
    at = row["at"] - 1  # counted from 1 there
    near = turns[max(0, at - NEAR_TURNS) : at + NEAR_TURNS + 1]
    return [NearbyTurn(turn["text"], role=turn["role"]) for turn in near]


class PostgresDreamRuns(RunStore[DreamRun]):
    """Store of the runs of dreaming in the database; the caller closes the pool."""

    # One dreamer a memory, in whichever process.
    kind = DreamRun
    lease_name = "dreamer"
    numbers = "dream"
    schedule = "dream_schedule"
    queries = RunQueries(
        scheduled="dreaming_scheduled",
        running="dreaming",
        add="add_dream",
        get="dream",
        last="last_dreams",
    )

    async def save(self, tenant: str, run: DreamRun) -> None:
        """Save the progress of a run."""
        await self._run(
            "save_dream",
            tenant,
            *fields_of(run, "id state total items asserted failed"),
            json.dumps(run.report.as_json()),
            time_or_none(run.ended),
            run.error,
        )

    async def items(self, tenant: str, dream_run: int) -> list[BacklogItem]:
        """Return the items that a run has processed."""
        # Each item keeps the run that ended it.
        rows = await self._rows("backlog_of_dream", tenant, dream_run)
        return list(map(to_item, rows))

    def _to_run(self, row: asyncpg.Record) -> DreamRun:
        report = DreamReport.of_json(json.loads(row["report"]))
        return value_of(DreamRun, row, report=report)
