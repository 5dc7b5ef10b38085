"""Interface to the check of extractions in another process."""

from __future__ import annotations

from typing import Protocol

from festinger.core.review.conversation import ExtractionCase, InteractionReading


class ExtractionChecker(Protocol):
    """Check of what models extracted, outside of the event loop."""

    async def consider(self, case: ExtractionCase) -> InteractionReading | None:
        """Return a reading with the outcome of each extraction; None on timeout.

        Raises:
            Overloaded: The server is stopping.
        """
