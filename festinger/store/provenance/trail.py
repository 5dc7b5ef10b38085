"""The trail: where facts come from, written with them and read by anybody."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from festinger.core.provenance.trail import Link, MetaTriple, Object, Trail, place
from festinger.store.graph.rows import to_seconds, to_time
from festinger.store.provenance.records import Veil
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql


class TrailReads:
    """Reads one tenant's trail."""

    _connection: Connection
    _tenant: str

    async def objects(self, cids: Collection[str]) -> dict[str, Object]:
        """Those of these objects that there are, by name."""
        rows = await self._connection.fetch(sql("objects"), self._tenant, list(cids))
        return {
            row["cid"]: Object(
                row["cid"], row["kind"], row["data"], to_seconds(row["created_at"])
            )
            for row in rows
        }

    async def links_from(self, cids: Collection[str], limit: int) -> list[MetaTriple]:
        """What is said of these objects, oldest first."""
        rows = await self._connection.fetch(
            sql("links_from"), self._tenant, list(cids), limit
        )
        return [MetaTriple(*row) for row in rows]

    async def links_to(
        self, cids: Collection[str], kinds: Collection[Link], limit: int
    ) -> list[MetaTriple]:
        """What is said of others with these objects, oldest first."""
        rows = await self._connection.fetch(
            sql("links_to"), self._tenant, list(cids), list(kinds), limit
        )
        return [MetaTriple(*row) for row in rows]

    async def triples_about(
        self, concept: str, dimension: str, limit: int
    ) -> list[str]:
        """The names of facts about a concept, newest first; in a dimension if named."""
        if dimension:
            first = place(concept, dimension)
            behind = first + "\x01"
        else:
            # No concept has a bracket in it: what begins like this is about this one.
            first = f"{concept} ["
            behind = f"{concept} \\"
        rows = await self._connection.fetch(
            sql("triples_about"), self._tenant, first, behind, limit
        )
        return [row["subject"] for row in rows]

    async def veils(self, factoid_cids: Collection[str], now: float) -> dict[str, Veil]:
        """What of these candidates not everybody is to see, by name."""
        rows = await self._connection.fetch(
            sql("veils"), self._tenant, list(factoid_cids), to_time(now)
        )
        return {
            row["cid"]: Veil(
                row["sensitive"], row["open"], frozenset(row["responders"])
            )
            for row in rows
        }


async def write(
    connection: Connection, tenant: str, trail: Trail, now: datetime
) -> None:
    """Writes a trail inside a transaction; what is there already stays as it is."""
    if trail.objects:
        # In one order, so that two transactions never wait for each other.
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
        columns = [list(column) for column in zip(*sorted(trail.links), strict=True)]
        await connection.execute(sql("add_links"), tenant, *columns, now)
