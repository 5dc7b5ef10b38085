"""Candidates: statements too doubtful to be held, which wait for confirmation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.graph.proposal import Evidence, Proposal, StatementSource, Triple

CONFIRMED_CONFIDENCE = 0.95
"""Confidence of a statement that a person confirmed (4-validation)."""

WEIGHED_ANEW = "weighed_anew"
"""Rule of a candidate that is pending again since its votes weigh less than before."""


class Priority(StrEnum):
    """Priority of a candidate, which determines how long it stays open (I4a)."""

    CRITICAL = "critical"
    """Security, moderation and the safety of people."""
    HIGH = "high"
    """Raised because of the author's standing, or by an admin's flag."""
    NORMAL = "normal"
    LOW = "low"


class Lane(StrEnum):
    """Group of people who are asked about a candidate."""

    AUTHOR = "author"
    """The author of the message."""
    COMMUNITY = "community"
    """All members of the channel."""
    MODERATOR = "moderator"
    """Moderators only."""


class CandidateState(StrEnum):
    """State of a candidate."""

    PENDING = "pending_validation"
    """Not yet decided; it changes to one of the other states."""
    CONFIRMED = "confirmed"
    """Confirmed by a person, and judged again by the gate."""
    REJECTED = "rejected"
    """Rejected by a person."""
    EXPIRED = "expired"
    """Not decided before its deadline."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement that waits for confirmation, or waited for it.

    Attributes:
        confidence: In [0.0, 1.0].
        rule: Name of the pattern that found it.
        reason: Why it is not held outright.
        proposer: Person or component that proposed it; it may not decide about it (E6).
        decided: Seconds since the epoch; None while it is pending.
        cid: Content id of its canonical form (I1); empty for rows that predate content
            ids.
        external_id: Identifier that the proposing client uses for it.
        predicate: URI of its predicate, such as `t:joined`; empty if only the dimension
            is known (I3).
        channel: Channel of the message, as `PLATFORM:CHANNEL`; empty for none.
        message_cid: Content id of the message that contains it.
        extractor_version: Extractor and its version. Example: `microllm:v0.1`.
        prompt_hash: Hash of the prompt of the model that guessed it.
        justification: One line of reasoning for the guess.
        sensitive: Whether it contains private data, so that only moderators see it.
        flagged: Whether a moderator should review it.
        evidence_wanted: Whether its author is to be asked for evidence.
        contradicts: The contradicting fact, in words; empty if none.
        expires: Deadline for answers, in seconds since the epoch; None for no deadline,
            which is the case where validation is off for it.
        decision_rule: Name of the rule that decided it, or that made it pending again;
            empty while it is pending for the first time.
        posterior: Probability by the community's votes; None before any vote.
        belief: Whether it is held as its author's belief only (I4).
        confirmed_as: Ledger row that its confirmation created; 0 for none.
    """

    id: int
    state: CandidateState
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
        """The name of the candidate in the records of what it changes."""
        return f"candidate {self.id}"

    def is_over(self, now: float) -> bool:
        """Return whether the candidate accepts no more answers (I4a)."""
        if self.state is CandidateState.EXPIRED:  # dreaming has it
            return True
        if self.expires is None:  # no deadline: until it is decided
            return self.state is not CandidateState.PENDING
        return now >= self.expires  # a decision can still be changed until then

    def confirmed(
        self, by: str, confidence: float = CONFIRMED_CONFIDENCE, *, belief: bool = False
    ) -> Proposal:
        """Return the proposal that the gate judges once people confirmed the candidate.

        Args:
            by: Person who confirmed it; of several, the first by name.
            confidence: Confidence of the confirmed statement, in [0.0, 1.0].
            belief: Whether the community denies what the author states.
        """
        # In the name of who confirmed it: their word makes it a fact, not the proposer's.
        return Proposal(
            self.triple,
            confidence=confidence,
            source=StatementSource.VALIDATED,
            principal=by,
            proposer=self.proposer,
            subject=self.subject,
            # Not checked for confidence; the gate still looks for collisions (I2).
            decided=True,
            evidence=Evidence(self.evidence, self.name),
            belief=belief,
        )
