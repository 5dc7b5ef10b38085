"""Review cycles: people review some candidates of a project at a time (H1).

Each project has its cycle, so that none waits for the people of another. The best
candidates come first:

confidence = prior × signal of the path × freshness, at most 1
rank       = confidence × length × novelty
"""

# ruff: noqa: RUF002 - multiplication and subtraction have signs

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Protocol, TypeVar

from festinger.core.language.grounding import StemmedSentence
from festinger.core.memories.types import Status, normalised
from festinger.core.review.records import MemoryRecord

CYCLE_MAX = 50
"""Candidates that people review in one cycle, by default (`review_cycle_candidates`)."""
CONTENT_CHARACTERS_MIN = 8
"""A shorter content is a fragment: "Use Go." is too short, "Use gRPC" is not."""
LENGTH_MAX = 200
"""Length of a content from which the rank no longer grows with it: otherwise rambling
contents would come first."""
FRESH_SECONDS = 30 * 24 * 3600

# The specification's starting values, as is the bonus for fresh documents.
HIGH_SIGNAL = 1.1
LOW_SIGNAL = 0.9
FRESHNESS = 1.05

_HIGH_SIGNAL_HINTS = (  # parts of words: "requirements", "decisions"
    "status", "decision", "requirement", "charter", "constraint", "architecture",
)  # fmt: skip
_HIGH_SIGNAL_WORDS = frozenset(["adr", "adrs", "rfc", "rfcs", "spec", "specs"])
"""Matched as whole words only, since they are too short to search within words."""
_LOW_SIGNAL_HINTS = ("_archive", "_history", "archive/", "archived", "deprecated")
_LOW_SIGNAL_WORDS = frozenset(["attic", "backup", "legacy", "obsolete", "old"])
_WORDS = re.compile(r"[a-z0-9]+")


class Ranked(Protocol):
    """Text that can be ordered by rank."""

    @property
    def rank(self) -> float:
        """The sort key; the highest come first."""

    @property
    def content(self) -> str:
        """The text."""


Candidate = TypeVar("Candidate", bound=Ranked)


def confidence(
    prior: float, path: str = "", *, changed: float | None = None, now: float = 0.0
) -> float:
    """Return the confidence of a new candidate, in [0.0, 1.0].

    Args:
        prior: Prior of the rule that found it.
        path: Path of the document in which it was found.
        changed: When the document last changed, in seconds since the epoch; None if
            unknown.
    """
    fresh = changed is not None and now - changed < FRESH_SECONDS
    return min(1.0, prior * signal(path) * (FRESHNESS if fresh else 1.0))


def signal(path: str) -> float:
    """Return the factor of a document's path; low-signal hints take precedence."""
    lower = path.lower()
    words = set(_WORDS.findall(lower))
    # An archive of decisions is an archive.
    if any(hint in lower for hint in _LOW_SIGNAL_HINTS) or words & _LOW_SIGNAL_WORDS:
        return LOW_SIGNAL
    if any(hint in lower for hint in _HIGH_SIGNAL_HINTS) or words & _HIGH_SIGNAL_WORDS:
        return HIGH_SIGNAL
    return 1.0


class KnownTexts:
    """Index of known contents, to compute the novelty of others."""

    def __init__(self, contents: Iterable[str] = ()) -> None:
        self._count = 0
        # Stem to the contents that have it, so that only similar ones are compared.
        self._places: dict[str, list[int]] = {}
        for content in contents:
            self.add(content)

    def add(self, content: str) -> None:
        """Add a content to the index."""
        for stem in _stems(content):
            self._places.setdefault(stem, []).append(self._count)
        self._count += 1

    def novelty(self, content: str) -> float:
        """Return the novelty of a content, in [0.0, 1.0].

        1 − the share of its stems that the most similar known content has, without
        closed-class words: 0 if it has no stems.
        """
        stems = _stems(content)
        if not stems:  # says nothing: not worth a reviewer's time
            return 0.0
        shared = Counter(at for stem in stems for at in self._places.get(stem, ()))
        # Against the most similar one, not all together: ten contents have most words somewhere.
        return 1.0 - max(shared.values(), default=0) / len(stems)


def rank(confidence: float, content: str, novelty: float) -> float:
    """Return the rank of a candidate in the review queue, in [0.0, 1.0]."""
    return confidence * min(len(content), LENGTH_MAX) / LENGTH_MAX * novelty


def choose(
    candidates: Sequence[Candidate], room: int
) -> tuple[list[Candidate], list[Candidate]]:
    """Return the best candidates that there is room for, and the others, best first."""
    ordered = sorted(candidates, key=lambda it: -it.rank)
    chosen: list[int] = []
    # What is chosen counts as known, so that of several near-duplicates only one is shown.
    known = KnownTexts()
    # A rank only falls while more is chosen, so it is computed anew for the first only.
    heap = [(-each.rank, at, 0) for at, each in enumerate(ordered)]
    while heap and len(chosen) < room:
        _, at, chosen_then = heappop(heap)
        # Its rank was computed when less was chosen: compute it anew and look again.
        if chosen_then < len(chosen):
            worth = ordered[at].rank * known.novelty(ordered[at].content)
            heappush(heap, (-worth, at, len(chosen)))
            continue
        chosen.append(at)
        known.add(ordered[at].content)
    others = sorted(at for _, at, _ in heap)
    return [ordered[at] for at in chosen], [ordered[at] for at in others]


def is_long_enough(content: str) -> bool:
    """Return True if a content is long enough to be reviewed."""
    return len(normalised(content)) >= CONTENT_CHARACTERS_MIN


def _stems(content: str) -> frozenset[str]:
    return frozenset(StemmedSentence(content).content)


Item = TypeVar("Item", bound=Ranked)


@dataclass(frozen=True, slots=True)
class Cycle:
    """State of a project's review cycle.

    Attributes:
        number: From 1; 0 before the first.
        written: Number of candidates that were written in it, whatever their state.
        open: Number of those that are pending or deferred.
        size: Maximum number of candidates of a cycle.
        project: The project; empty for what belongs to none.
    """

    number: int = 0
    written: int = 0
    open: int = 0
    size: int = CYCLE_MAX
    project: str = ""

    @property
    def is_over(self) -> bool:
        """True if no candidate is open, so that the next ones begin another cycle."""
        # Deferred ones count as open: they are still to be decided.
        return self.open == 0

    def after(
        self, changes: Iterable[tuple[MemoryRecord | None, MemoryRecord | None]]
    ) -> Cycle:
        """Return the cycle after changes of records, each given as before and after."""
        change = sum(
            self._is_open(after) - self._is_open(before) for before, after in changes
        )
        return replace(self, open=self.open + change)

    def _is_open(self, record: MemoryRecord | None) -> bool:
        return (
            record is not None
            and record.status is Status.CANDIDATE
            and record.project == self.project
            # Candidates of conversations have cycle 0 and wait for none.
            and record.cycle == self.number > 0
        )


def fill(
    cycle: Cycle, items: Sequence[Item]
) -> tuple[Cycle, Sequence[Item], Sequence[Item]]:
    """Admit the best items to a cycle, or to the next one if it is over.

    Args:
        items: Items to admit; of the same rank, the first comes first.

    Returns:
        The resulting cycle, the admitted items, and the items without room, both the
        best first.
    """
    if not items:
        return cycle, (), ()
    # Everything is decided: the next cycle begins, with as much room as the first.
    if cycle.is_over:
        cycle = replace(cycle, number=cycle.number + 1, written=0, open=0)
    # Room is by what was written, not by what is open: deciding does not refill a cycle.
    room = max(0, cycle.size - cycle.written)
    let_in, rest = choose(items, room)
    count = len(let_in)
    cycle = replace(cycle, written=cycle.written + count, open=cycle.open + count)
    return cycle, let_in, rest


@dataclass(frozen=True, slots=True)
class FacetCount:
    """Number of candidates with the same property. Example: `type` is `decision`."""

    name: str
    value: str
    count: int


@dataclass(frozen=True, slots=True)
class QueueStanding:
    """State of the review queue.

    Attributes:
        pending: Number of candidates that wait, of all cycles.
        stale: Number of those that have waited for too long.
        overflow: Number of candidates that wait for a later cycle.
        oldest: Since when the oldest candidate waits, in seconds since the epoch; None
            if none waits.
    """

    cycle: Cycle
    deferred: int = 0
    pending: int = 0
    stale: int = 0
    overflow: int = 0
    oldest: float | None = None
    facets: Sequence[FacetCount] = ()
