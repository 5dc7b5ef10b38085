"""Counts of a server's work since its start."""

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

# Recollection takes microseconds, and has 50 ms at most (D8); a commit waits for a disk.
RECOLLECT_SECONDS: Final = (
    0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 1.0,
)  # fmt: skip
COMMIT_SECONDS: Final = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
"""Bounds of the histogram buckets, in seconds."""


@dataclass(slots=True)
class MemoryStatistics:
    """Counts of all memories together.

    Attributes:
        recollections: Durations of reading and answering prompts.
        dropped: Number of prompts that were dropped unread because of overload.
        commits: Durations of judging and committing batches.
        statements: Number of committed statements by source and verdict.
        flushed: When the counters were last written, in epoch seconds.
        flush_failures: Number of times that the counters could not be written.
        validation: Validation metrics of the last day by tenant, at most a minute old.
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
        """Count committed ledger entries."""
        for entry in entries:
            self.statements[entry.proposal.source, entry.outcome.verdict] += 1
