"""Reading a whole memory at start, as COPY, and parts of it afterwards."""

from __future__ import annotations

from collections.abc import Collection, Set

import asyncpg

from festinger.core.world import World
from festinger.errors import TenantNotFound
from festinger.flows.ports import RaceLost
from festinger.store.pool import Connection
from festinger.store.queries import sql
from festinger.store.rows import to_clash, to_edge


async def load(connection: Connection, tenant: str, dictionary: Set[str]) -> World:
    """The whole memory of a tenant, of one moment.

    Raises:
        TenantNotFound: There is no such tenant.
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
        world.vocabulary.load_copy(await _copy(connection, "copy_concepts", tenant))
        world.graph.load_copy(await _copy(connection, "copy_edges", tenant))
        for row in await connection.fetch(sql("denials"), tenant):
            _deny(world, row)
        for row in await connection.fetch(sql("pending"), tenant):
            world.conflicts.add(to_clash(row), row["id"])
    return world


async def take_over(
    connection: Connection, tenant: str, world: World, race: RaceLost
) -> None:
    """Brings a world to what another server wrote."""
    for token, number in race.concepts.items():
        known = world.vocabulary.id(token)
        if known is None:
            everyday = token in world.dictionary
            world.vocabulary.add(token, number, dictionary=everyday)
        elif known != number:
            world.vocabulary.remap(known, number)
            world.unsaved.pop(known, None)
    if race.places:
        await _reload(connection, tenant, world, race.places)


async def _reload(
    connection: Connection, tenant: str, world: World, places: Collection[int]
) -> None:
    edges = [
        to_edge(row)
        for row in await connection.fetch(sql("edges_of"), tenant, list(places))
    ]
    mentioned = {number for edge in edges for number in edge[:3]} | set(places)
    for row in await connection.fetch(sql("names"), tenant, list(mentioned)):
        _name(world, row)
    for concept_id in places:
        for edge in world.graph.of(concept_id):
            world.graph.remove(edge.concept_id, edge.dim_id)
    for edge in edges:
        world.graph.put(edge)
    for denial in [each for each in world.denials if each[0] in set(places)]:
        del world.denials[denial]
    for row in await connection.fetch(sql("denials_of"), tenant, list(places)):
        _deny(world, row)
    for clash in [each for each in world.conflicts if each.concept_id in set(places)]:
        world.conflicts.discard(clash)
    for row in await connection.fetch(sql("pending_of"), tenant, list(places)):
        world.conflicts.add(to_clash(row), row["id"])


def _name(world: World, row: asyncpg.Record) -> None:
    known = world.vocabulary.id(row["token"])
    if known is None:
        world.vocabulary.add(
            row["token"],
            row["id"],
            novelty=row["novelty"],
            dictionary=row["is_dictionary"],
        )
    elif known != row["id"]:
        world.vocabulary.remap(known, row["id"])
        world.unsaved.pop(known, None)
    if row["novelty"]:
        world.vocabulary.set_novelty(row["id"], row["novelty"])


def _deny(world: World, row: asyncpg.Record) -> None:
    world.denials[row["id"], row["parent_id"], row["dim_id"]] = row["assertion_id"]


async def _copy(connection: Connection, query: str, tenant: str) -> bytes:
    parts: list[bytes] = []

    async def collect(part: bytes) -> None:
        parts.append(part)

    await connection.copy_from_query(
        sql(query), tenant, output=collect, format="binary"
    )
    return b"".join(parts)
