"""Look up a concept, now or at a time in the past."""

from __future__ import annotations

from dataclasses import dataclass, replace

from festinger import _fast
from festinger.core.graph.history import Event, HistoryMark
from festinger.core.graph.outcome import Fact
from festinger.core.graph.proposal import Triple
from festinger.core.world.world import World
from festinger.errors import ConceptNotFound
from festinger.services.world.tenant_memory import TenantMemory


@dataclass(frozen=True, slots=True)
class Concept:
    """Facts, denials and conflicts of a concept.

    Attributes:
        facts: Its edges, in the order of the dimensions' names.
        denials: Triples that are denied of it, in the order of dimensions and parents.
        conflicts: Numbers of the pending conflicts about it.
    """

    row: _fast.VocabularyEntry
    facts: list[Fact]
    denials: list[Triple]
    conflicts: list[int]


def whatis(world: World, token: str) -> Concept:
    """Return the facts, denials and conflicts of a concept, or `ConceptNotFound`."""
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
        # Items that are not written yet have no number and are left out.
        world.conflicts.about(concept_id),
    )


async def as_of(memory: TenantMemory, concept: Concept, when: float) -> Concept:
    """Return a concept as it was at a time, but with today's counters.

    Args:
        when: Seconds since the epoch.
    """
    async with memory.store.reading(memory.tenant) as reads:
        # The history has facts, denials and conflicts; counters are kept only as of now.
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
    """Return the events of a concept after a mark, oldest first.

    Args:
        dimension: Only events in this dimension; empty for all.
        private: Whether candidates with private content are included.

    Raises:
        ConceptNotFound: The memory has never met the concept.
    """
    # An unknown concept is an error here, and not an empty history.
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
        # The edge of a dimension to itself is its root (C1), which knows its kind.
        root = world.edge(dim_id, dim_id)
        found.append(
            Triple(
                world.token(concept),
                world.token(parent),
                world.token(dim_id),
                # A denial is of the kind (-isa or -ispart) of its dimension's root.
                is_isa=root is None or root.is_isa,
                negated=True,
            )
        )
    return sorted(found, key=lambda triple: (triple.dimension, triple.parent))
