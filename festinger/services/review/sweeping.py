"""What a wave's extraction writes: part by part, and the best of it last.

A part goes into the overflow as a whole, in one transaction with the mark that it is
swept. Who is among the fifty that people see is decided once all parts are written, so
that the best of the wave is shown, and not the best of its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence

from festinger.core.review.claims import Key, Offer
from festinger.core.review.queue import fill
from festinger.core.world.draft import Draft
from festinger.services.review.editing import Editing
from festinger.services.review.offering import Offering
from festinger.store.review.records import ExtractedChunks
from festinger.store.world.batches import Batch


class Sweeping(Offering):
    """Writes what was found in a part of a wave, all of it as overflow.

    Args:
        extracted: The chunks of the part.
    """

    def __init__(
        self, offers: Sequence[Offer], extracted: ExtractedChunks, *, principal: str
    ) -> None:
        super().__init__(offers, principal=principal)
        self._extracted = extracted

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Writes the offers, and that their chunks are done."""
        super().decide(draft, batch)
        batch.extracted.append(self._extracted)

    def _let_in(self, fresh: Sequence[Offer], editing: Editing) -> dict[Key, int]:
        """Nobody yet."""
        return {}


class Admission(Offering):
    """Lets the best of the overflow in, as far as there is room in the cycle."""

    def __init__(self, *, principal: str) -> None:
        super().__init__((), principal=principal)

    def _let_in(self, fresh: Sequence[Offer], editing: Editing) -> dict[Key, int]:
        """The best, into the next cycle if the one of now is over."""
        before = self._queue.cycle
        cycle, let_in, _ = fill(before, self._queue.overflow)
        editing.let_in(before, cycle, let_in)
        return {}
