"""Memories about people as lines of the index, searchable by their subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from festinger import _fast
from festinger._fast.values import NO_GROUP
from festinger.core.language.audience import LineAudience
from festinger.core.language.terms import terms
from festinger.core.lines.line import IndexedLine, LineKind, LineMatch
from festinger.core.lines.weights import reweighed
from festinger.core.memories.lines import line, name
from festinger.core.memories.memory import Memory

FIRST_NUMBER: Final = 1 << 40
"""First number of the lines of memories, beyond those of utterances."""
_FIRST: Final = 1e6
"""Score bonus that ranks the memories of a subject before all others."""


class MemoryLines:
    """Lines of the active memories about people. It is not thread-safe."""

    kind: Final = LineKind.MEMORY

    def __init__(self) -> None:
        self._postings = _fast.Postings()
        self._memories: list[Memory | None] = []
        self._by_subject: dict[str, dict[int, int]] = {}
        self._by_id: dict[int, int] = {}
        self._groups: dict[str, int] = {}

    def __len__(self) -> int:
        return self._postings.open

    def replace(
        self, subjects: Iterable[str], memories: Mapping[str, Iterable[Memory]]
    ) -> None:
        """Replace the memories of some subjects."""
        for subject in subjects:
            self._replace(subject, memories.get(subject, ()))

    def _replace(self, subject: str, memories: Iterable[Memory]) -> None:
        old = self._by_subject.pop(subject, {})
        new: dict[int, int] = {}
        for memory in memories:
            at = old.get(memory.id)
            before = self._memories[at] if at is not None else None
            # The entry is kept, since a closed one would stay in the postings.
            if at is not None and before is not None and before.key == memory.key:
                # Only its confidence has changed, or its punctuation or a determiner.
                del old[memory.id]
                self._memories[at] = memory
            else:
                at = self._add(memory)
            new[memory.id] = at
        # What is left of the old ones has other words now, or is not active any more.
        for number, at in old.items():
            gone = self._memories[at]
            if gone is not None:
                self._postings.close(at, set(_terms(gone)))
                self._memories[at] = None
            # Unless the memory has moved to another subject, where it has an entry by now.
            if self._by_id.get(number) == at:
                del self._by_id[number]
        self._by_id.update(new)
        if new:
            self._by_subject[subject] = new

    def _add(self, memory: Memory) -> int:
        # A subject is a group of postings: its memories are preferred in a search.
        group = self._groups.setdefault(memory.subject, len(self._groups))
        self._memories.append(memory)
        return self._postings.add(Counter(_terms(memory)).items(), group)

    def search(
        self,
        wanted: Sequence[tuple[str, float]],
        most: int,
        rarity: Callable[[str], float],
        subject: str | None = None,
    ) -> list[LineMatch]:
        """Return the memories that match a query best, best first.

        Args:
            wanted: Terms of the query with their weights.
            rarity: Returns the rarity of a term among all lines.
            subject: Return only memories about this person; None for all.
        """
        if subject is not None and subject not in self._by_subject:
            return []
        group = NO_GROUP if subject is None else self._groups[subject]
        asked = reweighed(self._postings, wanted, rarity)
        found = self._postings.search(asked, group, _FIRST, most)
        return [
            LineMatch(_line(at, memory), score, shared)
            for at, score, shared in found
            if (memory := self._memories[at]) is not None
            # The bonus only ranks: others' memories follow if there are too few (G5).
            and subject in (None, memory.subject)
        ]

    def lines_of(self, number: int) -> list[IndexedLine]:
        """Return the line of a memory; empty if it is not active."""
        at = self._by_id.get(number)
        memory = self._memories[at] if at is not None else None
        return [_line(at, memory)] if at is not None and memory is not None else []

    def recent(self, since: float = 0.0) -> Iterator[IndexedLine]:
        """Yield the lines confirmed at or after a time, the last added first."""
        for at in range(len(self._memories) - 1, -1, -1):
            memory = self._memories[at]
            if memory is not None and memory.confirmed >= since:
                yield _line(at, memory)


def _terms(memory: Memory) -> list[str]:
    # "What does alice like" finds memories that do not repeat her name.
    return [*terms(memory.subject), *terms(memory.content)]


def _line(at: int, memory: Memory) -> IndexedLine:
    text = line(memory.subject, memory.type, memory.content)
    told = f"about {name(memory.subject)}: "
    return IndexedLine(
        number=FIRST_NUMBER + at,
        kind=LineKind.MEMORY,
        key=memory.id,
        # A memory that cannot be rendered can still be found.
        text=text if text.startswith(told) else told + memory.content,
        said=memory.confirmed,
        subject=memory.subject,
        # Memories about a person are told to that person's agents only (G5).
        audience=LineAudience(True, frozenset([memory.subject.casefold()])),
    )
