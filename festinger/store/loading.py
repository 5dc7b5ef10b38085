"""Reading a whole memory at start, as COPY, and parts of it afterwards."""

from __future__ import annotations

from collections.abc import Collection, Set

from festinger.core.publishing import News
from festinger.core.world import World
from festinger.errors import CorruptMemory, TenantNotFound
from festinger.flows.ports import TooFarBehind
from festinger.store.pool import Connection
from festinger.store.queries import sql
from festinger.store.rows import (
    to_clash,
    to_denial,
    to_edge,
    to_key,
    to_name,
    to_tombstone,
)


async def load(connection: Connection, tenant: str, dictionary: Set[str]) -> World:
    """The whole memory of a tenant, of one moment.

    Raises:
        TenantNotFound: There is no such tenant.
        CorruptMemory: A row cannot be part of a memory.
    """
    world = World(dictionary)
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        version = await connection.fetchval(sql("tenant_exists"), tenant)
        if version is None:
            raise TenantNotFound(
                f"there is no tenant {tenant!r}. Add it with: festinger tenant add "
                f"{tenant}",
                tenant=tenant,
            )
        world.version = version
        concepts = await _copy(connection, "copy_concepts", tenant)
        edges = await _copy(connection, "copy_edges", tenant)
        for row in await connection.fetch(sql("denials"), tenant):
            world.denials[to_denial(row)] = row["assertion_id"]
        for row in await connection.fetch(sql("pending"), tenant):
            world.conflicts.add(to_clash(row), row["id"])
        for row in await connection.fetch(sql("tombstones"), tenant):
            world.tombstones[to_key(row)] = to_tombstone(row)
        for row in await connection.fetch(sql("redirects"), tenant):
            world.redirects[to_key(row)] = row["to_dim_id"]
    # Taking them in may last; the database must not take that for idleness.
    try:
        world.vocabulary.load_copy(concepts)
        world.graph.load_copy(edges)
    except ValueError as error:
        raise CorruptMemory(
            f"the memory {tenant!r} cannot be read: {error}. Restore a backup, or mend "
            "the row"
        ) from error
    return world


async def news(
    connection: Connection, tenant: str, since: int, places: Collection[int] = ()
) -> News:
    """What was committed after a version, and what is held of these concepts.

    The connection must see one moment: in a snapshot, or with the pen.

    Raises:
        TooFarBehind: The log does not reach back so far.
    """
    rows = await connection.fetch(sql("changes_since"), tenant, since)
    version: int = rows[0]["head"]
    log = [row for row in rows if row["version"] is not None]
    if len(log) != version - since:
        raise TooFarBehind
    changed = set(places).union(*(row["concept_ids"] for row in log))
    batches = frozenset(row["batch"] for row in log if row["batch"])
    found = News(version, changed, batches=batches)
    if changed:
        await _read(connection, tenant, found)
    return found


async def _read(connection: Connection, tenant: str, news: News) -> None:
    """Reads everything that is held of the places, with the names in it."""
    asked = (tenant, list(news.places))
    news.edges = [
        to_edge(row) for row in await connection.fetch(sql("edges_of"), *asked)
    ]
    for row in await connection.fetch(sql("denials_of"), *asked):
        news.denials[to_denial(row)] = row["assertion_id"]
    for row in await connection.fetch(sql("pending_of"), *asked):
        news.conflicts[to_clash(row)] = row["id"]
    for row in await connection.fetch(sql("tombstones_of"), *asked):
        news.tombstones[to_key(row)] = to_tombstone(row)
    for row in await connection.fetch(sql("redirects_of"), *asked):
        news.redirects[to_key(row)] = row["to_dim_id"]
    named = set(news.places)
    named.update(*(edge[:3] for edge in news.edges), *news.denials)
    for key in (*news.conflicts, *news.tombstones, *news.redirects):
        named.update(key[:3])
    named.update(news.redirects.values())
    names = await connection.fetch(sql("names"), tenant, list(named))
    news.names = [to_name(row) for row in names]


async def _copy(connection: Connection, query: str, tenant: str) -> bytes:
    parts: list[bytes] = []

    async def collect(part: bytes) -> None:
        parts.append(part)

    await connection.copy_from_query(
        sql(query), tenant, output=collect, format="binary"
    )
    return b"".join(parts)
