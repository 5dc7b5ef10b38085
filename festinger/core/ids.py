"""Numbers that Postgres gave out in blocks, so that no sequence has to be global."""

from __future__ import annotations

from collections import deque


class IdPool:
    """Unused numbers, taken in the order in which their blocks came."""

    def __init__(self, *blocks: range) -> None:
        self._blocks = deque(block for block in blocks if block)

    def __len__(self) -> int:
        return sum(map(len, self._blocks))

    def add(self, block: range) -> None:
        """Puts a block behind the others."""
        if block:
            self._blocks.append(block)

    def take(self) -> int | None:
        """The next number; None if there is none left."""
        if not self._blocks:
            return None
        block = self._blocks.popleft()
        if block[1:]:
            self._blocks.appendleft(block[1:])
        return block[0]
