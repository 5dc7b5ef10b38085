"""Extract again from the source of a record with the current extractors."""

from __future__ import annotations

import asyncio

from festinger.core.review.offers import offers
from festinger.core.review.ranking import KnownTexts
from festinger.core.review.transitions import name
from festinger.errors import SourceGone
from festinger.services.review.offers import OfferRecords, OfferResult
from festinger.services.review.reader import DocumentReader
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.world.batches import RequestKey


async def offer_again(
    memory: TenantMemory,
    reader: DocumentReader,
    record_id: int,
    *,
    principal: str,
    request: RequestKey | None = None,
) -> OfferResult:
    """Offer the current findings in a record's document; the record does not change.

    Raises:
        RecordNotFound: There is no such record.
        SourceGone: The text is no longer in a document, or never was.
    """
    async with memory.store.reading(memory.tenant) as reads:
        record = await reads.record(record_id)
        chunk_id = record.origin.chunk_id
        document = await reads.document(chunk_id) if chunk_id else None
    if document is None:
        why = (
            "was not found in a document"
            if not chunk_id
            else f"was found in a part of {record.origin.place} that is not there any more"
        )
        raise SourceGone(f"{name(record)} {why}", record_id=str(record_id))
    (swept,) = await reader.sweep([document])
    # Comparing takes a while; in a thread it does not block prompts.
    found, _ = await asyncio.to_thread(
        offers, document, swept.found, KnownTexts(), now=memory.now()
    )
    return await memory.writer.submit(
        OfferRecords(found, principal=principal, request=request)
    )
