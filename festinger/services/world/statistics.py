"""What a server has done since it started, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import StatementSource
from festinger.core.validation.metrics import ValidationMetrics
from festinger.counting import Durations

RECOLLECT_SECONDS: Final = (
    0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 1.0,
)  # fmt: skip
COMMIT_SECONDS: Final = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
"""Bounds of the buckets in which durations are counted."""


@dataclass(slots=True)
class MemoryStatistics:
    """Counts of all memories together.

    Attributes:
        recollections: How long prompts took to be read and answered.
        dropped: How many prompts were dropped unread, since more came than were answered.
        commits: How long batches took to be judged and committed.
        statements: What became of statements, once committed.
        flushed: When the counters were last written, in epoch seconds.
        flush_failures: How often they could not be.
        validation: How validation went over the last day, by memory, a minute ago.
    """

    flushed: float = 0.0
    recollections: Durations = field(
        default_factory=lambda: Durations(RECOLLECT_SECONDS)
    )
    commits: Durations = field(default_factory=lambda: Durations(COMMIT_SECONDS))
    statements: Counter[tuple[StatementSource, Verdict]] = field(
        default_factory=Counter
    )
    flush_failures: int = 0
    dropped: int = 0
    validation: dict[str, ValidationMetrics] = field(default_factory=dict)

    def count(self, entries: Iterable[LedgerEntry]) -> None:
        """Counts what was committed."""
        for entry in entries:
            self.statements[entry.proposal.source, entry.outcome.verdict] += 1
