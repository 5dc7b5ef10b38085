"""What is told of a prompt's concepts: choose, order, render (D1-D4, D9).

The block holds no time, score or counter, so the same knowledge is the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from festinger import _fast
from festinger.core.hints import may_be_asked
from festinger.core.preferences import Preferences
from festinger.core.saliency import DAY, HALF_LIFE
from festinger.core.world import World

EDGES_MAX = 8
"""Edges told of one concept."""
OPENING, CLOSING = "<recollection>", "</recollection>"


class Kind(StrEnum):
    """What a line is."""

    RECOLLECTION = "recollection"
    HINT = "hint"


class Line(NamedTuple):
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
    conflicts = world.conflicts
    telling = _fast.tell(
        world.vocabulary,
        world.graph,
        salient,
        now=now,
        half_life=HALF_LIFE,
        oldest=now - preferences.recollection_recency_days * DAY,
        floor=preferences.recollection_confidence_floor,
        concepts_max=preferences.recollection_max_concepts,
        edges_max=EDGES_MAX,
        doubts=conflicts.doubts,
    )
    asked = islice(
        _askable(world, telling.unknown, spoken, hinted), preferences.hints_per_block
    )
    return [*map(_line, telling.told), *map(_hint, sorted(asked))]


def render(lines: Sequence[Line]) -> str:
    """The block; empty if there is nothing to say."""
    if not lines:
        return ""
    return "\n".join([OPENING, *(line.text for line in lines), CLOSING])


def _askable(
    world: World,
    unknown: Iterable[int],
    spoken: Sequence[_fast.Scan],
    hinted: Collection[str],
) -> Iterator[str]:
    """The unknown concepts that people wrote in plain words, in the same order."""

    def names() -> Iterator[str]:
        for concept_id in unknown:
            token = world.vocabulary.token(concept_id)
            if token in hinted or world.is_everyday(token):
                continue
            # One whose own edges are all too old or too weak counts as unknown (D4).
            if not world.conflicts.mentions(concept_id) or world.facts(concept_id):
                yield token

    return may_be_asked(spoken, names())


def _line(told: _fast.Told) -> Line:
    text = f"{told.text} — conflict pending" if told.marked else told.text
    return Line(told.concept, text, Kind.RECOLLECTION, _why(told))


def _hint(token: str) -> Line:
    text = (
        f"? {token}: no recollection. If not a typo, store it before proceeding:\n"
        f"  gutask iknowthat '{token} -isa <parent> in context of <dimension>'\n"
        f"  gutask iknowthat '{token} -ispart <system> in context of <dimension>'"
    )
    return Line(token, text, Kind.HINT, "met often, and unknown")


def _why(told: _fast.Told) -> str:
    if told.marked:
        return "conflict"
    if told.novelty >= told.saliency:
        return f"novelty {told.novelty:.1f}"
    return f"met {told.encounters} times"
