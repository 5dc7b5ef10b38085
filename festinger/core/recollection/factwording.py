"""Render the facts that fit a prompt, unless the block contains them already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from festinger import _fast
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.recollection.concepts import Kind, Line
from festinger.core.recollection.retelling import StandingLine, facts_in, line_of
from festinger.core.system.preferences import Preferences
from festinger.core.world.world import World


class FactWording:
    """Renderer of statements and memories for one prompt.

    A statement is rendered together with the other facts of its concept (D2), within
    the operator's limits of age and confidence.

    Args:
        lines: Lines that the block contains already.
        told: Lines that the prompt contains.
        subject: Name of the speaker; empty for none.
    """

    def __init__(
        self,
        world: World,
        preferences: Preferences,
        lines: Iterable[Line],
        told: Iterable[StandingLine],
        *,
        subject: str,
        now: float,
    ) -> None:
        self._world = world
        self._preferences = preferences
        self._subject = subject
        self._now = now
        # A hint names the concept without telling anything of it.
        self._lines = {line.concept for line in lines if line.kind is not Kind.HINT}
        self._kept: dict[str, set[str]] = {}
        # By parts: a line that the prompt has may lack the fact that fits now.
        for each in told:
            if each.kept:
                self._kept.setdefault(each.concept, set()).update(facts_in(each.text))

    def __call__(self, line: IndexedLine) -> _fast.Line | str:
        """Return the line of a fact, or a one-word reason why it is not recalled."""
        if line.kind is LineKind.STATEMENT:
            return self._statement(line)
        return self._memory(line)

    def _statement(self, line: IndexedLine) -> _fast.Line | str:
        # `gnommoweb: [type] repo`: the concept, and the part of its line.
        concept, _, part = line.text.partition(": ")
        if concept in self._lines or part in self._kept.get(concept, ()):
            return "told"
        concept_id = self._world.id(concept)
        told = None
        if concept_id is not None:
            # The whole line of the concept: told lines stay, and one concept has one line (D2).
            told = line_of(self._world, concept_id, self._preferences, self._now)
        if told is None or part not in facts_in(told.text):
            # Too old, of too low confidence, or beyond the number of edges.
            return "faded"
        return told

    def _memory(self, line: IndexedLine) -> _fast.Line | str:
        # A memory is told to the agents of the person whom it is about (G5).
        about = self._world.people.of(self._subject)
        if about is None or line.subject != self._subject:
            return "private"
        if not self._preferences.recollection_max_memories:
            # The operator switched memories off.
            return "off"
        told = about.line_of(line.key, self._now)
        if told is None:
            return "faded"
        if told.concept in self._lines or told.concept in self._kept:
            return "told"
        return told


def merge(lines: Sequence[Line], chosen: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of a block with chosen lines inserted before the hints.

    Lines about concepts are ordered by the concepts' names (D2).
    """
    if not chosen:
        return lines
    facts = [line for line in chosen if line.kind is Kind.RECOLLECTION]
    others = [line for line in chosen if line.kind is not Kind.RECOLLECTION]
    hints = [line for line in lines if line.kind is Kind.HINT]
    known = [line for line in lines if line.kind is not Kind.HINT]
    if facts:
        # The order must not depend on why a line is told (D2).
        known = sorted([*known, *facts], key=lambda line: line.concept)
    return [*known, *others, *hints]
