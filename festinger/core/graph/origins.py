"""Statements as readers find them in turns, and the origins of held statements."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class StatementKind(StrEnum):
    """Kind of a statement."""

    FACT = "fact"
    PREFERENCE = "preference"
    RULE = "rule"
    DECISION = "decision"
    EVENT = "event"


class StatementReader(StrEnum):
    """Reader that found a statement."""

    RULES = "rules"
    MODEL = "model"
    PERSON = "person"
    """A person stated it to the memory directly."""


@dataclass(frozen=True, slots=True)
class StatementOrigin:
    """The quote that a statement was read from, with its context.

    Attributes:
        quote: The words exactly as they were typed, at most 400 characters.
        principal: Principal on whose behalf it was said, as set by the server.
        project: Project in which it was said; empty for none.
        session: Session in which it was said; empty if unknown.
        said: Time of the turn, in seconds since the epoch.
        turn_digest: Digest of the turn (`digest_of`); empty if the words are in no
            turn.
        topics: Short phrases for the activities to which it is relevant.
        subject: Subject in the speaker's words, for display; empty to use the concept's
            name.
        value: Value in the speaker's words; empty to use the canonical form.
    """

    quote: str
    speaker: str
    principal: str
    project: str
    session: str
    said: float
    turn_digest: bytes
    reader: StatementReader
    kind: StatementKind = StatementKind.FACT
    topics: tuple[str, ...] = ()
    subject: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class KnownStatement:
    """A held statement, as shown to a reader so that it can refer to it.

    Attributes:
        assertion_id: Ledger row by which it is held.
        subject: In words. Example: `billing service`.
        predicate: In words, or as a dimension. Example: `runs_on`.
        value: In words. Example: `podman`.
    """

    assertion_id: int
    subject: str
    predicate: str
    value: str


@dataclass(frozen=True, slots=True)
class ReadStatement:
    """A statement that a reader found, in the words of its speaker.

    Attributes:
        subject: Person or thing that it is about. Example: `billing service`; `I` and
            `we` stand for the speaker and the project.
        predicate: Example: `runs on`, `owner`, `retry limit`.
        value: Example: `kubernetes`, `90 seconds`, `not before the migration is done`.
        origin: Quote that it was read from.
        single: Whether the subject can have only one such value at a time; None if the
            reader cannot tell, which counts as False.
        changes: Whether the words express a change (`now`, `moved`, `no longer`).
        replaces: Ledger row of the held statement that it replaces, or that a negated
            one ends; 0 if the reader knows of none.
        old_value: Replaced value in the speaker's words, where they name it (`moved
            from podman to kubernetes`); otherwise empty.
        confidence: Confidence of the reader, in [0.0, 1.0].
        doubt: Reason why people must confirm it before it is held; empty for none.
    """

    subject: str
    predicate: str
    value: str
    origin: StatementOrigin
    single: bool | None = None
    negated: bool = False
    changes: bool = False
    replaces: int = 0
    old_value: str = ""
    confidence: float = 0.9
    doubt: str = ""
