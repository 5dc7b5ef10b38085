"""Counts of unread turns."""

from __future__ import annotations

from typing import NamedTuple


class UnreadCounts(NamedTuple):
    """Numbers of unread turns in a memory.

    Attributes:
        waiting: All unread turns, including those that are leased.
        reading: Turns that are leased by a reader.
        postponed: Turns whose reading failed before.
        oldest: Time of the oldest turn, in seconds since the epoch; 0.0 for none.
    """

    waiting: int
    reading: int = 0
    postponed: int = 0
    oldest: float = 0.0
