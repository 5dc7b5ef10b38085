"""Jobs that write extractions: of a wave, part by part, or of one record again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.review.offers import offers
from festinger.core.review.queue import fill
from festinger.core.review.ranking import KnownTexts
from festinger.core.review.records import Key, ProposedRecord
from festinger.core.review.transitions import name
from festinger.core.world.draft import Draft
from festinger.errors import SourceGone
from festinger.services.review.edits import EditLog, ReviewQueue
from festinger.services.review.offers import OfferRecords, OfferResult
from festinger.services.review.reader import DocumentReader
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.review.results import ExtractedChunks
from festinger.store.review.sweeps import SweepWrites
from festinger.store.world.batches import Batch, RequestKey
from festinger.store.world.reads import PostgresReads


@dataclass(eq=False)
class OfferFindings(OfferRecords):
    """Job that writes the findings of a part of a wave, all of them as overflow.

    Args:
        extracted: The chunks of the part.
    """

    extracted: ExtractedChunks

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Write the offers, and mark their chunks as extracted."""
        # In one transaction with the mark: after a crash no chunk is extracted twice or left out.
        super().decide(draft, batch)
        batch.of(SweepWrites).extracted.append(self.extracted)

    def _let_in(
        self, fresh: Sequence[ProposedRecord], editing: EditLog
    ) -> dict[Key, int]:
        """Return no cycles, so that all offers go into the overflow."""
        # The fifty that people see are the best of the whole wave, so they are chosen after it.
        return {}


class OverflowAdmission(OfferRecords):
    """Job that moves the best of a project's overflow into its cycle, if there is room."""

    def __init__(self, project: str, *, principal: str) -> None:
        super().__init__((), principal=principal)
        self._project = project

    async def load(self, reads: PostgresReads) -> None:
        """Read the state of the project's cycle."""
        # No offers: the base class reads the numbers that edits are given.
        await super().load(reads)
        self._queues = await ReviewQueue.read(reads, [self._project])

    def _let_in(
        self, fresh: Sequence[ProposedRecord], editing: EditLog
    ) -> dict[Key, int]:
        """Move up the best records, into the next cycle if the current one is over."""
        for queue in self._queues:
            cycle, let_in, _ = fill(queue.cycle, queue.overflow)
            editing.let_in(queue.cycle, cycle, let_in)
        return {}


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
