"""What is told of a prompt's concepts: choose, order, render (D1-D4, D9).

The block holds no time, score or counter, so the same knowledge is the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from itertools import islice

from festinger import _fast
from festinger.core.hints import may_be_asked
from festinger.core.preferences import Preferences
from festinger.core.saliency import DAY, importance, weight
from festinger.core.world import World

EDGES_MAX = 8
"""Edges told of one concept."""
OPENING, CLOSING = "<recollection>", "</recollection>"


class Kind(StrEnum):
    """What a line is."""

    RECOLLECTION = "recollection"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the block; a hint has three lines of text.

    Attributes:
        why: Why it was chosen, for people.
    """

    concept: str
    text: str
    kind: Kind
    why: str

    @property
    def digest(self) -> bytes:
        """Equal for equal texts, 8 bytes."""
        return blake2b(self.text.encode(), digest_size=8).digest()


@dataclass(frozen=True, slots=True)
class _Choice:
    """A concept that could be told, with what orders it."""

    concept_id: int
    edges: list[_fast.Edge]
    contested: bool
    importance: float


def recollect(
    world: World,
    salient: Sequence[int],
    spoken: Sequence[_fast.Scan] = (),
    *,
    hinted: Collection[str] = (),
    preferences: Preferences,
    now: float,
) -> list[Line]:
    """What to tell of the salient concepts of a prompt.

    Args:
        salient: Concepts above the read threshold, in the order of the prompt.
        spoken: What people wrote: a hint asks about nothing else.
        hinted: Concepts that the session was already asked about.
        now: Seconds since the epoch.

    Returns:
        The lines in the order of the block: what is known by name, hints last.
    """
    choices = [_consider(world, each, preferences, now) for each in salient]
    known = [choice for choice in choices if choice.edges]
    # The sort is stable: equals stay in the order of the prompt.
    known.sort(key=lambda choice: (not choice.contested, -choice.importance))
    chosen = known[: preferences.recollection_max_concepts]
    lines = sorted((_line(world, each) for each in chosen), key=lambda it: it.concept)
    unknown = [choice for choice in choices if not choice.edges]
    unknown.sort(key=lambda choice: -choice.importance)
    asked = islice(
        _askable(world, unknown, spoken, hinted), preferences.hints_per_block
    )
    return lines + [_hint(token) for token in sorted(asked)]


def render(lines: Sequence[Line]) -> str:
    """The block; empty if there is nothing to say."""
    if not lines:
        return ""
    return "\n".join([OPENING, *(line.text for line in lines), CLOSING])


def _consider(
    world: World, concept_id: int, preferences: Preferences, now: float
) -> _Choice:
    oldest = now - preferences.recollection_recency_days * DAY
    edges = [
        edge
        for edge in world.facts(concept_id)
        if edge.confidence >= preferences.recollection_confidence_floor
        and edge.last_confirmed >= oldest
    ]
    edges.sort(key=lambda edge: -weight(edge, now))
    return _Choice(
        concept_id,
        edges[:EDGES_MAX],
        concept_id in world.pending_conflicts,
        importance(world.vocabulary.row(concept_id), now),
    )


def _askable(
    world: World,
    unknown: Sequence[_Choice],
    spoken: Sequence[_fast.Scan],
    hinted: Collection[str],
) -> Iterator[str]:
    """The unknown concepts that people wrote in plain words, in the same order."""

    def names() -> Iterator[str]:
        for choice in unknown:
            token = world.vocabulary.token(choice.concept_id)
            # One whose own edges are all too old or too weak counts as unknown (D4).
            faded = bool(world.facts(choice.concept_id))
            if token in hinted or world.is_everyday(token):
                continue
            if faded or not world.is_mentioned(choice.concept_id):
                yield token

    return may_be_asked(spoken, names())


def _line(world: World, choice: _Choice) -> Line:
    token = world.vocabulary.token
    parts, contested = [], False
    for edge in sorted(choice.edges, key=lambda edge: token(edge.dim_id)):
        doubt = world.conflicts.contested(edge.concept_id, edge.dim_id)
        contested |= doubt
        mark = "?" if doubt else ""
        parts.append(f"[{token(edge.dim_id)}{mark}] {token(edge.parent_id)}")
    concept = token(choice.concept_id)
    text = f"{concept}: {' '.join(parts)}"
    return Line(
        concept,
        f"{text} — conflict pending" if contested else text,
        Kind.RECOLLECTION,
        _why(world.vocabulary.row(choice.concept_id), contested),
    )


def _hint(token: str) -> Line:
    text = (
        f"? {token}: no recollection. If not a typo, store it before proceeding:\n"
        f"  gutask iknowthat '{token} -isa <parent> in context of <dimension>'\n"
        f"  gutask iknowthat '{token} -ispart <system> in context of <dimension>'"
    )
    return Line(token, text, Kind.HINT, "met often, and unknown")


def _why(row: _fast.Row, contested: bool) -> str:
    if contested:
        return "conflict"
    if row.novelty >= row.saliency:
        return f"novelty {row.novelty:.1f}"
    return f"met {row.encounters} times"
