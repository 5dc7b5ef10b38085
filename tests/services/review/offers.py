"""Offers of records, and what becomes of them, for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.records import (
    MemoryRecord,
    Origin,
    ProposedRecord,
    RecordEdit,
    RecordFilter,
)
from festinger.services.review.offers import OfferRecords, OfferResult
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.pool import Pool, acquired

EXTRACTED = Origin(interaction_id=1, rule="heading", extractor="headings")
WRITTEN = Origin(chunk_id="c1", rule="heading", extractor="headings")
BY_HAND = Origin()


def offer(content: str, **parts: Any) -> ProposedRecord:
    """Return a decision that an extractor found, unless told otherwise."""
    usual: dict[str, Any] = {
        "kind": MemoryKind.MEMORY,
        "type": MemoryType.DECISION,
        "origin": EXTRACTED,
        "confidence": 0.7,
        "proposer": "headings",
    }
    return ProposedRecord(content=content, **usual | parts)


async def interact(pool: Pool, tenant: str = "default") -> None:
    """Make the interaction that everything was found in."""
    async with acquired(pool) as connection:
        await connection.execute(
            "insert into interactions (tenant, id, subject, principal, turns, created_at, "
            "updated_at) values ($1, 1, 'alice', 'shim', "
            """'[{"role": "user", "text": "We use Postgres."}]', now(), now())""",
            tenant,
        )


async def document(pool: Pool, tenant: str = "default") -> None:
    """Make the part of a document that `WRITTEN` names."""
    async with acquired(pool) as connection:
        await connection.execute(
            "insert into waves (tenant, id, root, principal, extract, state, started_at, "
            "ended_at) values ($1, 900, '/docs', 'wave', true, 'done', now(), now())",
            tenant,
        )
        await connection.execute(
            "insert into documents (tenant, id, root, path, digest, size, wave_id, "
            "read_wave_id) values ($1, 900, '/docs', 'a.md', '', 16, 900, 900)",
            tenant,
        )
        await connection.execute(
            "insert into chunks (tenant, id, document_id, ordinal, start_at, end_at, text, "
            "wave_id) values ($1, 'c1', 900, 0, 0, 16, 'We use Postgres.', 900)",
            tenant,
        )


async def offers(
    memory: TenantMemory, *found: ProposedRecord, **parts: Any
) -> OfferResult:
    """Write offers; return the outcomes."""
    job = OfferRecords(found, **{"principal": "wave", **parts})
    return await memory.writer.submit(job)


async def write(memory: TenantMemory, content: str, **parts: Any) -> MemoryRecord:
    """Return a record that was offered, as it is written."""
    offered = await offers(memory, offer(content, **parts))
    return (*offered.written, *offered.overflow)[0]


async def read_record(memory: TenantMemory, record_id: int) -> MemoryRecord:
    """Return a record as it is now."""
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.record(record_id)


async def records(memory: TenantMemory, *statuses: Status) -> list[MemoryRecord]:
    """Return all records that stand there, oldest first; all there are without a status."""
    wanted = RecordFilter(statuses=statuses or tuple(Status))
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.records(wanted, limit=10_000)


async def decide(
    memory: TenantMemory, job: Callable[..., Any], number: int, **parts: Any
) -> Any:
    """Decide about a record or an edit as `op`; return the result."""
    usual = {"principal": "op", "request": None}
    return await memory.writer.submit(job(number, **usual | parts))


async def edits(memory: TenantMemory, record_id: int = 0) -> list[RecordEdit]:
    """Return the edits, newest first."""
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.edits(record_id=record_id, limit=10_000)
