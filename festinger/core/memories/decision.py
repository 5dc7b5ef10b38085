"""What becomes of an extraction, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.language.grounding import CANDIDATE_MIN, Band, Grounding
from festinger.core.memories.memory import MemoryExtraction
from festinger.core.memories.scoring import Score
from festinger.core.memories.support import Mention
from festinger.core.memories.types import MemoryType


class ExtractionVerdict(StrEnum):
    """What becomes of an extraction."""

    ACTIVE = "active"
    """Stored, and told."""
    CANDIDATE = "candidate"
    """Stored; people decide."""
    PROPOSAL = "proposal"
    """Not stored, but logged as what may be a pattern."""
    REJECTED = "rejected"


STORED = frozenset([ExtractionVerdict.ACTIVE, ExtractionVerdict.CANDIDATE])


class Reason(StrEnum):
    """Why an extraction is not stored."""

    BELOW_THRESHOLD = "confidence_below_threshold"
    NOT_GROUNDED = "not_grounded_in_summary"
    HALLUCINATION = "hallucination"
    """The summary speaks of it, and not like that; or the summary made it up."""
    TYPE_RULE = "type_rule_violation"
    INVALID = "semantically_invalid"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Lowered:
    """A known memory that is relied on less, since the person now says otherwise."""

    id: int
    confidence: float


@dataclass(frozen=True, slots=True)
class ExtractionDecision:
    """What becomes of an extraction, and why.

    Attributes:
        content: What is stored, or would be: the claim without its subject.
        confidence: In [0.0, 1.0], by the score.
        gated: The confidence that the gate looked at.
        threshold: That of the type.
        floor: The score of grounding below which nothing is stored.
        score: None if it never was scored.
        grounding: In the summary, or in the turns if they support it less; None if
            nobody looked.
        mention: How the summary mentions it.
        missing: Words of it that are nowhere in the summary.
        reason: Why it is not stored; None if it is.
        detail: Why in a word, or why it is a candidate; empty if nothing is to be said.
        contradicts: The known memories that cannot be so as well.
        lowered: Those of them that are relied on less from now on.
        confirms: The known memory that was said again; None if none was.
    """

    extraction: MemoryExtraction
    content: str
    verdict: ExtractionVerdict
    confidence: float
    gated: float
    threshold: float
    floor: float = CANDIDATE_MIN
    score: Score | None = None
    grounding: Grounding | None = None
    mention: Mention = Mention.NONE
    missing: tuple[str, ...] = ()
    reason: Reason | None = None
    detail: str = ""
    contradicts: tuple[int, ...] = ()
    lowered: tuple[Lowered, ...] = ()
    confirms: int | None = None

    @property
    def type(self) -> MemoryType:
        """What it is about."""
        return self.extraction.type

    @property
    def stored(self) -> bool:
        """Whether it becomes a memory."""
        return self.verdict in STORED

    @property
    def grounded(self) -> bool:
        """Whether its text supports it at all."""
        return self.grounding is not None and self.grounding.band is not Band.REJECTED
