"""Promises of a graph."""

from __future__ import annotations

from typing import Any

import pytest

from festinger import _fast
from festinger._fast import Edge

GNOMMOWEB, REPO, SERVICE, TYPE, PLACE = 101, 201, 202, 1, 2


def edge(concept_id: int, parent_id: int, dim_id: int, **changes: Any) -> Edge:
    """Return an edge with everyday values."""
    return Edge(concept_id, parent_id, dim_id, True, 0.75, 1.5, 3, 0, 42)._replace(
        **changes
    )


@pytest.fixture
def graph() -> Any:
    """A graph with two edges of one concept, and a dimension's root."""
    graph = _fast.Graph()
    graph.put(edge(TYPE, TYPE, TYPE))
    graph.put(edge(GNOMMOWEB, REPO, PLACE))
    graph.put(edge(GNOMMOWEB, REPO, TYPE))
    return graph


def test_an_edge_is_found_at_its_place(graph: Any) -> None:
    """All that was put comes back, and nothing is at another place."""
    odd = edge(5, 6, 7, is_isa=False, source=-(2**15), modality=2**15 - 1)
    graph.put(odd)

    assert graph.get(5, 7) == odd
    assert type(graph.get(5, 7)) is Edge
    assert type(graph.get(5, 7).is_isa) is bool
    assert graph.get(5, 6) is None
    assert graph.get(7, 5) is None
    assert graph.get(0, 2**64) is None


def test_a_place_holds_one_edge(graph: Any) -> None:
    """A second edge at a place takes it over."""
    graph.put(edge(GNOMMOWEB, SERVICE, TYPE, confidence=0.5))

    assert graph.get(GNOMMOWEB, TYPE).parent_id == SERVICE
    assert len(graph) == 3
    assert (graph.mentions(REPO), graph.mentions(SERVICE)) == (1, 1)


def test_edges_of_a_concept_come_in_order_of_dimension(graph: Any) -> None:
    """Whatever the order in which they were put."""
    graph.put(edge(GNOMMOWEB, REPO, 77))
    graph.put(edge(GNOMMOWEB, REPO, 33))

    assert [e.dim_id for e in graph.of(GNOMMOWEB)] == [TYPE, PLACE, 33, 77]
    assert graph.of(REPO) == []
    assert graph.of(2**70) == []


def test_a_root_is_among_the_edges_but_mentions_nothing(graph: Any) -> None:
    """A caller that renders or counts leaves it out by itself."""
    assert graph.of(TYPE) == [edge(TYPE, TYPE, TYPE)]
    assert graph.mentions(TYPE) == 1  # as the dimension of gnommoweb's edge


def test_an_edge_mentions_each_of_its_concepts_once(graph: Any) -> None:
    """A concept that stands at two places of an edge is mentioned once."""
    graph.put(edge(8, 9, 9))
    graph.put(edge(8, 8, 9))

    assert (graph.mentions(8), graph.mentions(9)) == (1, 1)
    assert graph.mentions(GNOMMOWEB) == 2
    assert graph.mentions(999) == 0


def test_a_removed_edge_is_returned_and_gone(graph: Any) -> None:
    """The others stay where they are."""
    assert graph.remove(GNOMMOWEB, PLACE) == edge(GNOMMOWEB, REPO, PLACE)
    assert graph.get(GNOMMOWEB, PLACE) is None
    assert graph.of(GNOMMOWEB) == [edge(GNOMMOWEB, REPO, TYPE)]
    assert (graph.mentions(PLACE), graph.mentions(REPO)) == (0, 1)
    assert sorted(graph) == [edge(TYPE, TYPE, TYPE), edge(GNOMMOWEB, REPO, TYPE)]


def test_removing_nothing_is_a_key_error(graph: Any) -> None:
    """An empty place has nothing to return."""
    with pytest.raises(KeyError):
        graph.remove(GNOMMOWEB, 77)
    assert len(graph) == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"concept_id": 0},
        {"parent_id": -1},
        {"dim_id": 2**63},
        {"source": 2**15},
        {"modality": -(2**15) - 1},
        {"assertion_id": 2**63},
    ],
)
def test_an_impossible_edge_is_refused(graph: Any, changes: dict[str, Any]) -> None:
    """The message names the number, and nothing has changed."""
    with pytest.raises(ValueError, match=next(iter(changes))):
        graph.put(edge(GNOMMOWEB, SERVICE, TYPE)._replace(**changes))
    assert graph.get(GNOMMOWEB, TYPE).parent_id == REPO


def test_the_walk_up_meets_parents_of_its_dimension_only(graph: Any) -> None:
    """It starts with the concept itself and ends at the root."""
    graph.put(edge(REPO, TYPE, TYPE))
    graph.put(edge(REPO, SERVICE, PLACE))

    assert graph.reaches(GNOMMOWEB, TYPE, GNOMMOWEB)
    assert graph.reaches(GNOMMOWEB, TYPE, TYPE)
    assert graph.reaches(GNOMMOWEB, PLACE, SERVICE)
    assert not graph.reaches(GNOMMOWEB, TYPE, SERVICE)
    assert not graph.reaches(REPO, TYPE, GNOMMOWEB)
    assert not graph.reaches(2**70, TYPE, 2**71)


@pytest.mark.parametrize("tail", [0, 1, 2, 7])
@pytest.mark.parametrize("circle", [1, 2, 3, 8])
def test_the_walk_ends_in_a_circle(tail: int, circle: int) -> None:
    """Stored data with a cycle meets all of it once, and no more."""
    graph = _fast.Graph()
    total = tail + circle
    for at in range(1, total + 1):
        graph.put(edge(at, at + 1 if at < total else tail + 1, 99))

    assert all(graph.reaches(1, 99, at) for at in range(1, total + 1))
    assert not graph.reaches(1, 99, total + 1)


def test_a_graph_takes_memory_for_its_edges() -> None:
    """A thousand edges take more than none, and less than a kilobyte each."""
    graph = _fast.Graph()
    empty = graph.nbytes
    for at in range(1, 1001):
        graph.put(edge(at, at + 1, 5000))

    assert empty < graph.nbytes < empty + 1000 * 1000
