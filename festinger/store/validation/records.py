"""What validation reads and writes, as values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from festinger.core.validation.backlog import (
    Finding,
)
from festinger.core.validation.breaker import ReversalBreaker
from festinger.core.validation.calibration import Calibration, Label
from festinger.core.validation.drift import Count, Drift
from festinger.core.validation.karma import DecidedCandidate
from festinger.core.validation.questions import Question
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import Vote


@dataclass(frozen=True, slots=True)
class Dreamt:
    """That an item was looked into, and what became of what was found.

    Attributes:
        night: In which that was; 0 if it was somebody else's work.
    """

    item_id: int
    lease: UUID
    findings: Sequence[Finding]
    night: int = 0


@dataclass(frozen=True, slots=True)
class NearbyTurn:
    """Something that was said around a candidate, as it is kept.

    Attributes:
        role: Whose turn it stood in; empty for a part of a document, and where nobody
            knows.
        reason: Why what was stated there could only be proposed, if it could.
        chunk_id: The part of a document that it is; empty if it is none.
    """

    text: str
    role: str = ""
    reason: str = ""
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A predicate that recurs and that nobody registered.

    Attributes:
        count: How often it was met.
        examples: Statements that it was met in.
    """

    uri: str
    count: int
    examples: Sequence[str]


@dataclass(frozen=True, slots=True)
class Reach:
    """Who would post questions, and where they can.

    Attributes:
        recipients: Principals that it reaches in person.
        channels: Channels that it posts in, as `PLATFORM:CHANNEL`.
        lessee: Names its process.
    """

    platform: str
    recipients: Collection[str]
    channels: Collection[str]
    lessee: str


@dataclass(frozen=True, slots=True)
class LeasedQuestions:
    """Questions that somebody is to post, and messages that they are to change."""

    post: Sequence[Question]
    update: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that was answered, as there is to learn from it.

    Attributes:
        votes: On candidates, and on questions whose answer is known.
        gold: Those answers, by task.
        decided: What became of candidates that were voted on.
        labels: The decided candidates of each machine, by its version.
        shadows: What rules held, and what was said of the same later.
    """

    votes: Sequence[Vote] = ()
    gold: Mapping[str, bool] = field(default_factory=dict)
    decided: Sequence[DecidedCandidate] = ()
    labels: Mapping[str, Sequence[Label]] = field(default_factory=dict)
    shadows: Sequence[Count] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learnt.

    Attributes:
        votes: From how many.
        karma: By rater, for display only.
        shadows: What `drift` was made of.
        fitted: When, in seconds since the epoch.
    """

    votes: int
    reputations: Reputations
    karma: Mapping[str, float]
    calibrations: Sequence[Calibration]
    shadows: Sequence[Count]
    drift: Drift
    fitted: float


@dataclass(frozen=True, slots=True)
class Rater:
    """Somebody who answers, and what is known of them."""

    principal: str
    reputation: Reputation
    karma: float
    opted_out: bool


@dataclass(frozen=True, slots=True)
class Ratings:
    """What was learnt last of a memory's raters as a whole.

    Attributes:
        fitted: When, in seconds since the epoch; None if never.
        key: Makes the names of raters in exported examples.
    """

    fitted: float | None
    breaker: ReversalBreaker
    drift: Drift
    key: bytes
