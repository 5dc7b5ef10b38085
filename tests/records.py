"""Records as extractors offer them, for tests of what people touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.records import Origin, ProposedRecord
from festinger.services.review.offers import OfferRecords
from festinger.services.world.memory import Memories
from festinger.store.system.pool import Pool, acquired


@dataclass
class Extractor:
    """Reads an interaction of alice's, and offers what it is said to have found there."""

    memories: Memories
    pool: Pool

    async def __call__(self, *contents: str, **parts: Any) -> list[int]:
        """
        Write candidates, one after the other; their numbers.

        Args:
            contents: What they say.
            parts: `kind`, `type` and `status` as words; `quote`, `place` and `extractor`
                of their origin; the other fields of an offer.
        """
        await self._interact()
        memory = await self.memories.get("default")
        numbers: list[int] = []
        for content in contents:
            job = OfferRecords([offered(content, **parts)], principal="wave")
            done = await memory.writer.submit(job)
            numbers += [it.id for it in (*done.written, *done.overflow)] or done.again
        return numbers

    async def at_once(self, contents: Sequence[str], **parts: Any) -> None:
        """Write candidates in one pass."""
        await self._interact()
        memory = await self.memories.get("default")
        offers = [offered(content, **parts) for content in contents]
        await memory.writer.submit(OfferRecords(offers, principal="wave"))

    async def _interact(self) -> None:
        async with acquired(self.pool) as connection:
            await connection.execute(
                "insert into interactions (tenant, id, subject, principal, session, "
                "turns, created_at, updated_at) values ('default', 1, 'alice', 'shim', "
                """'8c74e6cd', '[{"role": "user", "text": "I love fettuccini."}]', """
                "now(), now()) on conflict do nothing"
            )


def offered(
    content: str,
    *,
    kind: str = "memory",
    type: str = "decision",
    status: str = "candidate",
    quote: str = "",
    place: str = "docs/storage.md: Storage",
    extractor: str = "structure",
    **parts: Any,
) -> ProposedRecord:
    """Return records as found in a sentence."""
    quote = quote or f"Before it. {content}. Behind it."
    start = max(quote.find(content), 0)
    origin = Origin(
        interaction_id=1,
        rule="heading",
        extractor=extractor,
        extractor_version="0.1.0",
        span=(0, len(content)),
        quote=quote,
        quote_span=(start, min(start + len(content), len(quote))),
        place=place,
    )
    usual: dict[str, Any] = {"confidence": 0.7, "proposer": extractor}
    return ProposedRecord(
        kind=MemoryKind(kind),
        type=MemoryType(type),
        content=content,
        origin=origin,
        status=Status(status),
        **usual | parts,
    )
