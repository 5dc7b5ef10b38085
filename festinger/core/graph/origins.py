"""A statement as a reader found it in a turn, and where a held statement comes from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class StatementKind(StrEnum):
    """What a statement is for whoever is told it."""

    FACT = "fact"
    PREFERENCE = "preference"
    RULE = "rule"
    DECISION = "decision"
    EVENT = "event"


class StatementReader(StrEnum):
    """What found a statement."""

    RULES = "rules"
    MODEL = "model"
    PERSON = "person"
    """Somebody told the memory outright."""


@dataclass(frozen=True, slots=True)
class StatementOrigin:
    """The words that a statement was read from.

    Attributes:
        quote: The words, exactly as they were typed, at most 400 characters.
        speaker: Who said them.
        principal: On whose behalf, as the server stamped it.
        project: Where; empty for nowhere in particular.
        session: In which conversation; empty if that is unknown.
        said: When, in seconds since the epoch.
        turn_digest: Names the turn (`digest_of`); empty if the words stand in none.
        reader: What found the statement.
        kind: What it is.
        topics: Short phrases for what somebody would be doing when it matters.
        subject: The subject in their words, as it is told; empty for the concept's name.
        value: The value in their words; empty for the canonical form.
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
    """A held statement as a reader is shown it, and as a reader names it.

    Attributes:
        assertion_id: The row of the ledger that it is held by.
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
    """A statement that a reader found, in the words of whoever made it.

    Attributes:
        subject: Whom or what it is about. Example: `billing service`; `I` and `we` stand
            for the speaker and the project.
        predicate: Example: `runs on`, `owner`, `retry limit`.
        value: Example: `kubernetes`, `90 seconds`, `not before the migration is done`.
        origin: The words that it was read from.
        single: Whether the subject can have only one such value at a time; None if the
            reader cannot tell, which counts as no.
        negated: Whether it says that this is not so.
        changes: Whether the words say that something changed (`now`, `moved`, `no longer`).
        replaces: The row of the ledger of the held statement that it replaces, or that a
            negated one ends; 0 for none that the reader knows of.
        old_value: The value that it replaces in the words of the speaker, where they name
            it (`moved from podman to kubernetes`); else empty.
        confidence: How far to rely on the reader, in [0.0, 1.0].
        doubt: Why people must confirm it before it is held; empty for no reason.
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
