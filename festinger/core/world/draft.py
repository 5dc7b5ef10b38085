"""The world as it will be once a batch is committed.

Statements of a batch are judged in order, each against the world *and* what the ones
before it reserved. The draft collects what Postgres must write; only after the commit
is it published into the world, and only then is anybody answered: judge, reserve,
commit, publish, acknowledge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from types import MappingProxyType

from festinger import _fast
from festinger.core.graph.changes import Closing, Denial, LedgerEntry, Retraction
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
from festinger.core.graph.outcome import Fact, Verdict
from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.graph.resolution import ConflictDecision, Reopening, Settlement
from festinger.core.graph.settled import Ending, Tombstone, reopens
from festinger.core.graph.structures import ASSERTED, BELIEF
from festinger.core.lines.notes import Notes
from festinger.core.lines.turns import SpokenTurn
from festinger.core.memories.memory import Memory
from festinger.core.world.overlay import Overlay
from festinger.core.world.publishing import publish
from festinger.core.world.world import World, is_root, root_of
from festinger.errors import FactNotHeld

CONFIDENCE_MAX = 0.99
"""Corroboration brings a fact no nearer to certainty than this (C3)."""

Witness = tuple[Triple, str]
"""A statement and the principal who made it."""


class Draft(Overlay):
    """A world with the reservations of one batch over it, and how they are made.

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
        super().__init__(world)
        self.now = now
        self._witnesses = set(witnesses)

    def propose(self, proposal: Proposal) -> LedgerEntry:
        """Judges a statement and reserves what it claims."""
        outcome = judge(proposal, self)
        number = self._take_number()
        entry = LedgerEntry(number, proposal, outcome._replace(assertion_id=number))
        if outcome.verdict is Verdict.HELD:
            self._deny(entry) if entry.triple.negated else self._hold(entry)
            self._lift(entry)
        elif outcome.verdict is Verdict.CORROBORATED and not entry.triple.negated:
            self._confirm(entry)
        elif outcome.verdict is Verdict.CONFLICTED:
            self._enqueue(entry)
        elif outcome.reason == SETTLED:
            self.changes.counted[self._key(entry.triple)] += 1
        self.changes.entries.append(entry)
        return entry

    def retract(
        self, triple: Triple, *, principal: str, subject: str = "", why: str = ""
    ) -> Retraction:
        """Takes back what is held of a statement; it does not come back by itself (C5).

        Raises:
            FactNotHeld: Nothing is.
        """
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
        self.changes.tombstones[key] = Tombstone(Ending.RETRACTED)
        self.changes.retractions.append(retraction)
        return retraction

    def close(self, triple: Triple, *, by: str) -> None:
        """Ends what a statement runs against: an edge, or the statement's denial.

        What ends stays settled.
        """
        triple = redirected(triple, self)
        key = clash(triple, self)
        if key is None:
            return
        edge, ended = self.edge_of(key), []
        # A denial runs against its own positive only, and what leaves room against none.
        if edge is None and not triple.negated and not is_plural(triple, self):
            edge = self.edge(key.concept_id, key.dim_id)
        if edge:
            ended.append(key._replace(parent_id=edge.parent_id, negated=False))
        if not triple.negated and self.denied(*_denial(key)):
            ended.append(key._replace(negated=True))
        for each in ended:
            self.end(each, by=by)
            self.changes.tombstones[each] = Tombstone(Ending.REPLACED)

    def move(self, triple: Triple, dimension: str, *, by: str) -> Triple:
        """Sends a statement to another dimension, now and whenever it is made again.

        If it is held, that ends; whoever moves it proposes it again.

        Returns:
            The statement in its new dimension.
        """
        moved = triple._replace(dimension=dimension)
        if dimension == triple.dimension:
            return triple
        old, new = self._need_key(triple), self._need_key(moved)
        if stands(triple, old, self):
            self.end(old, by=by)
        self.changes.redirects[old] = new.dim_id
        if self.redirect(new) is not None:
            # It has come back to where it was sent from before.
            self.changes.redirects[new] = None
        return moved

    def settle(self, settlement: Settlement) -> None:
        """Takes an item out of the queue."""
        key = settlement.clash
        self.queue[key] = None
        self.changes.settlements.append(settlement)
        if settlement.decision is ConflictDecision.DISMISS:
            tombstone = Tombstone(Ending.DISMISSED, settlement.conflict_id)
            self.changes.tombstones[self._where_now(key)] = tombstone

    def end(self, key: Clash, *, by: str) -> None:
        """Ends an edge or a denial that is held."""
        if key.negated:
            self.denials[_denial(key)] = None
            self.changes.closings.append(Closing(by, denial=_denial(key)))
            return
        edge = self.edge_of(key)
        assert edge is not None, "what ends is held"
        self.edges[edge.place] = None
        self.changes.closings.append(Closing(by, edge=edge))

    def restore_edge(self, edge: _fast.Edge) -> None:
        """Holds an edge again exactly as it was; nothing may run against it."""
        self.edges[edge.place] = edge
        self.changes.restored_edges.append(edge)

    def restore_denial(self, denial: Denial, number: int) -> None:
        """Holds a denial again, as the ledger row made it."""
        self.denials[denial] = number
        self.changes.restored_denials[denial] = number

    def reopen(self, reopening: Reopening) -> None:
        """Puts an item that was settled back into the queue."""
        self.queue[reopening.clash] = reopening.conflict_id
        self.changes.reopenings.append(reopening)

    def bury(self, triple: Triple, tombstone: Tombstone) -> None:
        """Lets a statement be settled against, unless it is, or is held."""
        triple = redirected(triple, self)
        key = self._need_key(triple)
        if not stands(triple, key, self) and self.tombstone(key) is None:
            self.changes.tombstones[key] = tombstone

    def exhume(self, triple: Triple, ending: Ending) -> None:
        """Lets a statement that was settled against in this way be made again."""
        key = clash(redirected(triple, self), self)
        rest = self.tombstone(key) if key else None
        if key and rest and rest.ending is ending:
            self.changes.tombstones[key] = None

    def held(self, triple: Triple) -> _fast.Edge | None:
        """The edge that is exactly this statement; None for none, or for a denial."""
        triple = redirected(triple, self)
        key = clash(triple, self)
        if key is None or triple.negated or not stands(triple, key, self):
            return None
        return self.edge_of(key)

    def edge_of(self, key: Clash) -> _fast.Edge | None:
        """The edge that has a concept in exactly this parent."""
        return edge_of(key, self)

    def made_by(self, triple: Triple) -> int:
        """The row of the ledger that a statement is held by; 0 if it is not held."""
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
        """Ends what is held of a statement, which may come back by itself."""
        self.end(self._need_key(redirected(triple, self)), by=by)

    def publish(
        self,
        conflict_numbers: Mapping[Clash, int],
        version: int,
        memories: Mapping[str, Sequence[Memory]] = MappingProxyType({}),
        spoken: Iterable[SpokenTurn] = (),
        gone: Iterable[int] = (),
        dropped: Iterable[int] = (),
        notes: Notes = MappingProxyType({}),
        unquoted: Mapping[int, int] = MappingProxyType({}),
    ) -> None:
        """Brings the world to what was committed.

        Args:
            conflict_numbers: The numbers that the commit gave to queue items.
            version: The tenant's version after it.
            memories: What is told of the subjects that changed.
            spoken: Turns as they are kept now.
            gone: The numbers of those that are kept no more.
            dropped: The numbers of concepts that nothing names any more.
            notes: What changed of entities and trusted state.
            unquoted: The concepts of statements whose words are forgotten, by their rows
                of the ledger.
        """
        publish(
            self.world,
            self.changes,
            conflict_numbers,
            version,
            now=self.now,
            memories=memories,
            spoken=spoken,
            gone=gone,
            dropped=dropped,
            notes=notes,
            unquoted=unquoted,
        )

    # How a reservation is made

    def _hold(self, entry: LedgerEntry) -> None:
        concept_id, dim_id, parent_id, _ = self._need_key(entry.triple)
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
        # What waited is held by the words that it waited with.
        key = self._key(entry.triple)
        if origin := self.world.conflicts.origins.get(key):
            self.changes.origins.setdefault(entry.id, origin)

    def _deny(self, entry: LedgerEntry) -> None:
        key = self._need_key(entry.triple)
        # So that its row can be locked against the positive, made elsewhere.
        self._need_dimension(key.dim_id, entry.triple.is_isa)
        entry.denial = _denial(key)
        self.denials[entry.denial] = entry.id

    def _lift(self, entry: LedgerEntry) -> None:
        """What is held is settled against no more, and waits no more."""
        key = self._need_key(entry.triple)
        # What ended in this very draft is the same in the other flavour.
        if self.tombstone(key) and not self.changes.tombstones.get(key):
            self.changes.tombstones[key] = None
        if number := self.queued(key):
            principal = entry.proposal.principal
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
            # What the community denies is no witness for anything.
            confidence = edge.confidence
        elif witness in self._witnesses:
            # Saying it twice proves nothing, but saying it firmly may.
            confidence = max(edge.confidence, min(CONFIDENCE_MAX, stated))
        else:
            confidence = corroborated(edge.confidence, stated)
            self._witnesses.add(witness)
        # A machine that repeats a belief makes no fact of it; a person does (I4).
        asserts = reopens(entry.proposal) and not entry.proposal.belief
        entry.edge = edge._replace(
            confidence=confidence,
            last_confirmed=max(edge.last_confirmed, self.now),
            modality=ASSERTED if asserts else edge.modality,
        )
        self.edges[edge.place] = entry.edge
        entry.outcome = entry.outcome._replace(fact=self.name(entry.edge))

    def _enqueue(self, entry: LedgerEntry) -> None:
        key = entry.clash = self._need_key(entry.triple)
        edge = self.edge_of(key) or self.edge(key.concept_id, key.dim_id)
        entry.existing_parent_id = edge.parent_id if edge else None
        rest = self.tombstone(key)
        if rest:
            self.changes.tombstones[key] = None
            entry.reopens = rest.conflict_id if rest.ending is Ending.DISMISSED else 0
        self.queue[key] = self.queued(key) or 0

    def _edge_at(self, triple: Triple) -> _fast.Edge | None:
        """The edge that stands where a statement would, whatever its parent."""
        concept_id, dim_id = self.id(triple.concept), self.id(triple.dimension)
        if concept_id is None or dim_id is None:
            return None
        parent_id = self.id(triple.parent)
        edge = self.edge(concept_id, dim_id, parent_id) if parent_id else None
        edge = edge or self.edge(concept_id, dim_id)
        return None if edge is None or is_root(edge) else edge

    def _where_now(self, key: Clash) -> Clash:
        """The key of a statement where decisions moved it since it was queued."""
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
        """The numbers of a statement's names, given out where they are new."""
        concept_id, dim_id, parent_id = map(
            self._need_id, (triple.concept, triple.dimension, triple.parent)
        )
        return Clash(concept_id, dim_id, parent_id, triple.negated)

    def _need_id(self, token: str) -> int:
        number = self.world.name_concept(token)
        if number in self.world.unsaved:
            self.changes.concepts[number] = token
        return number


def corroborated(confidence: float, by: float) -> float:
    """Noisy-or of two confidences, up to 0.99; never below the first (C3)."""
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
