"""A mapping with a per-concept index over keys that begin with a concept id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import TypeVar

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
