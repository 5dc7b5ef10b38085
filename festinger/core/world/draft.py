"""The world as it will be once a batch is committed.

The statements of a batch are judged in order, each against the world *and* the
reservations of the statements before it. The draft collects what Postgres must write,
and is published into the world after the commit: judge, reserve, commit, publish.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from festinger import _fast
from festinger.core.graph.changes import Denial, EndedEdge, LedgerEntry, Retraction
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.gate import (
    SETTLED,
    clash,
    edge_of,
    is_many,
    is_plural,
    judge,
    redirected,
    stands,
)
from festinger.core.graph.outcome import ASSERTED, BELIEF, Fact, Verdict
from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.graph.resolution import ConflictDecision, ReopenedItem, Settlement
from festinger.core.graph.tombstones import SettledBy, Tombstone, reopens
from festinger.core.world.edges import is_root, root_of
from festinger.core.world.overlay import Overlay
from festinger.core.world.publishing import publish
from festinger.core.world.world import World
from festinger.errors import FactNotHeld

CONFIDENCE_MAX = 0.99
"""Maximum confidence of a fact by corroboration (C3)."""

Witness = tuple[Triple, str]
"""A statement and the principal who made it."""


class Draft(Overlay):
    """A world with the reservations of one batch, and the methods that make them.

    The world's pools must hold enough ids: three of concepts and one of a ledger row
    for each statement. Facts enter the world only by `publish`.

    Args:
        witnesses: The statements of this batch that their principals also made in
            earlier batches: a principal corroborates a fact once (C3).
    """

    def __init__(
        self, world: World, *, witnesses: Set[Witness] = frozenset(), now: float
    ) -> None:
        super().__init__(world)
        self.now = now
        self._witnesses = set(witnesses)

    def propose(self, proposal: Proposal) -> LedgerEntry:
        """Judge a statement and reserve what it claims."""
        outcome = judge(proposal, self)
        # Every statement has a ledger row, whatever becomes of it (C4).
        number = self._take_number()
        entry = LedgerEntry(number, proposal, outcome._replace(assertion_id=number))
        if outcome.verdict is Verdict.HELD:
            self._deny(entry) if entry.triple.negated else self._hold(entry)
            self._lift(entry)
        elif outcome.verdict is Verdict.CORROBORATED and not entry.triple.negated:
            self._confirm(entry)
        elif outcome.verdict is Verdict.CONFLICTED:
            self._enqueue(entry)
        # A repetition of what was settled is only counted (C5a).
        elif outcome.reason == SETTLED:
            self.changes.counted[self._key(entry.triple)] += 1
        self.changes.entries.append(entry)
        return entry

    def retract(
        self, triple: Triple, *, principal: str, subject: str = "", why: str = ""
    ) -> Retraction:
        """Retract a held statement, so that machines cannot state it again (C5).

        Raises:
            FactNotHeld: The statement is not held.
        """
        # Named as the caller knows it, held where a decision moved it.
        triple = redirected(triple, self)
        key, edge = clash(triple, self), self._edge_at(triple)
        if key is None or not stands(triple, key, self):
            held = self.name(edge) if edge else None
            rest = self.tombstone(key) if key else None
            raise FactNotHeld(_not_held(triple, held, rest), fact=str(triple))
        number = self._take_number()
        fact = None if triple.negated or edge is None else self.name(edge)
        retraction = Retraction(number, triple, fact, principal, subject, why)
        self.end(key, by=f"retraction {number}")
        self.changes.tombstones[key] = Tombstone(SettledBy.RETRACTED)
        self.changes.retractions.append(retraction)
        return retraction

    def close(self, triple: Triple, *, by: str) -> None:
        """End the edge or the denial that a statement conflicts with.

        A tombstone (`SettledBy.REPLACED`) is left for each.
        """
        triple = redirected(triple, self)
        key = clash(triple, self)
        if key is None:
            return
        edge, ended = self.edge_of(key), []
        # A denial conflicts with its own positive only, and a statement of a plural
        # predicate with no other value.
        if edge is None and not triple.negated and not is_plural(triple, self):
            edge = self.edge(key.concept_id, key.dim_id)
        if edge:
            ended.append(key._replace(parent_id=edge.parent_id, negated=False))
        if not triple.negated and self.denied(*_denial(key)):
            ended.append(key._replace(negated=True))
        for each in ended:
            self.end(each, by=by)
            self.changes.tombstones[each] = Tombstone(SettledBy.REPLACED)

    def move(self, triple: Triple, dimension: str, *, by: str) -> Triple:
        """Redirect a statement to another dimension, now and whenever it is made again.

        If it is held, the edge or denial ends; the caller must propose it again.
        """
        moved = triple._replace(dimension=dimension)
        if dimension == triple.dimension:
            return triple
        old, new = self._need_key(triple), self._need_key(moved)
        if stands(triple, old, self):
            self.end(old, by=by)
        # Prompts repeat the statement in its old dimension (C5a).
        self.changes.redirects[old] = new.dim_id
        if self.redirect(new) is not None:
            # It returns to a dimension that it was redirected from before.
            self.changes.redirects[new] = None
        return moved

    def settle(self, settlement: Settlement) -> None:
        """Remove an item from the resolution queue."""
        key = settlement.clash
        self.queue[key] = None
        self.changes.settlements.append(settlement)
        if settlement.decision is ConflictDecision.DISMISS:
            # The item counts its repetitions from now on.
            tombstone = Tombstone(SettledBy.DISMISSED, settlement.conflict_id)
            self.changes.tombstones[self._where_now(key)] = tombstone

    def end(self, key: Clash, *, by: str) -> None:
        """End an edge or a denial that is held."""
        if key.negated:
            self.denials[_denial(key)] = None
            self.changes.closings.append(EndedEdge(by, denial=_denial(key)))
            return
        edge = self.edge_of(key)
        assert edge is not None, "what ends is held"
        self.edges[edge.place] = None
        self.changes.end(edge, by)

    def restore_edge(self, edge: _fast.Edge) -> None:
        """Restore an edge exactly as it was; nothing may conflict with it."""
        self.edges[edge.place] = edge
        self.changes.restored_edges.append(edge)

    def restore_denial(self, denial: Denial, number: int) -> None:
        """Restore a denial, held by the ledger row that made it."""
        self.denials[denial] = number
        self.changes.restored_denials[denial] = number

    def reopen(self, reopening: ReopenedItem) -> None:
        """Put a settled item back into the resolution queue."""
        self.queue[reopening.clash] = reopening.conflict_id
        self.changes.reopenings.append(reopening)

    def add_tombstone(self, triple: Triple, tombstone: Tombstone) -> None:
        """Add a tombstone for a statement, unless it has one or is held."""
        triple = redirected(triple, self)
        key = self._need_key(triple)
        # A tombstone of what is held would make its confirmations be refused.
        if not stands(triple, key, self) and self.tombstone(key) is None:
            self.changes.tombstones[key] = tombstone

    def remove_tombstone(self, triple: Triple, ending: SettledBy) -> None:
        """Remove a statement's tombstone, if it is of this kind."""
        key = clash(redirected(triple, self), self)
        rest = self.tombstone(key) if key else None
        if key and rest and rest.ending is ending:
            self.changes.tombstones[key] = None

    def held(self, triple: Triple) -> _fast.Edge | None:
        """Return the edge of exactly this statement; None if none, or for a denial."""
        triple = redirected(triple, self)
        key = clash(triple, self)
        if key is None or triple.negated or not stands(triple, key, self):
            return None
        return self.edge_of(key)

    def edge_of(self, key: Clash) -> _fast.Edge | None:
        """Return the edge from a concept to exactly this parent; None if none."""
        return edge_of(key, self)

    def made_by(self, triple: Triple) -> int:
        """Return the ledger row that a statement is held by; 0 if it is not held."""
        if edge := self.held(triple):
            return edge.assertion_id
        key = clash(redirected(triple, self), self)
        if key is None or not key.negated:
            return 0
        denial = _denial(key)
        if denial in self.denials:
            return self.denials[denial] or 0
        return self.world.denials.find(denial) or 0

    def take_down(self, triple: Triple, *, by: str) -> None:
        """End a held statement without a tombstone: it may be stated again."""
        self.end(self._need_key(redirected(triple, self)), by=by)

    def publish(self, conflict_numbers: Mapping[Clash, int], version: int) -> None:
        """Publish the committed changes into the world.

        Args:
            conflict_numbers: The ids that the commit gave to queue items.
            version: The tenant's version after the commit.
        """
        publish(self.world, self.changes, conflict_numbers, version, now=self.now)

    # Reservations

    def _hold(self, entry: LedgerEntry) -> None:
        concept_id, dim_id, parent_id, _ = self._need_key(entry.triple)
        # The first fact of a dimension creates its root (C1).
        self._need_dimension(dim_id, entry.triple.is_isa)
        entry.edge = _fast.Edge(
            concept_id,
            parent_id,
            dim_id,
            entry.triple.is_isa,
            entry.proposal.confidence,
            self.now,
            entry.proposal.source.code,
            BELIEF if entry.proposal.belief else ASSERTED,
            entry.id,
            is_many(entry.proposal, entry.triple, self),
        )
        self.edges[entry.edge.place] = entry.edge
        self._witnesses.add((entry.triple, entry.proposal.principal))
        self.changes.placed.add(concept_id)
        entry.outcome = entry.outcome._replace(fact=self.name(entry.edge))
        # A statement from the queue keeps the origin that it was queued with.
        key = self._key(entry.triple)
        if origin := self.world.conflicts.origins.get(key):
            self.changes.origins.setdefault(entry.id, origin)

    def _deny(self, entry: LedgerEntry) -> None:
        key = self._need_key(entry.triple)
        # The dimension's row is locked against the positive made by another server.
        self._need_dimension(key.dim_id, entry.triple.is_isa)
        entry.denial = _denial(key)
        self.denials[entry.denial] = entry.id

    def _lift(self, entry: LedgerEntry) -> None:
        """Remove the tombstone and the queue item of a statement that is now held."""
        key = self._need_key(entry.triple)
        # A tombstone made in this draft is of the statement with the other `is_isa`.
        if self.tombstone(key) and not self.changes.tombstones.get(key):
            self.changes.tombstones[key] = None
        if number := self.queued(key):
            principal = entry.proposal.principal
            # The item would wait for a decision that has been made.
            reasoning = "nothing runs against it any more"
            self.settle(
                Settlement(key, number, ConflictDecision.UPDATE, principal, reasoning)
            )

    def _confirm(self, entry: LedgerEntry) -> None:
        edge = self.edge_of(self._need_key(entry.triple))
        assert edge is not None, "what is corroborated is held"
        witness = (entry.triple, entry.proposal.principal)
        stated = entry.proposal.confidence
        if entry.proposal.belief:
            # A belief, which the community denies, corroborates nothing.
            confidence = edge.confidence
        elif witness in self._witnesses:
            # A repetition by the same principal counts only by a higher confidence.
            confidence = max(edge.confidence, min(CONFIDENCE_MAX, stated))
        else:
            confidence = corroborated(edge.confidence, stated)
            self._witnesses.add(witness)
        # A machine's repetition of a belief does not assert it; a person's does (I4).
        asserts = reopens(entry.proposal) and not entry.proposal.belief
        entry.edge = edge._replace(
            confidence=confidence,
            # Imports state facts at their own, earlier time (J15).
            last_confirmed=max(edge.last_confirmed, self.now),
            modality=ASSERTED if asserts else edge.modality,
        )
        self.edges[edge.place] = entry.edge
        entry.outcome = entry.outcome._replace(fact=self.name(entry.edge))

    def _enqueue(self, entry: LedgerEntry) -> None:
        key = entry.clash = self._need_key(entry.triple)
        # What it collides with: the denied value itself, or the only value.
        edge = self.edge_of(key) or self.edge(key.concept_id, key.dim_id)
        entry.existing_parent_id = edge.parent_id if edge else None
        rest = self.tombstone(key)
        if rest:
            self.changes.tombstones[key] = None
            # A dismissed item is opened again under its own number.
            entry.reopens = (
                rest.conflict_id if rest.ending is SettledBy.DISMISSED else 0
            )
        # 0 until the commit gives the item a number.
        self.queue[key] = self.queued(key) or 0

    def _edge_at(self, triple: Triple) -> _fast.Edge | None:
        """Return the edge at a statement's place, whatever its parent; None if none."""
        concept_id, dim_id = self.id(triple.concept), self.id(triple.dimension)
        if concept_id is None or dim_id is None:
            return None
        parent_id = self.id(triple.parent)
        edge = self.edge(concept_id, dim_id, parent_id) if parent_id else None
        edge = edge or self.edge(concept_id, dim_id)
        return None if edge is None or is_root(edge) else edge

    def _where_now(self, key: Clash) -> Clash:
        """Return the key of a queued statement, following redirects made since."""
        # Two decisions can redirect to and fro.
        met = {key.dim_id}
        while (dim_id := self.redirect(key)) is not None and dim_id not in met:
            met.add(dim_id)
            key = key._replace(dim_id=dim_id)
        return key

    def _need_dimension(self, dim_id: int, is_isa: bool) -> None:
        if self.edge(dim_id, dim_id) is None:
            self.changes.dimensions[dim_id] = is_isa
            self.edges[dim_id, dim_id, 0] = root_of(dim_id, is_isa, self.now)

    def _take_number(self) -> int:
        number = self.world.ledger_ids.take()
        assert number is not None, "the writer reserves numbers before it drafts"
        return number

    def _key(self, triple: Triple) -> Clash:
        key = clash(triple, self)
        assert key is not None, "what was settled has names with numbers"
        return key

    def _need_key(self, triple: Triple) -> Clash:
        """Return the ids of a statement's names; allocate those of new names."""
        concept_id, dim_id, parent_id = map(
            self._need_id, (triple.concept, triple.dimension, triple.parent)
        )
        return Clash(concept_id, dim_id, parent_id, triple.negated)

    def _need_id(self, token: str) -> int:
        number = self.world.name_concept(token)
        # The vocabulary has new names at once: prompts read during the commit use the same ids.
        if number in self.world.unsaved:
            self.changes.concepts[number] = token
        return number


def corroborated(confidence: float, by: float) -> float:
    """Return the noisy-or of two confidences, up to 0.99, at least the first (C3)."""
    return max(confidence, min(CONFIDENCE_MAX, 1 - (1 - confidence) * (1 - by)))


def _denial(key: Clash) -> Denial:
    return key.concept_id, key.parent_id, key.dim_id


def _not_held(triple: Triple, held: Fact | None, rest: Tombstone | None) -> str:
    before = f" (it was {rest.ending} before)" if rest else ""
    if held is None:
        return f"nothing of the kind is held: {triple}{before}"
    return (
        f"{triple.concept} [{triple.dimension}] is held as "
        f"{'-isa' if held.is_isa else '-ispart'} {held.parent}, not as stated: "
        f"{triple}{before}"
    )
