"""Define predicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from festinger.core.graph.predicates import (
    Cardinality,
    Predicate,
    PredicateEdit,
    Registry,
)
from festinger.core.world.cardinality import give_slots, misplaced
from festinger.core.world.draft import Draft
from festinger.services.world.jobs import Job
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.graph.predicates import PredicateWrites
from festinger.store.world.batches import Batch, RaceLost
from festinger.store.world.reads import PostgresReads


@dataclass(frozen=True, slots=True)
class PredicateSet:
    """Result of setting a predicate.

    Attributes:
        predicate: The predicate as the memory has it now.
        before: Cardinality of its dimension before; None if it was undefined.
        after: Cardinality of its dimension now; None if it is undefined.
        queued: Number of values that became conflicts because of the change.
    """

    predicate: Predicate
    before: Cardinality | None
    after: Cardinality | None
    queued: int = 0


class _SlotMove(NamedTuple):
    """Concepts whose edges in a dimension change their slots.

    Attributes:
        many: Whether a concept may have many values in the dimension.
    """

    dimension: str
    many: bool
    concepts: Sequence[int]


@dataclass(eq=False)
class SetPredicate(Job[PredicateSet]):
    """Job that stores an operator's definition of a predicate, with the edges it moves.

    One transaction does both: a dimension of one value never has several.
    """

    # A refused definition raises, and must not fail the jobs of others.
    alone = True

    memory: TenantMemory
    edit: PredicateEdit
    principal: str
    _before: Registry = field(default_factory=Registry, init=False)
    _predicate: Predicate | None = field(default=None, init=False)
    _moves: Sequence[_SlotMove] = field(default=(), init=False)
    _rows: int = field(default=0, init=False)
    _queued: int = field(default=0, init=False)

    @property
    def ledger_rows(self) -> int:
        """The largest number of ledger rows that the job writes, known once loaded."""
        return self._rows

    async def load(self, reads: PostgresReads) -> None:
        """Apply the edit to the registry, and find the edges that it moves.

        Raises:
            InvalidArgument: A value of the definition cannot be used.
            RaceLost: More ledger rows must be reserved.
        """
        # Under the lock: what another operator defined meanwhile is part of it.
        world = self.memory.world
        self._before = world.predicates
        self._predicate = self.edit.applied(self._before)
        self._registry = self._before.defining(self._predicate)
        dimensions = self._registry.differing(self._before)
        # In the dimension itself always: what an earlier release left in the wrong slots is moved.
        self._moves = [
            _SlotMove(name, many, misplaced(world, name, many=many))
            for name in sorted(dimensions | {self._predicate.dimension})
            # An unregistered dimension has no cardinality that edges could violate (J4).
            if (cardinality := self._registry.cardinality(name)) is not None
            for many in [cardinality is not Cardinality.SINGLE]
        ]
        # Each value that loses its place is proposed again, which takes a ledger row.
        self._rows = sum(
            len(world.facts(number))
            for move in self._moves
            if not move.many
            for number in move.concepts
        )
        # They are reserved before the lock, where this number is not known yet.
        if self._rows > len(world.ledger_ids):
            raise RaceLost

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Store the definition, move edges, and queue the values that have no place."""
        assert self._predicate is not None, "a decision follows a load"
        # The values that are stated again are judged by the new definition.
        draft.predicates = self._registry
        self._queued = sum(
            len(
                give_slots(
                    draft,
                    move.concepts,
                    move.dimension,
                    many=move.many,
                    principal=self.principal,
                )
            )
            for move in self._moves
        )
        writes = batch.of(PredicateWrites)
        writes.defined.append((self._predicate, self.principal))
        writes.registry = self._registry

    def answer(self, version: int) -> PredicateSet:
        """Return the predicate as it is now, and what became of its dimension."""
        assert self._predicate is not None, "an answer follows a decision"
        dimension = self._predicate.dimension
        return PredicateSet(
            self._registry.of_uri(self._predicate.uri),
            self._before.cardinality(dimension),
            self._registry.cardinality(dimension),
            self._queued,
        )


async def set_predicate(
    memory: TenantMemory, edit: PredicateEdit, principal: str
) -> PredicateSet:
    """Store an operator's definition of a predicate and apply it to the memory."""
    return await memory.writer.submit(SetPredicate(memory, edit, principal))
