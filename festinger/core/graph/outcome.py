"""Outcome of judging a statement, as a value with one of five verdicts."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from festinger.core.graph.proposal import StatementSource, Triple


class Verdict(StrEnum):
    """Verdict on a statement."""

    HELD = "held"
    CORROBORATED = "corroborated"  # held already: confirmed as of now (C3)
    CONFLICTED = "conflicted"  # waits for a decision, told as doubt
    CANDIDATE = "candidate"  # waits for people's answers
    REJECTED = "rejected"


class CollisionType(StrEnum):
    """Type of a collision between a statement and what is held."""

    ISA_ISA = "isa_isa"
    """Two classifications: the dimension may be too coarse."""
    ISPART_ISPART = "ispart_ispart"
    """Two containments: a concept has one parent per dimension."""
    MISCLASSIFICATION = "misclassification"
    """A classification and a containment: one of them is in the wrong dimension."""
    CYCLE = "cycle"
    """The statement would close a cycle within its dimension (C2)."""
    NEGATION = "negation"
    """The statement denies a held fact, or states a denied one (C6)."""


ASSERTED = 1
"""The modality of an edge that is held without qualification."""
BELIEF = 2  # told with a mark: `[joined~]`
"""The modality of an edge held as its author's belief: the community denies it (I4)."""


class Fact(NamedTuple):
    """An edge with names instead of ids.

    Attributes:
        confidence: In [0.0, 1.0].
        contested: Whether a contradicting statement is queued.
        belief: Whether it is held as its author's belief only: the community denies it.
    """

    concept: str
    parent: str
    dimension: str
    is_isa: bool
    confidence: float
    last_confirmed: float
    source: StatementSource
    assertion_id: int = 0
    contested: bool = False
    belief: bool = False

    @property
    def triple(self) -> Triple:
        """The statement that the edge holds."""
        return Triple(self.concept, self.parent, self.dimension, self.is_isa)


class Outcome(NamedTuple):
    """Outcome of judging a statement.

    Attributes:
        fact: Fact that is held in this dimension now; None if there is none.
        collision: Type of the collision, if the statement is conflicted.
        reason: A slug for programs; the collision's name if the statement is
            conflicted.
        message: A sentence for people.
        conflict_id: Queue item of the statement; 0 until it is written.
        candidate_id: Candidate of the statement; 0 until it is written.
        assertion_id: Ledger row of the statement; 0 until it is written.
    """

    verdict: Verdict
    triple: Triple
    fact: Fact | None = None  # what stands in the way, or is confirmed
    collision: CollisionType | None = None
    reason: str = ""
    message: str = ""
    conflict_id: int = 0
    candidate_id: int = 0
    assertion_id: int = 0
