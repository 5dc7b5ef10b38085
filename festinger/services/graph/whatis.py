"""Somebody asks what a concept is, or was."""

from __future__ import annotations

from dataclasses import dataclass, replace

from festinger import _fast
from festinger.core.graph.history import Event, HistoryMark
from festinger.core.graph.outcome import Fact
from festinger.core.graph.proposal import Triple
from festinger.core.world.world import World
from festinger.errors import ConceptNotFound
from festinger.services.world.memory import TenantMemory


@dataclass(frozen=True, slots=True)
class Concept:
    """What is known of a concept.

    Attributes:
        facts: What places it, in the order of the dimensions' names.
        denials: What is denied of it, in the order of dimensions and parents.
        conflicts: The numbers of the pending conflicts about it.
    """

    row: _fast.Row
    facts: list[Fact]
    denials: list[Triple]
    conflicts: list[int]


def whatis(world: World, token: str) -> Concept:
    """What is known of a concept.

    Raises:
        ConceptNotFound: It was never met.
    """
    concept_id = world.id(token)
    if concept_id is None:
        raise ConceptNotFound(
            f"the memory has not met {token!r}. Store it with: gutask iknowthat "
            f"'{token} -isa <parent>'",
            concept=token,
        )
    facts = [world.name(edge) for edge in world.facts(concept_id)]
    return Concept(
        world.vocabulary.row(concept_id),
        sorted(facts, key=lambda fact: fact.dimension),
        _denials(world, concept_id),
        world.conflicts.about(concept_id),
    )


async def as_of(memory: TenantMemory, concept: Concept, when: float) -> Concept:
    """The same concept as it was at a moment; its counters are today's.

    Args:
        when: Seconds since the epoch.

    Raises:
        DatabaseUnavailable: It cannot be read now.
    """
    async with memory.store.reading(memory.tenant) as reads:
        facts, denials, conflicts = await reads.as_of(concept.row.id, when)
    return replace(concept, facts=facts, denials=denials, conflicts=conflicts)


async def history(
    memory: TenantMemory,
    token: str,
    *,
    dimension: str,
    after: HistoryMark,
    limit: int,
    private: bool = True,
) -> list[Event]:
    """What happened to a concept after a mark, oldest first.

    Args:
        dimension: Only what happened there; empty for everything.
        private: Whether candidates that hold what is private are told of.

    Raises:
        ConceptNotFound: It was never met.
        DatabaseUnavailable: It cannot be read now.
    """
    concept_id = whatis(memory.world, token).row.id
    async with memory.store.reading(memory.tenant) as reads:
        return await reads.history(
            token,
            concept_id,
            dimension=dimension,
            after=after,
            limit=limit,
            private=private,
        )


def _denials(world: World, concept_id: int) -> list[Triple]:
    found = []
    for concept, parent, dim_id in world.denials.about(concept_id):
        root = world.edge(dim_id, dim_id)
        found.append(
            Triple(
                world.token(concept),
                world.token(parent),
                world.token(dim_id),
                # A denial has its dimension's flavour.
                is_isa=root is None or root.is_isa,
                negated=True,
            )
        )
    return sorted(found, key=lambda triple: (triple.dimension, triple.parent))
