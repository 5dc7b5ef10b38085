"""Words of the statements with an origin: how they are told, found and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from festinger import _fast
from festinger.core.graph.conflicts import PendingConflicts
from festinger.core.graph.origins import StatementOrigin
from festinger.core.language.audience import audience_of
from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import term_set, terms
from festinger.core.lines.endings import EndedStatement, Place, is_read_anew
from festinger.core.lines.line import (
    IndexedLine,
    LineKind,
    readable,
    stands_in,
    subject_in_words,
)

FORMER_WORDS_MAX: Final = 6
"""Maximum number of words of a former value that is told."""
TOPIC_WEIGHT: Final = 0.5
"""Weight of a word in a topic, relative to a word that was said."""
FIRST_NUMBER: Final = 1 << 42
"""First number of these lines, beyond those of all others."""


class OriginEntry(NamedTuple):
    """A held statement and its origin.

    Attributes:
        at: Number of its posting in `OriginLines`.
    """

    at: int
    edge: _fast.Edge
    origin: StatementOrigin
    marks: SentenceMark


class OpposingSide(NamedTuple):
    """A pending statement that contradicts a held one.

    Attributes:
        origin: Quote that it was read from; None if unknown.
    """

    value: str
    negated: bool
    origin: StatementOrigin | None


class OriginWording:
    """Renderer of the statements that have an origin."""

    def __init__(
        self, vocabulary: _fast.Vocabulary, conflicts: PendingConflicts
    ) -> None:
        self._vocabulary = vocabulary
        self._conflicts = conflicts

    def text(self, entry: OriginEntry) -> str:
        """Return a statement in words: `checkout service: [runs on] kubernetes`."""
        edge, token = entry.edge, self._vocabulary.token
        mark = self._conflicts.mark_of(edge)
        subject, _ = self.subject(entry)
        dimension = readable(token(edge.dim_id))
        value = self.value(entry.origin, edge.parent_id)
        return f"{subject}: [{dimension}{mark}] {value}"

    def subject(self, entry: OriginEntry) -> tuple[str, bool]:
        """Return the subject in words, and whether it is specific to its project."""
        token = self._vocabulary.token(entry.edge.concept_id)
        said, quote = entry.origin.subject, entry.origin.quote
        name, is_scoped = subject_in_words(token, quote)
        return said or name, is_scoped

    def value(self, origin: StatementOrigin, parent_id: int) -> str:
        """Return a value in the speaker's words, or the name of its concept."""
        # `origin.value` is set where the speaker's wording differs from the token.
        return origin.value or readable(self._vocabulary.token(parent_id), origin.quote)

    def former(self, ended: EndedStatement, entry: OriginEntry) -> str:
        """Return the value that a statement has replaced; empty if it is not told."""
        if ended.place is None:
            return ""
        try:
            value = self.value(ended.origin, ended.place[2])
        except KeyError:  # the concept was forgotten with its last statement
            return ""
        said = term_set(value)
        new = term_set(self.value(entry.origin, entry.edge.parent_id))
        # `postgres 16` after `postgres` is more precise, and no change worth telling.
        is_same = said <= new or new <= said
        is_short = len(value.split()) <= FORMER_WORDS_MAX
        return "" if is_same or not is_short else value

    def terms_of(self, entry: OriginEntry) -> dict[str, float]:
        """Return the terms by which a statement can be found, with their weights."""
        edge, token = entry.edge, self._vocabulary.token
        try:
            # Names and their words: a prompt may say `billing_service` or "billing service".
            names = " ".join(map(token, (edge.concept_id, edge.dim_id, edge.parent_id)))
            words = f"{self.text(entry)} {readable(names)}"
        except KeyError:  # another server dropped the concept with its statement
            words = ""
        weighed = dict.fromkeys(terms(words), 1.0)
        # The quote has words that the statement left out, such as its reason.
        weighed.update(dict.fromkeys(terms(entry.origin.quote), 1.0))
        # Topics are a model's guess at when it matters: they find it, and are never told.
        for term in terms(" ".join(entry.origin.topics)):
            weighed.setdefault(term, TOPIC_WEIGHT)
        return weighed

    def opposing(self, concept_id: int, dim_id: int) -> list[OpposingSide]:
        """Return the pending statements against a held one, oldest first."""
        origins = self._conflicts.origins
        found = [
            OpposingSide(
                # As it was said, as the held side is told.
                self.value(origin, clash.parent_id)
                if (origin := origins.get(clash))
                else readable(self._vocabulary.token(clash.parent_id)),
                clash.negated,
                origin,
            )
            for clash in self._conflicts.of(concept_id)
            # Parent 0 marks a place as contested without a statement (`World.contest`).
            if clash.dim_id == dim_id and clash.parent_id
        ]
        return sorted(found, key=lambda it: it.origin.said if it.origin else 0.0)

    def is_anew(
        self, read: StatementOrigin, place: Place, by: StatementOrigin, about: int
    ) -> bool:
        """Return whether a model's statement replaces one that rules read (`is_read_anew`).

        Args:
            about: Id of the concept of the model's statement.
        """
        concept_id, _, parent_id = place
        names = (concept_id, parent_id, about)
        try:
            subject, value, other = (
                readable(self._vocabulary.token(it)) for it in names
            )
        except KeyError:  # the concept was forgotten with its last statement
            return False
        return is_read_anew(read, subject, value, by, other)


def statement_place(edge: _fast.Edge) -> Place:
    """Return the place of a statement, by which it is recognised if it is held again."""
    return edge.concept_id, edge.dim_id, edge.parent_id


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
