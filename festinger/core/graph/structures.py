"""The specification's rows and mappings, as read-only views of the compact store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from festinger import _fast
from festinger.core.graph.proposal import StatementSource

ASSERTED = 1
"""The modality of an edge that is held without qualification."""
BELIEF = 2  # told with a mark: `[joined~]`
"""The modality of an edge held as its author's belief: the community denies it (I4)."""


@dataclass(frozen=True, slots=True)
class SoasRow:
    """Row of a concept in the vocabulary.

    Attributes:
        last_seen: Seconds since the epoch; 0.0 if never.
        saliency: log10 of the count, 0 for dictionary words, ≥ 0.
        novelty: 1.0 once a fact places it, otherwise 0.0.
    """

    id: int
    saliency: float = 0.0
    novelty: float = 0.0  # 1.0 makes a concept worth telling at once (B5)
    encounter_count: int = 0
    last_seen: float = 0.0


@dataclass(frozen=True, slots=True)
class UrdEdge:
    """An edge: concept IN parent, within a dimension.

    Attributes:
        confidence: In [0.0, 1.0].
        last_confirmed: Seconds since the epoch; infinite if it never ages.
    """

    concept_id: int
    parent_id: int
    dim_id: int
    is_isa: bool
    confidence: float = 1.0
    source: str = StatementSource.INFERRED
    last_confirmed: float = inf  # never ages
    modality: int = ASSERTED
    assertion_id: int = 0
    many: bool = False

    def compact(self) -> _fast.Edge:
        """Return the edge in the representation of the graph."""
        return _fast.Edge(
            self.concept_id,
            self.parent_id,
            self.dim_id,
            self.is_isa,
            self.confidence,
            self.last_confirmed,
            StatementSource(self.source).code,  # a number in the compact form
            self.modality,
            self.assertion_id,
            self.many,
        )

    @classmethod
    def of(cls, edge: _fast.Edge) -> UrdEdge:
        """Return the edge for one in the representation of the graph."""
        return cls(
            edge.concept_id,
            edge.parent_id,
            edge.dim_id,
            edge.is_isa,
            edge.confidence,
            StatementSource.from_code(edge.source),
            edge.last_confirmed,
            edge.modality,
            edge.assertion_id,
            edge.many,
        )


class ConceptView(Mapping[str, SoasRow]):
    """Mapping of tokens to rows."""

    def __init__(self, vocabulary: _fast.Vocabulary) -> None:
        self._vocabulary = vocabulary

    def __getitem__(self, token: str) -> SoasRow:
        concept_id = self._vocabulary.id(token)
        if concept_id is None:
            raise KeyError(token)
        row = self._vocabulary.row(concept_id)
        return SoasRow(row.id, row.saliency, row.novelty, row.encounters, row.last_seen)

    def __iter__(self) -> Iterator[str]:
        return map(self._vocabulary.token, self._vocabulary)

    def __len__(self) -> int:
        return len(self._vocabulary)


class NamesView(Mapping[int, str]):
    """Mapping of concept ids to tokens."""

    def __init__(self, vocabulary: _fast.Vocabulary) -> None:
        self._vocabulary = vocabulary

    def __getitem__(self, concept_id: int) -> str:
        return self._vocabulary.token(concept_id)

    def __iter__(self) -> Iterator[int]:
        return iter(self._vocabulary)

    def __len__(self) -> int:
        return len(self._vocabulary)


class EdgeView(Mapping[tuple[int, int], UrdEdge]):
    """Mapping of (concept, dimension) to the single edge there, including roots."""

    def __init__(self, graph: _fast.Graph) -> None:
        self._graph = graph

    def __getitem__(self, key: tuple[int, int]) -> UrdEdge:
        edge = self._graph.get(*key)  # slot 0: the single value
        if edge is None:
            raise KeyError(key)
        return UrdEdge.of(edge)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((edge.concept_id, edge.dim_id) for edge in self._graph if not edge.many)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class PlacesView(Mapping[tuple[int, int, int], _fast.Edge]):
    """Mapping of (concept, dimension, slot) to each edge, including roots."""

    def __init__(self, graph: _fast.Graph) -> None:
        self._graph = graph

    def __getitem__(self, place: tuple[int, int, int]) -> _fast.Edge:
        edge = self._graph.get(*place)
        if edge is None:
            raise KeyError(place)
        return edge

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        return (edge.place for edge in self._graph)

    def __len__(self) -> int:
        return len(self._graph)


class EdgesView(Mapping[int, list[UrdEdge]]):
    """Mapping of concepts to their edges, in dimension order, including roots."""

    def __init__(self, graph: _fast.Graph) -> None:
        self._graph = graph

    def __getitem__(self, concept_id: int) -> list[UrdEdge]:
        edges = self._graph.of(concept_id)
        if not edges:
            raise KeyError(concept_id)
        return [UrdEdge.of(edge) for edge in edges]

    def __iter__(self) -> Iterator[int]:
        return iter(dict.fromkeys(edge.concept_id for edge in self._graph))

    def __len__(self) -> int:
        return sum(1 for _ in self)
