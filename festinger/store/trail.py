"""The trail: where facts come from, written with them and read by anybody."""

from __future__ import annotations

from datetime import datetime

from festinger.core.provenance import Trail
from festinger.store.pool import Connection
from festinger.store.queries import sql


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
