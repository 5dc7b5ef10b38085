"""Store what a model extracted from a conversation, and end the extraction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from festinger.core.memories.interaction import Interaction
from festinger.core.review.conversation import InteractionReading, findings, rejections
from festinger.core.review.records import Key
from festinger.core.world.draft import Draft
from festinger.services.review.offers import OfferRecords
from festinger.store.memories.interactions import InteractionWrites
from festinger.store.memories.records import CompletedExtraction
from festinger.store.world.batches import Batch

if TYPE_CHECKING:
    from festinger.store.world.reads import PostgresReads


class OfferMemories(OfferRecords):
    """Job that offers extractions, logs rejections, and ends the interaction."""

    def __init__(
        self,
        tenant: str,
        interaction: Interaction,
        reading: InteractionReading,
        *,
        principal: str,
    ) -> None:
        # What the model found, and what rules found in the same words.
        self._made = [*filter(None, reading.offers), *reading.rule_offers]
        super().__init__(self._made, principal=principal)
        self._tenant = tenant
        self._interaction = interaction
        self._reading = reading
        self._leased = False

    async def load(self, reads: PostgresReads) -> None:
        """Check that the lease is still held, and read what is known."""
        lease = self._interaction.lease
        assert lease is not None, "who extracts has the lease"
        # The interaction may have been forgotten, or extracted by another process.
        self._leased = await reads.is_extracting(self._interaction.id, lease)
        await super().load(reads)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Write what is new, and the outcome of each extraction."""
        lease = self._interaction.lease
        if not self._leased or lease is None:
            return
        # All in one transaction: an interaction is never extracted half.
        super().decide(draft, batch)
        numbers = self._numbers()
        known = frozenset(self.offered.again)
        found = findings(self._reading, [numbers[it.key] for it in self._made], known)
        batch.of(InteractionWrites).remembered.append(
            CompletedExtraction(
                self._interaction.id,
                lease,
                found,
                len(set(numbers.values())),
                self._reading.log,
                rejections(
                    self._reading, self._interaction, tenant=self._tenant, now=draft.now
                ),
            )
        )

    def _numbers(self) -> dict[Key, int]:
        """Return the record of each offer, whether new or known."""
        written = (*self.offered.written, *self.offered.overflow)
        known = {key: record.id for key, record in self._known.items()}
        return known | {record.key: record.id for record in written}
