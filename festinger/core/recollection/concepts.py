"""What is told of a prompt's concepts: choose, order, render (D1-D4, D9).

The block holds no time, score or counter, so the same knowledge is the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from festinger import _fast
from festinger.core.graph.saliency import DAY, HALF_LIFE
from festinger.core.lines.quotes import NOTICE
from festinger.core.recollection.hints import is_askable
from festinger.core.system.preferences import Preferences
from festinger.core.system.tags import CLOSING, OPENING
from festinger.core.world.world import World

EDGES_MAX = 8
"""Edges told of one concept."""

Kind = _fast.Kind
Line = _fast.Line


def recollect(
    world: World,
    salient: Sequence[int],
    spoken: Sequence[_fast.Scan] = (),
    *,
    hinted: Collection[str] = (),
    preferences: Preferences,
    now: float,
) -> Sequence[Line]:
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
        mentioned=conflicts.mentioned,
    )
    most = preferences.hints_per_block
    if not spoken or not most:
        return telling.lines
    return _fast.ask(telling, spoken, hinted, world.wordbook, is_askable, most)


def render(lines: Sequence[Line]) -> str:
    """The block; empty if there is nothing to say."""
    if not lines:
        return ""
    return _fast.block(OPENING, noticed(lines), CLOSING)


def noticed(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of a block, the first quotation behind a notice of what it is."""
    for at, line in enumerate(lines):
        if line.kind is Kind.QUOTE:
            text = f"{NOTICE} {line.text}"
            first = Line(line.concept, text, line.kind, line.why)
            return [*lines[:at], first, *lines[at + 1 :]]
    return lines
