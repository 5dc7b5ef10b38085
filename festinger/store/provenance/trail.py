"""Reads and writes of the trail, the provenance of facts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from festinger.core.provenance.trail import (
    LinkPredicate,
    MetaTriple,
    Trail,
    TrailObject,
    place,
)
from festinger.store.graph.rows import to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import columns_of, sql, value_of
from festinger.store.system.tenancy import TenantReads
from festinger.store.world.batches import AggregateWrites, BatchTransaction


class CandidateVisibility(NamedTuple):
    """Visibility restrictions of a candidate.

    Attributes:
        private: Whether it contains private information.
        open: Whether it can still be answered.
        responders: Principals who answered it.
    """

    private: bool
    open: bool
    responders: frozenset[str]


class TrailReads(TenantReads):
    """Reads of one tenant's trail."""

    # Both are set by `PostgresReads`.
    async def objects(self, cids: Collection[str]) -> dict[str, TrailObject]:
        """Return the existing objects with these content identifiers."""
        rows = await self._rows("objects", list(cids))
        return {row["cid"]: value_of(TrailObject, row, withheld="") for row in rows}

    async def links_from(self, cids: Collection[str], limit: int) -> list[MetaTriple]:
        """Return the links from these objects, oldest first."""
        rows = await self._rows("links_from", list(cids), limit)
        return [MetaTriple(*row) for row in rows]

    async def links_to(
        self, cids: Collection[str], kinds: Collection[LinkPredicate], limit: int
    ) -> list[MetaTriple]:
        """Return the links of some kinds to these objects, oldest first."""
        rows = await self._rows("links_to", list(cids), list(kinds), limit)
        return [MetaTriple(*row) for row in rows]

    async def triples_about(
        self, concept: str, dimension: str, limit: int
    ) -> list[str]:
        """Return the names of facts about a concept, newest first; "" for any dimension."""
        if dimension:
            first = place(concept, dimension)
            # Nothing but the place `alice [joined]` itself lies between these bounds.
            behind = first + "\x01"
        else:
            # A concept contains no bracket: names with this prefix are about this one.
            first = f"{concept} ["
            # The backslash follows the bracket in the order of bytes: all names in between match.
            behind = f"{concept} \\"
        rows = await self._rows("triples_about", first, behind, limit)
        return [row["subject"] for row in rows]

    async def veils(
        self, candidate_cids: Collection[str], now: float
    ) -> dict[str, CandidateVisibility]:
        """Return the visibility restrictions of candidates, by content identifier."""
        rows = await self._rows("veils", list(candidate_cids), to_time(now))
        return {
            row["cid"]: CandidateVisibility(
                row["sensitive"], row["open"], frozenset(row["responders"])
            )
            for row in rows
        }


@dataclass(slots=True)
class TrailWrites(AggregateWrites):
    """Writes of a trail; existing objects and links stay unchanged."""

    trail: Trail = field(default_factory=Trail)

    async def write(self, transaction: BatchTransaction) -> None:
        """Write the objects and their links."""
        it = transaction
        await write(it.connection, it.tenant, self.trail, it.now)


async def write(
    connection: Connection, tenant: str, trail: Trail, now: datetime
) -> None:
    """Write a trail in a transaction; existing objects and links stay unchanged."""
    if trail.objects:
        # In a fixed order, so that two transactions never deadlock.
        cids = sorted(trail.objects)
        await connection.execute(
            sql("add_objects"),
            tenant,
            cids,
            [trail.objects[cid].kind for cid in cids],
            [trail.objects[cid].data for cid in cids],
            now,
        )
    if trail.links:
        # Sorted as the objects are.
        columns = columns_of(sorted(trail.links))
        await connection.execute(sql("add_links"), tenant, *columns, now)
