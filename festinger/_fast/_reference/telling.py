"""What is told of a prompt's concepts, in plain Python."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..values import Edge, Kind, Line, Row, Telling
from .graph import Graph
from .vocabulary import Vocabulary

BELIEF = 2
"""The modality that is marked, as in `festinger.core.graph.structures`."""


def tell(
    vocabulary: Vocabulary,
    graph: Graph,
    ids: Sequence[int],
    *,
    now: float,
    half_life: float,
    oldest: float,
    floor: float,
    concepts_max: int,
    edges_max: int,
    doubts: Mapping[int, Container[int]],
    mentioned: Container[int],
) -> Telling:
    """Choose what to tell of some concepts, and word it.

    An edge is told if it is sure and new enough and no dimension's root, and of those
    of a concept the heaviest: by confidence, halved with every half-life since it was
    confirmed. A concept is important by its saliency or novelty, halved with every
    half-life since it was met. Of equals the first is taken: of edges that in the
    dimension of the lower id, of concepts that which comes first here.

    Args:
        ids: Each once.
        now: Epoch seconds.
        half_life: Seconds.
        oldest: When an edge that is told was confirmed at the earliest.
        floor: Confidence of an edge that is told, at least.
        concepts_max: Concepts of which something is told, at most.
        edges_max: Edges that are told of one, at most.
        doubts: Concepts that are chosen before all others, and of each the dimensions
            in which its edges are marked.
        mentioned: Concepts that are not unknown, unless by their own edges. If they are
            `Mentions`, those that are doubted are among them.

    Raises:
        KeyError: No token has one of the ids, or one of an edge that is told.
        ValueError: `concepts_max` is negative, or `edges_max` not positive.
    """
    if concepts_max < 0 or edges_max < 1:
        raise ValueError(f"{concepts_max} concepts of {edges_max} edges cannot be told")
    known: list[_Known] = []
    unknown: list[tuple[float, str]] = []
    for id in ids:
        row = vocabulary.row(id)
        important = _importance(row, now, half_life)
        facts = [edge for edge in graph.of(id) if not _is_root(edge)]
        edges = [
            edge
            for edge in facts
            if edge.confidence >= floor and edge.last_confirmed >= oldest
        ]
        if edges:
            known.append(_Known(id not in doubts, -important, row, edges))
        elif facts or not (graph.mentions(id) or id in mentioned):
            unknown.append((-important, row.token))
    # Sorting is stable: equals stay in their order.
    known.sort(key=lambda it: (it.uncontested, it.unimportance))
    chosen = sorted(known[:concepts_max], key=lambda it: it.row.token)
    for it in chosen:
        it.edges.sort(
            key=lambda edge: (
                -edge.confidence * _left(now - edge.last_confirmed, half_life)
            )
        )
    lines = [
        _line(vocabulary, it.row, it.edges[:edges_max], doubts.get(it.row.id, ()))
        for it in chosen
    ]
    return Telling(lines, _in_order(unknown))


class _Known(NamedTuple):
    uncontested: bool
    unimportance: float
    row: Row
    edges: list[Edge]


def _in_order(unknown: list[tuple[float, str]]) -> Iterator[str]:
    return (token for _, token in sorted(unknown, key=lambda it: it[0]))


def _is_root(edge: Edge) -> bool:
    return edge.concept_id == edge.parent_id == edge.dim_id


def _importance(row: Row, now: float, half_life: float) -> float:
    """What was never met is not important, whatever placed it."""
    left = _left(now - row.last_seen, half_life) if row.last_seen else 0.0
    return max(row.saliency, row.novelty) * left


def _left(seconds: float, half_life: float) -> float:
    """The share that a time leaves; time that is to come takes nothing."""
    return float(0.5 ** (max(0.0, seconds) / half_life))


def _line(
    vocabulary: Vocabulary,
    row: Row,
    edges: list[Edge],
    doubted: Container[int],
) -> Line:
    parts, contested = [], False
    for edge in sorted(edges, key=lambda edge: vocabulary.token(edge.dim_id)):
        doubt = edge.dim_id in doubted
        dimension, parent = map(vocabulary.token, (edge.dim_id, edge.parent_id))
        # That somebody else says otherwise outweighs that it is a belief.
        mark = "?" if doubt else "~" if edge.modality == BELIEF else ""
        parts.append(f"[{dimension}{mark}] {parent}")
        contested |= doubt
    text = f"{row.token}: {' '.join(parts)}"
    return Line(
        row.token,
        f"{text} — conflict pending" if contested else text,
        Kind.RECOLLECTION,
        _why(row, contested),
    )


def _why(row: Row, contested: bool) -> str:
    if contested:
        return "conflict"
    if row.novelty >= row.saliency:
        return f"novelty {row.novelty:.1f}"
    return f"met {row.encounters} times"
