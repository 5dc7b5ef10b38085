"""What the gate makes of a statement: one of five outcomes, as a value."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from festinger.core.graph.proposal import StatementSource, Triple


class Verdict(StrEnum):
    """The five things that can become of a statement."""

    HELD = "held"
    CORROBORATED = "corroborated"
    CONFLICTED = "conflicted"
    CANDIDATE = "candidate"
    REJECTED = "rejected"


class CollisionType(StrEnum):
    """How a statement and what is held collide."""

    ISA_ISA = "isa_isa"
    """Two classifications: the dimension may be too coarse."""
    ISPART_ISPART = "ispart_ispart"
    """Two containments: a thing is in one place per dimension."""
    MISCLASSIFICATION = "misclassification"
    """A classification and a containment: one of them is in the wrong dimension."""
    CYCLE = "cycle"
    """It would close a circle within its dimension (C2)."""
    NEGATION = "negation"
    """It denies what is held, or states what is denied (C6)."""


class Fact(NamedTuple):
    """An edge with names instead of numbers.

    Attributes:
        confidence: In [0.0, 1.0].
        last_confirmed: Seconds since the epoch.
        contested: True while a contradicting statement waits in the queue.
        belief: True if it is held as somebody's belief only: the community denies it.
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
    """What became of a statement.

    Attributes:
        fact: What is held in this dimension now; None if nothing is.
        collision: How it collides, if it is conflicted.
        reason: A slug for programs; the collision's name if it is conflicted.
        message: A sentence for people.
        conflict_id: The queue item that holds it; 0 until it is written.
        factoid_id: The candidate that holds it; 0 until it is written.
        assertion_id: Its row in the ledger; 0 until it is written.
    """

    verdict: Verdict
    triple: Triple
    fact: Fact | None = None
    collision: CollisionType | None = None
    reason: str = ""
    message: str = ""
    conflict_id: int = 0
    factoid_id: int = 0
    assertion_id: int = 0
