"""Decision about an extraction, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.language.grounding import CANDIDATE_MIN, Band, Grounding
from festinger.core.memories.memory import MemoryExtraction
from festinger.core.memories.scoring import Score
from festinger.core.memories.support import MentionKind
from festinger.core.memories.types import MemoryType


class ExtractionVerdict(StrEnum):
    """Verdict on an extraction."""

    ACTIVE = "active"
    """Stored and told."""
    CANDIDATE = "candidate"
    """Stored for people to decide."""
    PROPOSAL = "proposal"
    """Not stored, but logged as a possible pattern."""
    REJECTED = "rejected"


IMPOSSIBLE_CONFIDENCE = "confidence"
"""Detail of an invalid extraction whose confidence is not between 0 and 1."""
# A proposal is only a line of the log.
STORED = frozenset([ExtractionVerdict.ACTIVE, ExtractionVerdict.CANDIDATE])


class Reason(StrEnum):
    """Reason for not storing an extraction."""

    BELOW_THRESHOLD = "confidence_below_threshold"
    NOT_GROUNDED = "not_grounded_in_summary"
    HALLUCINATION = "hallucination"
    """The summary states it differently, or states what the turns do not."""
    TYPE_RULE = "type_rule_violation"
    INVALID = "semantically_invalid"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class LoweredMemory:
    """Known memory whose confidence falls since the person now contradicts it."""

    id: int
    confidence: float


@dataclass(frozen=True, slots=True)
class ExtractionDecision:
    """Decision about an extraction, with its reasons.

    Attributes:
        content: The content to store: the claim without its subject.
        confidence: The scored confidence, in [0.0, 1.0].
        gated: The confidence that the gate used; of nonsense what the model stated.
        threshold: The minimum confidence of the type.
        floor: The grounding score below which nothing is stored.
        score: None if it was not scored.
        grounding: Grounding in the summary, or in the turns if that is weaker; None if
            it was not computed.
        mention: Kind of mention in the summary.
        missing: Words of the claim that the summary does not contain.
        reason: Why it is not stored; None if it is.
        detail: Code of the exact reason, or of the doubt about a candidate; may be
            empty.
        contradicts: Numbers of the known memories that it contradicts.
        lowered: Those of them whose confidence falls.
        confirms: Number of the known memory that it confirms; None if there is none.
    """

    extraction: MemoryExtraction
    content: str
    verdict: ExtractionVerdict
    confidence: float
    # Differs from `confidence` where people must decide (`deciding.py`).
    gated: float
    threshold: float
    floor: float = CANDIDATE_MIN
    score: Score | None = None
    grounding: Grounding | None = None
    mention: MentionKind = MentionKind.NONE
    missing: tuple[str, ...] = ()
    reason: Reason | None = None
    detail: str = ""
    contradicts: tuple[int, ...] = ()
    lowered: tuple[LoweredMemory, ...] = ()
    # Set for a duplicate only, which is not stored but renews what is known.
    confirms: int | None = None

    @property
    def type(self) -> MemoryType:
        """The memory type."""
        # Decided by the person's words, which may differ from the model's type (`classifying.py`).
        return self.extraction.type

    @property
    def stored(self) -> bool:
        """True if the extraction is stored as a memory."""
        return self.verdict in STORED

    @property
    def grounded(self) -> bool:
        """True if the text supports the extraction, fully or partly."""
        return self.grounding is not None and self.grounding.band is not Band.REJECTED
