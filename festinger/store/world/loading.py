"""Reading a whole memory at start, as COPY, and parts of it afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Coroutine, Set
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import asyncpg

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
from festinger.store.system.pool import TRANSIENT, Connection, Pool, acquired, spare
from festinger.store.system.queries import sql
from festinger.store.world.batches import TooFarBehind
from festinger.store.world.copying import copy

TURNS_AT_A_TIME = 200
"""Turns that are read at once, so that others have their turn."""
MEMORIES_AT_A_TIME = 1_000
"""Memories of people that are read at once, so that others have their turn."""


async def load(pool: Pool, tenant: str, dictionary: Set[str]) -> World:
    """The whole memory of a tenant, of one moment.

    The edges come on a connection of their own, if there is one to spare, so that
    Postgres sends on two processors.

    Raises:
        TenantNotFound: There is no such tenant.
        CorruptMemory: A row cannot be part of a memory.
        DatabaseUnavailable: It cannot be read now.
    """
    world, loader = World(dictionary), _fast.Loader()
    ended: dict[int, Place] = {}
    async with (
        acquired(pool) as connection,
        spare(pool) as other,
        # Each ends when its own part is read: Postgres takes no idling in one.
        AsyncExitStack() as ours,
        AsyncExitStack() as theirs,
    ):
        await ours.enter_async_context(_moment(connection))
        await _find(connection, tenant, world)
        if other is not None:
            await theirs.enter_async_context(_moment(other))
            snapshot = await connection.fetchval(sql("share_snapshot"))
            await other.execute(f"set transaction snapshot '{snapshot}'")

        async def most() -> None:
            await copy(connection, sql("copy_words"), tenant, loader.words)
            await copy(connection, sql("copy_encounters"), tenant, loader.encounters)
            ended.update(await _read_open(connection, tenant, world))
            await _read_people(connection, tenant, world)
            replace_notes(world.lines, await notes.read(connection, tenant))
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
        await asyncio.sleep(0)  # others have their turn
    return world


@asynccontextmanager
async def _moment(connection: Connection) -> AsyncIterator[None]:
    """A transaction that sees what was there when it began, and nothing else."""
    transaction = connection.transaction(isolation="repeatable_read", readonly=True)
    await transaction.start()
    try:
        yield
    except BaseException:
        try:
            await transaction.rollback()
        except (asyncpg.InterfaceError, *TRANSIENT):
            # After a COPY that was broken off the driver cannot go on, and may have
            # closed the connection itself.
            with suppress(asyncpg.InterfaceError):
                connection.terminate()
        raise
    await transaction.commit()


async def subject_memories(
    connection: Connection, tenant: str, subjects: Collection[str]
) -> dict[str, list[Memory]]:
    """What is told of subjects: their active memories, the oldest first."""
    if not subjects:
        return {}
    rows = await connection.fetch(
        sql("memories_of_subjects"), tenant, list(CONVERSATION_TYPES), list(subjects)
    )
    memories: dict[str, list[Memory]] = {}
    for row in rows:
        memories.setdefault(row["subject"], []).append(to_memory(row))
    return memories


async def _find(connection: Connection, tenant: str, world: World) -> None:
    version = await connection.fetchval(sql("tenant_exists"), tenant)
    if version is None:
        raise TenantNotFound(
            f"there is no tenant {tenant!r}. Add it with: festinger tenant add {tenant}",
            tenant=tenant,
        )
    world.version = version


async def _read_open(
    connection: Connection, tenant: str, world: World
) -> dict[int, Place]:
    """Reads what is denied, waits, was settled against or was moved.

    Returns:
        Where statements were that were read from words and hold no more, by their rows
        of the ledger.
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
    """Reads what is told of everybody."""
    memories: dict[str, list[Memory]] = {}
    types = list(CONVERSATION_TYPES)
    asked = connection.cursor(
        sql("memories_told"), tenant, types, prefetch=MEMORIES_AT_A_TIME
    )
    async for row in asked:
        memories.setdefault(row["subject"], []).append(to_memory(row))
    world.remember(memories, memories)


async def _read_turns(connection: Connection, tenant: str, world: World) -> None:
    """Put what people said into the index, the oldest first."""
    asked = connection.cursor(sql("turns"), tenant, prefetch=TURNS_AT_A_TIME)
    async for row in asked:
        turn = turns.to_turn(row)
        world.lines.put(LineKind.UTTERANCE, turn.id, lines_of(turn))


async def _together(*parts: Coroutine[None, None, None]) -> None:
    """Does parts at once; if one fails the others end before its error is raised."""
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
    subjects = frozenset().union(*(row["subjects"] for row in log))
    found = News(version, changed, batches=batches, subjects=subjects)
    if changed:
        await _read(connection, tenant, found)
    found.memories = await subject_memories(connection, tenant, subjects)
    found.turns = frozenset().union(*(row["turns"] for row in log))
    found.spoken = await turns.read(connection, tenant, found.turns)
    if any(row["notes"] for row in log):
        found.notes = await notes.read(connection, tenant)
    return found


async def _read(connection: Connection, tenant: str, news: News) -> None:
    """Reads everything that is held of the places, with the names in it."""
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
