"""Considers conversations in the test's own process, or never comes to an end."""

from __future__ import annotations

from festinger.core.review.conversation import (
    ExtractionCase,
    InteractionReading,
    consider,
)


class Here:
    """Considers at once."""

    async def consider(self, case: ExtractionCase) -> InteractionReading | None:
        """Return the decision about a case."""
        return consider(case)


class Endless:
    """Takes too long, whatever it considers."""

    async def consider(self, case: ExtractionCase) -> InteractionReading | None:
        """Nothing."""
        return None
