"""Considers conversations in the test's own process."""

from __future__ import annotations

from festinger.core.conversation import Case, Reading, consider


class Here:
    """
    Considers at once.
    """

    async def consider(self, case: Case) -> Reading | None:
        """
        What is to become of it.
        """
        return consider(case)
