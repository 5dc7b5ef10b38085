"""Conversion of the held edges of a dimension to another cardinality (J4)."""

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
"""Maximum number of values of one concept that are converted; the rest stay as is."""


def misplaced(world: World, dimension: str, *, many: bool) -> Iterator[int]:
    """Yield the ids of concepts with an edge of the wrong cardinality in a dimension.

    Args:
        many: Whether a concept may have many values in the dimension.
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
    """Convert a concept's edges in a dimension to the slots of its cardinality.

    If only one value may be held, the one of the highest confidence stays, and the
    others are proposed again and wait as conflicts.

    Args:
        many: Whether a concept may have many values in the dimension.
        principal: The principal who changed the cardinality.

    Returns:
        The ledger rows of the values that were proposed again.
    """
    dim_id = draft.id(dimension)
    if dim_id is None:
        return []
    held = sorted(
        draft.values(concept_id, dim_id),
        # The first stated wins among equals.
        key=lambda edge: (-edge.confidence, edge.assertion_id),
    )[:VALUES_MAX]
    by = f"cardinality of {dimension}"
    stay = held if many else held[:1]
    for edge in held:
        # The slot is a part of an edge's place: it ends there, and is restored in the other.
        if edge not in stay or edge.many != many:
            draft.take_down(draft.name(edge).triple, by=by)
    for edge in stay:
        if edge.many != many:
            draft.restore_edge(edge._replace(many=many))
    waiting = []
    for edge in held[len(stay) :]:
        # Through the gate: it collides with the value that stays, and is queued.
        entry = draft.propose(_again(draft, edge, principal))
        # The words move to the new row, so that the conflict shows who said it.
        if origin := draft.world.origins.get(edge.assertion_id):
            draft.changes.origins.setdefault(entry.id, origin)
        waiting.append(entry)
    return waiting


def _again(draft: Draft, edge: _fast.Edge, principal: str) -> Proposal:
    """Return a proposal that states an edge again, to be judged against the rest."""
    return Proposal(
        draft.name(edge).triple,
        # Below the floor it would become a candidate instead of a conflict.
        confidence=max(edge.confidence, HOLD_FLOOR),
        source=StatementSource.from_code(edge.source),
        principal=principal,
        proposer=principal,
        evidence=Evidence(rule="cardinality"),
    )
