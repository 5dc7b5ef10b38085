"""Index of the active memories of people, a part of the world for recollection."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from math import inf, log2

from festinger import _fast
from festinger.core.graph.values.dates import DAY
from festinger.core.memories.lines import (
    LeftOut,
    MemoryTelling,
    line,
    plain,
    rank,
    remaining,
    told,
)
from festinger.core.memories.memory import TOLD_MIN, Memory
from festinger.core.memories.rules import RULES

ROOM = 16
"""Minimum number of memories to render when choosing lines: some say the same as
others, and some cannot be told."""
FOUND_MAX = 1_000
"""Maximum number of lines of a subject that are cached as holding."""

_PREFIX = "about "
_PART = re.compile("[a-z0-9]+")


def is_about(concept: str) -> bool:
    """Return True if a concept names a line about a person."""
    # The prefix ends with a blank, which no token contains.
    return concept.startswith(_PREFIX)


class SubjectMemories:
    """Memories of one subject."""

    __slots__ = ("_found", "_limit", "_lines", "_since", "_until", "memories")

    def __init__(self, memories: Iterable[Memory]) -> None:
        # With faded ones: they are not told any more, but lines told of them still hold (D5, G4).
        self.memories = tuple(memories)
        self._found: set[str] = set()
        self._lines: list[_fast.Line] = []
        self._limit = 0
        self._since, self._until = -inf, inf

    def lines(self, now: float, limit: int) -> Sequence[_fast.Line]:
        """Return the lines about the subject, in the order of the block."""
        # Cached until one of their memories fades, or another day begins.
        if limit != self._limit or not self._since <= now < self._until:
            self._limit = limit
            self._choose(now)
        return self._lines

    def holds(self, text: str) -> bool:
        """Return True if a memory of a told line is still active, even if it faded."""
        if text not in self._found:
            if all(said != text for _, said in self._saying(plain(text))):
                return False
            if len(self._found) >= FOUND_MAX:
                self._found.clear()
            self._found.add(text)
        return True

    def instead(self, concept: str, now: float) -> _fast.Line | None:
        """Return the line that replaces one of this concept; None if there is none."""
        strong = [
            it for it in self._saying(concept) if remaining(it[0], now) >= TOLD_MIN
        ]
        # A pattern that became a fact is told as a fact.
        best = min(strong, key=lambda it: rank(it[1]), default=None)
        return _line(*best) if best else None

    def line_of(self, number: Hashable, now: float) -> _fast.Line | None:
        """Return the line of a memory; None if there is none that can be told."""
        for each in self.memories:
            if each.id == number and remaining(each, now) >= TOLD_MIN:
                text = line(each.subject, each.type, each.content)
                return None if isinstance(text, LeftOut) else _line(each, text)
        return None

    def _choose(self, now: float) -> None:
        # The order by strength is computed once a day, so that a block changes neither
        # in the middle of a conversation nor from one server to another.
        today = now - now % DAY
        ranked = sorted(
            (-round(remaining(each, today), 9), each.id, each)
            for each in self.memories
            if remaining(each, now) >= TOLD_MIN
        )
        # Rendering is slow: a few more than wanted, and more only if some cannot be told.
        room = max(ROOM, 2 * self._limit)
        while True:
            # Include all that are as strong as the last one: `told` breaks the tie.
            while room < len(ranked) and ranked[room][0] == ranked[room - 1][0]:
                room += 1
            worded = told([each for *_, each in ranked[:room]], today, self._limit)
            if len(worded.lines) == self._limit or room >= len(ranked):
                break
            room *= 2
        if weaker := self._also_said(worded, ranked[room:]):
            chosen = [*(each for *_, each in ranked[:room]), *weaker]
            worded = told(chosen, today, self._limit)
        self._lines = list(map(_line, worded.told, worded.lines))
        self._since = today
        self._until = min([today + DAY, *map(_faded_at, worded.told)])

    def _also_said(
        self, worded: MemoryTelling, others: Sequence[tuple[float, int, Memory]]
    ) -> list[Memory]:
        """Return those of the others that say the same as a told line."""
        # A told pattern may also be known as a weaker fact, which takes precedence.
        ids = {number for _, number, _ in others}
        if not ids:
            return []
        said = {plain(text) for text in worded.lines}
        return [it for each in said for it, _ in self._saying(each) if it.id in ids]

    def _saying(self, concept: str) -> Iterator[tuple[Memory, str]]:
        """Yield the memories whose line has this concept, each with its line."""
        words = _PART.findall(concept.partition(": ")[2])
        # Long words are rare, so that most memories fail at the first.
        words.sort(key=len, reverse=True)
        for each in self.memories:
            # Rendering every memory is slow, and few contain all of the words.
            content = each.content.lower()
            if all(word in content for word in words):
                text = line(each.subject, each.type, each.content)
                if plain(text) == concept:
                    yield each, text


class MemoriesBySubject:
    """Memories of all subjects."""

    def __init__(self) -> None:
        self._by_subject: dict[str, SubjectMemories] = {}

    def __len__(self) -> int:
        return sum(len(about.memories) for about in self._by_subject.values())

    def of(self, subject: str) -> SubjectMemories | None:
        """Return the memories of a subject, or None if there are none."""
        return self._by_subject.get(subject)

    def replace(
        self, subjects: Iterable[str], memories: Mapping[str, Collection[Memory]]
    ) -> None:
        """Replace the memories of some subjects."""
        for subject in subjects:
            # A new object, without the lines cached of the old memories.
            if found := memories.get(subject):
                self._by_subject[subject] = SubjectMemories(found)
            else:
                self._by_subject.pop(subject, None)

    @property
    def memories(self) -> dict[tuple[str, int], Memory]:
        """All memories, by subject and number."""
        return {
            (subject, each.id): each
            for subject, about in self._by_subject.items()
            for each in about.memories
        }


def _line(memory: Memory, text: str) -> _fast.Line:
    return _fast.Line(
        plain(text), text, _fast.GraphLineKind.MEMORY, f"memory {memory.id}"
    )


def _faded_at(memory: Memory) -> float:
    """Return when a memory fades below `TOLD_MIN`, in seconds since the epoch.

    Infinite if it does not fade.
    """
    window = RULES[memory.type].window_days
    if window is None:
        return inf
    return memory.confirmed + DAY * window * log2(memory.confidence / TOLD_MIN)
