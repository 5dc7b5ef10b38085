"""Tombstones and redirects of settled statements (C5a).

A statement that was settled against leaves a tombstone: if a machine repeats it, the
repetition is only counted; a person's repetition removes the tombstone. A statement
that a decision moved leaves a redirect: a repetition in its old dimension is judged in
the new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.graph.proposal import Proposal, StatementSource


class SettledBy(StrEnum):
    """Way in which a statement was settled against."""

    DISMISSED = "dismissed"
    """Its conflict was decided in favour of the held fact."""
    RETRACTED = "retracted"
    """It was held, and retracted (C5)."""
    REPLACED = "replaced"
    """It was held, and an update replaced it."""
    REJECTED = "rejected"
    """It was a candidate, and a person rejected it."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Record of a statement that was settled against.

    Attributes:
        conflict_id: Closed queue item on which repetitions are counted; 0 for none.
    """

    ending: SettledBy
    conflict_id: int = 0

    @property
    def message(self) -> str:
        """The reason for the rejection, and a hint how to reopen the statement."""
        where = f" (conflict #{self.conflict_id})" if self.conflict_id else ""
        return (
            f"it was {self.ending}{where}; only a person reopens it: gutask iknowthat"
        )


# Sources behind which there is a person's decision; all others only count (C5a).
_PEOPLE = frozenset(
    (
        StatementSource.GUTASK,
        StatementSource.PROMOTED,
        StatementSource.VALIDATED,
        StatementSource.FESTINGER,
    )
)


def reopens(proposal: Proposal) -> bool:
    """Return whether a proposal overrides the tombstone of its statement."""
    # `decided` is a person's confirmation, whatever the source.
    return proposal.decided or proposal.source in _PEOPLE
