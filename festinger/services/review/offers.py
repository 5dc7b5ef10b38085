"""Offer findings: write them as candidates, up to the size of a cycle (H1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field

from festinger.core.memories.types import Status
from festinger.core.review import transitions
from festinger.core.review.queue import fill
from festinger.core.review.records import Action, Key, MemoryRecord, ProposedRecord
from festinger.core.review.steps import RecordStep
from festinger.core.world.draft import Draft
from festinger.services.review.edits import EditLog, ReviewQueue
from festinger.services.world.jobs import Job
from festinger.store.world.batches import Batch, CallResult
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
