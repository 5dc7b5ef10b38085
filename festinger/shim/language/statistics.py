"""Statistics of reading by the agents' own model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class ReaderStatistics:
    """Results of reading since the shim started.

    Attributes:
        batches: Number of answers submitted to the memory.
        yielded: Number of requests cancelled for a prompt.
        failed: Number of requests without a usable answer.
        learned: Number of statements that became held or corroborated a held one.
        delayed: Total delay of prompts in seconds.
        delayed_max: Longest delay of a prompt in seconds.
        state: Current activity, or the reason for waiting, in a sentence.
    """

    batches: int = 0
    yielded: int = 0
    failed: int = 0
    learned: int = 0
    delayed: float = 0.0
    delayed_max: float = 0.0
    state: str = "it starts"

    def note_delay(self, seconds: float) -> None:
        """Record the delay of a prompt in seconds."""
        self.delayed += seconds
        self.delayed_max = max(self.delayed_max, seconds)
