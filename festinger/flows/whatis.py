"""Somebody asks what a concept is."""

from __future__ import annotations

from dataclasses import dataclass

from festinger import _fast
from festinger.core.outcome import Fact
from festinger.core.world import World
from festinger.errors import ConceptNotFound


@dataclass(frozen=True, slots=True)
class Concept:
    """What is known of a concept.

    Attributes:
        facts: What places it, in the order of the dimensions' names.
        conflicts: The numbers of the pending conflicts about it.
    """

    row: _fast.Row
    facts: list[Fact]
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
        world.conflicts.about(concept_id),
    )
