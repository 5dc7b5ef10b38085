"""People's ratings of lines that prompts were told: it helped, or it is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FeedbackVerdict(StrEnum):
    """Verdict on a line that a prompt was told."""

    HELPED = "helped"
    WRONG = "wrong"


class FeedbackState(StrEnum):
    """State of feedback."""

    CLOSED = "closed"
    """Nothing is to be decided."""
    OPEN = "open"
    """The line is told no longer, and a person has to decide."""
    UPHELD = "upheld"
    """A person agreed: it stays untold."""
    OVERRULED = "overruled"
    """A person said that the line is right: it is told again."""


@dataclass(frozen=True, slots=True)
class LineFeedback:
    """Feedback on a line that a prompt was told.

    Attributes:
        id: Number; 0 before it is stored.
        quote: The words that it comes from; may be empty.
        speaker: Who said it; empty for nobody.
        project: Project in which it was said; empty for none.
        principal: Who rates it.
        prompt: The prompt that was told it; empty if it is not known.
        facts: Statements that were retracted with it.
    """

    id: int
    line: str
    text: str
    quote: str
    speaker: str
    project: str
    verdict: FeedbackVerdict
    state: FeedbackState
    principal: str
    prompt: str
    facts: tuple[str, ...]
    created: float
