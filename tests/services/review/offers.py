"""Offers of claims, and what becomes of them, for tests."""

from __future__ import annotations

from typing import Any

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.claims import (
    Claim,
    ClaimEdit,
    ClaimFilter,
    Offer,
    Origin,
)
from festinger.services.review.offering import Offering, OfferResult
from festinger.services.world.memory import TenantMemory
from festinger.store.system.pool import Pool, acquired

EXTRACTED = Origin(interaction_id=1, rule="heading", extractor="headings")
BY_HAND = Origin()


def offer(content: str, **parts: Any) -> Offer:
    """
    A decision that an extractor found, unless told otherwise.
    """
    usual: dict[str, Any] = {
        "kind": MemoryKind.MEMORY,
        "type": MemoryType.DECISION,
        "origin": EXTRACTED,
        "confidence": 0.7,
        "proposer": "headings",
    }
    return Offer(content=content, **usual | parts)


async def interact(pool: Pool, tenant: str = "default") -> None:
    """
    Makes the interaction that everything was found in.
    """
    async with acquired(pool) as connection:
        await connection.execute(
            "insert into interactions (tenant, id, subject, principal, turns, created_at, "
            "updated_at) values ($1, 1, 'alice', 'shim', "
            """'[{"role": "user", "text": "We use Postgres."}]', now(), now())""",
            tenant,
        )


async def offers(memory: TenantMemory, *found: Offer, **parts: Any) -> OfferResult:
    """
    What becomes of offers.
    """
    job = Offering(found, **{"principal": "wave", **parts})
    return await memory.writer.submit(job)


async def write(memory: TenantMemory, content: str, **parts: Any) -> Claim:
    """
    A claim that was offered, as it is written.
    """
    offered = await offers(memory, offer(content, **parts))
    return (*offered.written, *offered.overflow)[0]


async def read_claim(memory: TenantMemory, claim_id: int) -> Claim:
    """
    A claim as it is now.
    """
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.claim(claim_id)


async def claims(memory: TenantMemory, *statuses: Status) -> list[Claim]:
    """
    All claims that stand there, oldest first; all there are without a status.
    """
    wanted = ClaimFilter(statuses=statuses or tuple(Status))
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.claims(wanted, limit=10_000)


async def decide(
    memory: TenantMemory, job: type[Any], number: int, **parts: Any
) -> Any:
    """
    What a decision of `op` about a claim or an edit leads to.
    """
    usual = {"principal": "op", "request": None}
    return await memory.writer.submit(job(number, **usual | parts))


async def edits(memory: TenantMemory, claim_id: int = 0) -> list[ClaimEdit]:
    """
    What was done, newest first.
    """
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.edits(claim_id=claim_id, limit=10_000)
