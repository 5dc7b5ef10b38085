"""A world to scan cues in, and a short notation for what came out.

`+` held, `?` candidate; then "concept isa|ispart parent [of dimension]", with "not"
before the verb if denied. The dimension is left out where it is the seeded one.
"""

from __future__ import annotations

from festinger import _fast
from festinger.core.graph.proposal import MEMBERSHIP, TYPE, Triple
from festinger.core.language.cues import Cue, CueVerdict, find_cues

EVERYDAY = """
    address agent agile alice balancer berlin bob booking box chaos container
    developer development docs dog driver engineering file first fork friend function
    group internet load michigan module network number open owner person place
    platform practice practices privilege process program proxy python region right
    rule running school script server service set site snake software source state
    step system task team test thing things thumb timeout university usa using web
    worker
"""


class World:
    """A dictionary of a few everyday words, and a memory of the names given."""

    everyday = frozenset(EVERYDAY.split())

    def __init__(self, *known: str) -> None:
        """Know the names given."""
        self.known = known

    def is_everyday(self, token: str) -> bool:
        """Return whether the little dictionary has a word."""
        return token in self.everyday

    def is_known(self, token: str) -> bool:
        """Return whether a name is known."""
        return token in self.known


def find(text: str, *known: str) -> list[Cue]:
    """Scan a text in a world that knows some names."""
    return find_cues(_fast.scan(text), World(*known))


def told(text: str, *known: str) -> list[str]:
    """Return the text that is not dropped, in the notation."""
    return [
        f"{'+' if cue.verdict is CueVerdict.HELD else '?'} {_notation(cue.triple)}"
        for cue in find(text, *known)
        if cue.verdict is not CueVerdict.DROPPED
    ]


def _notation(triple: Triple) -> str:
    verb = "isa" if triple.is_isa else "ispart"
    default = TYPE if triple.is_isa else MEMBERSHIP
    return (
        f"{triple.concept} {'not ' if triple.negated else ''}{verb} {triple.parent}"
        f"{'' if triple.dimension == default else f' of {triple.dimension}'}"
    )
