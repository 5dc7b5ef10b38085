"""What is read of lines beside the index."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from festinger.core.graph.proposal import Triple
from festinger.core.lines.listing import ListedLine
from festinger.core.lines.turns import SpokenTurn


class LineReads(Protocol):
    """Reads turns and statements with where they come from."""

    async def turns(self, numbers: Collection[int]) -> list[SpokenTurn]:
        """Return the turns of these numbers, the oldest first."""

    async def stated_by(self, said: Sequence[tuple[str, str]]) -> list[Triple]:
        """Return the statements that are held for the sake of some sentences alone.

        Args:
            said: Sentences, each with its speaker.
        """

    async def turns_behind(self, number: int, limit: int) -> list[SpokenTurn]:
        """Return turns with larger numbers, in their order."""

    async def statements_behind(
        self, concept_id: int, dim_id: int, parent_id: int, limit: int
    ) -> tuple[list[ListedLine], tuple[int, int, int]]:
        """Return what is held behind an edge, and the last edge; zeros for the end."""

    async def closed_statements(self, skipped: int, limit: int) -> list[ListedLine]:
        """Return what is held no more, the earliest ended first."""
