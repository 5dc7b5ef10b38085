"""Offer findings of a wave or a record: as candidates, up to the size of a cycle (H1)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field

from festinger.core.memories.types import Status
from festinger.core.review import transitions
from festinger.core.review.offers import offers
from festinger.core.review.queue import KnownTexts, fill
from festinger.core.review.records import (
    Action,
    Key,
    MemoryRecord,
    ProposedRecord,
    RecordStep,
)
from festinger.core.review.transitions import name
from festinger.core.world.draft import Draft
from festinger.errors import SourceGone
from festinger.services.review.edits import EditLog, ReviewQueue
from festinger.services.review.reader import DocumentReader
from festinger.services.world.jobs import Job
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.review.results import ExtractedChunks
from festinger.store.review.sweeps import SweepWrites
from festinger.store.world.batches import Batch, CallResult, RequestKey
from festinger.store.world.reads import PostgresReads


@dataclass(frozen=True, slots=True)
class OfferResult:
    """Result of making offers.

    Attributes:
        written: Records that are candidates or active now, in the order of their offers.
        overflow: Records that wait for a later cycle, in the same order.
        again: Numbers of known records that were found again.
    """

    written: tuple[MemoryRecord, ...]
    overflow: tuple[MemoryRecord, ...]
    again: tuple[int, ...]


@dataclass(eq=False)
class OfferRecords(Job[OfferResult]):
    """Job that writes new offers as records, and counts known ones as seen again.

    A subclass may read more in `load` and write more in `decide`, after calling these
    methods: it is all one transaction. A subclass may change `offers` until `load` of
    this class reads which of them are known.

    Attributes:
        offered: The result of the offers, after `decide`.
    """

    alone = True

    offers: Sequence[ProposedRecord]
    _: KW_ONLY
    principal: str
    offered: OfferResult = field(default=OfferResult((), (), ()), init=False)
    _known: dict[Key, MemoryRecord] = field(default_factory=dict, init=False)
    _contradicted: dict[int, MemoryRecord] = field(default_factory=dict, init=False)
    _queues: Sequence[ReviewQueue] = field(default=(), init=False)
    _next_record: int = field(default=0, init=False)
    _next_edit: int = field(default=0, init=False)
    _places: Counter[Key] = field(default_factory=Counter, init=False)

    async def load(self, reads: PostgresReads) -> None:
        """Read the known records and the state of the cycles."""
        keys = {offer.key for offer in self.offers}
        # Also by the key with which a record was written, before people edited it.
        self._known = await reads.records_edited(keys)
        # Afterwards, since a record that says it now goes before one that once said it.
        self._known |= await reads.records_by_key(keys)
        self._contradicted = await reads.records_by_id(
            {each for offer in self.offers for each in offer.contradicts}
        )
        projects = {offer.project for offer in self.offers}
        self._queues = await ReviewQueue.read(reads, projects)
        self._next_record = await reads.unused("record")
        self._next_edit = await reads.unused("edit")

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Write new records, count known ones, and fill the cycle.

        Raises:
            InvalidArgument: An offer has a type that its kind of record does not have.
        """
        editing = EditLog(batch, self.principal, self._next_edit, draft.now)
        # First, so that known records do not take room in the cycle.
        again = self._count(editing)
        self._places = Counter(offer.key for offer in self.offers)
        fresh = self._fresh()
        cycles = self._let_in(fresh, editing)
        records = [
            self._write(offer, self._next_record + place, cycles, editing)
            # Numbers from here on are unused, and the lock keeps them so.
            for place, offer in enumerate(fresh)
        ]
        self.offered = OfferResult(
            tuple(each for each in records if each.status is not Status.OVERFLOW),
            tuple(each for each in records if each.status is Status.OVERFLOW),
            tuple(again),
        )
        self.remember(batch, None, _answered(self.offered))

    def answer(self, version: int) -> OfferResult:
        """Return the result of the offers."""
        return self.offered

    async def replay(self, reads: PostgresReads, answered: CallResult) -> OfferResult:
        """Return the same records as they are now, without those that were deleted."""
        # A record may have been deleted since the first answer.
        records = await reads.records_by_id([*answered.records, *answered.overflow])
        return OfferResult(
            tuple(records[each] for each in answered.records if each in records),
            tuple(records[each] for each in answered.overflow if each in records),
            tuple(answered.again),
        )

    def _count(self, editing: EditLog) -> list[int]:
        """Count each place in which a record was found again; return their numbers."""
        # An offer of the same text at several places counts each of them.
        known = [self._known[it.key] for it in self.offers if it.key in self._known]
        records = {record.id: record for record in known}
        for number, times in Counter(record.id for record in known).items():
            seen = transitions.seen_again(records[number], times=times, now=editing.now)
            editing.write(seen)
        return sorted(records)

    def _fresh(self) -> list[ProposedRecord]:
        """Return the offers of unknown records, without duplicates."""
        fresh: dict[Key, ProposedRecord] = {}
        for offer in self.offers:
            if offer.key not in self._known:
                # The first of several: its place in the document is the one that is told.
                fresh.setdefault(offer.key, offer)
        return list(fresh.values())

    def _let_in(
        self, fresh: Sequence[ProposedRecord], editing: EditLog
    ) -> dict[Key, int]:
        """Return the cycle of each offer that fits in, and move up the overflow."""
        cycles: dict[Key, int] = {}
        for queue in self._queues:
            cycles |= self._fill(queue, fresh, editing)
        return cycles

    def _fill(
        self, queue: ReviewQueue, fresh: Sequence[ProposedRecord], editing: EditLog
    ) -> dict[Key, int]:
        before = queue.cycle
        # The overflow waits until the current cycle is over.
        waiting = queue.overflow if before.is_over else ()
        extracted = [
            offer
            for offer in fresh
            if offer.project == before.project and _is_capped(offer)
        ]
        # The overflow first: of the same rank, what waits longer comes first.
        items: list[MemoryRecord | ProposedRecord] = [*waiting, *extracted]
        cycle, let_in, _ = fill(before, items)
        moved_up = [
            editing.current(each) for each in let_in if isinstance(each, MemoryRecord)
        ]
        editing.let_in(before, cycle, moved_up)
        return {
            each.key: cycle.number
            for each in let_in
            if isinstance(each, ProposedRecord)
        }

    def _write(
        self,
        offer: ProposedRecord,
        number: int,
        cycles: dict[Key, int],
        editing: EditLog,
    ) -> MemoryRecord:
        cycle = cycles.get(offer.key, 0)
        record = transitions.propose(
            offer,
            number,
            now=editing.now,
            cycle=cycle,
            # What fits into no cycle waits as overflow; what is not capped is pending at once.
            overflows=_is_capped(offer) and not cycle,
        )
        if others := self._places[offer.key] - 1:
            record = transitions.seen_again(record, times=others, now=editing.now)
        steps = [RecordStep(Action.PROPOSE, None, record)]
        for each in offer.contradicts:
            if known := self._contradicted.get(each):
                steps.append(transitions.contradicted(editing.current(known)))
        editing.apply(steps)
        return record


def _is_capped(offer: ProposedRecord) -> bool:
    """Return whether an offer counts against the cycle: those of documents (H1)."""
    # Conversations, whose subject is the speaker, bring few. Agents go on being told what
    # a candidate contradicts, so that such a one waits for no cycle.
    return (
        offer.status is Status.CANDIDATE
        and not offer.origin.hand_authored
        and not offer.subject
        and not offer.contradicts
    )


def _answered(offered: OfferResult) -> CallResult:
    return CallResult(
        records=tuple(record.id for record in offered.written),
        overflow=tuple(record.id for record in offered.overflow),
        again=offered.again,
    )


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
