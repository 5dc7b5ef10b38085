"""What is read of where facts come from: promises that an adapter keeps."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Protocol

from festinger.core.provenance.trail import Link, MetaTriple, Object


class Veil(NamedTuple):
    """What of a candidate not everybody is to see.

    Attributes:
        private: Whether it holds what is private.
        open: Whether it can still be answered.
        responders: Who has.
    """

    private: bool
    open: bool
    responders: frozenset[str]


class TrailReads(Protocol):
    """Reads objects, and how they hang together."""

    async def objects(self, cids: Collection[str]) -> dict[str, Object]:
        """Those of these objects that there are, by name."""

    async def links_from(self, cids: Collection[str], limit: int) -> list[MetaTriple]:
        """What is said of these objects, oldest first."""

    async def links_to(
        self, cids: Collection[str], kinds: Collection[Link], limit: int
    ) -> list[MetaTriple]:
        """What is said of others with these objects, oldest first."""

    async def triples_about(
        self, concept: str, dimension: str, limit: int
    ) -> list[str]:
        """The names of facts about a concept, newest first; in a dimension if named."""

    async def veils(self, factoid_cids: Collection[str], now: float) -> dict[str, Veil]:
        """What of these candidates not everybody is to see, by name."""
