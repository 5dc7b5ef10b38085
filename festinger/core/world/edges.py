"""Edges of the graph: lookups, names instead of ids, and the roots of dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from festinger import _fast
from festinger.core.graph.outcome import ASSERTED, BELIEF, Fact
from festinger.core.graph.proposal import StatementSource


def is_root(edge: _fast.Edge) -> bool:
    """Return whether an edge is the named root of a dimension's tree (C1)."""
    return edge.concept_id == edge.parent_id == edge.dim_id


def root_of(dim_id: int, is_isa: bool, now: float) -> _fast.Edge:
    """Return the named root of a dimension's tree, the only self-reference (C1)."""
    return _fast.Edge(
        dim_id,
        dim_id,
        dim_id,
        is_isa,
        # Certain, never stated by anybody, and of no ledger row.
        1.0,
        now,
        StatementSource.FESTINGER.code,
        ASSERTED,
        0,
    )


def named(edge: _fast.Edge, token: Callable[[int], str], *, contested: bool) -> Fact:
    """Return an edge with names instead of ids."""
    concept, parent, dim, is_isa, confidence, confirmed, source, modality, number, _ = (
        edge
    )
    return Fact(
        token(concept),
        token(parent),
        token(dim),
        is_isa,
        confidence,
        confirmed,
        StatementSource.from_code(source),
        number,
        contested,
        modality == BELIEF,
    )


class _WorldAccess(Protocol):
    # `id` is an attribute of a world and a method of a draft: a property fits both.
    @property
    def id(self) -> Callable[[str], int | None]:
        """Return the id of a token; None if it was never met."""

    def facts(self, concept_id: int) -> list[_fast.Edge]:
        """Return the edges of a concept without roots."""


class FactLookups:
    """Lookups that follow from `id` and `facts`."""

    def has_facts(self: _WorldAccess, token: str) -> bool:
        """Return whether a concept has an edge."""
        number = self.id(token)
        return number is not None and bool(self.facts(number))

    def values(self: _WorldAccess, concept_id: int, dim_id: int) -> list[_fast.Edge]:
        """Return the edges of a concept in one dimension."""
        return [edge for edge in self.facts(concept_id) if edge.dim_id == dim_id]
