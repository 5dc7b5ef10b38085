"""What was settled stays settled (C5a).

A statement that was settled against leaves a tombstone: machines that make it again are
only counted, people lift it. A statement that a decision moved leaves a redirect: made
again in its old dimension, it is made in the new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from festinger.core.graph.proposal import Proposal, StatementSource


class Ending(StrEnum):
    """How a statement was settled against."""

    DISMISSED = "dismissed"
    """Its conflict was decided for what is held."""
    RETRACTED = "retracted"
    """It was held, and taken back (C5)."""
    REPLACED = "replaced"
    """It was held, and an update put another in its place."""
    REJECTED = "rejected"
    """It was a candidate, and a person said no."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What is left of a statement that was settled against.

    Attributes:
        conflict_id: The closed item on which further statements count; 0 for none.
    """

    ending: Ending
    conflict_id: int = 0

    @property
    def message(self) -> str:
        """Why the statement is refused, and how to make it all the same."""
        where = f" (conflict #{self.conflict_id})" if self.conflict_id else ""
        return (
            f"it was {self.ending}{where}; only a person reopens it: gutask iknowthat"
        )


_PEOPLE = frozenset(
    (
        StatementSource.GUTASK,
        StatementSource.PROMOTED,
        StatementSource.VALIDATED,
        StatementSource.FESTINGER,
    )
)


def reopens(proposal: Proposal) -> bool:
    """Whether a statement counts anew although it was settled against."""
    return proposal.decided or proposal.source in _PEOPLE
