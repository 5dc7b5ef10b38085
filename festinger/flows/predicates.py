"""An operator says what a predicate is."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.core.predicates import Cardinality, Predicate, PredicateEdit
from festinger.flows.dream_ports import Predicates
from festinger.flows.memory import Memories, Memory


@dataclass(frozen=True, slots=True)
class PredicateSet:
    """What a predicate is, and what that changed.

    Attributes:
        predicate: As the memory has it now.
        before: How many values a subject had in its dimension; None if nobody said.
        after: How many it has now.
    """

    predicate: Predicate
    before: Cardinality | None
    after: Cardinality | None


async def set_predicate(
    memories: Memories,
    memory: Memory,
    kept: Predicates,
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
    return PredicateSet(
        registry.of_uri(predicate.uri),
        before,
        registry.cardinality(predicate.dimension),
    )
