"""Events in the history of a concept: ledger rows, endings and decisions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.graph.resolution import ConflictDecision


# Times are equal within a transaction: what ends comes before what is stated instead.
class EventKind(IntEnum):
    """Kind of an event, in the order in which simultaneous events occur."""

    RETRACTED = 1
    """A held statement was retracted."""
    SETTLED = 2
    """A conflict was decided."""
    RULED = 3
    """A candidate was confirmed or rejected."""
    ENDED = 4
    """A fact or a denial ended."""
    STATED = 5
    """A statement was made."""


class HistoryMark(NamedTuple):
    """A position between two events of a history.

    Attributes:
        microseconds: Time of the preceding event, in microseconds since the epoch.
        kind: Kind of the preceding event.
        id: Number of the preceding event.
    """

    microseconds: int = -1  # before all events
    kind: int = 0
    id: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """An event in the history of a concept.

    Attributes:
        reason: A slug for its cause; of a candidate, the decision.
        text: Sentence that contained the statement, or the reason for the event; may be
            empty.
        closed_by: Cause of the ending. Example: `conflict 7`.
        valid_from: Begin of the period in which it was held, in seconds since the
            epoch.
        decision: Decision about a conflict.
    """

    mark: HistoryMark
    kind: EventKind
    triple: Triple
    verdict: Verdict | None = None
    reason: str = ""
    text: str = ""
    principal: str = ""
    source: StatementSource | None = None
    confidence: float = 0.0
    assertion_id: int = 0  # of these three, the one that the kind is about
    conflict_id: int = 0
    candidate_id: int = 0
    closed_by: str = ""
    valid_from: float = 0.0
    decision: ConflictDecision | None = None

    @property
    def when(self) -> float:
        """The time of the event, in seconds since the epoch."""
        return self.mark.microseconds / 1e6
