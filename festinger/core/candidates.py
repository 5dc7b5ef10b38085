"""Statements that are too doubtful to be held and wait for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.proposal import Evidence, Proposal, Source, Triple

CONFIRMED_CONFIDENCE = 0.95
"""How far a statement is relied on once a person confirmed it (4-validation)."""


class FactoidState(StrEnum):
    """Where a candidate stands."""

    PENDING = "pending_validation"
    """It waits for a person; moves to one of the others."""
    CONFIRMED = "confirmed"
    """A person confirmed it, and the gate judged it again."""
    REJECTED = "rejected"
    """A person rejected it."""
    EXPIRED = "expired"
    """Nobody decided in time."""


@dataclass(frozen=True, slots=True)
class Factoid:
    """A candidate.

    Attributes:
        confidence: In [0.0, 1.0].
        rule: The pattern that found it.
        reason: Why it is not held outright.
        proposer: What put it forward; it may not decide about it (E6).
        author: Whose text it stood in.
        statements: How often it was stated.
        created: Seconds since the epoch.
        decided: Seconds since the epoch; None while it is pending.
    """

    id: int
    state: FactoidState
    triple: Triple
    confidence: float
    source: Source
    rule: str
    reason: str
    proposer: str
    author: str
    subject: str
    evidence: str
    statements: int
    created: float
    decider: str = ""
    decided: float | None = None

    def confirmed(self, by: str) -> Proposal:
        """The statement as it goes through the gate once a person confirmed it."""
        return Proposal(
            self.triple,
            confidence=max(self.confidence, CONFIRMED_CONFIDENCE),
            source=Source.VALIDATED,
            principal=by,
            proposer=self.proposer,
            subject=self.subject,
            decided=True,
            evidence=Evidence(self.evidence, self.rule),
        )
