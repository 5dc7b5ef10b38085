"""A read-only view of a world with reservations, which the gate queries."""

from __future__ import annotations

from festinger import _fast
from festinger.core.graph.changes import Changes, Denial
from festinger.core.graph.conflicts import ByConcept, Clash
from festinger.core.graph.outcome import Fact
from festinger.core.graph.predicates import Cardinality, Registry
from festinger.core.graph.tombstones import Tombstone
from festinger.core.world.edges import FactLookups, is_root, named
from festinger.core.world.world import World


class Overlay(FactLookups):
    """A world with the reservations of a batch applied; a `View` for the gate.

    Attributes:
        world: The world without the reservations.
        predicates: The registry that statements are judged by.
        changes: The changes to write. This class reads only their tombstones, redirects
            and restatements.
        edges: The reserved edges by place (`Edge.place`); None where an edge ends.
        denials: The ledger rows of reserved denials; None where a denial ends.
        queue: The ids of reserved queue items, 0 while unwritten; None where an item
            is removed.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        # The batch itself may define a predicate.
        self.predicates: Registry = world.predicates
        self.changes = Changes()
        self.edges: ByConcept[tuple[int, int, int], _fast.Edge | None] = ByConcept()
        self.denials: dict[Denial, int | None] = {}
        self.queue: ByConcept[Clash, int | None] = ByConcept()

    def id(self, token: str) -> int | None:
        """Return the id of a concept; None if it was never met."""
        return self.world.id(token)

    def token(self, concept_id: int) -> str:
        """Return the name of a concept."""
        return self.world.token(concept_id)

    def edge(self, concept_id: int, dim_id: int, slot: int = 0) -> _fast.Edge | None:
        """Return the edge at a place, reservations first; None if there is none."""
        key = (concept_id, dim_id, slot)
        # A reserved end is None, so that `get` could not tell it from no reservation.
        if key in self.edges:
            return self.edges[key]
        return self.world.edge(concept_id, dim_id, slot)

    def facts(self, concept_id: int) -> list[_fast.Edge]:
        """Return the edges of a concept without roots, reservations applied."""
        # By place: a reservation replaces or ends what the world has there.
        held = {edge.place: edge for edge in self.world.facts(concept_id)}
        for place in self.edges.about(concept_id):
            edge = self.edges[place]
            held.pop(place, None)
            if edge is not None and not is_root(edge):
                held[place] = edge
        return list(held.values())

    def cardinality(self, dimension: str) -> Cardinality | None:
        """Return the cardinality of a dimension; None if it is not registered."""
        return self.predicates.cardinality(dimension)

    def reaches(self, start_id: int, dim_id: int, target_id: int) -> bool:
        """Return whether the walk up from a concept in a dimension meets another."""
        # Without reservations the compiled walk is right, and much faster.
        if not self.edges:
            return self.world.reaches(start_id, dim_id, target_id)
        at, met = start_id, set[int]()
        while at != target_id:
            edge = self.edge(at, dim_id)
            # The end of the tree, or a circle that does not contain the target.
            if edge is None or is_root(edge) or at in met:
                return False
            met.add(at)
            at = edge.parent_id
        return True

    def denied(self, concept_id: int, parent_id: int, dim_id: int) -> bool:
        """Return whether exactly this statement is denied."""
        key = (concept_id, parent_id, dim_id)
        if key in self.denials:
            return self.denials[key] is not None
        return self.world.denied(*key)

    def queued(self, clash: Clash) -> int | None:
        """Return the id of the pending item; 0 while unwritten; None if none."""
        if clash in self.queue:
            return self.queue[clash]
        return self.world.queued(clash)

    def tombstone(self, clash: Clash) -> Tombstone | None:
        """Return the tombstone of a statement; None if it was not settled against."""
        if clash in self.changes.tombstones:
            return self.changes.tombstones[clash]
        return self.world.tombstone(clash)

    def restated(self, clash: Clash) -> str | None:
        """Return who repeated a statement that was settled against; None if nobody."""
        if clash in self.changes.restated:
            return self.changes.restated[clash]
        return self.world.restated.find(clash)

    def redirect(self, clash: Clash) -> int | None:
        """Return the dimension that a statement is redirected to; None if it is not."""
        if clash in self.changes.redirects:
            return self.changes.redirects[clash]
        return self.world.redirect(clash)

    def name(self, edge: _fast.Edge) -> Fact:
        """Return an edge with names instead of ids, contested as the draft has it."""
        place = (edge.concept_id, edge.dim_id)
        about = edge.concept_id
        # Items of the world and of the batch; `queued` leaves out those that were settled in it.
        keys = {*self.world.conflicts.of(about), *self.queue.about(about)}
        contested = any(
            key[:2] == place and self.queued(key) is not None for key in keys
        )
        return named(edge, self.world.token, contested=contested)
