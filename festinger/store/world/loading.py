"""Load of a whole memory by COPY, and reads of later changes."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Set
from contextlib import AsyncExitStack

from festinger import _fast
from festinger.core.lines.endings import Place
from festinger.core.lines.index import LineKind
from festinger.core.lines.notes import replace_notes
from festinger.core.lines.turns import lines_of
from festinger.core.memories.memory import Memory
from festinger.core.memories.types import CONVERSATION_TYPES
from festinger.core.world.publishing import News
from festinger.core.world.world import World
from festinger.errors import CorruptMemory, TenantNotFound
from festinger.store.graph import origins
from festinger.store.graph.rows import (
    to_clash,
    to_denial,
    to_edge,
    to_key,
    to_memory,
    to_name,
    to_tombstone,
)
from festinger.store.language import turns
from festinger.store.lines import notes
from festinger.store.lines.feedback import read_votes
from festinger.store.review.records import subject_memories
from festinger.store.system.pool import Connection, Pool, acquired, spare
from festinger.store.system.queries import sql
from festinger.store.system.tenancy import snapshot_on
from festinger.store.world.batches import TooFarBehind
from festinger.store.world.copying import copy

TURNS_AT_A_TIME = 200
"""The number of turns that are read at once, between which other tasks run."""
MEMORIES_AT_A_TIME = 1_000
"""The number of memories about people read at once, between which other tasks run."""


async def load(pool: Pool, tenant: str, dictionary: Set[str]) -> World:
    """Load the whole memory of a tenant, as of one point in time.

    The edges are read on a second connection, if one is free and nothing was written in
    between, so that Postgres uses two processors.

    Raises:
        TenantNotFound: There is no such tenant.
        CorruptMemory: A row is invalid.
        DatabaseUnavailable: The database is not reachable.
    """
    world, loader = World(dictionary), _fast.Loader()
    ended: dict[int, Place] = {}
    async with (
        acquired(pool) as connection,
        spare(pool) as other,
        # Each transaction ends when its part is read: Postgres ends idle ones.
        AsyncExitStack() as ours,
        AsyncExitStack() as theirs,
    ):
        await ours.enter_async_context(snapshot_on(connection, tenant, pool.role))
        await _find(connection, tenant, world)
        if other is not None:
            await theirs.enter_async_context(snapshot_on(other, tenant, pool.role))
            # What edges there are, changes with the version only.
            if await other.fetchval(sql("tenant_exists"), tenant) != world.version:
                await theirs.aclose()
                other = None

        async def most() -> None:
            await copy(connection, sql("copy_words"), tenant, loader.words)
            await copy(connection, sql("copy_encounters"), tenant, loader.encounters)
            ended.update(await _read_open(connection, tenant, world))
            await _read_people(connection, tenant, world)
            replace_notes(world.lines, await notes.read(connection, tenant))
            world.lines.votes = await read_votes(connection, tenant)
            await _read_turns(connection, tenant, world)
            if other is not None:
                await ours.aclose()

        async def edges() -> None:
            await copy(other or connection, sql("copy_edges"), tenant, loader.edges)
            await theirs.aclose()

        try:
            if other is not None:
                await _together(most(), edges())
            else:
                await most()
                await edges()
            world.furnish(*loader.close())
            for number, place in ended.items():
                world.read.end(number, world.origins[number], place=place)
        except ValueError as error:
            raise CorruptMemory(
                f"the memory {tenant!r} cannot be read: {error}. Restore a backup, or "
                "mend the row"
            ) from error
    for _ in world.index_statements():
        await asyncio.sleep(0)  # lets other tasks run
    return world


async def _find(connection: Connection, tenant: str, world: World) -> None:
    version = await connection.fetchval(sql("tenant_exists"), tenant)
    if version is None:
        raise TenantNotFound(
            f"there is no tenant {tenant!r}. Add it with: festinger system tenant add {tenant}",
            tenant=tenant,
        )
    world.version = version


async def _read_open(
    connection: Connection, tenant: str, world: World
) -> dict[int, Place]:
    """Read the denials, pending conflicts, tombstones and redirects.

    Returns:
        The places of closed statements that have an origin, by row of the ledger.
    """
    for row in await connection.fetch(sql("denials"), tenant):
        world.denials[to_denial(row)] = row["assertion_id"]
    found, ended = await origins.read_all(connection, tenant)
    world.origins.update(found)
    for row in await connection.fetch(sql("pending"), tenant):
        origin = found.get(row["incoming_assertion_id"])
        world.conflicts.add(to_clash(row), row["id"], origin)
    for row in await connection.fetch(sql("tombstones"), tenant):
        world.tombstones[to_key(row)] = to_tombstone(row)
    for row in await connection.fetch(sql("redirects"), tenant):
        world.redirects[to_key(row)] = row["to_dim_id"]
    return ended


async def _read_people(connection: Connection, tenant: str, world: World) -> None:
    """Read the active memories about all subjects."""
    memories: dict[str, list[Memory]] = {}
    types = list(CONVERSATION_TYPES)
    asked = connection.cursor(
        sql("memories_told"), tenant, types, prefetch=MEMORIES_AT_A_TIME
    )
    async for row in asked:
        memories.setdefault(row["subject"], []).append(to_memory(row))
    world.remember(memories, memories)


async def _read_turns(connection: Connection, tenant: str, world: World) -> None:
    """Add people's turns to the index, the oldest first."""
    asked = connection.cursor(sql("turns"), tenant, prefetch=TURNS_AT_A_TIME)
    async for row in asked:
        turn = turns.to_turn(row)
        world.lines.put(LineKind.UTTERANCE, turn.id, lines_of(turn))


async def _together(*parts: Coroutine[None, None, None]) -> None:
    """Run parts concurrently; on an error, cancel and await the others."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def news(
    connection: Connection, tenant: str, since: int, places: Collection[int] = ()
) -> News:
    """Return the changes since a version, and the content of some concepts.

    The connection must be in a snapshot, or hold the tenant's write lock.

    Raises:
        TooFarBehind: The change log does not reach back that far.
    """
    rows = await connection.fetch(sql("changes_since"), tenant, since)
    version: int = rows[0]["head"]
    log = [row for row in rows if row["version"] is not None]
    if len(log) != version - since:
        raise TooFarBehind
    changed = set(places).union(*(row["concept_ids"] for row in log))
    batches = frozenset(row["batch"] for row in log if row["batch"])
    subjects = frozenset().union(*(row["subjects"] for row in log))
    found = News(version, changed, batches=batches, subjects=subjects)
    if changed:
        await _read(connection, tenant, found)
    found.memories = await subject_memories(connection, tenant, subjects)
    found.turns = frozenset().union(*(row["turns"] for row in log))
    found.spoken = await turns.read(connection, tenant, found.turns)
    if any(row["notes"] for row in log):
        found.notes = await notes.read(connection, tenant)
        found.votes = await read_votes(connection, tenant)
    return found


async def _read(connection: Connection, tenant: str, news: News) -> None:
    """Read the content of the changed concepts, with the names it refers to."""
    asked = (tenant, list(news.places))
    news.edges = [
        to_edge(row) for row in await connection.fetch(sql("edges_of"), *asked)
    ]
    for row in await connection.fetch(sql("denials_of"), *asked):
        news.denials[to_denial(row)] = row["assertion_id"]
    waiting = await connection.fetch(sql("pending_of"), *asked)
    numbers = {edge.assertion_id for edge in news.edges}
    numbers.update(row["incoming_assertion_id"] for row in waiting)
    found = await origins.read(connection, tenant, numbers)
    news.origins = {
        edge.assertion_id: found[edge.assertion_id]
        for edge in news.edges
        if edge.assertion_id in found
    }
    for row in waiting:
        news.conflicts[to_clash(row)] = row["id"]
        if origin := found.get(row["incoming_assertion_id"]):
            news.waiting[to_clash(row)] = origin
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
