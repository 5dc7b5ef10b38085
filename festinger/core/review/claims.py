"""Claims: what was extracted or written by hand, and what people have made of it.

A claim is a typed memory (L1) or an entity (L2). It begins as an offer, is written as a
candidate, and a person decides. Every change of one is an edit, with the claim as it was
before and after, so that all of it can be taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from festinger.core.graph.saliency import DAY
from festinger.core.memories.types import (
    CONVERSATION_TYPES,
    ENGINEERING_TYPES,
    ENTITY_TYPES,
    MemoryKind,
    MemoryType,
    Status,
    normalised,
)

CONTENT_CHARACTERS_MAX = 2000
"""Longer than that is a document, and nothing that one decision can be about."""
STALE_SECONDS = 14 * DAY
"""A candidate that waits for longer is stale."""
LIVE = frozenset(Status) - {Status.SUPERSEDED}
"""Where a claim keeps the same from being written a second time."""
TYPES: Mapping[MemoryKind, Sequence[MemoryType]] = {
    MemoryKind.MEMORY: (*CONVERSATION_TYPES, *ENGINEERING_TYPES),
    MemoryKind.ENTITY: ENTITY_TYPES,
}
"""What a claim of each kind may say."""

Span = tuple[int, int]
"""Half-open, in characters."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a claim was found.

    Attributes:
        chunk_id: The chunk of a document; empty if it is from elsewhere.
        interaction_id: The interaction; 0 if it is from elsewhere.
        rule: What found it, within its extractor. Example: `heading`.
        extractor: Empty if somebody wrote it by hand.
        extractor_version: The version of the extractor when it found it.
        span: Where it stands in the chunk or interaction.
        quote: The text around it as it was read, one sentence or a few.
        quote_span: Where the match stands in the quote.
        place: The document's path or the session, for people.
    """

    chunk_id: str = ""
    interaction_id: int = 0
    rule: str = ""
    extractor: str = ""
    extractor_version: str = ""
    span: Span = (0, 0)
    quote: str = ""
    quote_span: Span = (0, 0)
    place: str = ""

    @property
    def hand_authored(self) -> bool:
        """Whether neither a chunk nor an interaction holds it."""
        return not self.chunk_id and not self.interaction_id


class Key(NamedTuple):
    """What is the same for two claims that say the same (H1)."""

    kind: MemoryKind
    type: MemoryType
    content: str
    project: str
    subject: str


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that an extractor, a model or a person puts forward.

    Attributes:
        confidence: In [0.0, 1.0].
        proposer: What put it forward: an extractor's or a model's name, or a person's;
            who proposed it does not promote it (E6).
        fact: The relation that it states, as `gutask iknowthat` takes it; may be empty.
        reasoning: Why it has this confidence and status, for people.
        status: Candidate; active only from a user's own conversation (G3).
        contradicts: Known claims that it contradicts.
        rank: What orders it in its pass; the best come first in the queue.
    """

    kind: MemoryKind
    type: MemoryType
    content: str
    origin: Origin
    confidence: float
    proposer: str
    project: str = ""
    subject: str = ""
    fact: str = ""
    reasoning: str = ""
    status: Status = Status.CANDIDATE
    contradicts: tuple[int, ...] = ()
    rank: float = 0.0

    @property
    def key(self) -> Key:
        """What is the same for two that say the same."""
        return Key(
            self.kind, self.type, normalised(self.content), self.project, self.subject
        )


@dataclass(frozen=True)
class Claim:
    """A typed memory or an entity, as its row has it. Times are seconds since the epoch.

    Attributes:
        confidence: In [0.0, 1.0], as it was when last confirmed.
        outcome: What the gate made of the fact, in a word; empty if it was not judged.
        assertion_id: The ledger row of that; 0 for none.
        re_extraction_count: How often it was found again, and when last.
        cycle: The cycle of reviews in which it was written; 0 while it overflows, and
            for what no extraction wrote.
        pending_since: Since when it waits for a person; None if it does not.
        deferred_at: Since when it is put aside; None if it is not.
        confirmed_at: Its weight decays from then on.
        graduated_from: Of an entity, the memory; 0 for none.
        graduated_to: Of a graduated memory, the entity; 0 for none.
        superseded_by: The claim that took its place; 0 for none.
        decider: Who decided last; empty if nobody has.
        sole: Whether its proposer promoted it, being the only one who decides here (E6).
        original_content: As it was first written, if somebody edited it.
        version: Changes with every change, but for being found again.
    """

    id: int
    kind: MemoryKind
    type: MemoryType
    content: str
    origin: Origin
    status: Status
    confidence: float
    proposer: str
    project: str = ""
    subject: str = ""
    fact: str = ""
    reasoning: str = ""
    rank: float = 0.0
    outcome: str = ""
    assertion_id: int = 0
    re_extraction_count: int = 0
    last_re_extracted_at: float | None = None
    cycle: int = 0
    pending_since: float | None = None
    deferred_at: float | None = None
    confirmed_at: float = 0.0
    graduated_from: int = 0
    graduated_to: int = 0
    superseded_by: int = 0
    contradicts: tuple[int, ...] = ()
    decider: str = ""
    sole: bool = False
    original_content: str = ""
    version: int = 1
    created_at: float = 0.0

    @cached_property
    def key(self) -> Key:
        """What is the same for two that say the same."""
        return Key(
            self.kind, self.type, normalised(self.content), self.project, self.subject
        )

    @property
    def etag(self) -> str:
        """Changes whenever the claim does, but for being found again."""
        return f"{self.id}-{self.version}"

    def is_stale(self, now: float) -> bool:
        """Whether it has waited for too long."""
        return (
            self.pending_since is not None and now - self.pending_since > STALE_SECONDS
        )

    def to_json(self) -> dict[str, Any]:
        """The whole row in what JSON has."""
        return asdict(self)

    @classmethod
    def from_json(cls, parts: Mapping[str, Any]) -> Claim:
        """What `to_json` gave, after JSON made lists of its tuples."""
        origin = Origin(
            **parts["origin"]
            | {name: tuple(parts["origin"][name]) for name in ("span", "quote_span")}
        )
        known = {each.name for each in fields(cls)}
        return cls(
            **{name: value for name, value in parts.items() if name in known}
            | {
                "kind": MemoryKind(parts["kind"]),
                "type": MemoryType(parts["type"]),
                "status": Status(parts["status"]),
                "contradicts": tuple(parts["contradicts"]),
                "origin": origin,
            }
        )


def same_but_seen(one: Claim | None, other: Claim | None) -> bool:
    """Whether two are one, which may have been found again in between.

    What the gate made of it is not compared either: that is the graph's own story.
    """
    if one is None or other is None:
        return one is other
    return _settled_part(one) == _settled_part(other)


def _settled_part(claim: Claim) -> Claim:
    return replace(
        claim,
        re_extraction_count=0,
        last_re_extracted_at=None,
        confirmed_at=0.0,
        version=0,
        outcome="",
        assertion_id=0,
    )


class Action(StrEnum):
    """What can be done to a claim."""

    PROPOSE = "propose"
    """It was written."""
    PROMOTE = "promote"
    REJECT = "reject"
    REVERT = "revert"
    """It is a candidate again; or active again, where what superseded it was reverted."""
    EDIT = "edit"
    DEFER = "defer"
    """It was put aside, or taken up again."""
    GRADUATE = "graduate"
    SUPERSEDE = "supersede"
    CONFIRM = "confirm"
    CONTRADICT = "contradict"
    """Something that contradicts it was found: its confidence fell."""
    DELETE = "delete"
    REFILL = "refill"
    """A cycle ended, and it moved up from the overflow."""
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class ClaimEdit:
    """One change of a claim.

    Attributes:
        decision: The number of the first edit of the decision that it is a part of: those
            are taken back together.
        before: None if it wrote the claim.
        after: None if it deleted the claim.
        undone_by: The edit that took it back; 0 for none.
        created_at: Seconds since the epoch.
    """

    id: int
    claim_id: int
    action: Action
    principal: str
    decision: int
    before: Claim | None
    after: Claim | None
    undone_by: int = 0
    created_at: float = 0.0


@dataclass(slots=True)
class ClaimChanges:
    """What a batch writes of claims.

    Attributes:
        written: Claims as they are from now on, new ones and changed ones, by number.
        deleted: Numbers of claims that go.
        edits: The log, in order.
        undone: Edits that are taken back, and by which.
        cycle: The cycle of reviews from now on, if that changed: number and candidates
            written.
    """

    written: dict[int, Claim] = field(default_factory=dict)
    deleted: set[int] = field(default_factory=set)
    edits: list[ClaimEdit] = field(default_factory=list)
    undone: dict[int, int] = field(default_factory=dict)
    cycle: tuple[int, int] | None = None

    @property
    def subjects(self) -> set[str]:
        """Of whom other things are told than before: what is active now, or was."""
        touched = [*self.written.values()]
        for each in self.edits:
            touched += filter(None, (each.before, each.after))
        return {
            claim.subject
            for claim in touched
            if claim.subject and claim.status is Status.ACTIVE
        }


@dataclass(frozen=True, slots=True)
class ClaimFilter:
    """Which claims are asked for; what is empty asks for any.

    Attributes:
        statuses: Empty for all but those that overflow.
        contains: In the content, whatever the case.
        same_as: A text with the same content, blanks, case and the last stop apart.
        deferred: Whether those that were put aside come, too.
        visible_to: Only what is about nobody, or about this subject; None for all.
    """

    kind: MemoryKind | None = None
    types: Sequence[MemoryType] = ()
    statuses: Sequence[Status] = ()
    project: str = ""
    subject: str = ""
    extractor: str = ""
    contains: str = ""
    same_as: str = ""
    deferred: bool = True
    confidence_min: float = 0.0
    visible_to: str | None = None
