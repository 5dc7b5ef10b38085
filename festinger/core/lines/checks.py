"""Quotes that prompts contain, and how far it is known that nothing changes them."""

from __future__ import annotations

from typing import Final

CHECKED_MAX: Final = 4_000
"""Maximum number of quotes that are remembered, the newest."""


class CheckedQuotes:
    """The newest turn up to which nothing changes a quote, for each of its readers."""

    def __init__(self) -> None:
        # Each prompt of a conversation contains the quotes of the ones before: they are
        # compared with the turns since the last check, not with all since they were told.
        self._until: dict[tuple[str, str], int] = {}

    def until(self, quote: str, asker: str) -> int:
        """Return the turn up to which a quote was compared; 0 if it never was.

        Args:
            quote: Name of the quote.
            asker: Principal whose prompt contains it: what is kept from one may change
                it for another.
        """
        return self._until.get((quote, asker), 0)

    def note(self, quote: str, asker: str, turn: int) -> None:
        """Note that nothing up to a turn changes a quote."""
        # The last to be checked are the last to be dropped.
        self._until.pop((quote, asker), None)
        self._until[quote, asker] = turn
        if len(self._until) > CHECKED_MAX:
            del self._until[next(iter(self._until))]
