"""Numbers that Postgres gave out in blocks, so that no sequence has to be global."""

from __future__ import annotations

from collections import deque
from itertools import islice


class IdPool:
    """Unused numbers, taken in the order in which their blocks came."""

    def __init__(self, *blocks: range) -> None:
        self._blocks: deque[range] = deque()
        self._numbers = iter(range(0))
        self._left = 0
        for block in blocks:
            self.add(block)

    def __len__(self) -> int:
        return self._left

    def add(self, block: range) -> None:
        """Puts a block behind the others."""
        if block:
            self._blocks.append(block)
            self._left += len(block)

    def take(self) -> int | None:
        """The next number; None if there is none left."""
        numbers = self.take_many(1)
        return numbers[0] if numbers else None

    def take_many(self, count: int) -> list[int]:
        """The next numbers: so many, or as many as there are left."""
        numbers = list(islice(self._numbers, count))
        while len(numbers) < count and self._blocks:
            self._numbers = iter(self._blocks.popleft())
            numbers += islice(self._numbers, count - len(numbers))
        self._left -= len(numbers)
        return numbers
