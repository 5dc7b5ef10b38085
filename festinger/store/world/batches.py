"""What one transaction writes, what names it, and what comes of it: values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from festinger.core.graph.candidates import Factoid
from festinger.core.graph.changes import Changes, LedgerEntry
from festinger.core.graph.conflicts import Clash
from festinger.core.language.reader.unread import UnreadTurn
from festinger.core.lines.notes import Notes, notes_in
from festinger.core.lines.turns import SpokenTurn
from festinger.core.memories.interaction import InteractionFinding, RejectedExtraction
from festinger.core.memories.memory import Memory
from festinger.core.provenance.trail import Trail
from festinger.core.review.claims import (
    ClaimChanges,
)
from festinger.core.review.state import StateItem
from festinger.core.validation.events import ValidationEvent
from festinger.core.validation.reputation import Reputations
from festinger.core.world.undoing import Effects
from festinger.store.review.records import ExtractedChunks
from festinger.store.validation.records import Dreamt

SegmentKey = tuple[bytes, int]
"""A turn's digest, and which of its statements."""
Deltas = Sequence[tuple[int, int, float]]
"""(concept, encounters to add, last seen in seconds since the epoch), by concept."""


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What names a call that must not change anything twice.

    Attributes:
        payload: A hash of what was asked: the same id with another payload is wrong.
    """

    principal: str
    id: str
    method: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Answered:
    """What a call led to: from this its answer is read again.

    Attributes:
        claims: The claims that it wrote or changed.
        overflow: Those that it wrote and for which there was no room.
        again: Those that it found again.
        edits: What it did to them.
        state: Project and key of what it wrote there.
        event: The content identifier of the answer that it is.
    """

    assertion_id: int = 0
    conflict_id: int = 0
    factoid_id: int = 0
    model_id: int = 0
    interaction_id: int = 0
    added: int = 0
    version: int = 0
    settled: Sequence[int] = ()
    claims: Sequence[int] = ()
    overflow: Sequence[int] = ()
    again: Sequence[int] = ()
    edits: Sequence[int] = ()
    state: Sequence[str] = ()
    event: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What became of a candidate.

    Attributes:
        factoid: As it stands from now on.
        closes: Why nobody is asked any more: `decided` or `expired`; empty if somebody
            still is.
        backlog: Why it is to be dreamt of: `rejected`, `expired` or `requested`; empty if
            it is not.
    """

    factoid: Factoid
    closes: str = ""
    backlog: str = ""


@dataclass(frozen=True, slots=True)
class Audit:
    """An answer to a question whose answer is known; it decides nothing.

    Attributes:
        disputed: Whether they say that what is taken for known is wrong.
    """

    question_id: int
    responder: str
    answer: bool
    disputed: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What an answer to a question must know of it.

    Attributes:
        recipient: Who was asked; empty for a channel.
        gold_answer: What is known; None for a question that is meant.
    """

    id: int
    factoid_id: int
    recipient: str
    gold_answer: bool | None
    context_message_cid: str
    prompt_hash: str


@dataclass(frozen=True, slots=True)
class Rated:
    """What is known of those who answer.

    Attributes:
        open_until: Until when only moderators decide, in seconds since the epoch.
    """

    reputations: Reputations
    open_until: float = 0.0


@dataclass(frozen=True, slots=True)
class Remembered:
    """That an interaction was extracted, and what became of what was found in it.

    Attributes:
        stored: How many memories were stored, or confirmed.
        rejections: What was not stored, and is logged.
    """

    interaction_id: int
    lease: UUID
    findings: Sequence[InteractionFinding]
    stored: int
    log: Sequence[str]
    rejections: Sequence[RejectedExtraction] = ()


@dataclass(slots=True)
class Batch:
    """Everything that one transaction writes.

    Attributes:
        effects: What the decisions about queue items changed, by number.
        claims: What people and extractors did to claims.
        state: What people wrote down as true of their projects.
        extracted: Documents that were swept.
        events: What was answered about candidates.
        audits: What was answered where the answer is known.
        answered: Questions that are not to be answered any more: they are.
        said: Turns of which sentences are kept, without numbers.
        reworded: Turns of which sentences are forgotten.
        marked: Turns whose sentences a model has read.
        removed: The numbers of turns that are forgotten whole.
        evidence_before: When the sentences were read that the ledger quotes no more; 0
            for never.
        confirmed: Turns of which instructions were confirmed.
        unread: Turns that a model is to read.
        read: The leases of the batches that a model has read.
        erased: Sentences with their speakers, of which no copy is to be left.
        unnamed: Tokens to be dropped where nothing names them any more.
        trail: Where its facts come from, for anybody to walk.
        id: Names it, so that one whose COMMIT was never answered can be looked for.
    """

    changes: Changes
    rulings: list[Ruling] = field(default_factory=list)
    effects: dict[int, Effects] = field(default_factory=dict)
    remembered: list[Remembered] = field(default_factory=list)
    dreamt: list[Dreamt] = field(default_factory=list)
    claims: ClaimChanges = field(default_factory=ClaimChanges)
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
        """What it changes of entities and trusted state, as lines of the index."""
        return notes_in(self.claims, self.state)

    def keep(self, turns: Iterable[SpokenTurn]) -> None:
        """Add turns, each once: of two that are the same, the one said just now."""
        for turn in turns:
            places = (i for i, it in enumerate(self.said) if it.is_same(turn))
            at = next(places, None)
            if at is None:
                self.said.append(turn)
            elif turn.is_newest:
                self.said[at] = turn


@dataclass(frozen=True, slots=True)
class Committed:
    """What a transaction gave out.

    Attributes:
        version: The tenant's version after it.
        conflicts: The numbers of the queue items, new and counted.
        factoids: The numbers of the candidates, by ledger row.
        memories: What is told of the subjects that changed.
        spoken: Turns as they are kept now.
        gone: The numbers of those that are kept no more.
        dropped: The numbers of concepts that were dropped.
        unquoted: The concepts of statements whose words are forgotten, by their rows of
            the ledger.
    """

    version: int
    conflicts: dict[Clash, int]
    factoids: dict[int, int]
    memories: Mapping[str, Sequence[Memory]] = field(default_factory=dict)
    spoken: Sequence[SpokenTurn] = ()
    gone: Collection[int] = ()
    dropped: Collection[int] = ()
    unquoted: Mapping[int, int] = field(default_factory=dict)


class RaceLost(Exception):
    """Another server was first: take over what it wrote, and judge again.

    Attributes:
        concepts: Tokens that have another number by now.
        places: Concepts of which something else is held than the draft believed.
    """

    def __init__(
        self, *, concepts: dict[str, int] | None = None, places: Collection[int] = ()
    ) -> None:
        super().__init__("another server was first")
        self.concepts = concepts or {}
        self.places = places


class TooFarBehind(Exception):
    """The log of changes does not reach back so far: load the memory anew."""
