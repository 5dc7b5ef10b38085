"""The held statements as lines of the index: found by any of their words.

An entry is three numbers, and its line is made when somebody wants to see it, from the
graph: a memory may hold more edges than there is room for objects.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import isfinite, log
from typing import Final

from festinger import _fast
from festinger.core.graph.conflicts import PendingConflicts
from festinger.core.graph.structures import BELIEF
from festinger.core.graph.tokens import SCOPE
from festinger.core.language.terms import name_terms
from festinger.core.lines.index import IndexedLine, LineKind, LineMatch
from festinger.core.lines.originlines import OriginLines

STATEMENTS_MAX: Final = 200_000
"""Statements that are found by their words; the graph finds any by its concept's name."""
COUNTED_MAX: Final = 2_000
"""What statements count for, at most, where it is told how rare a word is: of many more
than what people said they would make each word of it look rare."""
FIRST_NUMBER: Final = 1 << 41
"""Of a statement's line: beyond those of all others."""
PAUSE_EVERY: Final = 1_000
"""Statements between two places to pause."""
_END: Final = -1


class StatementLines:
    """The lines of the statements that a graph holds.

    Only one thread may touch it. Whoever changes the graph says so (`follow`).

    Args:
        vocabulary: Names the graph's numbers.
        most: Statements that are taken in, at most.
        read: Takes those that have an origin; None if none has.
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
        # By entry: the statement, and the next entry about its concept.
        self._concepts = array("q")
        self._dimensions = array("q")
        self._parents = array("q")
        self._next = array("i")
        self._first: dict[int, int] = {}

    def __len__(self) -> int:
        return self._postings.open

    @property
    def nbytes(self) -> int:
        """Bytes that the entries and their postings take, roughly."""
        columns = (self._concepts, self._dimensions, self._parents, self._next)
        entries = sum(it.itemsize * len(it) for it in columns)
        # A number as key, one as value, and its place in the dictionary.
        return self._postings.nbytes + entries + 150 * len(self._first)

    @property
    def counted(self) -> int:
        """For how many lines they count where it is told how rare a word is."""
        return min(len(self), COUNTED_MAX)

    def frequency(self, term: str) -> float:
        """Return how many of the counted lines have a term, perhaps a fraction."""
        having = self._postings.frequency(term)
        return having * self.counted / len(self) if having else 0.0

    # What is held

    def fill(self) -> Iterator[None]:
        """Take in the statements of a graph; yields at places to pause."""
        for count, edge in enumerate(self._graph):
            is_read = self._read is not None and self._read.take_in(edge)
            if edge.parent_id != edge.concept_id and not is_read:
                self._add(edge.concept_id, edge.dim_id, edge.parent_id)
            if count % PAUSE_EVERY == 0:
                yield

    def follow(self, concept_id: int) -> None:
        """Take over what is held of a concept now.

        An entry whose statement is still held stays: one that is only confirmed does not
        grow the index.
        """
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
            if place in held:
                held.discard(place)
                kept.append(at)
            else:
                self._postings.close(at, set(self._terms(concept_id, *place)))
        self._first.pop(concept_id, None)
        for at in kept:
            self._link(concept_id, at)
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
        """Return the terms of a statement; none if a name was pruned, or is a project's."""
        token = self._vocabulary.token
        try:
            if SCOPE in token(concept_id):
                # What holds in one project is told in its speaker's words, or not at all.
                return []
            found = [*name_terms(token(concept_id))]
            found += _terms_of_common(token(dim_id))
            found += _terms_of_common(token(parent_id))
        except KeyError:
            found = []
        return found

    # What is found

    def search(
        self,
        wanted: Sequence[tuple[str, float]],
        most: int,
        rarity: Callable[[str], float],
    ) -> list[LineMatch]:
        """Return the statements that share most with a query, the best first.

        Args:
            wanted: The query's terms and their weights.
            most: How many, at most.
            rarity: Tells how rare a term is among all lines.
        """
        if not len(self):
            return []
        asked = [(term, it * rarity(term) / self._rarity(term)) for term, it in wanted]
        found = self._postings.search(asked, -2, 0.0, most)
        return [
            LineMatch(self._line(at, edge), score, shared)
            for at, score, shared in found
            if (edge := self._edge(at)) is not None
        ]

    def lines_of(self, concept_id: int, dim_id: int) -> list[IndexedLine]:
        """Return the line of a statement; none if it is not held."""
        return [
            self._line(at, edge)
            for at in self._entries(concept_id)
            if self._dimensions[at] == dim_id and (edge := self._edge(at)) is not None
        ]

    def recent(self, since: float = 0.0) -> Iterator[IndexedLine]:
        """Yield the lines that were confirmed since a moment, the last taken in first."""
        for at in range(len(self._concepts) - 1, -1, -1):
            edge = self._edge(at)
            if (
                edge is not None
                and edge.last_confirmed >= since
                and at in self._entries(edge.concept_id)
            ):
                yield self._line(at, edge)

    def _rarity(self, term: str) -> float:
        """Return by what the postings multiply a term's weight."""
        size, having = len(self), self._postings.frequency(term)
        return log(1 + (size - having + 0.5) / (having + 0.5))

    def _edge(self, at: int) -> _fast.Edge | None:
        """Return the edge of an entry; None if its statement is not held any more."""
        concept_id, dim_id = self._concepts[at], self._dimensions[at]
        parent_id = self._parents[at]
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
        """Return a statement as a block tells it (D2)."""
        mark = "~" if edge.modality == BELIEF else ""
        if self._conflicts.contested(edge.concept_id, edge.dim_id):
            mark = "?"
        token = self._vocabulary.token
        return f"{token(edge.concept_id)}: [{token(edge.dim_id)}{mark}] {token(edge.parent_id)}"


@lru_cache(maxsize=20_000)
def _terms_of_common(name: str) -> Iterable[str]:
    """Return the terms of a name that many statements have."""
    return name_terms(name)
