"""A world with reservations over it: what the gate asks while a batch is judged."""

from __future__ import annotations

from festinger import _fast
from festinger.core.graph.byconcept import ByConcept
from festinger.core.graph.changes import Changes, Denial
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.outcome import Fact
from festinger.core.graph.predicates import Cardinality
from festinger.core.graph.settled import Tombstone
from festinger.core.world.world import World, is_root, named


class Overlay:
    """What a world will hold once what is reserved is committed; a `View` for the gate.

    Attributes:
        world: Without the reservations.
        changes: What is to be written; here only what it settles, and moves, is asked.
        edges: What is reserved, by place (`Edge.place`); None where an edge ends.
        denials: The same; the ledger row of each.
        queue: The same; the number of each item, 0 while it is unwritten.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.changes = Changes()
        self.edges: dict[tuple[int, int, int], _fast.Edge | None] = {}
        self.denials: dict[Denial, int | None] = {}
        self.queue: ByConcept[Clash, int | None] = ByConcept()

    def id(self, token: str) -> int | None:
        """The concept's number; None if it was never met."""
        return self.world.id(token)

    def token(self, concept_id: int) -> str:
        """The name of a number."""
        return self.world.token(concept_id)

    def edge(self, concept_id: int, dim_id: int, slot: int = 0) -> _fast.Edge | None:
        """The edge at a place, reservations first."""
        key = (concept_id, dim_id, slot)
        if key in self.edges:
            return self.edges[key]
        return self.world.edge(concept_id, dim_id, slot)

    def facts(self, concept_id: int) -> list[_fast.Edge]:
        """The edges that place a concept, roots left out, reservations first."""
        held = {edge.place: edge for edge in self.world.facts(concept_id)}
        for place, edge in self.edges.items():
            if place[0] == concept_id:
                held.pop(place, None)
                if edge is not None and not is_root(edge):
                    held[place] = edge
        return list(held.values())

    def has_facts(self, token: str) -> bool:
        """Whether anything is held of a concept, or reserved."""
        number = self.id(token)
        return number is not None and bool(self.facts(number))

    def values(self, concept_id: int, dim_id: int) -> list[_fast.Edge]:
        """All edges of a concept in a dimension, reservations first."""
        return [edge for edge in self.facts(concept_id) if edge.dim_id == dim_id]

    def cardinality(self, dimension: str) -> Cardinality | None:
        """How many values a concept may have in a dimension; None if that is open."""
        return self.world.cardinality(dimension)

    def reaches(self, start_id: int, dim_id: int, target_id: int) -> bool:
        """Whether the way up from a concept, in a dimension, meets another."""
        if not self.edges:
            return self.world.reaches(start_id, dim_id, target_id)
        at, met = start_id, set[int]()
        while at != target_id:
            edge = self.edge(at, dim_id)
            if edge is None or is_root(edge) or at in met:
                return False
            met.add(at)
            at = edge.parent_id
        return True

    def denied(self, concept_id: int, parent_id: int, dim_id: int) -> bool:
        """Whether exactly this is denied."""
        key = (concept_id, parent_id, dim_id)
        if key in self.denials:
            return self.denials[key] is not None
        return self.world.denied(*key)

    def queued(self, clash: Clash) -> int | None:
        """The number of the pending item; 0 while unwritten; None if none."""
        if clash in self.queue:
            return self.queue[clash]
        return self.world.queued(clash)

    def tombstone(self, clash: Clash) -> Tombstone | None:
        """What is left of the statement, if it was settled against."""
        if clash in self.changes.tombstones:
            return self.changes.tombstones[clash]
        return self.world.tombstone(clash)

    def restated(self, clash: Clash) -> str | None:
        """Who said again what was settled against; None for nobody yet."""
        if clash in self.changes.restated:
            return self.changes.restated[clash]
        return self.world.restated.find(clash)

    def redirect(self, clash: Clash) -> int | None:
        """The dimension to which a decision moved the statement."""
        if clash in self.changes.redirects:
            return self.changes.redirects[clash]
        return self.world.redirect(clash)

    def name(self, edge: _fast.Edge) -> Fact:
        """An edge with names instead of numbers; what the batch settles is settled."""
        place = (edge.concept_id, edge.dim_id)
        about = edge.concept_id
        keys = {*self.world.conflicts.of(about), *self.queue.about(about)}
        contested = any(
            key[:2] == place and self.queued(key) is not None for key in keys
        )
        return named(edge, self.world.token, contested=contested)
