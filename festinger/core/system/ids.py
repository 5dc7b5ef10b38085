"""Pools of ids that Postgres allocates in blocks, to avoid a global sequence."""

from __future__ import annotations

from collections import deque
from itertools import islice


class IdPool:
    """Unused ids, taken in the order in which their blocks were added."""

    def __init__(self, *blocks: range) -> None:
        self._blocks: deque[range] = deque()
        self._numbers = iter(range(0))  # of the block in use
        self._left = 0
        for block in blocks:
            self.add(block)

    def __len__(self) -> int:
        return self._left

    def add(self, block: range) -> None:
        """Append a block of ids."""
        if block:
            self._blocks.append(block)
            self._left += len(block)

    def take(self) -> int | None:
        """Return the next id; None if none is left."""
        numbers = self.take_many(1)
        return numbers[0] if numbers else None

    def take_many(self, count: int) -> list[int]:
        """Return the next `count` ids, or all that are left if there are fewer."""
        numbers = list(islice(self._numbers, count))
        # Blocks need not be adjacent: other servers take theirs in between.
        while len(numbers) < count and self._blocks:
            self._numbers = iter(self._blocks.popleft())
            numbers += islice(self._numbers, count - len(numbers))
        self._left -= len(numbers)
        return numbers
