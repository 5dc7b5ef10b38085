"""Counts of mentions by id."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from festinger._fast.values import INT64_MAX


@final
class Mentions:
    """Counter of the mentions of ids.

    Raises:
        OverflowError: An id does not fit into 64 bits.
    """

    def __init__(self) -> None:
        """Create an empty counter."""
        self._counts: dict[int, int] = {}

    def add(self, id: int) -> None:
        """Count a mention."""
        self._counts[id] = self.count(id) + 1

    def discard(self, id: int) -> None:
        """Remove a mention, if there is one."""
        left = self.count(id) - 1
        if left > 0:
            self._counts[id] = left
        elif not left:
            del self._counts[id]

    def count(self, id: int) -> int:
        """Return how often an id is mentioned."""
        if not -INT64_MAX - 1 <= id <= INT64_MAX:
            raise OverflowError(f"{id} is not of 64 bits")
        return self._counts.get(id, 0)

    def __contains__(self, id: object) -> bool:
        return id in self._counts

    def __iter__(self) -> Iterator[int]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)
