"""Select, order and render the facts of a prompt's concepts (D1-D4, D9)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from festinger import _fast
from festinger.core.graph.tokens import is_renderable
from festinger.core.graph.values.dates import DAY, HALF_LIFE
from festinger.core.lines.quotes import NOTICE, is_rule
from festinger.core.system.excerpt import CLOSING, OPENING
from festinger.core.system.preferences import Preferences
from festinger.core.world.world import World

EDGES_MAX = 8
"""Maximum number of edges rendered for one concept."""

Kind = _fast.GraphLineKind
Line = _fast.Line
# `v1.2`, `3.11-slim`
_VERSION = re.compile(r"v?\d[\w.-]*")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
# A commit's hash; the digit lets words such as "defaced" pass.
_HEX = re.compile(r"(?=.*\d)[0-9a-f]{7,}")
_FILE = re.compile(
    r".+\.(?:py|pyi|md|txt|json|ya?ml|toml|ini|cfg|csv|log|sh|c|h|cpp|hpp|rs|go|java|ts"
    r"|tsx|jsx|html|css|sql|xml|pdf|png|jpe?g|gif|svg|zip|gz|tar|lock|ipynb|proto)"
)


def recollect(
    world: World,
    salient: Sequence[int],
    spoken: Sequence[_fast.Scan] = (),
    *,
    hinted: Collection[str] = (),
    preferences: Preferences,
    now: float,
) -> Sequence[Line]:
    """Return the lines about the salient concepts of a prompt.

    Args:
        salient: Concepts above the read threshold, in the order of the prompt.
        spoken: Texts that people wrote, to which hints are limited.
        hinted: Concepts that the session was already asked about.

    Returns:
        The lines in the order of the block: known concepts by name, hints last.
    """
    conflicts = world.conflicts
    # No time, score or counter is rendered: the same knowledge must give the same bytes,
    # since the model's prefix cache depends on them (D5).
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
        # Contested facts are told however weak or old: somebody has to decide.
        doubts=conflicts.doubts,
        mentioned=conflicts.mentioned,
    )
    most = preferences.hints_per_block
    # Names in tools' output or documents are not asked about (D3, J9).
    if not spoken or not most:
        return telling.lines
    return _fast.ask(telling, spoken, hinted, world.dictionary, is_askable, most)


def render(lines: Sequence[Line]) -> str:
    """Return the block of some lines; empty if there are none."""
    if not lines:
        return ""
    return _fast.block(OPENING, noticed(lines), CLOSING)


def noticed(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of a block, with a notice before the first quotation."""
    for at, line in enumerate(lines):
        # Only the first: one notice covers all quotations behind it. Rules stand before.
        if line.kind is Kind.QUOTE and not is_rule(line.text):
            text = f"{NOTICE} {line.text}"
            first = Line(line.concept, text, line.kind, line.why)
            return [*lines[:at], first, *lines[at + 1 :]]
    return lines


@lru_cache(maxsize=65_536)
def is_askable(token: str) -> bool:
    """Return whether a token is a name rather than an identifier."""
    digits = sum(character.isdigit() for character in token)
    return not (
        # Ticket numbers and the like, of which more than half are digits: `abc-12345`.
        digits * 2 > len(token)
        # It could not be written into a block either (E4).
        or not is_renderable(token)
        or _UUID.fullmatch(token)
        or _HEX.fullmatch(token)
        or _VERSION.fullmatch(token)
        or _FILE.fullmatch(token)
    )
