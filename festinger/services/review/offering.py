"""Offer findings: write them as candidates, up to the size of a cycle (H1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.memories.types import Status
from festinger.core.review import transitions
from festinger.core.review.claims import Action, Claim, Key, Offer
from festinger.core.review.queue import fill
from festinger.core.review.steps import ClaimStep
from festinger.core.world.draft import Draft
from festinger.services.review.editing import Editing, ReviewQueue
from festinger.services.world.jobs import Job
from festinger.store.world.batches import Answered, Batch, Committed, RequestKey
from festinger.store.world.reads import PostgresReads


@dataclass(frozen=True, slots=True)
class OfferResult:
    """Result of making offers.

    Attributes:
        written: Claims that are candidates or active now, in the order of their offers.
        overflow: Claims that wait for a later cycle, in the same order.
        again: Numbers of known claims that were found again.
    """

    written: tuple[Claim, ...]
    overflow: tuple[Claim, ...]
    again: tuple[int, ...]


class Offering(Job[OfferResult]):
    """Job that writes new offers as claims, and counts known ones as seen again.

    The best extractions go into the current cycle of reviews, the rest into the
    overflow. Claims that people wrote by hand are not limited by the cycle and are
    pending at once.

    A subclass may read more in `load` and write more in `decide`, after calling these
    methods: it is all one transaction. A subclass may change `_offers` until `load` of
    this class reads which of them are known.

    Args:
        principal: Who had the offers extracted, for the log.

    Attributes:
        offered: The result of the offers, after `decide`.
    """

    alone = True

    def __init__(
        self,
        offers: Sequence[Offer],
        *,
        principal: str,
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(request)
        self._offers = offers
        self._principal = principal
        self._known: dict[Key, Claim] = {}
        self._contradicted: dict[int, Claim] = {}
        self._queue = ReviewQueue()
        self._next_claim = self._next_edit = 0
        self.offered = OfferResult((), (), ())

    async def load(self, reads: PostgresReads) -> None:
        """Read the known claims and the state of the cycle."""
        self._known = await reads.claims_by_key({offer.key for offer in self._offers})
        self._contradicted = await reads.claims_by_id(
            {each for offer in self._offers for each in offer.contradicts}
        )
        self._queue = await ReviewQueue.read(reads)
        self._next_claim = await reads.unused("claim")
        self._next_edit = await reads.unused("edit")

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Write new claims, count known ones, and fill the cycle.

        Raises:
            InvalidArgument: An offer has a type that its kind of claim does not have.
        """
        editing = Editing(batch, self._principal, self._next_edit, draft.now)
        again = self._count(editing)
        fresh = self._fresh()
        cycles = self._let_in(fresh, editing)
        claims = [
            self._write(offer, self._next_claim + place, cycles, editing)
            for place, offer in enumerate(fresh)
        ]
        self.offered = OfferResult(
            tuple(each for each in claims if each.status is not Status.OVERFLOW),
            tuple(each for each in claims if each.status is Status.OVERFLOW),
            tuple(again),
        )
        self.remember(batch, None, _answered(self.offered))

    def answer(self, committed: Committed) -> OfferResult:
        """Return the result of the offers."""
        return self.offered

    async def replay(self, reads: PostgresReads, answered: Answered) -> OfferResult:
        """Return the same claims as they are now, without those that were deleted."""
        claims = await reads.claims_by_id([*answered.claims, *answered.overflow])
        return OfferResult(
            tuple(claims[each] for each in answered.claims if each in claims),
            tuple(claims[each] for each in answered.overflow if each in claims),
            tuple(answered.again),
        )

    def _count(self, editing: Editing) -> list[int]:
        """Count each claim that was found again, once, and return their numbers."""
        for claim in self._known.values():
            editing.write(transitions.seen_again(claim, now=editing.now))
        return sorted(claim.id for claim in self._known.values())

    def _fresh(self) -> list[Offer]:
        """Return the offers of unknown claims, without duplicates."""
        fresh: dict[Key, Offer] = {}
        for offer in self._offers:
            if offer.key not in self._known:
                fresh.setdefault(offer.key, offer)
        return list(fresh.values())

    def _let_in(self, fresh: Sequence[Offer], editing: Editing) -> dict[Key, int]:
        """Return the cycle of each offer that fits in, and move up the overflow."""
        before = self._queue.cycle
        # The overflow waits until the current cycle is over.
        waiting = self._queue.overflow if before.is_over else ()
        extracted = [offer for offer in fresh if _is_capped(offer)]
        items: list[Claim | Offer] = [*waiting, *extracted]
        cycle, let_in, _ = fill(before, items)
        moved_up = [editing.current(each) for each in let_in if isinstance(each, Claim)]
        editing.let_in(before, cycle, moved_up)
        return {each.key: cycle.number for each in let_in if isinstance(each, Offer)}

    def _write(
        self, offer: Offer, number: int, cycles: dict[Key, int], editing: Editing
    ) -> Claim:
        cycle = cycles.get(offer.key, 0)
        claim = transitions.propose(
            offer,
            number,
            now=editing.now,
            cycle=cycle,
            overflows=_is_capped(offer) and not cycle,
        )
        steps = [ClaimStep(Action.PROPOSE, None, claim)]
        for each in offer.contradicts:
            if known := self._contradicted.get(each):
                steps.append(transitions.contradicted(editing.current(known)))
        editing.apply(steps)
        return claim


def _is_capped(offer: Offer) -> bool:
    """Return whether an offer counts against the cycle, as only extractions do (H1)."""
    return offer.status is Status.CANDIDATE and not offer.origin.hand_authored


def _answered(offered: OfferResult) -> Answered:
    return Answered(
        claims=tuple(claim.id for claim in offered.written),
        overflow=tuple(claim.id for claim in offered.overflow),
        again=offered.again,
    )
