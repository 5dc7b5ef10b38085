"""Counters of the requests that pass through the shim."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from festinger.counting import Durations

ADDED_SECONDS: Final = (
    0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.02, 0.03, 0.05, 0.1, 1.0,
)  # fmt: skip
"""Upper bounds in seconds of the histogram of added latency."""


@dataclass(slots=True)
class RequestStatistics:
    """Counters of requests by result.

    Attributes:
        requests: Number of prompts by route and result of the enrichment.
        refused: Number of requests that the shim answered with an error, by status.
        added: Histogram of the latency added to prompts.
    """

    requests: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: Counter[int] = field(default_factory=Counter)
    added: Durations = field(default_factory=lambda: Durations(ADDED_SECONDS))
