"""Index of the pending conflicts, for the hot path, and mappings by concept (`ByConcept`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import NamedTuple, TypeVar

from festinger._fast import Edge, Mentions
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.outcome import BELIEF

Key = TypeVar("Key", bound=tuple[int, ...])
Value = TypeVar("Value")


class ByConcept(MutableMapping[Key, Value]):
    """Mapping of keys that begin with a concept id, indexed by concept."""

    def __init__(self, items: Mapping[Key, Value] | None = None) -> None:
        # A dictionary for each concept, so that all keys about one are found at once.
        self._concepts: dict[int, dict[Key, Value]] = {}
        self._count = 0
        self.update(items or {})

    def __getitem__(self, key: Key) -> Value:
        return self._concepts.get(key[0], {})[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and key in self._concepts.get(key[0], ())

    def __setitem__(self, key: Key, value: Value) -> None:
        about = self._concepts.setdefault(key[0], {})
        self._count += key not in about  # a bool counts as 0 or 1
        about[key] = value

    def __delitem__(self, key: Key) -> None:
        about = self._concepts.get(key[0], {})
        del about[key]
        self._count -= 1
        # No empty dictionaries: concepts without items must cost nothing.
        if not about:
            del self._concepts[key[0]]

    def __iter__(self) -> Iterator[Key]:
        for about in self._concepts.values():
            yield from about

    def __len__(self) -> int:
        return self._count

    def find(self, key: Key) -> Value | None:
        """Return the value of a key; None if the key is missing."""
        # `get` of `Mapping` raises and catches a KeyError, which is slow on the hot path.
        about = self._concepts.get(key[0])
        return about.get(key) if about else None

    def about(self, concept_id: int) -> list[Key]:
        """Return the keys that begin with a concept."""
        return list(self._concepts.get(concept_id, ()))

    def replace(self, concepts: Iterable[int], items: Mapping[Key, Value]) -> None:
        """Replace all items whose keys begin with one of these concepts."""
        # As a whole: what is not among the items is gone.
        for concept_id in concepts:
            self._count -= len(self._concepts.pop(concept_id, ()))
        self.update(items)

    def change(self, changed: Mapping[Key, Value | None]) -> None:
        """Set the changed items; None removes an item, if it exists."""
        for key, value in changed.items():
            if value is None:
                self.pop(key, None)
            else:
                self[key] = value


class Clash(NamedTuple):
    """Key of a queue item: there is at most one pending item per key."""

    concept_id: int
    dim_id: int
    parent_id: int
    negated: bool


class PendingConflicts:
    """The pending queue items, by key."""

    def __init__(self) -> None:
        self._numbers: ByConcept[Clash, int] = ByConcept()
        #: Number of pending items, by concept and dimension.
        self.doubts: dict[int, Counter[int]] = {}
        #: The concepts that an item mentions, as concept or as parent.
        self.mentioned = Mentions()
        #: The quotes that pending statements were read from.
        self.origins: dict[Clash, StatementOrigin] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, clash: object) -> bool:
        return clash in self._numbers

    def __iter__(self) -> Iterator[Clash]:
        return iter(self._numbers)

    def number(self, clash: Clash) -> int | None:
        """Return the item's number; 0 if not written yet; None if there is none."""
        return self._numbers.find(clash)

    def about(self, concept_id: int) -> list[int]:
        """Return the numbers of the written items about a concept, in order."""
        return sorted(filter(None, map(self._numbers.find, self.of(concept_id))))

    def of(self, concept_id: int) -> list[Clash]:
        """Return the keys of the items about a concept."""
        return self._numbers.about(concept_id)

    def contested(self, concept_id: int, dim_id: int) -> bool:
        """Return whether a pending statement contradicts a concept in a dimension."""
        return dim_id in self.doubts.get(concept_id, ())

    def mark_of(self, edge: Edge) -> str:
        """Return the mark of a fact in a line: `?` contested, `~` a belief (I4)."""
        # A doubt matters more than whose belief it is.
        if self.contested(edge.concept_id, edge.dim_id):
            return "?"
        return "~" if edge.modality == BELIEF else ""

    def mentions(self, concept_id: int) -> int:
        """Return how many items mention a concept, as concept or as parent."""
        return self.mentioned.count(concept_id)

    def add(
        self, clash: Clash, number: int = 0, origin: StatementOrigin | None = None
    ) -> None:
        """Add an item, or set the number of an item that had none.

        Args:
            number: Number of the item; 0 if it is not written yet.
            origin: Quote that the statement was read from; None for none.
        """
        if origin is not None:
            self.origins[clash] = origin
        if clash not in self._numbers:
            # Only for a new key: adding it again, with its number, must not count twice.
            self.doubts.setdefault(clash.concept_id, Counter())[clash.dim_id] += 1
            # A set, as both may be one concept.
            for concept_id in {clash.concept_id, clash.parent_id}:
                self.mentioned.add(concept_id)
        # A number that is known is kept.
        self._numbers[clash] = number or self._numbers.get(clash, 0)

    def discard(self, clash: Clash) -> None:
        """Remove an item, if it exists."""
        if self._numbers.pop(clash, None) is None:
            return
        self.origins.pop(clash, None)
        doubted = self.doubts[clash.concept_id]
        # Several items may doubt one dimension; unlike `subtract`, this keeps no zeros.
        doubted -= Counter({clash.dim_id: 1})
        if not doubted:
            del self.doubts[clash.concept_id]
        for concept_id in {clash.concept_id, clash.parent_id}:
            self.mentioned.discard(concept_id)
