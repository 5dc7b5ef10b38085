"""Define predicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from festinger.core.graph.predicates import Cardinality, Predicate, PredicateEdit
from festinger.core.world.draft import Draft
from festinger.core.world.slots import VALUES_MAX, give_slots, misplaced
from festinger.services.world.jobs import Job
from festinger.services.world.memory import Memories, TenantMemory

if TYPE_CHECKING:
    from festinger.store.graph.predicates import PostgresPredicates
    from festinger.store.world.batches import Batch

# Each transaction keeps other statements waiting; a dimension may have thousands of concepts.
CONCEPTS_AT_A_TIME: Final = 50
"""Number of concepts whose edges are moved in one transaction."""


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


class GiveSlots(Job[int]):
    """Job that adapts the edges of some concepts to the cardinality of a dimension.

    Args:
        many: Whether a concept may have many values in the dimension.
    """

    # A failure half-way would leave other jobs a draft with edges taken down.
    alone = True

    def __init__(
        self, concepts: Sequence[int], dimension: str, *, many: bool, principal: str
    ) -> None:
        super().__init__()
        self._concepts = concepts
        self._dimension = dimension
        self._many = many
        self._principal = principal
        self._waiting = 0

    @property
    def ledger_rows(self) -> int:
        """The largest number of ledger rows that the job writes."""
        # Each value that loses its place is proposed again, which takes a ledger row.
        return VALUES_MAX * len(self._concepts)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Move edges to other slots, and queue the values for which there is none."""
        self._waiting = sum(
            len(
                give_slots(
                    draft,
                    concept_id,
                    self._dimension,
                    many=self._many,
                    principal=self._principal,
                )
            )
            for concept_id in self._concepts
        )

    def answer(self, version: int) -> int:
        """Return the number of queued values."""
        return self._waiting


async def set_predicate(
    memories: Memories,
    memory: TenantMemory,
    store: PostgresPredicates,
    edit: PredicateEdit,
    principal: str,
) -> PredicateSet:
    """Store an operator's definition of a predicate and apply it to the memory.

    Raises:
        InvalidArgument: A value of the definition cannot be used.
        DatabaseUnavailable: The definition cannot be stored now.
    """
    predicate = edit.applied(memory.registry)
    # Read before the definition is stored; afterwards the registry tells the new one.
    before = memory.registry.cardinality(predicate.dimension)
    await store.set(memory.tenant, predicate, principal, memory.now())
    # At once: the edges are moved by the registry that the gate uses from now on.
    await memories.read_settings(memory.tenant)
    registry = memory.registry
    after = registry.cardinality(predicate.dimension)
    queued = 0
    # An unregistered dimension has no cardinality that edges could violate (J4).
    if after is not None:
        queued = await _give_slots(memory, predicate.dimension, after, principal)
    return PredicateSet(registry.of_uri(predicate.uri), before, after, queued)


async def _give_slots(
    memory: TenantMemory, dimension: str, cardinality: Cardinality, principal: str
) -> int:
    """Adapt the edges of a dimension to a cardinality."""
    many = cardinality is not Cardinality.SINGLE
    # Only what is misplaced: repeating an interrupted call completes it.
    concepts = list(misplaced(memory.world, dimension, many=many))
    queued = 0
    # Several transactions, so that prompts' statements are written in between.
    for at in range(0, len(concepts), CONCEPTS_AT_A_TIME):
        part = concepts[at : at + CONCEPTS_AT_A_TIME]
        job = GiveSlots(part, dimension, many=many, principal=principal)
        queued += await memory.writer.submit(job)
    return queued
