"""Lines of statements that were read from what people said.

The index also knows the quotes whose statements are no longer held or are contested, so
that these words are not rendered as if they were true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from festinger import _fast
from festinger.core.graph.conflicts import PendingConflicts
from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.language.marks import marks_of
from festinger.core.lines.endings import EndedStatement, EndedStatements, Place
from festinger.core.lines.line import (
    IndexedLine,
    LineKind,
    LineMatch,
    readable,
    stands_in,
)
from festinger.core.lines.originwording import (
    FIRST_NUMBER,
    OriginEntry,
    OriginRendering,
    OriginWording,
    statement_place,
)
from festinger.core.lines.sourcelines import PROJECT_BONUS, ProjectGroups
from festinger.core.lines.vectors import LineVectors
from festinger.core.lines.weights import reweighed

SESSION_STATEMENTS_MAX: Final = 20
"""Maximum number of statements that are returned as the topic of a session."""
RECENT_MAX: Final = 2_000
"""Number of latest statements that are searched for those of a session."""


class OriginLines:
    """Lines of the held statements that have an origin. It is not thread-safe.

    Args:
        origins: Origins by ledger row.
        turn_of: Function that returns the kept sentences of a turn by its digest.

    Attributes:
        vectors: The embeddings of the index that these lines belong to.
    """

    kind: Final = LineKind.STATEMENT

    def __init__(
        self,
        vocabulary: _fast.Vocabulary,
        conflicts: PendingConflicts,
        origins: Mapping[int, StatementOrigin],
        turn_of: Callable[[bytes], Sequence[IndexedLine]] = lambda digest: (),
    ) -> None:
        self._vocabulary = vocabulary
        self._conflicts = conflicts
        self._origins = origins
        self._turn_of = turn_of
        self.wording = OriginWording(vocabulary, conflicts)
        self.vectors = LineVectors()
        self._postings = _fast.Postings()
        # Held statements by ledger row.
        self._entries: dict[int, OriginEntry] = {}
        # Ledger rows by number of the posting (0: no longer held), by concept and by turn.
        self._rows: list[int] = []
        self._by_concept: dict[int, list[int]] = {}
        self._by_turn: dict[bytes, list[int]] = {}
        self._ended = EndedStatements()
        self._rendering = OriginRendering(
            conflicts, turn_of, self.wording, self._ended.before, self._values_in
        )
        self._groups = ProjectGroups()

    def __len__(self) -> int:
        return self._postings.open

    def frequency(self, term: str) -> int:
        """Return the number of lines with a term."""
        return self._postings.frequency(term)

    # Maintenance

    def take_in(self, edge: _fast.Edge) -> bool:
        """Add a held statement of a loaded graph; return whether it has an origin."""
        number = edge.assertion_id
        if number not in self._origins:
            return False
        # A loaded graph may contain an edge that a commit has added to the index before.
        if number not in self._entries:
            self._by_concept.setdefault(edge.concept_id, []).append(number)
        self._put(number, edge)
        return True

    def follow(self, concept_id: int, edges: Iterable[_fast.Edge]) -> list[_fast.Edge]:
        """Synchronise the statements of a concept; return the edges without an origin."""
        held: dict[int, _fast.Edge] = {}
        others: list[_fast.Edge] = []
        for edge in edges:
            if edge.assertion_id in self._origins:
                held[edge.assertion_id] = edge
            else:
                others.append(edge)
        known = self._by_concept.pop(concept_id, [])
        gone = [self._take_out(number) for number in known if number not in held]
        for number, edge in held.items():
            self._put(number, edge)
        if held:
            self._by_concept[concept_id] = list(held)
        for entry in gone:
            new = [
                (self._origins[number].said, number)
                for number, edge in held.items()
                if edge.dim_id == entry.edge.dim_id
                # What was held before beside it has not replaced it.
                and number not in known
            ]
            # The statement that is held since it ended is its successor, the last of several.
            # Numbers alone do not say which is the last: each server has blocks of its own.
            _, successor = max(new, default=(0.0, 0))
            number = entry.edge.assertion_id
            self.end(number, entry.origin, successor, statement_place(entry.edge))
        return others

    def end(
        self,
        number: int,
        origin: StatementOrigin,
        successor: int = 0,
        place: Place | None = None,
    ) -> None:
        """Record that a statement and its quote are no longer held, as the last to end.

        Args:
            number: Ledger row of the statement.
            successor: Ledger row of the statement that replaced it; 0 for none.
            place: Its ids, by which it is recognised if it is held again.
        """
        ended = EndedStatement(number, origin, place)
        self._ended.add(origin.turn_digest, ended)
        if successor:
            self.succeed(number, successor)

    def succeed(self, number: int, successor: int) -> None:
        """Record the ledger row that replaced another, in any dimension."""
        self._ended.succeed(number, successor)

    def successor_of(self, number: int) -> list[IndexedLine]:
        """Return the line of a statement's held successor; empty if there is none."""
        # The successor may have been replaced as well: the first that is held counts.
        lines = map(self.lines_of, self._ended.successors(number))
        return next(filter(None, lines), [])

    def _put(self, number: int, edge: _fast.Edge) -> None:
        if held := self._entries.get(number):
            # Only its confidence has changed, or the time of its confirmation.
            self._entries[number] = held._replace(edge=edge)
            self._rendering.forget(number)
            return
        origin = self._origins[number]
        entry = OriginEntry(len(self._rows), edge, origin, marks_of(origin.quote))
        group = self._groups.add(origin.project)
        self._postings.add(self.wording.terms_of(entry).items(), group)
        self._entries[number] = entry
        self._rows.append(number)
        self.vectors.add(FIRST_NUMBER + entry.at)
        if origin.turn_digest:
            self._by_turn.setdefault(origin.turn_digest, []).append(number)
            # Its replacement was undone.
            self._ended.revive(origin.turn_digest, number, statement_place(edge))

    def _take_out(self, number: int) -> OriginEntry:
        entry = self._entries.pop(number)
        # Postings do not know a line's terms: they must be the same as when it was added.
        self._postings.close(entry.at, self.wording.terms_of(entry))
        self._rows[entry.at] = 0
        self.vectors.drop(FIRST_NUMBER + entry.at)
        self._rendering.forget(number)
        numbers = self._by_turn.get(entry.origin.turn_digest, [])
        if number in numbers:
            numbers.remove(number)
        return entry

    # Search

    def search(
        self,
        wanted: Sequence[tuple[str, float]],
        most: int,
        rarity: Callable[[str], float],
        project: str = "",
    ) -> list[LineMatch]:
        """Return the statements that match a query best, best first.

        Args:
            wanted: Terms of the query with their weights.
            rarity: Returns the rarity of a term among all lines.
            project: Project whose lines are preferred; may be empty.
        """
        if not len(self):
            return []
        group = self._groups.find(project)
        asked = reweighed(self._postings, wanted, rarity)
        found = self._postings.search(asked, group, PROJECT_BONUS, most)
        return [
            LineMatch(self._rendering.line(entry), score, shared, shared)
            for at, score, shared in found
            if (entry := self._entries.get(self._rows[at]))
        ]

    def lines_of(self, number: int) -> list[IndexedLine]:
        """Return the line of a statement; empty if it is not held.

        Args:
            number: Ledger row of the statement.
        """
        entry = self._entries.get(number)
        return [self._rendering.line(entry)] if entry else []

    def line(self, number: int) -> IndexedLine | None:
        """Return the line of a line's number; None if its statement is not held."""
        at = number - FIRST_NUMBER
        row = self._rows[at] if 0 <= at < len(self._rows) else 0
        entry = self._entries.get(row)
        return self._rendering.line(entry) if entry else None

    def edge_of(self, number: int) -> _fast.Edge | None:
        """Return the edge of a statement; None if it is not held.

        Args:
            number: Ledger row of the statement.
        """
        entry = self._entries.get(number)
        return entry.edge if entry else None

    def origins_of(self, digest: bytes) -> list[StatementOrigin]:
        """Return the origins of the held statements that were read from a turn."""
        return [self._origins[number] for number in self._by_turn.get(digest, ())]

    def of_session(self, session: str, most: int = SESSION_STATEMENTS_MAX) -> list[int]:
        """Return the ledger rows of a session's latest statements, newest first."""
        found: list[int] = []
        for number in reversed(self._rows[-RECENT_MAX:]) if session else ():
            entry = self._entries.get(number)
            if entry is not None and entry.origin.session == session:
                found.append(number)
                if len(found) == most:
                    break
        return found

    def recent(self, since: float = 0.0) -> Iterator[IndexedLine]:
        """Yield the lines said at or after a time, the last added first."""
        for number in reversed(self._rows):
            entry = self._entries.get(number)
            if entry is not None and entry.origin.said >= since:
                yield self._rendering.line(entry)

    def read_from(self, line: IndexedLine) -> list[IndexedLine]:
        """Return the lines of held statements that were read from a sentence."""
        return [
            it
            for it in self.of_turn(line.digest)
            if it.origin and stands_in(it.origin.quote, line.text)
        ]

    def of_turn(self, digest: bytes) -> list[IndexedLine]:
        """Return the renderable lines of held statements that were read from a turn.

        Args:
            digest: Digest of the turn; empty for no turn.
        """
        numbers = self._by_turn.get(digest, ()) if digest else ()
        entries = filter(None, map(self._entries.get, numbers))
        return [it for it in map(self._rendering.line, entries) if self.is_told(it)]

    def is_told(self, line: IndexedLine) -> bool:
        """Return whether a statement is rendered in place of its sentence."""
        origin = line.origin
        # Only a statement that rules read is less informative than its sentence.
        if origin is None or origin.reader is not StatementReader.RULES:
            return True
        # The sentence shortens the name: "the indexer" for the catalog indexer.
        if origin.subject.casefold() not in origin.quote.casefold():
            return True
        # A contested one is told with both sides; a forgotten sentence cannot be told.
        return self.is_contested(line) or not any(
            stands_in(origin.quote, it.text) for it in self._turn_of(origin.turn_digest)
        )

    def ended_in(self, line: IndexedLine) -> list[EndedStatement]:
        """Return the ended statements that were read from a sentence."""
        ended = self._ended.in_line(line)
        if not ended:
            return []
        held = self._entries_of(line.digest)
        return [
            it
            for it in ended
            # What a model's statement from the same words replaces did not end by a change.
            if not it.place
            or not any(
                self.wording.is_anew(it.origin, it.place, by.origin, by.edge.concept_id)
                for by in held
            )
        ]

    def read_by_rules(self, by: StatementOrigin, about: int) -> list[_fast.Edge]:
        """Return the edges that rules read from the words of a model's statement.

        Args:
            by: Origin of the model's statement.
            about: Id of its concept.
        """
        return [
            it.edge
            for it in self._entries_of(by.turn_digest)
            if self.wording.is_anew(it.origin, statement_place(it.edge), by, about)
        ]

    def _entries_of(self, digest: bytes) -> list[OriginEntry]:
        return [self._entries[number] for number in self._by_turn.get(digest, ())]

    def contested_in(self, line: IndexedLine) -> list[IndexedLine]:
        """Return the lines of contested statements that were read from a sentence."""
        numbers = self._by_turn.get(line.digest, ()) if line.digest else ()
        # The cheap check comes first: most sentences have no contested statement.
        if not any(map(self._is_contested, numbers)):
            return []
        return [it for it in self.read_from(line) if self.is_contested(it)]

    def is_contested(self, line: IndexedLine) -> bool:
        """Return whether a pending statement contradicts that of a line."""
        return isinstance(line.key, int) and self._is_contested(line.key)

    def _is_contested(self, number: int) -> bool:
        edge = self.edge_of(number)
        return edge is not None and self._conflicts.contested(
            edge.concept_id, edge.dim_id
        )

    def place_of(self, line: IndexedLine) -> tuple[int, int] | None:
        """Return concept and dimension of a line's statement; None if not held."""
        edge = self.edge_of(line.key) if isinstance(line.key, int) else None
        return (edge.concept_id, edge.dim_id) if edge else None

    def place_in_words(self, concept_id: int, dim_id: int) -> str:
        """Return the rendering of a contested concept and dimension: `x: [type?]`."""
        token = self._vocabulary.token
        subject, dimension = token(concept_id), token(dim_id)
        # Any statement's wording of the subject serves, else its token.
        if numbers := self._by_concept.get(concept_id):
            subject, _ = self.wording.subject(self._entries[numbers[0]])
            dimension = readable(dimension)
        return f"{subject}: [{dimension}?]"

    def is_told_by_words(self, concept_id: int, edges: Sequence[_fast.Edge]) -> bool:
        """Return whether all edges of a concept have an origin, and none is contested."""
        # Such a concept is told where it fits a prompt, not wherever its name occurs.
        return len(self._by_concept.get(concept_id, ())) == len(edges) and not any(
            self._conflicts.contested(concept_id, edge.dim_id) for edge in edges
        )

    def has(self, concept_id: int) -> bool:
        """Return whether a held statement of a concept has an origin."""
        return concept_id in self._by_concept

    def _values_in(self, place: Place) -> int:
        """Return how many values are held in a place."""
        numbers = self._by_concept.get(place[0], ())
        held = (self.edge_of(number) for number in numbers)
        return sum(it is not None and it.dim_id == place[1] for it in held)
