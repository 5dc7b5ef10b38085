"""What reading by the agents' own model came to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class ReaderStatistics:
    """What reading came to since the shim started.

    Attributes:
        batches: Answers that were brought to the memory.
        yielded: Requests that gave way to a prompt.
        failed: Requests without a usable answer.
        learned: Statements that are held, or confirmed what is.
        delayed: Seconds for which prompts were held up, all in all.
        delayed_max: The longest of these.
        state: What it does now, or waits for, in a sentence.
    """

    batches: int = 0
    yielded: int = 0
    failed: int = 0
    learned: int = 0
    delayed: float = 0.0
    delayed_max: float = 0.0
    state: str = "it starts"

    def note_delay(self, seconds: float) -> None:
        """Note that a prompt was held up."""
        self.delayed += seconds
        self.delayed_max = max(self.delayed_max, seconds)
