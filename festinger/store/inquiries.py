"""The concepts that a model is asked about, in Postgres."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

import asyncpg

from festinger.core.curiosity import Wanted
from festinger.core.inquiry import Finding, Inquiry, InquiryState, Mention
from festinger.errors import InquiryNotFound
from festinger.flows.batches import Learned
from festinger.store.pool import Connection, Pool, acquired
from festinger.store.queries import sql
from festinger.store.rows import to_seconds, to_time

WAITING_MAX = 1_000
"""Concepts that wait in one memory, at most: what people said is stored with them."""


class PostgresInquiries:
    """Keeps inquiries in the database.

    Args:
        pool: Closed by whoever opened it.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def queue(
        self, tenant: str, wanted: Sequence[Wanted], now: float
    ) -> dict[str, int]:
        """Queues concepts that have rows; returns the counts that hold for them."""
        tokens = [each.token for each in wanted]
        async with acquired(self._pool) as connection, connection.transaction():
            await connection.execute(
                sql("queue_inquiries"),
                tenant,
                tokens,
                [each.encounters for each in wanted],
                [json.dumps(list(map(asdict, each.mentions))) for each in wanted],
                to_time(now),
                WAITING_MAX,
            )
            rows = await connection.fetch(sql("queued_counts"), tenant, tokens)
        return {row["token"]: row["encounter_count"] for row in rows}

    async def inquiring(self, now: float) -> list[str]:
        """The memories with a model chosen and something to ask it."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(sql("inquiring"), to_time(now))
        return [row["tenant"] for row in rows]

    async def lease(self, tenant: str, now: float, seconds: float) -> Inquiry | None:
        """The next inquiry, for so long nobody else's; None if there is none."""
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(
                sql("lease_inquiry"), tenant, to_time(now), uuid.uuid4(), seconds
            )
        return _to_inquiry(row) if row else None

    async def extend(self, tenant: str, inquiry: Inquiry, seconds: float) -> bool:
        """Extends a lease; False if it is another's by now."""
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(
                sql("extend_inquiry"),
                tenant,
                inquiry.concept_id,
                inquiry.lease,
                seconds,
            )
        return row is not None

    async def postpone(self, tenant: str, inquiry: Inquiry) -> None:
        """Gives an inquiry back as it is now, unless it is another's."""
        async with acquired(self._pool) as connection:
            await connection.execute(
                sql("postpone_inquiry"),
                tenant,
                inquiry.concept_id,
                inquiry.lease,
                inquiry.state,
                inquiry.attempts,
                inquiry.last_error,
                to_time(inquiry.due),
                None if inquiry.ended is None else to_time(inquiry.ended),
            )

    async def list(
        self,
        tenant: str,
        *,
        states: Collection[InquiryState] = (),
        after: int = 0,
        limit: int = 50,
    ) -> list[Inquiry]:
        """Inquiries about concepts with numbers above `after`, in their order."""
        async with acquired(self._pool) as connection:
            rows = await connection.fetch(
                sql("inquiries"), tenant, [*states], after, limit
            )
        return [_to_inquiry(row) for row in rows]

    async def retry(self, tenant: str, concept: str, now: float) -> Inquiry:
        """Has a model asked now, as if it had never failed.

        Raises:
            InquiryNotFound: It waits for no answer.
        """
        async with acquired(self._pool) as connection:
            row = await connection.fetchrow(
                sql("retry_inquiry"), tenant, concept, to_time(now)
            )
        if row is None:
            raise InquiryNotFound(
                f"{concept!r} waits for no model. Which concepts do: festinger waiting",
                concept=concept,
            )
        return _to_inquiry(row)


async def end(
    connection: Connection, tenant: str, learned: Sequence[Learned], now: datetime
) -> None:
    """Writes, in the transaction of what was learned, that the asking is done."""
    for each in learned:
        findings = json.dumps(list(map(asdict, each.findings)))
        await connection.execute(
            sql("end_inquiry"), tenant, each.concept_id, each.lease, findings, now
        )


def _to_inquiry(row: asyncpg.Record) -> Inquiry:
    return Inquiry(
        concept_id=row["concept_id"],
        concept=row["token"],
        encounters=row["encounter_count"],
        mentions=[Mention(**each) for each in json.loads(row["sentences"])],
        created=to_seconds(row["created_at"]),
        due=to_seconds(row["due_at"]),
        state=InquiryState(row["status"]),
        attempts=row["attempts"],
        last_error=row["last_error"],
        ended=to_seconds(row["ended_at"]) if row["ended_at"] else None,
        findings=[Finding(**each) for each in json.loads(row["outcomes"])],
        lease=row["leased_by"],
    )
