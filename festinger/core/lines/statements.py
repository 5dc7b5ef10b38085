"""Held statements without an origin as lines of the index, searchable by their words."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import isfinite
from typing import Final

from festinger import _fast
from festinger._fast.values import NO_GROUP
from festinger.core.graph.conflicts import PendingConflicts
from festinger.core.graph.tokens import SCOPE
from festinger.core.language.terms import name_terms
from festinger.core.lines.line import IndexedLine, LineKind, LineMatch
from festinger.core.lines.originlines import OriginLines
from festinger.core.lines.weights import reweighed

STATEMENTS_MAX: Final = 200_000
"""Maximum number of indexed statements; the graph finds others by their concept."""
COUNTED_MAX: Final = 2_000
"""Maximum number of statements counted for the rarity of a word: if there are many more
statements than utterances, each word of these would look rare."""
FIRST_NUMBER: Final = 1 << 41
"""First number of the lines of statements, beyond those of memories."""
PAUSE_EVERY: Final = 1_000
"""Number of statements between two yields."""
_END: Final = -1


class StatementLines:
    """Lines of the statements that a graph holds. It is not thread-safe.

    After each change of the graph `follow` must be called.

    Args:
        most: Maximum number of indexed statements.
        read: Index of the statements with an origin; None if there are none.
    """

    kind: Final = LineKind.STATEMENT

    def __init__(
        self,
        vocabulary: _fast.Vocabulary,
        graph: _fast.Graph,
        conflicts: PendingConflicts,
        most: int = STATEMENTS_MAX,
        *,
        read: OriginLines | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        self._graph = graph
        self._conflicts = conflicts
        self._most = most
        self._read = read
        self._postings = _fast.Postings()
        # Columns by entry: the statement, and the next entry of its concept. Numbers, as a
        # memory may hold more edges than there is space for objects.
        self._concepts = array("q")
        self._dimensions = array("q")
        self._parents = array("q")
        self._next = array("i")
        self._first: dict[int, int] = {}

    def __len__(self) -> int:
        return self._postings.open

    @property
    def counted(self) -> int:
        """The number of lines for which they count in the rarity of a word."""
        return min(len(self), COUNTED_MAX)

    def frequency(self, term: str) -> float:
        """Return the number of counted lines with a term, which may be fractional."""
        having = self._postings.frequency(term)
        if not having:
            return 0.0
        size = self._postings.open
        # As many as if a sample of `COUNTED_MAX` statements had been counted.
        return float(having * min(size, COUNTED_MAX) / size)

    def known(self, terms: Iterable[str]) -> list[str]:
        """Return those of some terms that any line has."""
        return [term for term in terms if self._postings.frequency(term)]

    # Maintenance

    def fill(self) -> Iterator[None]:
        """Add the statements of a graph; yield regularly so that callers can pause."""
        for count, edge in enumerate(self._graph):
            # A statement has one line: in `OriginLines` if its words are known, else here.
            is_read = self._read is not None and self._read.take_in(edge)
            # The root of a dimension says nothing (C1).
            if edge.parent_id != edge.concept_id and not is_read:
                self._add(edge.concept_id, edge.dim_id, edge.parent_id)
            if count % PAUSE_EVERY == 0:
                yield

    def follow(self, concept_id: int) -> None:
        """Synchronise the statements of a concept with the graph."""
        edges: Iterable[_fast.Edge] = self._graph.of(concept_id)
        if self._read is not None:
            edges = self._read.follow(concept_id, edges)
        held = {
            (edge.dim_id, edge.parent_id)
            for edge in edges
            if edge.parent_id != concept_id
        }
        kept = []
        for at in self._entries(concept_id):
            place = self._dimensions[at], self._parents[at]
            # A closed entry stays in the postings: a mere confirmation must not add one.
            if place in held:
                held.discard(place)
                kept.append(at)
            else:
                self._postings.close(at, set(self._terms(concept_id, *place)))
        self._first.pop(concept_id, None)
        for at in kept:
            self._link(concept_id, at)
        # What is left is new; sorted, since sets have no fixed order.
        for dim_id, parent_id in sorted(held):
            self._add(concept_id, dim_id, parent_id)

    def _add(self, concept_id: int, dim_id: int, parent_id: int) -> None:
        if len(self) >= self._most:
            return
        found = self._terms(concept_id, dim_id, parent_id)
        counts = dict.fromkeys(found, 1)
        if len(counts) < len(found):
            counts = Counter(found)
        at = self._postings.add(counts.items())
        self._concepts.append(concept_id)
        self._dimensions.append(dim_id)
        self._parents.append(parent_id)
        self._next.append(_END)
        self._link(concept_id, at)

    def _link(self, concept_id: int, at: int) -> None:
        self._next[at] = self._first.get(concept_id, _END)
        self._first[concept_id] = at

    def _entries(self, concept_id: int) -> list[int]:
        found = []
        at = self._first.get(concept_id, _END)
        while at != _END:
            found.append(at)
            at = self._next[at]
        return found

    def _terms(self, concept_id: int, dim_id: int, parent_id: int) -> list[str]:
        """Return a statement's terms; empty if a name was pruned or is scoped."""
        token = self._vocabulary.token
        try:
            if SCOPE in token(concept_id):
                # A project's statement is told in its speaker's words or not at all.
                return []
            found = [*name_terms(token(concept_id))]
            found += _terms_of_common(token(dim_id))
            found += _terms_of_common(token(parent_id))
        except KeyError:
            found = []
        return found

    # Search

    def search(
        self,
        wanted: Sequence[tuple[str, float]],
        most: int,
        rarity: Callable[[str], float],
    ) -> list[LineMatch]:
        """Return the statements that match a query best, best first.

        Args:
            wanted: Terms of the query with their weights.
            rarity: Returns the rarity of a term among all lines.
        """
        if not len(self):
            return []
        asked = reweighed(self._postings, wanted, rarity)
        # Statements of the graph hold in every project.
        found = self._postings.search(asked, NO_GROUP, 0.0, most)
        return [
            LineMatch(self._line(at, edge), score, shared)
            for at, score, shared in found
            if (edge := self._edge(at)) is not None
        ]

    def lines_of(self, concept_id: int, dim_id: int) -> list[IndexedLine]:
        """Return the lines of a concept in a dimension; empty if none is held."""
        return [
            self._line(at, edge)
            for at in self._entries(concept_id)
            if self._dimensions[at] == dim_id and (edge := self._edge(at)) is not None
        ]

    def recent(self, since: float = 0.0) -> Iterator[IndexedLine]:
        """Yield the lines confirmed at or after a time, the last added first."""
        for at in range(len(self._concepts) - 1, -1, -1):
            edge = self._edge(at)
            if (
                edge is not None
                and edge.last_confirmed >= since
                # A closed entry stays in the columns, even if its statement is held again.
                and at in self._entries(edge.concept_id)
            ):
                yield self._line(at, edge)

    def _edge(self, at: int) -> _fast.Edge | None:
        """Return the edge of an entry; None if its statement is no longer held."""
        concept_id, dim_id = self._concepts[at], self._dimensions[at]
        parent_id = self._parents[at]
        # A single value has slot 0, one of many the slot of its parent.
        edge = self._graph.get(concept_id, dim_id)
        if edge is not None and edge.parent_id == parent_id:
            return edge
        return self._graph.get(concept_id, dim_id, parent_id)

    def _line(self, at: int, edge: _fast.Edge) -> IndexedLine:
        return IndexedLine(
            number=FIRST_NUMBER + at,
            kind=self.kind,
            key=(edge.concept_id, edge.dim_id),
            text=self._text(edge),
            said=edge.last_confirmed if isfinite(edge.last_confirmed) else 0.0,
        )

    def _text(self, edge: _fast.Edge) -> str:
        """Return a statement as it is rendered in a block (D2)."""
        token, mark = self._vocabulary.token, self._conflicts.mark_of(edge)
        return f"{token(edge.concept_id)}: [{token(edge.dim_id)}{mark}] {token(edge.parent_id)}"


# Dimensions and parents recur in many statements; concepts are mostly distinct.
@lru_cache(maxsize=20_000)
def _terms_of_common(name: str) -> Iterable[str]:
    """Return the terms of a name that many statements share."""
    return name_terms(name)
