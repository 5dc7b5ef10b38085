"""What is counted of unread turns."""

from __future__ import annotations

from typing import NamedTuple


class UnreadCounts(NamedTuple):
    """How many turns wait in a memory.

    Attributes:
        waiting: All of them, those that are read now included.
        reading: Those that are read now.
        postponed: Those of which reading failed before.
        oldest: When the oldest was said, in seconds since the epoch; 0.0 for none.
    """

    waiting: int
    reading: int = 0
    postponed: int = 0
    oldest: float = 0.0
