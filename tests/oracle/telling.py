"""Selection and wording of the lines about a prompt's concepts."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from festinger._fast.values import (
    Edge,
    GraphLineKind,
    GraphLines,
    Line,
    VocabularyEntry,
)
from tests.oracle.graph import Graph
from tests.oracle.vocabulary import Vocabulary

BELIEF = 2
"""The number of the modality that is marked (`festinger.core.graph.outcome`)."""


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
) -> GraphLines:
    """Choose the edges to tell of some concepts, and return them as lines.

    An edge can be told if its confidence and its age permit it, or if it is doubted,
    and it is no dimension's root. Of each concept the edges of the greatest weight are told, which is the
    confidence, halved with every half-life since the confirmation. The most important
    concepts are told, by saliency or novelty, halved with every half-life since the
    last encounter. Among equals the first is taken: the edge of the dimension with the
    lower id, and the concept that comes first in `ids`.

    Args:
        ids: The ids of the concepts, each once.
        now: The time, in epoch seconds.
        half_life: The half-life, in seconds.
        oldest: The earliest confirmation of an edge that is told, in epoch seconds.
        floor: The minimum confidence of an edge that is told.
        concepts_max: Maximum number of concepts that are told.
        edges_max: Maximum number of edges that are told of one concept.
        doubts: Concepts that are chosen before all others, each with the dimensions in
            which its edges are marked.
        mentioned: Concepts that do not count as unknown, unless all their own edges are
            too weak or too old. If this is a `Mentions`, it holds the doubted concepts
            as well.

    Raises:
        KeyError: No token has one of the ids, or an id of an edge that is told.
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
            if (edge.confidence >= floor and edge.last_confirmed >= oldest)
            or edge.dim_id in doubts.get(id, ())
        ]
        if edges:
            known.append(_Known(id not in doubts, -important, row, edges))
        elif facts or not (graph.mentions(id) or id in mentioned):
            unknown.append((-important, row.token))
    # The sort is stable, so equal concepts keep their order.
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
    return GraphLines(lines, _in_order(unknown))


class _Known(NamedTuple):
    uncontested: bool
    unimportance: float
    row: VocabularyEntry
    edges: list[Edge]


def _in_order(unknown: list[tuple[float, str]]) -> Iterator[str]:
    return (token for _, token in sorted(unknown, key=lambda it: it[0]))


def _is_root(edge: Edge) -> bool:
    return edge.concept_id == edge.parent_id == edge.dim_id


def _importance(row: VocabularyEntry, now: float, half_life: float) -> float:
    """Return the importance of a concept; 0 if it was never met."""
    left = _left(now - row.last_seen, half_life) if row.last_seen else 0.0
    return max(row.saliency, row.novelty) * left


def _left(seconds: float, half_life: float) -> float:
    """Return the share that is left after a time; 1 for a time in the future."""
    return float(0.5 ** (max(0.0, seconds) / half_life))


def _line(
    vocabulary: Vocabulary,
    row: VocabularyEntry,
    edges: list[Edge],
    doubted: Container[int],
) -> Line:
    parts, contested = [], False
    for edge in sorted(edges, key=lambda edge: vocabulary.token(edge.dim_id)):
        doubt = edge.dim_id in doubted
        dimension, parent = map(vocabulary.token, (edge.dim_id, edge.parent_id))
        # A doubt takes precedence over a belief.
        mark = "?" if doubt else "~" if edge.modality == BELIEF else ""
        parts.append(f"[{dimension}{mark}] {parent}")
        contested |= doubt
    text = f"{row.token}: {' '.join(parts)}"
    return Line(
        row.token,
        f"{text} — conflict pending" if contested else text,
        GraphLineKind.RECOLLECTION,
        _why(row, contested),
    )


def _why(row: VocabularyEntry, contested: bool) -> str:
    if contested:
        return "conflict"
    if row.novelty >= row.saliency:
        return f"novelty {row.novelty:.1f}"
    return f"met {row.encounters} times"
