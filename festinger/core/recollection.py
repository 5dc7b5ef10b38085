"""What is told of a prompt's concepts: choose, order, render (D1-D4, D9).

The block holds no time, score or counter, so the same knowledge is the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice

from festinger import _fast
from festinger.core.hints import may_be_asked
from festinger.core.preferences import Preferences
from festinger.core.saliency import DAY, HALF_LIFE
from festinger.core.world import World

EDGES_MAX = 8
"""Edges told of one concept."""
OPENING, CLOSING = "<recollection>", "</recollection>"

Kind = _fast.Kind
Line = _fast.Line

# Past the named tuple's own __new__, and an enum looks its members up each time.
_new = tuple.__new__
_HINT = Kind.HINT


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
        mentioned=conflicts.mentioned,
    )
    everyday = world.dictionary
    names = (
        token
        for token in telling.unknown
        if token not in hinted and token not in everyday
    )
    asked = islice(may_be_asked(spoken, names), preferences.hints_per_block)
    return telling.lines + [_hint(token) for token in sorted(asked)]


def render(lines: Sequence[Line]) -> str:
    """The block; empty if there is nothing to say."""
    if not lines:
        return ""
    return "\n".join([OPENING, *(line.text for line in lines), CLOSING])


def _hint(token: str) -> Line:
    text = (
        f"? {token}: no recollection. If not a typo, store it before proceeding:\n"
        f"  gutask iknowthat '{token} -isa <parent> in context of <dimension>'\n"
        f"  gutask iknowthat '{token} -ispart <system> in context of <dimension>'"
    )
    return _new(Line, (token, text, _HINT, "met often, and unknown"))
