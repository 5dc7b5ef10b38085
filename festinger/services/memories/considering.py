"""Consider what models extracted, apart from whoever waits."""

from __future__ import annotations

from typing import Protocol

from festinger.core.review.conversation import ExtractionCase, InteractionReading


class Considering(Protocol):
    """Considers what models extracted, where nobody who waits is disturbed by it."""

    async def consider(self, case: ExtractionCase) -> InteractionReading | None:
        """What is to become of it; None if it takes too long to say.

        Raises:
            Overloaded: The server stops.
        """
