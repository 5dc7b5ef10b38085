"""How far a candidate is relied on, and which of too many wait for a person first.

    confidence = prior × signal of the path × freshness, at most 1
    rank       = confidence × length × novelty

The numbers are the specification's starting values.
"""

# ruff: noqa: RUF002 - multiplication and subtraction have signs
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from festinger.core.language.grounding import StemmedSentence
from festinger.core.memories.types import MemoryType, normalised

CYCLE_MAX = 50
"""How many candidates a pass may put before people in one cycle."""
CONTENT_CHARACTERS_MIN = 8
"""A shorter content is a word out of something: "Use Go." has less than "Use gRPC"."""
LENGTH_MAX = 200
"""From that many characters a content is as long as it needs to be: a rank that grew
on would put rambling before saying."""
FRESH_SECONDS = 30 * 24 * 3600

HIGH_SIGNAL = 1.1
LOW_SIGNAL = 0.9
FRESHNESS = 1.05

_HIGH_SIGNAL_HINTS = (
    "status", "decision", "requirement", "charter", "constraint", "architecture",
)  # fmt: skip
_HIGH_SIGNAL_WORDS = frozenset(["adr", "adrs", "rfc", "rfcs", "spec", "specs"])
"""Too short to be looked for within words."""
_LOW_SIGNAL_HINTS = ("_archive", "_history", "archive/", "archived", "deprecated")
_LOW_SIGNAL_WORDS = frozenset(["attic", "backup", "legacy", "obsolete", "old"])
_WORDS = re.compile(r"[a-z0-9]+")

Candidate = TypeVar("Candidate")


def confidence(
    prior: float, path: str = "", *, changed: float | None = None, now: float = 0.0
) -> float:
    """How far a candidate is relied on when it is written, in [0.0, 1.0].

    Args:
        prior: Of the rule that found it.
        path: Of the document that it was found in.
        changed: When that changed last, in seconds since the epoch; None if unknown.
        now: In seconds since the epoch.
    """
    fresh = changed is not None and now - changed < FRESH_SECONDS
    return min(1.0, prior * signal(path) * (FRESHNESS if fresh else 1.0))


def signal(path: str) -> float:
    """What a document's place says of it; where it says both, the lower counts."""
    lower = path.lower()
    words = set(_WORDS.findall(lower))
    if any(hint in lower for hint in _LOW_SIGNAL_HINTS) or words & _LOW_SIGNAL_WORDS:
        return LOW_SIGNAL
    if any(hint in lower for hint in _HIGH_SIGNAL_HINTS) or words & _HIGH_SIGNAL_WORDS:
        return HIGH_SIGNAL
    return 1.0


class KnownTexts:
    """What is known already, to say how new something is."""

    def __init__(self, contents: Iterable[str] = ()) -> None:
        self._count = 0
        self._places: dict[str, list[int]] = {}
        for content in contents:
            self.add(content)

    def add(self, content: str) -> None:
        """Adds a memory."""
        for stem in _stems(content):
            self._places.setdefault(stem, []).append(self._count)
        self._count += 1

    def novelty(self, content: str) -> float:
        """How new a content is, in [0.0, 1.0].

        1 − the share of its stems that the most similar memory has, closed-class words
        left out: 0 for what is said already in other words' endings, 1 for what has no
        word in common with anything.
        """
        stems = _stems(content)
        if not stems:
            return 0.0
        shared = Counter(at for stem in stems for at in self._places.get(stem, ()))
        return 1.0 - max(shared.values(), default=0) / len(stems)


def rank(confidence: float, content: str, novelty: float) -> float:
    """What a candidate is worth a person's time, in [0.0, 1.0]."""
    return confidence * min(len(content), LENGTH_MAX) / LENGTH_MAX * novelty


def choose(
    candidates: Sequence[Candidate],
    room: int,
    worth: Callable[[Candidate], float],
) -> tuple[list[Candidate], list[Candidate]]:
    """The best candidates that there is room for, and the others, each best first.

    Of two that are worth the same the earlier one is first.
    """
    ordered = sorted(candidates, key=worth, reverse=True)
    room = max(0, room)
    return ordered[:room], ordered[room:]


def key(type: MemoryType, content: str, project: str) -> tuple[str, str, str]:
    """What no two candidates of one kind and standing have in common."""
    return str(type), normalised(content), project


def is_long_enough(content: str) -> bool:
    """Whether a content says enough to wait for a person."""
    return len(normalised(content)) >= CONTENT_CHARACTERS_MIN


def _stems(content: str) -> frozenset[str]:
    return frozenset(StemmedSentence(content).content)
