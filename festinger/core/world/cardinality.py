"""Conversion of the held edges of a dimension to another cardinality (J4)."""

from __future__ import annotations

from collections.abc import Iterable

from festinger import _fast
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.gate import HOLD_FLOOR
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource
from festinger.core.world.draft import Draft
from festinger.core.world.world import World


def misplaced(world: World, dimension: str, *, many: bool) -> list[int]:
    """Return the ids of concepts with an edge of the wrong cardinality in a dimension."""
    dim_id = world.id(dimension)
    found = {
        edge.concept_id
        for edge in world.graph
        if edge.dim_id == dim_id != edge.concept_id and edge.many != many
    }
    return sorted(found)


def give_slots(
    draft: Draft, concepts: Iterable[int], dimension: str, *, many: bool, principal: str
) -> list[LedgerEntry]:
    """Convert the edges of concepts in a dimension to the slots of its cardinality.

    If only one value may be held, the one of the highest confidence stays that closes no
    circle, and the others are proposed again and wait as conflicts.

    Args:
        principal: The principal who changed the cardinality.

    Returns:
        The ledger rows of the values that were proposed again.
    """
    dim_id = draft.id(dimension)
    if dim_id is None:
        return []
    by = f"cardinality of {dimension}"
    values = {number: draft.values(number, dim_id) for number in concepts}
    # The slot is a part of an edge's place: it ends there, and is restored in the other. All
    # end first, since each end looks through the statements of the batch.
    for edge in (edge for held in values.values() for edge in held):
        if edge.many != many:
            draft.take_down(draft.name(edge).triple, by=by)
    waiting: list[LedgerEntry] = []
    for held in values.values():
        # The first stated wins among equals.
        held.sort(key=lambda edge: (-edge.confidence, edge.assertion_id))
        stay = held if many else _only(draft, held)
        for edge in held:
            if edge not in stay and edge.many == many:
                draft.take_down(draft.name(edge).triple, by=by)
        for edge in stay:
            if edge.many != many:
                draft.restore_edge(edge._replace(many=many))
        waiting += (
            _queued(draft, edge, principal) for edge in held if edge not in stay
        )
    return waiting


def _only(draft: Draft, held: list[_fast.Edge]) -> list[_fast.Edge]:
    """Return the first edge that may be the only value of its concept, if any."""
    # Many values may lead in a circle where a single one must not (C2).
    return next(
        (
            [edge]
            for edge in held
            if not draft.reaches(edge.parent_id, edge.dim_id, edge.concept_id)
        ),
        [],
    )


def _queued(draft: Draft, edge: _fast.Edge, principal: str) -> LedgerEntry:
    """State an edge again, which collides with the value that stays, and is queued."""
    proposal = Proposal(
        draft.name(edge).triple,
        # Below the floor it would become a candidate instead of a conflict.
        confidence=max(edge.confidence, HOLD_FLOOR),
        source=StatementSource.from_code(edge.source),
        principal=principal,
        proposer=principal,
        evidence=Evidence(rule="cardinality"),
    )
    entry = draft.propose(proposal)
    # The words move to the new row, so that the conflict shows who said it.
    if origin := draft.world.origins.get(edge.assertion_id):
        draft.changes.origins.setdefault(entry.id, origin)
    return entry
