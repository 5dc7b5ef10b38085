"""The specification's five structures, as views of a world, and worlds made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from math import inf

from festinger import _fast
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.outcome import ASSERTED
from festinger.core.graph.proposal import StatementSource
from festinger.core.world.world import World


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


def soas_by_token(world: World) -> Mapping[str, SoasRow]:
    """Return the rows of the concepts that were met, by token."""
    return ConceptView(world.vocabulary)


def urd_by_concept(world: World) -> Mapping[int, list[UrdEdge]]:
    """Return the edges by concept id."""
    return EdgesView(world.graph)


def urd_by_concept_dim(world: World) -> Mapping[tuple[int, int], UrdEdge]:
    """Return the single-valued edges by (concept, dimension)."""
    return EdgeView(world.graph)


def build_world(
    rows: Mapping[str, SoasRow] | None = None,
    names: Mapping[int, str] | None = None,
    edges: Iterable[UrdEdge] = (),
    contested: Iterable[int | tuple[int, int]] = (),
    *,
    dictionary: Set[str] = frozenset(),
    ids: range = range(1_000_000, 2_000_000),
) -> World:
    """Build a world without a database.

    Args:
        rows: The concepts. A row with a saliency and no count gets the count that has
            this saliency.
        names: Names of concepts that have no row.
        contested: Concepts, or (concept, dimension) pairs, that are contested. A bare
            concept is contested in all its dimensions.
    """
    world = World(dictionary)
    for token, row in (rows or {}).items():
        count = round(10**row.saliency) if row.saliency > 0 else 0
        world.vocabulary.add(
            token,
            row.id,
            # Saliency is the logarithm of the count (B4).
            encounters=row.encounter_count or count,
            last_seen=row.last_seen,
            novelty=row.novelty,
            dictionary=token in dictionary,
        )
    for concept_id, token in (names or {}).items():
        if world.vocabulary.id(token) is None:
            world.vocabulary.add(token, concept_id)
    for edge in edges:
        world.graph.put(edge.compact())
    for item in contested:
        places = (
            [item]
            if isinstance(item, tuple)
            else [(item, edge.dim_id) for edge in world.facts(item)]
        )
        for concept_id, dim_id in places:
            world.conflicts.add(Clash(concept_id, dim_id, 0, False))
    for _ in world.index_statements():
        pass
    world.concept_ids.add(ids)
    world.ledger_ids.add(range(1, 1_000_000))
    return world
