"""Plain counters that services update in place and exporters of metrics read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


class Durations:
    """Histogram of durations.

    Args:
        bounds: The longest duration of each bucket, in seconds, ascending; a further
            bucket holds the longer ones.
    """

    __slots__ = ("_bounds", "_counts", "seconds")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Record a duration."""
        # A duration of just the bound is in its bucket, as Prometheus counts.
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self.seconds += seconds

    def cumulative(self) -> list[tuple[str, int]]:
        """Return the number of durations up to each bound; the last one is `+Inf`."""
        # Prometheus' form: each bucket includes those before it.
        total = 0
        cumulative = []
        for bound, count in zip((*self._bounds, "+Inf"), self._counts, strict=True):
            total += count
            cumulative.append((str(bound), total))
        return cumulative
