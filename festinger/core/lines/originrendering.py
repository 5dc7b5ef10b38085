"""Render statements that were read from what people said as lines, and cache them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from festinger.core.graph.conflicts import PendingConflicts
from festinger.core.language.audience import audience_of
from festinger.core.language.marks import SentenceMark
from festinger.core.lines.endings import EndedStatement, Place
from festinger.core.lines.line import IndexedLine, LineKind, stands_in
from festinger.core.lines.originwording import (
    OriginEntry,
    OriginWording,
    statement_place,
)

FIRST_NUMBER: Final = 1 << 42
"""First number of these lines, beyond those of all others."""


class OriginRendering:
    """Lines of held statements with their audience and what held before. Not thread-safe.

    Args:
        turn_of: Function that returns the kept sentences of a turn by its digest.
        before: Function that returns the last statement that ended in a place, or None.
        values_in: Function that returns how many values are held in a place.
    """

    def __init__(
        self,
        conflicts: PendingConflicts,
        turn_of: Callable[[bytes], Sequence[IndexedLine]],
        wording: OriginWording,
        before: Callable[[Place], EndedStatement | None],
        values_in: Callable[[Place], int],
    ) -> None:
        self._conflicts = conflicts
        self._turn_of = turn_of
        self._wording = wording
        self._before = before
        self._values_in = values_in
        # Lines by ledger row, with their contested state.
        self._made: dict[int, tuple[bool, IndexedLine]] = {}

    def forget(self, number: int) -> None:
        """Drop the cached line of a ledger row, if there is one."""
        self._made.pop(number, None)

    def line(self, entry: OriginEntry) -> IndexedLine:
        """Return the line of a held statement."""
        edge = entry.edge
        contested = self._conflicts.contested(edge.concept_id, edge.dim_id)
        made = self._made.get(edge.assertion_id)
        formerly = self._formerly(entry)
        # Both can change without a change of this statement.
        if made and made[0] is contested and made[1].formerly == formerly:
            return made[1]
        turn = self._turn_of(entry.origin.turn_digest)
        line = self._new_line(entry, turn, formerly)
        # The audience is known once the turn is kept; instructions may be confirmed
        # later, so they are not cached.
        if turn and SentenceMark.INSTRUCTION not in entry.marks:
            self._made[edge.assertion_id] = contested, line
        return line

    def _new_line(
        self, entry: OriginEntry, turn: Sequence[IndexedLine], formerly: str
    ) -> IndexedLine:
        edge, origin = entry.edge, entry.origin
        instructs = SentenceMark.INSTRUCTION in entry.marks
        return IndexedLine(
            number=FIRST_NUMBER + entry.at,
            kind=LineKind.STATEMENT,
            key=edge.assertion_id,
            text=self._wording.text(entry),
            speaker=origin.speaker,
            project=origin.project,
            said=origin.said,
            marks=entry.marks,
            # A statement has the audience of the words that it was read from.
            audience=turn[0].audience if turn else audience_of(origin.quote),
            confirmed=instructs
            and any(it.confirmed and stands_in(origin.quote, it.text) for it in turn),
            digest=origin.turn_digest,
            session=origin.session,
            is_scoped=self._wording.subject(entry)[1],
            origin=origin,
            formerly=formerly,
        )

    def _formerly(self, entry: OriginEntry) -> str:
        """Return the value that held before a statement's; empty if it is not told."""
        place = statement_place(entry.edge)
        ended = self._before(place)
        # Of several values it is not clear which one took its place.
        if ended is None or self._values_in(place) > 1:
            return ""
        turn = self._turn_of(ended.origin.turn_digest)
        # Its words were forgotten, or not everybody may be told them.
        if not turn or any(it.audience.is_limited for it in turn):
            return ""
        return self._wording.former(ended, entry)
