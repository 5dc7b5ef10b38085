"""Plain numbers that are kept where things happen; whoever exports them reads them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


class Durations:
    """How long something took, in buckets.

    Args:
        bounds: The longest duration of each bucket, in seconds, ascending; beyond the
            last one there is a further bucket.
    """

    __slots__ = ("_bounds", "_counts", "seconds")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Counts one."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self.seconds += seconds

    @property
    def count(self) -> int:
        """How many there were."""
        return sum(self._counts)

    def cumulative(self) -> list[tuple[str, int]]:
        """How many took no longer than each bound, the last of which is `+Inf`."""
        total = 0
        cumulative = []
        for bound, count in zip((*self._bounds, "+Inf"), self._counts, strict=True):
            total += count
            cumulative.append((str(bound), total))
        return cumulative
