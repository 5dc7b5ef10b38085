"""Records: statements that were extracted or written by hand, and their review.

A record is a typed memory (L1) or an entity (L2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from festinger.core.graph.values.dates import DAY
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
"""A longer text is a document, and too long for a single decision."""
STALE_SECONDS = 14 * DAY
"""A candidate that waits for longer is stale."""
# A rejected record stays: extracting the same again must not propose it again.
LIVE = frozenset(Status) - {Status.SUPERSEDED}
"""Statuses in which a record prevents the same one from being written again."""
TYPES: Mapping[MemoryKind, Sequence[MemoryType]] = {
    MemoryKind.MEMORY: (*CONVERSATION_TYPES, *ENGINEERING_TYPES),
    MemoryKind.ENTITY: ENTITY_TYPES,
}
"""Types that a record of each kind may have."""

Span = tuple[int, int]
"""Half-open range of offsets, in characters."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a record.

    Attributes:
        chunk_id: The chunk of a document; empty if it is from elsewhere.
        interaction_id: The interaction; 0 if it is from elsewhere.
        rule: Rule of the extractor that found it. Example: `heading`.
        extractor: Name of the extractor; empty if a person wrote it by hand.
        extractor_version: The version of the extractor when it found it.
        span: Position in the chunk or interaction.
        quote: The text around it as it was read, one sentence or a few.
        quote_span: Position of the match in the quote.
        place: The document's path or the session, for display.
    """

    chunk_id: str = ""
    interaction_id: int = 0
    rule: str = ""
    extractor: str = ""
    extractor_version: str = ""
    span: Span = (0, 0)  # empty: it was written by hand
    quote: str = ""
    quote_span: Span = (0, 0)
    place: str = ""

    @property
    def hand_authored(self) -> bool:
        """True if the record is from neither a chunk nor an interaction."""
        return not self.chunk_id and not self.interaction_id


class Key(NamedTuple):
    """Identity of a record, equal for records that say the same (H1)."""

    kind: MemoryKind
    type: MemoryType
    content: str
    project: str
    subject: str


@dataclass(frozen=True, slots=True)
class ProposedRecord:
    """MemoryRecord that an extractor, a model or a person proposes.

    Attributes:
        confidence: In [0.0, 1.0].
        proposer: Name of the extractor, the model or the person that proposes it; a
            proposer does not promote its own records (E6).
        fact: The relation that it states, in the form that `gutask iknowthat` takes;
            may be empty.
        reasoning: Why it has this confidence and status, for people.
        status: Candidate; active only from a user's own conversation (G3).
        rank: Sort key within its pass; the highest come first in the queue.
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
        """The identity, equal for records that say the same."""
        return Key(
            self.kind, self.type, normalised(self.content), self.project, self.subject
        )


@dataclass(frozen=True)
class MemoryRecord:
    """Typed memory or entity, as its row stores it. Times are seconds since the epoch.

    Attributes:
        confidence: In [0.0, 1.0], as of the last confirmation.
        outcome: Code of the gate's outcome for the fact; empty if it was not judged.
        assertion_id: The ledger row of that outcome; 0 for none.
        re_extraction_count: Number of times that it was found again.
        last_re_extracted_at: When it was last found again; None if it never was.
        cycle: The review cycle in which it was written; 0 while it overflows, and for
            records that no extraction wrote.
        pending_since: Since when it waits for a person; None if it does not wait.
        deferred_at: Since when it is deferred; None if it is not.
        confirmed_at: Its weight decays from then on.
        graduated_from: The memory that became this entity; 0 for none.
        graduated_to: The entity that this memory became; 0 for none.
        superseded_by: The record that replaced it; 0 for none.
        decider: The principal who decided last; empty if nobody has.
        sole: Whether its proposer promoted it, as the only one who decides here (E6).
        original_content: The content as first written, if it was edited.
        version: Number that each change increments, except being found again.
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

    @cached_property  # normalising a text of 2,000 characters is not free
    def key(self) -> Key:
        """The identity, equal for records that say the same."""
        return Key(
            self.kind, self.type, normalised(self.content), self.project, self.subject
        )

    @property
    def original_key(self) -> Key:
        """The identity that it was first written with."""
        # An edit must not open the way for the first wording: it would be extracted again.
        original = normalised(self.original_content or self.content)
        return self.key._replace(content=original)

    @property
    def etag(self) -> str:
        """The entity tag, which each change alters, except being found again."""
        return f"{self.id}-{self.version}"

    def is_stale(self, now: float) -> bool:
        """Return True if the record has waited for a person for too long."""
        return (
            # Deferred ones, too: putting aside does not stop the clock.
            self.pending_since is not None and now - self.pending_since > STALE_SECONDS
        )

    def to_json(self) -> dict[str, Any]:
        """Return the whole row as values that JSON can encode."""
        return asdict(self)

    @classmethod
    def from_json(cls, parts: Mapping[str, Any]) -> MemoryRecord:
        """Restore a record from the values of `to_json`, decoded from JSON."""
        # JSON has no tuples and no enumerations: restore both, or equality fails.
        origin = Origin(
            **parts["origin"]
            | {name: tuple(parts["origin"][name]) for name in ("span", "quote_span")}
        )
        # A field that was removed since then is in old rows still.
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


def same_but_seen(one: MemoryRecord | None, other: MemoryRecord | None) -> bool:
    """Return True if two records are equal, except for being found again."""
    if one is None or other is None:
        return one is other  # both do not exist, or only one
    return _settled_part(one) == _settled_part(other)


# What changes without a decision: being found again, and the gate's outcome, which
# follows the graph. An undo compares the rest.
def _settled_part(record: MemoryRecord) -> MemoryRecord:
    return replace(
        record,
        re_extraction_count=0,
        last_re_extracted_at=None,
        confirmed_at=0.0,
        version=0,
        outcome="",
        assertion_id=0,
    )


class Action(StrEnum):
    """Action on a record."""

    PROPOSE = "propose"
    """It was written."""
    PROMOTE = "promote"
    REJECT = "reject"
    REVERT = "revert"
    """It is a candidate again, or active if the record that replaced it was reverted."""
    EDIT = "edit"
    DEFER = "defer"
    """It was deferred or resumed."""
    GRADUATE = "graduate"
    SUPERSEDE = "supersede"
    CONFIRM = "confirm"
    CONTRADICT = "contradict"
    """A contradicting record was found, which lowered its confidence."""
    DELETE = "delete"
    REFILL = "refill"
    """A cycle ended, and it was moved from the overflow to the next one."""
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class RecordEdit:
    """Change of a record.

    Attributes:
        decision: Number of the first edit of the decision that it is part of. The edits
            of a decision are undone together.
        before: None if the edit created the record.
        after: None if the edit deleted the record.
        undone_by: The edit that undid it; 0 for none.
    """

    id: int
    record_id: int
    action: Action
    principal: str
    decision: int
    before: MemoryRecord | None
    after: MemoryRecord | None
    undone_by: int = 0
    created_at: float = 0.0


@dataclass(slots=True)
class RecordChanges:
    """Changes of records that a batch writes.

    Attributes:
        edits: Log of the changes, in order.
        undone: Number of the undoing edit, by that of the undone one.
        cycles: Numbers of changed review cycles and of the candidates written in them,
            by project.
    """

    written: dict[int, MemoryRecord] = field(default_factory=dict)
    deleted: set[int] = field(default_factory=set)
    edits: list[RecordEdit] = field(default_factory=list)
    undone: dict[int, int] = field(default_factory=dict)
    cycles: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def subjects(self) -> set[str]:
        """The subjects with a changed record that is active, or was before an edit."""
        # The states before an edit count, too: lines about a subject must go if a record leaves.
        touched = [*self.written.values()]
        for each in self.edits:
            touched += filter(None, (each.before, each.after))
        return {
            record.subject
            for record in touched
            if record.subject and record.status is Status.ACTIVE
        }


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Filter of records; empty fields match all of them.

    Attributes:
        statuses: Empty for all but overflow.
        contains: A part of the content, in any case.
        same_as: A text with the same content, apart from blanks, case and the last
            stop.
        visible_to: Only records about nobody or about this subject; None for all.
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


@dataclass(frozen=True, slots=True)
class RecordStep:
    """MemoryRecord before and after an action; None where it does not exist."""

    action: Action
    before: MemoryRecord | None
    after: MemoryRecord | None

    @property
    def record(self) -> MemoryRecord:
        """The record after the step, or before it if it was deleted."""
        record = self.after or self.before
        assert record is not None, "a step is one of a record"
        return record

    @property
    def enters(self) -> bool:
        """True if the gate has to judge an entity's relation after the step."""
        # Only on the way in or out: an edit of a held relation does not pass the gate again.
        return speaks(self.after) and not speaks(self.before)

    @property
    def leaves(self) -> bool:
        """True if an entity's relation is no longer stated after the step."""
        return speaks(self.before) and not speaks(self.after)


# Memories state nothing to the graph; only entities that a person accepted do.
def speaks(record: MemoryRecord | None) -> bool:
    """Return True for an active entity that states a relation."""
    return (
        record is not None
        and record.kind is MemoryKind.ENTITY
        and record.status is Status.ACTIVE
        and bool(record.fact)
    )


def changed(record: MemoryRecord, **parts: Any) -> MemoryRecord:
    """Return a changed record, with the next version and thus another etag."""
    # Each change of this kind is one version; `seen_again` is none.
    return replace(record, version=record.version + 1, **parts)
