"""Lookups of held facts that a world and a draft have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from festinger import _fast


class _WorldAccess(Protocol):
    # `id` is an attribute of a world and a method of a draft: a property fits both.
    @property
    def id(self) -> Callable[[str], int | None]:
        """Return the id of a token; None if it was never met."""

    def facts(self, concept_id: int) -> list[_fast.Edge]:
        """Return the edges of a concept without roots."""


class FactLookups:
    """Lookups that follow from `id` and `facts`."""

    def has_facts(self: _WorldAccess, token: str) -> bool:
        """Return whether a concept has an edge."""
        number = self.id(token)
        return number is not None and bool(self.facts(number))

    def values(self: _WorldAccess, concept_id: int, dim_id: int) -> list[_fast.Edge]:
        """Return the edges of a concept in one dimension."""
        return [edge for edge in self.facts(concept_id) if edge.dim_id == dim_id]
