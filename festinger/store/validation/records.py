"""Values that the storage of validation reads and writes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from festinger.core.graph.candidates import Candidate
from festinger.core.validation.backlog import BacklogResult
from festinger.core.validation.breaker import ReversalBreaker
from festinger.core.validation.calibration import Calibration, DecidedLabel
from festinger.core.validation.drift import Drift, RuleCounts
from festinger.core.validation.karma import DecidedCandidate
from festinger.core.validation.questions import Question
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import Vote


@dataclass(frozen=True, slots=True)
class CompletedItem:
    """Completion of an item of the backlog, with its findings.

    Attributes:
        dream_run: The number of the dreaming run; 0 for work outside of one.
    """

    item_id: int
    lease: UUID
    findings: Sequence[BacklogResult]
    dream_run: int = 0


@dataclass(frozen=True, slots=True)
class NearbyTurn:
    """A stored text near a candidate.

    Attributes:
        role: The role of the turn's speaker; empty for a part of a document, and if
            unknown.
        reason: The reason why its statement is only a candidate; empty if it is not.
        chunk_id: The chunk of a document; empty if it is none.
    """

    text: str
    role: str = ""
    reason: str = ""
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class PredicateSuggestion:
    """A recurring predicate that is not registered.

    Attributes:
        count: The number of its occurrences.
        examples: Statements that contain it.
    """

    uri: str
    count: int
    examples: Sequence[str]


@dataclass(frozen=True, slots=True)
class BotTargets:
    """A bot process that can post questions, and its targets.

    Attributes:
        recipients: Principals that it can message directly.
        channels: Channels that it can post in, as `PLATFORM:CHANNEL`.
        lessee: The UUID of its process.
    """

    platform: str
    recipients: Collection[str]
    channels: Collection[str]
    lessee: str


@dataclass(frozen=True, slots=True)
class LeasedQuestions:
    """Questions that a bot leased to post, and messages to update."""

    post: Sequence[Question]
    update: Sequence[Question]


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Training data from people's answers.

    Attributes:
        votes: Votes on candidates and on gold tasks, whose answer is known.
        gold: The known answers, by task.
        decided: Decided candidates with votes.
        labels: The decided candidates of each machine, by its version.
        shadows: Counts of later agreements with and denials of rules' statements.
    """

    votes: Sequence[Vote] = ()
    gold: Mapping[str, bool] = field(default_factory=dict)
    decided: Sequence[DecidedCandidate] = ()
    labels: Mapping[str, Sequence[DecidedLabel]] = field(default_factory=dict)
    shadows: Sequence[RuleCounts] = ()


@dataclass(frozen=True, slots=True)
class LearningResult:
    """Results of learning from people's answers.

    Attributes:
        votes: The number of votes it is based on.
        karma: Karma by rater, for display only.
        shadows: The counts that `drift` is based on.
        fitted: Time of the learning, in seconds since the epoch.
    """

    votes: int
    reputations: Reputations
    karma: Mapping[str, float]
    calibrations: Sequence[Calibration]
    shadows: Sequence[RuleCounts]
    drift: Drift
    fitted: float


@dataclass(frozen=True, slots=True)
class Rater:
    """A person who answers, with reputation and preferences."""

    principal: str
    reputation: Reputation
    karma: float
    opted_out: bool


@dataclass(frozen=True, slots=True)
class LearningState:
    """Last ratings of a memory as a whole.

    Attributes:
        fitted: Time of the last learning, in seconds since the epoch; None if never.
        is_revised: Whether confirmations were revised after it.
        key: The key for the pseudonyms of raters in exported examples.
    """

    fitted: float | None
    breaker: ReversalBreaker
    drift: Drift
    key: bytes
    is_revised: bool


@dataclass(frozen=True, slots=True)
class CandidateUpdate:
    """New state of a candidate, with what follows from it.

    Attributes:
        candidate: The candidate in its new state.
        closes: The reason to close its questions: `decided` or `expired`; empty to keep
            them open.
        backlog: The reason to add it to the backlog: `rejected`, `expired` or
            `requested`; empty not to.
    """

    candidate: Candidate
    closes: str = ""
    backlog: str = ""


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """An answer to a gold question, whose answer is known; it decides nothing.

    Attributes:
        disputed: Whether the responder disputes the known answer.
    """

    question_id: int
    responder: str
    answer: bool
    disputed: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """The part of a question that the handling of its answer needs.

    Attributes:
        recipient: The principal who was asked; empty for a channel.
        gold_answer: The known answer of a gold question; None for an ordinary one.
    """

    id: int
    candidate_id: int
    recipient: str
    gold_answer: bool | None
    context_message_cid: str
    prompt_hash: str


@dataclass(frozen=True, slots=True)
class RaterState:
    """Reputations of those who answer, and the state of the breaker.

    Attributes:
        open_until: Time until which only moderators decide, in seconds since the epoch.
    """

    reputations: Reputations
    open_until: float = 0.0
