"""Effects of a decision about an inbox item on the lines that prompts are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from festinger.core.graph.candidates import Candidate
from festinger.core.graph.proposal import Triple
from festinger.core.graph.resolution import Conflict
from festinger.core.memories.feedback import LineFeedback
from festinger.core.review.inbox import InboxSubject, statement_of
from festinger.core.review.records import MemoryRecord
from festinger.core.world.world import World


@dataclass(frozen=True, slots=True)
class InboxEffects:
    """Lines that prompts are told before and after a decision.

    Attributes:
        mention: Concept that prompts have to mention; empty if they need not.
        mentions: How often prompts mentioned it.
    """

    mention: str
    mentions: int
    now: Sequence[str]
    accepted: Sequence[str]
    rejected: Sequence[str]


def effects_of(world: World, subject: InboxSubject) -> InboxEffects:
    """Return what a decision about something changes."""
    # If it is wrong it is told no more; if not, nothing changes.
    if isinstance(subject, LineFeedback):
        return InboxEffects("", 0, (), (), [subject.text])
    triple = statement_of(subject)
    contents = [subject.content] if isinstance(subject, MemoryRecord) else []
    # It says nothing that the graph could hold: only its own text is told.
    if triple is None:
        return InboxEffects("", 0, (), contents, ())
    concept_id = world.id(triple.concept)
    row = None if concept_id is None else world.vocabulary.row(concept_id)
    held = _held(world, concept_id, triple.dimension)
    stated = _line(triple)
    if isinstance(subject, Conflict):
        # Until it is decided, prompts are told the fact and the doubt (D2).
        doubted = f"{triple.concept}: [{triple.dimension}?] — conflict pending"
        after = [_line(subject.incoming)]
        before = [_line(subject.existing.triple)] if subject.existing else []
        return InboxEffects(
            triple.concept,
            row.encounters if row else 0,
            [*before, doubted],
            after,
            before,
        )
    contradicts = isinstance(subject, Candidate) and subject.contradicts
    # A confirmed statement of a plural predicate stands beside what is held.
    accepted = [*held, stated] if stated not in held else held
    # The gate puts it into the queue instead of holding it (I2).
    if contradicts:
        accepted = [*held, f"{stated} — as a conflict, to be decided next"]
    return InboxEffects(
        triple.concept, row.encounters if row else 0, held, [*accepted, *contents], held
    )


def _held(world: World, concept_id: int | None, dimension: str) -> list[str]:
    """Return the lines of what is held of a concept in a dimension."""
    if concept_id is None:
        return []
    facts = (world.name(edge) for edge in world.facts(concept_id))
    return [_line(fact.triple) for fact in facts if fact.dimension == dimension]


def _line(triple: Triple) -> str:
    negated = "not " if triple.negated else ""
    return f"{triple.concept}: [{triple.dimension}] {negated}{triple.parent}"
