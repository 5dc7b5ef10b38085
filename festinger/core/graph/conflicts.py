"""The pending conflicts as the hot path needs them: who is contested, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from typing import NamedTuple

from festinger._fast import Mentions
from festinger.core.graph.byconcept import ByConcept
from festinger.core.graph.origins import StatementOrigin


class Clash(NamedTuple):
    """What makes two refused statements one queue item: one pending item a key."""

    concept_id: int
    dim_id: int
    parent_id: int
    negated: bool


class PendingConflicts:
    """The queue items that wait, by what was refused."""

    def __init__(self) -> None:
        self._numbers: ByConcept[Clash, int] = ByConcept()
        #: The concepts that have one, and the dimensions in which each of them does.
        self.doubts: dict[int, Counter[int]] = {}
        #: The concepts that stand in an item, at any place.
        self.mentioned = Mentions()
        #: The words that a statement was read from which waits.
        self.origins: dict[Clash, StatementOrigin] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, clash: object) -> bool:
        return clash in self._numbers

    def __iter__(self) -> Iterator[Clash]:
        return iter(self._numbers)

    @property
    def concepts(self) -> Set[int]:
        """The concepts that have a pending conflict."""
        return self.doubts.keys()

    def number(self, clash: Clash) -> int | None:
        """The item's number; 0 while it is not yet written; None if there is none."""
        return self._numbers.find(clash)

    def about(self, concept_id: int) -> list[int]:
        """The numbers of the written items about a concept, in order."""
        return sorted(filter(None, map(self._numbers.find, self.of(concept_id))))

    def of(self, concept_id: int) -> list[Clash]:
        """The keys of the items about a concept."""
        return self._numbers.about(concept_id)

    def contested(self, concept_id: int, dim_id: int) -> bool:
        """Whether a statement waits that contradicts this concept here."""
        return dim_id in self.doubts.get(concept_id, ())

    def mentions(self, concept_id: int) -> int:
        """In how many items the concept stands, at any place."""
        return self.mentioned.count(concept_id)

    def add(
        self, clash: Clash, number: int = 0, origin: StatementOrigin | None = None
    ) -> None:
        """Adds an item, or tells the number of one that had none.

        Args:
            origin: The words it was read from, if it was.
        """
        if origin is not None:
            self.origins[clash] = origin
        if clash not in self._numbers:
            self.doubts.setdefault(clash.concept_id, Counter())[clash.dim_id] += 1
            for concept_id in {clash.concept_id, clash.parent_id}:
                self.mentioned.add(concept_id)
        self._numbers[clash] = number or self._numbers.get(clash, 0)

    def discard(self, clash: Clash) -> None:
        """Removes an item, if it is there."""
        if self._numbers.pop(clash, None) is None:
            return
        self.origins.pop(clash, None)
        doubted = self.doubts[clash.concept_id]
        _decrement(doubted, clash.dim_id)
        if not doubted:
            del self.doubts[clash.concept_id]
        for concept_id in {clash.concept_id, clash.parent_id}:
            self.mentioned.discard(concept_id)


def _decrement(counts: Counter[int], key: int) -> None:
    counts[key] -= 1
    if not counts[key]:
        # A Counter keeps zeros, and `in` would still find them.
        del counts[key]
