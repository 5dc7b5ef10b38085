"""What a decision does to a conflict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.conflicts import Clash
from festinger.core.outcome import CollisionType, Fact
from festinger.core.proposal import Source, Triple


class Decision(StrEnum):
    """What a person decides."""

    UPDATE = "update"
    """The incoming statement replaces the fact."""
    DISMISS = "dismiss"
    """The incoming statement is dropped and the fact stands."""
    DECOMPOSE = "decompose"
    """Both are true: each moves to a dimension of its own."""
    RECLASSIFY = "reclassify"
    """The incoming statement is held in another dimension."""


class ConflictState(StrEnum):
    """Where a conflict stands."""

    PENDING = "pending"
    """It waits; moves to one of the others by a decision."""
    RESOLVED = "resolved"
    """The memory changed by the decision."""
    DISMISSED = "dismissed"
    """The memory stayed as it was."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """A decision about a queue item.

    Attributes:
        principal: Who decided.
        reasoning: Why, in the decider's words.
    """

    clash: Clash
    conflict_id: int
    decision: Decision
    principal: str
    reasoning: str = ""

    @property
    def state(self) -> ConflictState:
        """Where the item stands after it."""
        if self.decision is Decision.DISMISS:
            return ConflictState.DISMISSED
        return ConflictState.RESOLVED


@dataclass(frozen=True, slots=True)
class Conflict:
    """A statement that what is held forbids, with the decision about it.

    Attributes:
        existing: The fact it met, as it is held now; None if there is none.
        confidence: Of the statement, in [0.0, 1.0].
        evidence: The sentence it stood in.
        priority: Higher is to be decided sooner.
        statements: How often it was stated.
        created: Seconds since the epoch.
        resolved: Seconds since the epoch; None while it is pending.
    """

    id: int
    state: ConflictState
    type: CollisionType
    incoming: Triple
    existing: Fact | None
    confidence: float
    source: Source
    principal: str
    subject: str
    evidence: str
    priority: int
    statements: int
    assertion_id: int
    created: float
    decision: Decision | None = None
    decider: str = ""
    reasoning: str = ""
    resolved: float | None = None

    @property
    def etag(self) -> str:
        """Changes whenever the conflict does, or the fact that it meets."""
        met = self.existing.assertion_id if self.existing else 0
        return f"{self.state}-{self.statements}-{met}"
