"""Bring what is held in a dimension to another cardinality (J4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from festinger import _fast
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.gate import HOLD_FLOOR
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource
from festinger.core.world.draft import Draft
from festinger.core.world.world import World

VALUES_MAX: Final = 200
"""Values of one concept that are moved, at most; more of them stay as they are."""


def misplaced(world: World, dimension: str, *, many: bool) -> Iterator[int]:
    """Yield the concepts that have an edge in a dimension in a slot of the other kind.

    Args:
        many: Whether a concept may have many values there.
    """
    dim_id = world.id(dimension)
    found = {
        edge.concept_id
        for edge in world.graph
        if edge.dim_id == dim_id != edge.concept_id and edge.many != many
    }
    yield from sorted(found)


def give_slots(
    draft: Draft, concept_id: int, dimension: str, *, many: bool, principal: str
) -> list[LedgerEntry]:
    """Give a concept's edges in a dimension the slots that its cardinality asks for.

    Where only one value may be held, the surest stays, and the others wait as conflicts.

    Args:
        principal: Who changed the cardinality.

    Returns:
        The rows of the ledger of what waits.
    """
    dim_id = draft.id(dimension)
    if dim_id is None:
        return []
    held = sorted(
        draft.values(concept_id, dim_id),
        key=lambda edge: (-edge.confidence, edge.assertion_id),
    )[:VALUES_MAX]
    by = f"cardinality of {dimension}"
    stay = held if many else held[:1]
    for edge in held:
        if edge not in stay or edge.many != many:
            draft.take_down(draft.name(edge).triple, by=by)
    for edge in stay:
        if edge.many != many:
            draft.restore_edge(edge._replace(many=many))
    waiting = []
    for edge in held[len(stay) :]:
        entry = draft.propose(_again(draft, edge, principal))
        if origin := draft.world.origins.get(edge.assertion_id):
            draft.changes.origins.setdefault(entry.id, origin)
        waiting.append(entry)
    return waiting


def _again(draft: Draft, edge: _fast.Edge, principal: str) -> Proposal:
    """Return what an edge states, to be judged beside the one that stays."""
    return Proposal(
        draft.name(edge).triple,
        confidence=max(edge.confidence, HOLD_FLOOR),
        source=StatementSource.from_code(edge.source),
        principal=principal,
        proposer=principal,
        evidence=Evidence(rule="cardinality"),
    )
