"""The edges and the collision index."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from festinger._fast.values import INT64_MAX, PLACE, SEED, Edge
from tests.oracle.copy import CopyStream, Value

_COLUMNS = (
    *("int8",) * 3,
    *("bool", "float8", "float8", "int2", "int2", "int8", "bool"),
)


class Graph:
    """The held edges: at most one for each concept, dimension and slot.

    `seed` and `mask_bits` belong to the compiled build's hash tables, where tests use
    them to force collisions; here they do nothing.
    """

    def __init__(self, *, seed: int = SEED, mask_bits: int = 64) -> None:
        """Make an empty graph."""
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed {seed} is not a 64-bit unsigned integer")
        if not 0 <= mask_bits <= 64:
            raise ValueError(f"mask_bits {mask_bits} is not between 0 and 64")
        self._edges: dict[tuple[int, int, int], Edge] = {}
        self._by_concept: dict[int, dict[tuple[int, int, int], Edge]] = {}
        self._mentions: Counter[int] = Counter()

    def get(self, concept_id: int, dim_id: int, slot: int = 0) -> Edge | None:
        """Return the edge of a concept in a dimension and slot, if any."""
        return self._edges.get((concept_id, dim_id, slot))

    def put(self, edge: Edge) -> None:
        """Add an edge, in place of the one with the same concept, dimension and slot.

        Raises:
            ValueError: A number of the edge is out of range.
        """
        edge = _checked(edge)
        key = edge.place
        held = self._edges.get(key)
        if held is not None:
            self._mention(held, -1)
        self._edges[key] = edge
        self._by_concept.setdefault(edge.concept_id, {})[key] = edge
        self._mention(edge, 1)

    def remove(self, concept_id: int, dim_id: int, slot: int = 0) -> Edge:
        """Remove an edge, and return it.

        Raises:
            KeyError: There is no such edge.
        """
        edge = self._edges.pop((concept_id, dim_id, slot))
        edges = self._by_concept[concept_id]
        del edges[edge.place]
        if not edges:
            del self._by_concept[concept_id]
        self._mention(edge, -1)
        return edge

    def of(self, concept_id: int) -> list[Edge]:
        """Return a concept's edges, in order of dimension and slot.

        A dimension's root edge, which has its own concept as parent and dimension, is
        among them.
        """
        return sorted(self._by_concept.get(concept_id, {}).values(), key=PLACE)

    def mentions(self, id: int) -> int:
        """Return how many edges name a concept as concept, parent or dimension.

        An edge that names it twice counts once; root edges do not count.
        """
        return self._mentions[id]

    def reaches(self, start_id: int, dim_id: int, target_id: int) -> bool:
        """Return whether the walk up from a concept in one dimension reaches another.

        The start itself counts as reached. The walk follows single parents (slot 0),
        and ends at a root, at a concept without a parent in the dimension, and at a
        cycle.
        """
        met: set[int] = set()
        concept_id = start_id
        while concept_id not in met:
            if concept_id == target_id:
                return True
            met.add(concept_id)
            edge = self._edges.get((concept_id, dim_id, 0))
            if edge is None:
                return False
            concept_id = edge.parent_id
        return False

    def load_copy(self, data: bytes) -> int:
        """Add the rows of a binary COPY stream.

        Its columns are those of `Edge`: concept_id, parent_id and dim_id int8, is_isa
        bool, confidence and last_confirmed float8, source and modality int2,
        assertion_id int8, many bool.

        Returns:
            How many edges were added.

        Raises:
            ValueError: The stream is corrupt, or holds two edges of the same place, or
                one whose place is taken. No edge is added then.
        """
        stream = CopyStream(_COLUMNS)
        added: list[Edge] = []
        try:
            for number, row in enumerate(stream.feed(data), 1):
                added.append(self._put_row(number, row))
            stream.close()
        except ValueError:
            for edge in added:
                self.remove(*edge.place)
            raise
        return len(added)

    def _put_row(self, number: int, row: tuple[Value, ...]) -> Edge:
        edge = Edge._make(row)
        if edge.place in self._edges:
            raise ValueError(
                f"row {number}: an edge of {edge.concept_id} in "
                f"{edge.dim_id} is there already"
            )
        try:
            self.put(edge)
        except ValueError as error:
            raise ValueError(f"row {number}: {error}") from None
        return edge

    @property
    def nbytes(self) -> int:
        """The approximate memory use, in bytes."""
        return (
            sys.getsizeof(self._edges)
            + sys.getsizeof(self._by_concept)
            + sum(map(sys.getsizeof, self._by_concept.values()))
            + sys.getsizeof(self._mentions)
            + len(self._edges) * (sys.getsizeof((0,) * 10) + 6 * 32)
        )

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self._edges)

    def __iter__(self) -> Iterator[Edge]:
        """Iterate over the edges, in no particular order."""
        return iter(list(self._edges.values()))

    def _mention(self, edge: Edge, by: int) -> None:
        if edge.concept_id == edge.parent_id == edge.dim_id:
            return
        for id in {edge.concept_id, edge.parent_id, edge.dim_id}:
            self._mentions[id] += by
            if not self._mentions[id]:
                del self._mentions[id]


def _checked(edge: Edge) -> Edge:
    """Return the edge with exact types, as the compiled build would hold it."""
    for name in ("concept_id", "parent_id", "dim_id"):
        if not 0 < getattr(edge, name) <= INT64_MAX:
            raise ValueError(f"{name} {getattr(edge, name)} is not a positive bigint")
    for name in ("source", "modality"):
        if not -(2**15) <= getattr(edge, name) < 2**15:
            raise ValueError(f"{name} {getattr(edge, name)} is not a smallint")
    if not -INT64_MAX - 1 <= edge.assertion_id <= INT64_MAX:
        raise ValueError(f"assertion_id {edge.assertion_id} is not a bigint")
    return edge._replace(
        is_isa=bool(edge.is_isa),
        confidence=float(edge.confidence),
        last_confirmed=float(edge.last_confirmed),
        many=bool(edge.many),
    )
