"""An operator says what a predicate is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from festinger.core.graph.predicates import Cardinality, Predicate, PredicateEdit
from festinger.core.world.draft import Draft
from festinger.core.world.slots import VALUES_MAX, give_slots, misplaced
from festinger.services.world.jobs import Job
from festinger.services.world.memory import Memories, TenantMemory
from festinger.store.graph.predicates import PostgresPredicates
from festinger.store.world.batches import Batch, Committed

CONCEPTS_AT_A_TIME: Final = 50
"""Concepts whose edges are moved in one transaction."""


@dataclass(frozen=True, slots=True)
class PredicateSet:
    """What a predicate is, and what that changed.

    Attributes:
        predicate: As the memory has it now.
        before: How many values a subject had in its dimension; None if nobody said.
        after: How many it has now.
        queued: How many values wait for a decision because of it.
    """

    predicate: Predicate
    before: Cardinality | None
    after: Cardinality | None
    queued: int = 0


class GiveSlots(Job[int]):
    """Bring what is held of some concepts to the cardinality of a dimension.

    Args:
        many: Whether a concept may have many values there.
        principal: Who changed it.
    """

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
        """How many rows of the ledger it takes, at most."""
        return VALUES_MAX * len(self._concepts)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Move edges to other slots, and have the values wait that find none."""
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

    def answer(self, committed: Committed) -> int:
        """Return how many values wait."""
        return self._waiting


async def set_predicate(
    memories: Memories,
    memory: TenantMemory,
    kept: PostgresPredicates,
    edit: PredicateEdit,
    principal: str,
) -> PredicateSet:
    """Keep what an operator says of a predicate, and have the memory go by it.

    Args:
        kept: Where predicates are kept.
        principal: Who says so.

    Raises:
        InvalidArgument: Something of it cannot be used.
        DatabaseUnavailable: It cannot be kept now.
    """
    predicate = edit.applied(memory.registry)
    before = memory.registry.cardinality(predicate.dimension)
    await kept.set(memory.tenant, predicate, principal, memory.now())
    await memories.read_settings(memory.tenant)
    registry = memory.registry
    after = registry.cardinality(predicate.dimension)
    queued = 0
    if after is not None:
        queued = await _give_slots(memory, predicate.dimension, after, principal)
    return PredicateSet(registry.of_uri(predicate.uri), before, after, queued)


async def _give_slots(
    memory: TenantMemory, dimension: str, cardinality: Cardinality, principal: str
) -> int:
    """Bring what is held to a cardinality; one that was broken off goes on next time."""
    many = cardinality is not Cardinality.SINGLE
    concepts = list(misplaced(memory.world, dimension, many=many))
    queued = 0
    for at in range(0, len(concepts), CONCEPTS_AT_A_TIME):
        part = concepts[at : at + CONCEPTS_AT_A_TIME]
        job = GiveSlots(part, dimension, many=many, principal=principal)
        queued += await memory.writer.submit(job)
    return queued
