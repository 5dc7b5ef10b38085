"""What a decision does to a conflict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from festinger.core.graph.conflicts import Clash
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.outcome import CollisionType, Fact
from festinger.core.graph.proposal import StatementSource, Triple

ATTEMPTS_MAX = 5
"""Failures of a model after which an item waits for a person (C8)."""


class ConflictDecision(StrEnum):
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
    decision: ConflictDecision
    principal: str
    reasoning: str = ""

    @property
    def state(self) -> ConflictState:
        """Where the item stands after it."""
        if self.decision is ConflictDecision.DISMISS:
            return ConflictState.DISMISSED
        return ConflictState.RESOLVED


@dataclass(frozen=True, slots=True)
class Reopening:
    """A decision that is taken back: its queue item waits again.

    Attributes:
        principal: Who takes it back.
        reasoning: Why, in their words.
        for_people: Whether no model may decide it from now on.
    """

    clash: Clash
    conflict_id: int
    principal: str
    reasoning: str = ""
    for_people: bool = True


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """A decision as it was made, and taken back if it was.

    Attributes:
        principal: Who decided.
        reasoning: Why, in the decider's words.
        resolved: Seconds since the epoch.
        undone_by: Who took it back; empty if nobody did.
        undone: Seconds since the epoch; None if nobody did.
    """

    decision: ConflictDecision
    principal: str
    reasoning: str
    resolved: float | None
    undone_by: str = ""
    undone_because: str = ""
    undone: float | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """A statement that what is held forbids, with the decision about it.

    Attributes:
        existing: The fact it met, as it is held now or was when it was replaced; None if
            there is none.
        confidence: Of the statement, in [0.0, 1.0].
        evidence: The sentence it stood in.
        priority: Higher is to be decided sooner.
        statements: How often it was stated.
        created: Seconds since the epoch.
        attempts: How often a model failed at it.
        last_error: Why it last did.
        for_people: Whether no model may decide it: a decision was taken back.
        private: Whether the sentence holds what is private.
        decided: How it was settled; None while it is pending.
        earlier: How it was before it was reopened, oldest first.
        existing_origin: The words that the fact was read from, if it was.
        incoming_origin: The same of the statement.
    """

    id: int
    state: ConflictState
    type: CollisionType
    incoming: Triple
    existing: Fact | None
    confidence: float
    source: StatementSource
    principal: str
    subject: str
    evidence: str
    priority: int
    statements: int
    assertion_id: int
    created: float
    attempts: int = 0
    last_error: str = ""
    for_people: bool = False
    private: bool = False
    decided: DecisionRecord | None = None
    earlier: Sequence[DecisionRecord] = ()
    existing_origin: StatementOrigin | None = None
    incoming_origin: StatementOrigin | None = None

    @property
    def etag(self) -> str:
        """Changes whenever the conflict does, or the fact that it meets."""
        met = self.existing.assertion_id if self.existing else 0
        return f"{self.state}-{self.statements}-{met}-{len(self.earlier)}"

    @property
    def decision(self) -> ConflictDecision | None:
        """How it was settled; None while it is pending."""
        return self.decided.decision if self.decided else None

    @property
    def decider(self) -> str:
        """Who settled it; empty while it is pending."""
        return self.decided.principal if self.decided else ""

    @property
    def reasoning(self) -> str:
        """Why; empty while it is pending."""
        return self.decided.reasoning if self.decided else ""

    @property
    def is_for_models(self) -> bool:
        """Whether a model may try to settle it (C8)."""
        return (
            self.state is ConflictState.PENDING
            and not self.for_people
            and self.attempts < ATTEMPTS_MAX
        )
