"""What happened to a concept: the ledger, what ended, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.graph.resolution import ConflictDecision


class Happening(IntEnum):
    """What happened; of one moment, in the order in which it did."""

    RETRACTED = 1
    """Somebody took back what was held."""
    SETTLED = 2
    """A conflict was decided."""
    RULED = 3
    """A candidate was confirmed or rejected."""
    ENDED = 4
    """A fact or a denial ended."""
    STATED = 5
    """Somebody made a statement."""


class HistoryMark(NamedTuple):
    """A place in a history, between two events.

    Attributes:
        microseconds: Since the epoch.
        kind: Of the event before it.
        id: Of the event before it.
    """

    microseconds: int = -1
    kind: int = 0
    id: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a concept.

    Attributes:
        mark: Where it stands in the history.
        verdict: What became of a statement.
        reason: A slug for its cause; of a candidate, what was decided.
        text: The sentence it stood in, or why it was done; may be empty.
        closed_by: What ended it. Example: `conflict 7`.
        valid_from: Since when it had been held, in seconds since the epoch.
        decision: How a conflict was decided.
    """

    mark: HistoryMark
    kind: Happening
    triple: Triple
    verdict: Verdict | None = None
    reason: str = ""
    text: str = ""
    principal: str = ""
    source: StatementSource | None = None
    confidence: float = 0.0
    assertion_id: int = 0
    conflict_id: int = 0
    factoid_id: int = 0
    closed_by: str = ""
    valid_from: float = 0.0
    decision: ConflictDecision | None = None

    @property
    def when(self) -> float:
        """Seconds since the epoch."""
        return self.mark.microseconds / 1e6
