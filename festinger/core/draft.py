"""The world as it will be once a batch is committed.

Statements of a batch are judged in order, each against the world *and* what the ones
before it reserved. The draft collects what Postgres must write; only after the commit
is it published into the world, and only then is anybody answered: judge, reserve,
commit, publish, acknowledge.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from festinger import _fast
from festinger.core.conflicts import Clash
from festinger.core.gate import clash, judge
from festinger.core.outcome import Fact, Outcome, Verdict
from festinger.core.proposal import Proposal, Source, Triple
from festinger.core.structures import ASSERTED
from festinger.core.world import World, is_root

CONFIDENCE_MAX = 0.99
"""Corroboration brings a fact no nearer to certainty than this (C3)."""

Denial = tuple[int, int, int]
"""(concept, parent, dimension) that is denied."""
Witness = tuple[Triple, str]
"""A statement and the principal who made it."""


@dataclass(slots=True)
class Entry:
    """A row of the ledger: a statement, and what became of it.

    Attributes:
        id: The row's number.
        edge: The edge to write, if it is held or confirmed.
        denial: The denial to write, if it is a negated statement and held.
        clash: The queue item's key, if it is conflicted.
        existing_parent_id: What it met there; None if nothing.
    """

    id: int
    proposal: Proposal
    outcome: Outcome
    edge: _fast.Edge | None = None
    denial: Denial | None = None
    clash: Clash | None = None
    existing_parent_id: int | None = None


@dataclass(frozen=True, slots=True)
class Closing:
    """An edge or a denial that ends, and what ends it. Example: `conflict 7`."""

    by: str
    edge: _fast.Edge | None = None
    denial: Denial | None = None


@dataclass(slots=True)
class Changes:
    """What a batch writes.

    Attributes:
        concepts: Concepts without a row: number → token.
        dimensions: New dimensions: number → whether their first fact is an ISA.
        placed: Concepts that a fact places.
        closings: What ends, before anything new is held.
        entries: The ledger, in the order of judgement.
        settled: Queue items that are decided.
    """

    concepts: dict[int, str] = field(default_factory=dict)
    dimensions: dict[int, bool] = field(default_factory=dict)
    placed: set[int] = field(default_factory=set)
    closings: list[Closing] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    settled: list[Clash] = field(default_factory=list)

    @property
    def touched(self) -> set[int]:
        """The concepts whose edges, denials or conflicts the batch changes."""
        touched = set(self.dimensions) | {clash.concept_id for clash in self.settled}
        for closing in self.closings:
            if closing.edge:
                touched.add(closing.edge.concept_id)
            elif closing.denial:
                touched.add(closing.denial[0])
        for entry in self.entries:
            if entry.edge:
                touched.add(entry.edge.concept_id)
            elif entry.denial:
                touched.add(entry.denial[0])
            elif entry.clash:
                touched.add(entry.clash.concept_id)
        return touched


class Draft:
    """A world with the reservations of one batch over it; a `View` for the gate.

    The world must have numbers enough: three concepts and one ledger row for each
    statement. The names of a batch enter the vocabulary at once, so that a prompt that
    is read while the batch is written meets the same concepts; facts never do.

    Args:
        witnesses: Which statements of this batch their principals made before: a
            principal corroborates a fact once (C3).
        now: Seconds since the epoch.
    """

    def __init__(
        self, world: World, *, witnesses: Set[Witness] = frozenset(), now: float
    ) -> None:
        self.changes = Changes()
        self.now = now
        self._world = world
        self._witnesses = set(witnesses)
        self._edges: dict[tuple[int, int], _fast.Edge | None] = {}
        self._denials: dict[Denial, bool] = {}
        self._queue: dict[Clash, int | None] = {}

    # What the gate asks

    def id(self, token: str) -> int | None:
        """The concept's number; None if it was never met."""
        return self._world.id(token)

    def edge(self, concept_id: int, dim_id: int) -> _fast.Edge | None:
        """The one edge of a concept in a dimension, reservations first."""
        key = (concept_id, dim_id)
        if key in self._edges:
            return self._edges[key]
        return self._world.edge(concept_id, dim_id)

    def reaches(self, start_id: int, dim_id: int, target_id: int) -> bool:
        """Whether the way up from a concept, in a dimension, meets another."""
        if not self._edges:
            return self._world.reaches(start_id, dim_id, target_id)
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
        return self._denials.get(key, self._world.denied(*key))

    def queued(self, clash: Clash) -> int | None:
        """The number of the pending item; 0 while unwritten; None if none."""
        if clash in self._queue:
            return self._queue[clash]
        return self._world.queued(clash)

    def name(self, edge: _fast.Edge) -> Fact:
        """An edge with names instead of numbers."""
        return self._world.name(edge)

    # What changes it

    def propose(self, proposal: Proposal) -> Entry:
        """Judges a statement and reserves what it claims."""
        outcome = judge(proposal, self)
        number = self._world.ledger_ids.take()
        assert number is not None, "the writer reserves numbers before it drafts"
        entry = Entry(number, proposal, replace(outcome, assertion_id=number))
        triple = proposal.triple
        if outcome.verdict is Verdict.HELD and triple.negated:
            self._deny(entry)
        elif outcome.verdict is Verdict.HELD:
            self._hold(entry)
        elif outcome.verdict is Verdict.CORROBORATED and not triple.negated:
            self._confirm(entry)
        elif outcome.verdict is Verdict.CONFLICTED:
            self._enqueue(entry)
        self.changes.entries.append(entry)
        return entry

    def close(self, triple: Triple, *, by: str) -> None:
        """Ends what a statement runs against: an edge, or the statement's denial."""
        key = clash(triple, self)
        if key is None:
            return
        edge = self.edge(key.concept_id, key.dim_id)
        # A denial runs against its own positive only.
        if edge and not (triple.negated and edge.parent_id != key.parent_id):
            self._edges[key.concept_id, key.dim_id] = None
            self.changes.closings.append(Closing(by, edge=edge))
        denial = (key.concept_id, key.parent_id, key.dim_id)
        if not triple.negated and self.denied(*denial):
            self._denials[denial] = False
            self.changes.closings.append(Closing(by, denial=denial))

    def settle(self, clash: Clash) -> None:
        """Takes an item out of the queue."""
        self._queue[clash] = None
        self.changes.settled.append(clash)

    def publish(self, conflict_numbers: Mapping[Clash, int], version: int) -> None:
        """Brings the world to what was committed.

        Args:
            conflict_numbers: The numbers that the commit gave to queue items.
            version: The tenant's version after it.
        """
        world, changes = self._world, self.changes
        for number in changes.concepts:
            world.unsaved.pop(number, None)
        for closing in changes.closings:
            if closing.edge:
                world.graph.remove(closing.edge.concept_id, closing.edge.dim_id)
            if closing.denial:
                world.denials.pop(closing.denial, None)
        for dim_id, is_isa in changes.dimensions.items():
            world.graph.put(root_of(dim_id, is_isa, self.now))
        for entry in changes.entries:
            if entry.edge:
                world.graph.put(entry.edge)
            if entry.denial:
                world.denials[entry.denial] = entry.id
        for concept_id in changes.placed:
            world.vocabulary.set_novelty(concept_id, 1.0)
        for key, number in conflict_numbers.items():
            world.conflicts.add(key, number)
        for key in changes.settled:
            world.conflicts.discard(key)
        world.version = version

    # How a reservation is made

    def _hold(self, entry: Entry) -> None:
        concept_id, parent_id, dim_id = self._need_ids(entry.proposal.triple)
        if self.edge(dim_id, dim_id) is None:
            self.changes.dimensions[dim_id] = entry.proposal.triple.is_isa
            root = root_of(dim_id, entry.proposal.triple.is_isa, self.now)
            self._edges[dim_id, dim_id] = root
        entry.edge = _fast.Edge(
            concept_id,
            parent_id,
            dim_id,
            entry.proposal.triple.is_isa,
            entry.proposal.confidence,
            self.now,
            entry.proposal.source.code,
            ASSERTED,
            entry.id,
        )
        self._edges[concept_id, dim_id] = entry.edge
        self._witnesses.add((entry.proposal.triple, entry.proposal.principal))
        self.changes.placed.add(concept_id)
        entry.outcome = replace(entry.outcome, fact=self.name(entry.edge))

    def _deny(self, entry: Entry) -> None:
        concept_id, parent_id, dim_id = self._need_ids(entry.proposal.triple)
        entry.denial = (concept_id, parent_id, dim_id)
        self._denials[entry.denial] = True

    def _confirm(self, entry: Entry) -> None:
        concept_id, _, dim_id = self._need_ids(entry.proposal.triple)
        edge = self.edge(concept_id, dim_id)
        assert edge is not None, "what is corroborated is held"
        witness = (entry.proposal.triple, entry.proposal.principal)
        stated = entry.proposal.confidence
        if witness in self._witnesses:
            # Saying it twice proves nothing, but saying it firmly may.
            confidence = max(edge.confidence, min(CONFIDENCE_MAX, stated))
        else:
            confidence = corroborated(edge.confidence, stated)
            self._witnesses.add(witness)
        entry.edge = edge._replace(
            confidence=confidence, last_confirmed=max(edge.last_confirmed, self.now)
        )
        self._edges[concept_id, dim_id] = entry.edge
        entry.outcome = replace(entry.outcome, fact=self.name(entry.edge))

    def _enqueue(self, entry: Entry) -> None:
        concept_id, parent_id, dim_id = self._need_ids(entry.proposal.triple)
        entry.clash = Clash(
            concept_id, dim_id, parent_id, entry.proposal.triple.negated
        )
        edge = self.edge(concept_id, dim_id)
        entry.existing_parent_id = edge.parent_id if edge else None
        self._queue[entry.clash] = self.queued(entry.clash) or 0

    def _need_ids(self, triple: Triple) -> tuple[int, int, int]:
        """The numbers of a statement's names, given out where they are new."""
        concept_id, parent_id, dim_id = map(
            self._need_id, (triple.concept, triple.parent, triple.dimension)
        )
        return concept_id, parent_id, dim_id

    def _need_id(self, token: str) -> int:
        number = self._world.name_concept(token)
        if number in self._world.unsaved:
            self.changes.concepts[number] = token
        return number


def corroborated(confidence: float, by: float) -> float:
    """Noisy-or of two confidences, up to 0.99; never below the first (C3)."""
    return max(confidence, min(CONFIDENCE_MAX, 1 - (1 - confidence) * (1 - by)))


def root_of(dim_id: int, is_isa: bool, now: float) -> _fast.Edge:
    """The named root of a dimension's tree: the one allowed self-reference (C1)."""
    return _fast.Edge(
        dim_id, dim_id, dim_id, is_isa, 1.0, now, Source.FESTINGER.code, ASSERTED, 0
    )
