"""Values that a transaction writes and returns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from festinger.core.graph.candidates import Candidate
from festinger.core.graph.changes import Changes, LedgerEntry
from festinger.core.graph.conflicts import Clash
from festinger.core.language.reader.unread import UnreadTurn
from festinger.core.lines.notes import Notes, notes_in
from festinger.core.lines.turns import SpokenTurn
from festinger.core.memories.interaction import InteractionFinding, RejectedExtraction
from festinger.core.memories.memory import Memory
from festinger.core.provenance.trail import Trail
from festinger.core.review.records import RecordChanges
from festinger.core.review.state import StateItem
from festinger.core.validation.events import ValidationEvent
from festinger.core.validation.reputation import Reputations
from festinger.core.world.undoing import Effects
from festinger.store.review.results import ExtractedChunks
from festinger.store.validation.records import Dreamt

SegmentKey = tuple[bytes, int]
"""A turn's digest, and the ordinal of a statement in it."""
Deltas = Sequence[tuple[int, int, float]]
"""(concept, encounters to add, last seen in seconds since the epoch), by concept."""


@dataclass(frozen=True, slots=True)
class RequestKey:
    """Idempotency key of a call.

    Attributes:
        payload: A hash of the request: the same id with another payload is an error.
    """

    principal: str
    id: str
    method: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Answered:
    """Result of a call, from which its answer is rebuilt on repetition.

    Attributes:
        records: The records that were written or changed.
        overflow: The records that exceeded the capacity of the review cycle.
        again: The records that were found again.
        edits: The edits of the records.
        state: Project and key of the item of trusted state that was written.
        event: The content identifier of the recorded answer.
    """

    assertion_id: int = 0
    conflict_id: int = 0
    candidate_id: int = 0
    model_id: int = 0
    interaction_id: int = 0
    added: int = 0
    version: int = 0
    settled: Sequence[int] = ()
    records: Sequence[int] = ()
    overflow: Sequence[int] = ()
    again: Sequence[int] = ()
    edits: Sequence[int] = ()
    state: Sequence[str] = ()
    event: str = ""


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
class Audit:
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
class Rated:
    """Reputations of those who answer, and the state of the breaker.

    Attributes:
        open_until: Time until which only moderators decide, in seconds since the epoch.
    """

    reputations: Reputations
    open_until: float = 0.0


@dataclass(frozen=True, slots=True)
class Remembered:
    """Completion of an extraction from an interaction, with its findings.

    Attributes:
        stored: The number of memories that were stored or confirmed.
        rejections: The extractions that were not stored, to be logged.
    """

    interaction_id: int
    lease: UUID
    findings: Sequence[InteractionFinding]
    stored: int
    log: Sequence[str]
    rejections: Sequence[RejectedExtraction] = ()


@dataclass(slots=True)
class Batch:
    """All writes of one transaction.

    Attributes:
        effects: The changes made by decisions about queue items, by number.
        records: Changes of records by people and extractors.
        state: Items of projects' trusted state.
        extracted: Chunks whose extraction is done.
        events: Answers about candidates.
        audits: Answers to gold questions.
        answered: The numbers of questions that are closed as answered.
        said: New turns with sentences to store, still without numbers.
        reworded: Turns after sentences were forgotten.
        marked: Turns whose sentences were marked by a model.
        removed: The numbers of turns that are forgotten completely.
        evidence_before: Time before which quotes are erased, in seconds since the
            epoch; 0 for none.
        confirmed: Turns whose instructions were confirmed.
        unread: Turns to queue for a model.
        read: The leases of the batches that a model has read.
        erased: Sentences with their speakers, all copies of which are erased.
        unnamed: Tokens to drop if they have no references any more.
        trail: The provenance of its facts.
        id: Identifies the batch, so that the outcome of an unanswered COMMIT can be
            determined.
    """

    changes: Changes
    candidate_updates: list[CandidateUpdate] = field(default_factory=list)
    effects: dict[int, Effects] = field(default_factory=dict)
    remembered: list[Remembered] = field(default_factory=list)
    dreamt: list[Dreamt] = field(default_factory=list)
    records: RecordChanges = field(default_factory=RecordChanges)
    state: list[StateItem] = field(default_factory=list)
    extracted: list[ExtractedChunks] = field(default_factory=list)
    events: list[ValidationEvent] = field(default_factory=list)
    audits: list[Audit] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)
    said: list[SpokenTurn] = field(default_factory=list)
    reworded: list[SpokenTurn] = field(default_factory=list)
    marked: list[SpokenTurn] = field(default_factory=list)
    removed: set[int] = field(default_factory=set)
    evidence_before: float = 0.0
    confirmed: list[SpokenTurn] = field(default_factory=list)
    unread: list[UnreadTurn] = field(default_factory=list)
    read: list[UUID] = field(default_factory=list)
    erased: list[tuple[str, str]] = field(default_factory=list)
    unnamed: set[str] = field(default_factory=set)
    trail: Trail = field(default_factory=Trail)
    requests: list[tuple[RequestKey, LedgerEntry | None, Answered]] = field(
        default_factory=list
    )
    now: float = 0.0
    id: UUID = field(default_factory=uuid4)

    @property
    def notes(self) -> Notes:
        """The changes of entities and trusted state, as lines of the index."""
        return notes_in(self.records, self.state)

    def keep(self, turns: Iterable[SpokenTurn]) -> None:
        """Add turns without duplicates; of equal turns the newest one is kept."""
        for turn in turns:
            places = (i for i, it in enumerate(self.said) if it.is_same(turn))
            at = next(places, None)
            if at is None:
                self.said.append(turn)
            elif turn.is_newest:
                self.said[at] = turn


@dataclass(frozen=True, slots=True)
class Committed:
    """Result of a committed transaction.

    Attributes:
        version: The tenant's version after it.
        conflicts: The numbers of the queue items, new or counted, by clash.
        candidates: The numbers of the candidates, by ledger row.
        memories: The active memories about the subjects that changed.
        spoken: Written or changed turns, as stored.
        gone: The numbers of removed turns.
        dropped: The numbers of concepts that were dropped.
        unquoted: The concepts of statements whose origin was deleted, by row of the
            ledger.
    """

    version: int
    conflicts: dict[Clash, int]
    candidates: dict[int, int]
    memories: Mapping[str, Sequence[Memory]] = field(default_factory=dict)
    spoken: Sequence[SpokenTurn] = ()
    gone: Collection[int] = ()
    dropped: Collection[int] = ()
    unquoted: Mapping[int, int] = field(default_factory=dict)


class RaceLost(Exception):
    """Lost race against another server: load its changes and judge again.

    Attributes:
        concepts: Tokens whose concept has another number, with that number.
        places: Concepts whose content differs from what the draft assumed.
    """

    def __init__(
        self, *, concepts: dict[str, int] | None = None, places: Collection[int] = ()
    ) -> None:
        super().__init__("another server was first")
        self.concepts = concepts or {}
        self.places = places


class TooFarBehind(Exception):
    """The change log does not reach back far enough: load the memory again."""
