"""Conflicts and the decisions about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from festinger.core.graph.conflicts import Clash
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.outcome import CollisionType, Fact
from festinger.core.graph.proposal import StatementSource, Triple

ATTEMPTS_MAX = 5
"""Number of failed model attempts after which only a person can decide (C8)."""


class ConflictDecision(StrEnum):
    """Decision about a conflict."""

    UPDATE = "update"
    """The incoming statement replaces the fact."""
    DISMISS = "dismiss"
    """The incoming statement is dropped and the fact is kept."""
    DECOMPOSE = "decompose"
    """Both are true: each moves to a dimension of its own."""
    RECLASSIFY = "reclassify"
    """The incoming statement is held in another dimension."""


class ConflictState(StrEnum):
    """State of a conflict."""

    PENDING = "pending"
    """Not yet decided; a decision changes it to one of the other states."""
    RESOLVED = "resolved"
    """Decided by a change of the memory."""
    DISMISSED = "dismissed"
    """Decided without a change of the memory."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """A decision about a queue item.

    Attributes:
        principal: Person or model that decided.
        reasoning: Reason in the decider's words.
    """

    clash: Clash
    conflict_id: int
    decision: ConflictDecision
    principal: str
    reasoning: str = ""

    @property
    def state(self) -> ConflictState:
        """The state of the item after the decision."""
        # A dismissal changes nothing of what is held, and is listed apart.
        if self.decision is ConflictDecision.DISMISS:
            return ConflictState.DISMISSED
        return ConflictState.RESOLVED


class UnsettledChange(NamedTuple):
    """A statement of change that collided, before it is decided (J7).

    Attributes:
        id: Number of its conflict.
        changed_by: Who said it.
        sentence: The words.
    """

    id: int
    changed_by: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ReopenedItem:
    """An undone decision, whose queue item becomes pending again.

    Attributes:
        principal: Person who undoes it.
        reasoning: Reason in their words.
        for_people: Whether only people may decide it from now on.
    """

    clash: Clash
    conflict_id: int
    principal: str
    reasoning: str = ""
    for_people: bool = True  # a model would only repeat its decision


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """A recorded decision, and its undoing if it was undone.

    Attributes:
        principal: Person or model that decided.
        reasoning: Reason in the decider's words.
        undone_by: Person who undid it; empty if it was not undone.
        undone_because: Reason for undoing it, in that person's words.
        undone: Seconds since the epoch; None if it was not undone.
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
    """A statement that collides with what is held, and the decision about it.

    Attributes:
        existing: Fact with which it collides, as it is held now or was when it was
            replaced; None if there is none.
        confidence: Confidence of the statement, in [0.0, 1.0].
        evidence: Sentence that contained the statement.
        priority: Higher values are decided sooner.
        attempts: Number of failed attempts of a model.
        last_error: Error of the last failed attempt.
        for_people: Whether only people may decide it, since a decision was undone.
        private: Whether the sentence contains private data.
        decided: The decision; None while it is pending.
        earlier: Undone decisions, oldest first.
        existing_origin: Quote that the fact was read from; None for none.
        incoming_origin: Quote that the statement was read from; None for none.
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
    attempts: int = 0  # up to ATTEMPTS_MAX, then it is for people
    last_error: str = ""
    for_people: bool = False
    private: bool = False
    decided: DecisionRecord | None = None
    earlier: Sequence[DecisionRecord] = ()
    existing_origin: StatementOrigin | None = None
    incoming_origin: StatementOrigin | None = None

    @property
    def etag(self) -> str:
        """A tag that changes with the conflict, and with the fact it collides with."""
        # The fact may change without the conflict: whoever decides must have seen the present one.
        met = self.existing.assertion_id if self.existing else 0  # 0: a circle
        return f"{self.state}-{self.statements}-{met}-{len(self.earlier)}"

    @property
    def decision(self) -> ConflictDecision | None:
        """The decision; None while it is pending."""
        return self.decided.decision if self.decided else None

    @property
    def is_for_models(self) -> bool:
        """True if a model may try to decide it (C8)."""
        return (
            self.state is ConflictState.PENDING
            # Its decision was undone, and a model would repeat it.
            and not self.for_people
            and self.attempts < ATTEMPTS_MAX
        )
