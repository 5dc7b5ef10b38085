"""The inbox: all that waits for a person, ordered by what a mistake about it costs.

    cost = how often it was stated * doubt * urgency

The database orders by the same formula (`cost` in its tables).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, TypeAlias

from festinger.core.graph.candidates import (
    WEIGHED_ANEW,
    Candidate,
    CandidateState,
    Priority,
)
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.graph.reasons import reason_in_words
from festinger.core.graph.resolution import Conflict
from festinger.core.graph.statement import parse_fact
from festinger.core.graph.tombstones import SettledBy
from festinger.core.memories.feedback import LineFeedback
from festinger.core.memories.types import MemoryKind
from festinger.core.review.records import MemoryRecord
from festinger.errors import FestingerError, InvalidArgument

SETTLED_DOUBT: Final = 0.5
"""Doubt about a decision of a person, once machines state the contrary again."""
STATED_URGENCY: Final = 4.0
"""Urgency of a contradiction that a person stated by hand (E3)."""
# Factors: what is critical weighs as if it was stated eight times as often.
URGENCIES: Final[Mapping[Priority, float]] = {
    Priority.CRITICAL: 8.0,
    Priority.HIGH: 4.0,
    Priority.NORMAL: 1.0,
    Priority.LOW: 0.5,
}


class InboxKind(StrEnum):
    """Kind of an item of the inbox."""

    CONFLICT = "conflict"
    """A statement that contradicts what is held."""
    QUESTION = "question"
    """An uncertain statement about which people are asked in chats, too."""
    STATEMENT = "statement"
    """An uncertain statement."""
    MEMORY = "memory"
    ENTITY = "entity"
    FLAGGED = "flagged"
    """A statement that was decided, and at which a moderator should look."""
    SETTLED = "settled"
    """A statement that was settled against and is stated again."""
    FEEDBACK = "feedback"
    """A line of which somebody says that it is wrong."""


class InboxPlace(IntEnum):
    """Table of an item, as `place` of the view `inbox`."""

    CONFLICT = 0
    CANDIDATE = 1
    RECORD = 2
    SETTLED = 3
    FEEDBACK = 4


_UNSAID: Final = (" in context of type", " in context of membership")
"""What a fact need not say, since it is what its flag stands for."""
# People and chats write "conflict-7" and "conflict #7" alike; 18 digits fit into 64 bits.
_ID: Final = re.compile(r"(conflict|candidate|record|settled|feedback)[-#](\d{1,18})")


class InboxRef(NamedTuple):
    """Name of an item. Example: `conflict-7`."""

    place: InboxPlace
    number: int

    def __str__(self) -> str:
        return f"{self.place.name.lower()}-{self.number}"

    @classmethod
    def parse(cls, text: str) -> InboxRef:
        """Return the item that a text names."""
        # Typed by people: in any case, with blanks around it.
        match = _ID.fullmatch(text.strip().lower())
        if match is None:
            raise InvalidArgument(
                f"{text[:40]!r} names no item of the inbox: write conflict-7, "
                "candidate-7, record-7, settled-7 or feedback-7",
                field="item_ids",
            )
        return cls(InboxPlace[match[1].upper()], int(match[2]))


@dataclass(frozen=True, slots=True)
class SettledAgain:
    """Statement that was settled against, and that machines state again.

    Attributes:
        id: Ledger row of the first such statement since a person decided.
        conflict_id: Closed conflict by which it was settled; 0 for none.
        statements: How often it was stated since then.
        created: When it was stated first since then, in seconds since the epoch.
    """

    id: int
    triple: Triple
    ending: SettledBy
    conflict_id: int
    statements: int
    principal: str
    source: StatementSource
    evidence: str
    created: float


InboxSubject: TypeAlias = (
    Conflict | Candidate | MemoryRecord | SettledAgain | LineFeedback
)


RANKED: Final = 0.1
"""Weight of a record's rank, so that of two equally doubtful ones the one that says more
comes first."""


class MistakeCost(NamedTuple):
    """Cost of a mistake about an item, in its factors."""

    told: int  # how often it was stated: believed by many, and told again soon
    doubt: float
    urgency: float = 1.0

    @property
    def total(self) -> float:
        """The product, by which the inbox is ordered."""
        # A product: what nobody doubts, or nobody states, costs nothing.
        return self.told * self.doubt * self.urgency


@dataclass(frozen=True, slots=True)
class InboxItem:
    """Item of the inbox.

    Attributes:
        deferred: Since when it is put aside, in seconds since the epoch; None if it is
            not.
        project: Project in which it was said; empty for none.
        answerer: Who can answer: `moderator`, `community` or `@NAME`.
        rule: Rule that found it; empty for none.
        source: Extractor, model or way by which it came.
        is_gone: Whether the document in which it was found does not say it any longer.
    """

    ref: InboxRef
    kind: InboxKind
    subject: InboxSubject
    deferred: float | None
    project: str
    answerer: str
    rule: str
    source: str
    is_gone: bool = False

    @property
    def cost(self) -> MistakeCost:
        """Return the cost of a mistake about it."""
        return cost_of(self.subject)


@dataclass(frozen=True, slots=True)
class InboxFilter:
    """Which items are wanted; empty values and False stand for all that wait.

    Attributes:
        deferred: Those that were put aside, instead of the others.
        type: Dimension or predicate of a statement, type of a memory or entity.
        mark: One of `ITEM_MARKS`.
        before: Those that wait since before, in seconds since the epoch; None for all.
        said: Words in their sentence, whatever their case.
    """

    kinds: Sequence[InboxKind] = ()
    project: str = ""
    answerer: str = ""
    rule: str = ""
    source: str = ""
    deferred: bool = False
    type: str = ""
    mark: str = ""
    before: float | None = None
    said: str = ""


# A mark instead of an offset: pages stay right while others decide about items.
class InboxMark(NamedTuple):
    """Place of an item in the order of the inbox, after which a page continues."""

    cost: float
    number: int
    place: int


def doubt(confidence: float, *, contradicts: bool) -> float:
    """Return the doubt about a statement, in [0.0, 1.0]."""
    # A parabola: 1 at one half, 0 where it is certain; where two exclude each other one is wrong.
    return 1.0 if contradicts else 4.0 * confidence * (1.0 - confidence)


def cost_of(subject: InboxSubject) -> MistakeCost:
    """Return what a mistake about something costs."""
    match subject:
        case Conflict():
            urgency = STATED_URGENCY if subject.priority > 0 else 1.0
            return MistakeCost(subject.statements, 1.0, urgency)
        case Candidate():
            unsure = doubt(subject.confidence, contradicts=bool(subject.contradicts))
            return MistakeCost(subject.statements, unsure, URGENCIES[subject.priority])
        case MemoryRecord():
            unsure = doubt(subject.confidence, contradicts=bool(subject.contradicts))
            return MistakeCost(
                subject.re_extraction_count + 1, unsure, 1.0 + RANKED * subject.rank
            )
        case LineFeedback():
            # A person says that it is wrong: as urgent as a contradiction by hand.
            return MistakeCost(1, 1.0, STATED_URGENCY)
    return MistakeCost(subject.statements, SETTLED_DOUBT)


def text_of(subject: InboxSubject) -> str:
    """Return what is to be decided, in a line."""
    match subject:
        case Conflict():
            return str(subject.incoming)
        case MemoryRecord():
            return subject.content
        case LineFeedback():
            return f"wrong: {subject.text}"
    return str(subject.triple)


def statement_of(subject: InboxSubject) -> Triple | None:
    """Return the statement that an item makes; None if it makes none."""
    match subject:
        case Conflict():
            return subject.incoming
        case MemoryRecord():
            # A record of an older version may have a fact that is not parsed any more.
            with suppress(FestingerError):
                return parse_fact(subject.fact) if subject.fact else None
            return None
        case LineFeedback():
            return None
    return subject.triple


def spellings(triple: Triple) -> list[str]:
    """Return how a statement is written as the fact of a record, in lower case."""
    text = str(triple)
    # Records say "x -isa y"; the flag implies the dimension, so both forms are searched.
    return sorted({text, *(text.removesuffix(each) for each in _UNSAID)})


def why_asked(item: InboxItem, worded: Callable[[Triple], str] = str) -> str:
    """Return why a person is asked, in a sentence or two."""
    # A document that no longer says it is a reason to reject.
    gone = " The document does not say it any longer." if item.is_gone else ""
    return f"{_why(item.subject, worded)}{gone}"


def _why(subject: InboxSubject, worded: Callable[[Triple], str]) -> str:
    match subject:
        case Conflict():
            return _why_conflict(subject, worded)
        case Candidate():
            return _why_candidate(subject, worded)
        case MemoryRecord():
            return _why_record(subject)
        case LineFeedback():
            return (
                f"{subject.principal} says that this line is wrong. It is told no longer; "
                "accepting keeps it so, rejecting has it told again."
            )
    where = f" by conflict #{subject.conflict_id}" if subject.conflict_id else ""
    return (
        f"It was {subject.ending}{where}, and was stated {_times(subject.statements)} "
        "since. Machines do not reopen what a person settled; you can."
    )


def _why_conflict(conflict: Conflict, worded: Callable[[Triple], str]) -> str:
    if conflict.existing is None:  # no single fact stands against it
        reason = "it would close a circle or contradict what is denied"
    else:
        held = worded(conflict.existing.triple)
        reason = f"it is held that {held}, and both cannot be"
    asked = ""
    # After an undo a model would only repeat its decision.
    if conflict.for_people:
        asked = " A decision about it was undone, so no model decides again."
    elif conflict.last_error:
        asked = f" A model failed at it: {conflict.last_error}."
    return f"It was stated {_times(conflict.statements)}, but {reason}.{asked}"


def _why_candidate(candidate: Candidate, worded: Callable[[Triple], str]) -> str:
    # Pending ones may be flagged, too: about those people are still asked.
    if candidate.flagged and candidate.state is not CandidateState.PENDING:
        held = " It is held as a belief." if candidate.belief else ""
        rule = candidate.decision_rule.replace("_", " ")
        return (
            f"It was {candidate.state} by the rule {rule}, and people disagree.{held} "
            "Accepting it takes the flag down; rejecting it overrules them."
        )
    # "It was stated with confidence" would hide why it was taken back.
    if candidate.decision_rule == WEIGHED_ANEW:
        return (
            "Votes confirmed it. Since then it was learnt that some who voted are often "
            "wrong, or wrong together, so their votes are no grounds any more: it is not "
            "held until somebody confirms it again."
        )
    justification = candidate.justification and f" {candidate.justification}."
    contradicted = candidate.contradicts
    # What it contradicts is text of whoever proposed it: shown as it is, if it is no fact.
    with suppress(FestingerError):
        contradicted = contradicted and worded(parse_fact(contradicted))
    against = contradicted and f" It contradicts what is held: {contradicted}."
    return (
        f"It was stated {_times(candidate.statements)} with confidence "
        f"{candidate.confidence:.2f}, and is not held because "
        f"{reason_in_words(candidate.reason)}.{justification}{against}"
    )


def _why_record(record: MemoryRecord) -> str:
    origin = record.origin
    # A rule of an extractor says how it was found; by hand there is none.
    if origin.hand_authored:
        found = f"{record.proposer} wrote it by hand."
    else:
        place = f" in {origin.place}" if origin.place else ""
        found = (
            f"The rule {(origin.rule or origin.extractor).replace('_', ' ')} found it{place}, "
            f"{_times(record.re_extraction_count + 1)}, with confidence "
            f"{record.confidence:.2f}."
        )
    against = (
        " It contradicts what is known: "
        + ", ".join(f"#{each}" for each in record.contradicts)
        + "."
        if record.contradicts
        else ""
    )
    kind = "an entity" if record.kind is MemoryKind.ENTITY else "a memory"
    return f"{found} It is told as {kind} only once a person accepts it.{against}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
