"""Confirm an instruction, so that it applies to everybody in its project."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from festinger.core.language.marks import SentenceMark
from festinger.core.lines.line import IndexedLine
from festinger.core.lines.listing import place_in_turn
from festinger.core.lines.turns import SpokenTurn, lines_of
from festinger.core.world.draft import Draft
from festinger.errors import InvalidArgument
from festinger.services.language.forgetting import not_kept
from festinger.services.world.jobs import Job
from festinger.store.language.turns import TurnWrites

if TYPE_CHECKING:
    from festinger.store.world.batches import Batch
    from festinger.store.world.reads import PostgresReads


class ConfirmLine(Job[tuple[IndexedLine, int]]):
    """Job that confirms an instruction, the line of a name, for everybody (J11)."""

    alone = True

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._turn: SpokenTurn | None = None
        self._ordinal = 0

    async def load(self, reads: PostgresReads) -> None:
        """Read the turn of the line.

        Raises:
            LineNotFound: The line is not stored.
            InvalidArgument: The line is not an instruction.
        """
        # The name of a sentence is that of its turn with its ordinal; other lines have none.
        place = place_in_turn(self._name)
        found = await reads.turns([place[0]]) if place else []
        if not place or not found or place[1] >= len(found[0].utterances):
            raise not_kept(self._name)
        utterance = found[0].utterances[place[1]]
        # A forgotten sentence leaves an empty place, so that the ordinals of others stay.
        if not utterance.text:
            raise not_kept(self._name)
        # Everything else is told to everybody anyway.
        if SentenceMark.INSTRUCTION not in utterance.marks:
            raise InvalidArgument(
                f"the line {self._name!r} is no instruction, so there is nothing to "
                "confirm",
                field="name",
            )
        self._ordinal = place[1]
        # Each sentence of a turn is confirmed by itself.
        self._turn = replace(found[0], confirmed={*found[0].confirmed, self._ordinal})

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Mark the sentence as confirmed."""
        assert self._turn is not None, "a decision follows a load"
        batch.of(TurnWrites).confirmed.append(self._turn)

    def answer(self, version: int) -> tuple[IndexedLine, int]:
        """Return the line as it is now, and the version that has it."""
        assert self._turn is not None, "an answer follows a decision"
        line = next(it for it in lines_of(self._turn) if it.ordinal == self._ordinal)
        return line, version
