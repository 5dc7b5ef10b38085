"""Check whether told lines still hold, and find their replacements (D5).

A told line is one that an earlier block put into the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from festinger import _fast
from festinger.core.memories.by_subject import SubjectMemories, is_about
from festinger.core.recollection.concepts import Kind, Line, recollect
from festinger.core.recollection.disputes import (
    contested_place,
    is_dispute,
    with_disputes,
)
from festinger.core.recollection.names import is_quote
from festinger.core.recollection.rewriting import told_again
from festinger.core.system.preferences import Preferences
from festinger.core.world.world import World

_HINT = "? "
# `[type] repo`, `[type?] repo` and `[joined~] club`
_PART = re.compile(r"\[[^]\s?~]+[?~]?\] \S+")


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A line that a prompt contains.

    Attributes:
        text: Text as it was told; empty if it need not be checked.
        kept: Whether it stays in the prompt, so that it need not be repeated.
    """

    concept: str
    text: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class OutdatedLine:
    """A told line that no longer holds.

    Attributes:
        line: Current line of its concept; None if there is none.
    """

    index: int
    line: Line | None


def line_of(
    world: World, concept_id: int, preferences: Preferences, now: float
) -> Line | None:
    """Return the line about a concept; None if nothing of it is recalled."""
    lines = recollect(world, [concept_id], preferences=preferences, now=now)
    return lines[0] if lines else None


def find_changes(
    world: World,
    told: Sequence[StandingLine],
    preferences: Preferences,
    now: float,
    subject: str = "",
    project: str = "",
) -> list[OutdatedLine]:
    """Return the told lines that no longer hold, in order.

    Args:
        subject: Name of the speaker: lines about other persons do not hold here.
        project: Project of the prompt; empty for none.
    """
    changes = []
    for index, each in enumerate(told):
        if not each.text:
            continue
        # `about alice: …`: memories, which hold as long as they are active.
        if is_about(each.concept):
            about = world.people.of(subject)
            if about is None or not about.holds(each.text):
                instead = about.instead(each.concept, now) if about else None
                changes.append(OutdatedLine(index, instead))
            continue
        # `said …`, `noted …` and `against …`: the name says what to compare.
        if is_quote(each.concept) or is_dispute(each.concept):
            holds, line = told_again(
                world.lines, each.concept, asker=subject, project=project, now=now
            )
            if not holds:
                changes.append(OutdatedLine(index, line))
            continue
        concept_id = world.id(each.concept)
        line = None
        if concept_id is not None:
            # Compared with the facts, not with the line that would be rendered now: that one
            # also changes by age and by the choice of edges, which make no told line false.
            if _is_held(world, concept_id, each.text):
                continue
            line = line_of(world, concept_id, preferences, now)
        if not _still_applies(world, concept_id, each.text, line):
            changes.append(OutdatedLine(index, line))
    return changes


def leave_out_told(
    world: World,
    salient: Sequence[int],
    told: Iterable[StandingLine],
    preferences: Preferences,
    now: float,
) -> Sequence[int]:
    """Return the concepts with facts that the prompt does not keep already."""
    # By parts, since a block may have told some facts of a concept, and a later one others.
    said: dict[str, set[str]] = {}
    for each in told:
        if each.kept and not each.text.startswith(_HINT) and not is_about(each.concept):
            said.setdefault(each.concept, set()).update(facts_in(each.text))
    if not said:
        return salient
    ids = {it: concept for concept in said if (it := world.id(concept)) is not None}
    kept = [it for it in salient if it in ids]
    # Without the limit, or a concept beyond it would look as if it had nothing new.
    every = replace(preferences, recollection_max_concepts=len(kept))
    lines = recollect(world, kept, preferences=every, now=now)
    news = {
        line.concept
        for line in lines
        if not said[line.concept].issuperset(facts_in(line.text))
    }
    old = [it for it in kept if ids[it] not in news]
    return _fast.united([salient], without=old)


def leave_out_read(world: World, salient: Sequence[int]) -> Sequence[int]:
    """Return the concepts without those whose facts all have an origin."""
    # Such statements are told where they fit a prompt, not at each mention.
    left = [
        it
        for it in (salient if len(world.read) else ())
        if world.read.has(it) and world.read.is_told_by_words(it, world.facts(it))
    ]
    return _fast.united([salient], without=left) if left else salient


def tell_disputes(world: World, lines: Sequence[Line], now: float) -> Sequence[Line]:
    """Return the lines of a block, with opposing statements behind contested ones."""
    # No pending statement has known words, and so no other side to tell.
    if not world.conflicts.origins:
        return lines
    places: list[tuple[str, tuple[int, int]]] = []
    for line in lines:
        if place := contested_place(world.lines, line.concept):
            places.append((line.concept, place))
        concept_id = world.id(line.concept)
        if line.kind is Kind.RECOLLECTION and concept_id is not None:
            doubted = world.conflicts.doubts.get(concept_id, ())
            places += [(line.concept, (concept_id, it)) for it in sorted(doubted)]
    return with_disputes(world.lines, lines, places, now)


def tell_about(
    lines: Sequence[Line],
    about: SubjectMemories,
    told: Iterable[StandingLine],
    limit: int,
    now: float,
) -> Sequence[Line]:
    """Return the lines of a block, with memories about the speaker before its hints.

    Args:
        told: Lines that the prompt contains.
        limit: Maximum number of memories, including those that the prompt keeps.
    """
    # What the prompt keeps counts towards the limit: it is chosen first, then left out.
    news = about.lines(now, limit)
    if kept := {each.text for each in told if each.kept}:
        news = [line for line in news if line.text not in kept]
    return tell_before_hints(lines, news)


def tell_before_hints(lines: Sequence[Line], news: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of a block with other lines inserted before its hints."""
    if not news:
        return lines
    # Hints are the last lines of a block.
    end = len(lines) - sum(line.kind is Kind.HINT for line in lines)
    return [*lines[:end], *news, *lines[end:]]


# A prompt repeats the lines of the one before.
@lru_cache(maxsize=4_096)
def facts_in(text: str) -> tuple[str, ...]:
    """Return the facts in a line: each is a dimension with its mark, and a parent."""
    return tuple(_PART.findall(text))


def _is_held(world: World, concept_id: int, text: str) -> bool:
    """Return whether every part of a line is held, with the same mark."""
    parts = facts_in(text)
    # A mark that changed makes a line outdated: a doubt arose, or was settled.
    return bool(parts) and {
        _part(world, edge) for edge in world.facts(concept_id)
    }.issuperset(parts)


def _part(world: World, edge: _fast.Edge) -> str:
    """Return a fact as the part of a line."""
    mark = world.conflicts.mark_of(edge)
    return f"[{world.token(edge.dim_id)}{mark}] {world.token(edge.parent_id)}"


def _still_applies(
    world: World, concept_id: int | None, text: str, line: Line | None
) -> bool:
    """Return whether a line without a held fact may stay, such as an open hint.

    Args:
        concept_id: The concept; None if it has no id.
        line: Line that would be rendered for the concept now; None for none.
    """
    # A hint whose concept is known by now is replaced by its line.
    if line is not None:
        return line.text == text
    # A concept whose facts are all too old or too weak counts as unknown (D4).
    return text.startswith(_HINT) and (
        concept_id is None
        or bool(world.facts(concept_id))
        or not world.is_mentioned(concept_id)
    )
