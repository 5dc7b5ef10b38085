"""Statements that are too doubtful to be held and wait for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.graph.proposal import Evidence, Proposal, StatementSource, Triple

CONFIRMED_CONFIDENCE = 0.95
"""How far a statement is relied on once a person confirmed it (4-validation)."""


class Priority(StrEnum):
    """How urgent a candidate is, which says how long it waits for people (I4a)."""

    CRITICAL = "critical"
    """Security, moderation and the safety of people."""
    HIGH = "high"
    """By its author's standing, or an admin's flag."""
    NORMAL = "normal"
    LOW = "low"


class Lane(StrEnum):
    """Who is asked."""

    AUTHOR = "author"
    """Whoever wrote the message."""
    COMMUNITY = "community"
    """Everybody in the channel."""
    MODERATOR = "moderator"
    """Moderators only."""


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
        cid: Of its canonical form (I1); empty if it is older than these.
        external_id: What the client that put it forward calls it.
        predicate: Its URI, such as `t:joined`; empty if only the dimension is known (I3).
        subject_raw: Its subject as it was written; `object_raw` the same.
        channel: Where it was said, as `PLATFORM:CHANNEL`; empty for nowhere in particular.
        message_cid: Of the message that it stood in.
        extractor_version: What extracted it. Example: `microllm:v0.1`.
        prompt_hash: Of what the model was asked that guessed it.
        model_version: That model, and its version.
        justification: Why it was guessed, in a line.
        sensitive: Whether it holds what is private: moderators only.
        flagged: Whether a moderator should look at it.
        evidence_wanted: Whether its author is to be asked for evidence.
        contradicts: The fact that it runs against, in words; empty if none.
        expires: Until when it waits and answers count, in seconds since the epoch; None
            for as long as it takes: validation is not on for it.
        decision_rule: By which rule it was decided; empty while it is pending.
        posterior: How probable it is by the community's votes; None before any.
        belief: Whether it is held as its author's belief only (I4).
        confirmed_as: The row of the ledger that its confirmation made; 0 for none.
    """

    id: int
    state: FactoidState
    triple: Triple
    confidence: float
    source: StatementSource
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
    cid: str = ""
    external_id: str = ""
    predicate: str = ""
    subject_raw: str = ""
    object_raw: str = ""
    message_cid: str = ""
    chunk_id: str = ""
    extractor_version: str = ""
    prompt_hash: str = ""
    model_version: str = ""
    justification: str = ""
    priority: Priority = Priority.NORMAL
    lane: Lane = Lane.COMMUNITY
    sensitive: bool = False
    flagged: bool = False
    contradicts: str = ""
    expires: float | None = None
    decision_rule: str = ""
    posterior: float | None = None
    belief: bool = False
    confirmed_as: int = 0
    channel: str = ""
    evidence_wanted: bool = False

    @property
    def name(self) -> str:
        """What the candidate is called where it changes what is held."""
        return f"candidate {self.id}"

    def is_over(self, now: float) -> bool:
        """Whether it can be answered no more.

        One that has a deadline is answered until then, even if it is decided (I4a); one
        that has none, until it is.
        """
        if self.state is FactoidState.EXPIRED:
            return True
        if self.expires is None:
            return self.state is not FactoidState.PENDING
        return now >= self.expires

    def confirmed(
        self, by: str, confidence: float = CONFIRMED_CONFIDENCE, *, belief: bool = False
    ) -> Proposal:
        """The statement as it goes through the gate once people confirmed it.

        Args:
            by: Who did; of several, the first by name.
            belief: Whether the community denies what its author says.
        """
        return Proposal(
            self.triple,
            confidence=confidence,
            source=StatementSource.VALIDATED,
            principal=by,
            proposer=self.proposer,
            subject=self.subject,
            decided=True,
            evidence=Evidence(self.evidence, self.name),
            belief=belief,
        )
