"""Load of a whole memory by COPY, and reads of later changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence, Set
from contextlib import AsyncExitStack
from typing import Any, TypeAlias
from uuid import UUID

from festinger import _fast
from festinger.core.lines.endings import EndedStatement
from festinger.core.lines.line import LineKind
from festinger.core.lines.notes import replace_notes
from festinger.core.lines.turns import lines_of
from festinger.core.memories.memory import Memory
from festinger.core.memories.types import CONVERSATION_TYPES
from festinger.core.world.publishing import ConceptSnapshot
from festinger.core.world.world import World
from festinger.errors import CorruptMemory, TenantNotFound
from festinger.store.graph import origins
from festinger.store.graph.predicates import read_registry
from festinger.store.graph.rows import (
    to_clash,
    to_denial,
    to_edge,
    to_key,
    to_name,
    to_tombstone,
)
from festinger.store.language import turns
from festinger.store.lines.lines import read_notes, read_votes
from festinger.store.memories.records import to_memory
from festinger.store.review.records import subject_memories
from festinger.store.system.pool import Connection, Pool, acquired, spare
from festinger.store.system.queries import sql
from festinger.store.system.tenancy import snapshot_on
from festinger.store.world.batches import TooFarBehind

TURNS_AT_A_TIME = 200
"""The number of turns that are read at once, between which other tasks run."""
MEMORIES_AT_A_TIME = 1_000
"""The number of memories about people read at once, between which other tasks run."""

Rows: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows by their kind."""
_NEWS = (
    "log",
    "edges",
    "denials",
    "pending",
    "tombstones",
    "redirects",
    "names",
)


async def load(pool: Pool, tenant: str, dictionary: Set[str]) -> World:
    """Load the whole memory of a tenant, as of one point in time.

    Raises:
        TenantNotFound: There is no such tenant.
        CorruptMemory: A row is invalid.
    """
    world, loader = World(dictionary), _fast.Loader()
    ended: list[tuple[EndedStatement, int]] = []
    async with (
        acquired(pool) as connection,
        # A second connection for the edges lets Postgres use two processors.
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
            """Load everything but the edges."""
            # Invalid rows are left out here, and told of by `TenantRows`.
            world.predicates, _ = await read_registry(connection, tenant)
            await copy(connection, sql("copy_words"), tenant, loader.words)
            await copy(connection, sql("copy_encounters"), tenant, loader.encounters)
            ended.extend(await _read_open(connection, tenant, world))
            await _read_people(connection, tenant, world)
            replace_notes(world.lines.sources, await read_notes(connection, tenant))
            world.lines.votes = await read_votes(connection, tenant)
            await _read_turns(connection, tenant, world)
            if other is not None:
                await ours.aclose()

        async def edges() -> None:
            """Load the edges over the other connection, if there is one."""
            await copy(other or connection, sql("copy_edges"), tenant, loader.edges)
            await theirs.aclose()

        try:
            if other is not None:
                await _together(most(), edges())
            else:
                await most()
                await edges()
            # The loader hands its tables over to the world, without a copy.
            world.furnish(*loader.close())
            # What is no longer held is told as such, with the words that it was read from.
            for each, successor in ended:
                world.read.end(each.number, each.origin, successor, each.place)
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
        raise _unknown(tenant)
    world.version = version


def _unknown(tenant: str) -> TenantNotFound:
    return TenantNotFound(
        f"there is no tenant {tenant!r}. Add it with: festinger system tenant add {tenant}",
        tenant=tenant,
    )


async def _read_open(
    connection: Connection, tenant: str, world: World
) -> list[tuple[EndedStatement, int]]:
    """Read the denials, pending conflicts, tombstones and redirects.

    Returns:
        The closed statements that have an origin, with what replaced them
        (`origins.read_all`).
    """
    for row in await connection.fetch(sql("denials"), tenant):
        world.denials[to_denial(row)] = row["assertion_id"]
    found, ended = await origins.read_all(connection, tenant)
    world.origins.update(found)
    # The words that a pending statement was read from are told with the conflict.
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
    # A cursor: the rows of a large memory would block the event loop at once.
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
        world.lines.sources.put(LineKind.UTTERANCE, turn.id, lines_of(turn))


async def _together(*parts: Coroutine[None, None, None]) -> None:
    """Run parts concurrently; on an error, cancel and await the others."""
    tasks = [asyncio.create_task(part) for part in parts]
    # `gather` would leave the other part running on an error, on a connection that is released.
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def news(
    connection: Connection, tenant: str, since: int, places: Collection[int] = ()
) -> ConceptSnapshot:
    """Return the changes since a version, and the content of some concepts.

    The connection must be in a snapshot, or hold the tenant's write lock.

    Raises:
        TooFarBehind: The change log does not reach back that far.
    """
    row = await connection.fetchrow(sql("news"), tenant, since, list(places))
    if row is None:
        raise _unknown(tenant)
    parts = {name: json.loads(row[name] or "[]") for name in _NEWS}
    log = parts["log"]
    # Each version has one line: fewer are left once old ones are deleted.
    if len(log) != row["head"] - since:
        raise TooFarBehind
    found = _to_news(row["head"], row["places"], parts)
    read = await origins.read(connection, tenant, row["quoted"])
    # Origins are asked for together, and told apart by what their statement became.
    held = {edge.assertion_id for edge in found.edges}
    found.origins = {number: each for number, each in read.items() if number in held}
    found.waiting = {
        to_clash(each): read[each["incoming_assertion_id"]]
        for each in parts["pending"]
        if each["incoming_assertion_id"] in read
    }
    found.memories = await subject_memories(connection, tenant, found.subjects)
    found.spoken = await turns.read(connection, tenant, found.turns)
    # Notes, votes and predicates are few, and read as a whole.
    if any(each["notes"] for each in log):
        found.notes = await read_notes(connection, tenant)
        found.votes = await read_votes(connection, tenant)
        found.predicates, _ = await read_registry(connection, tenant)
    return found


def _to_news(version: int, places: Collection[int], parts: Rows) -> ConceptSnapshot:
    """Convert the rows of the news that are not quotations."""
    log = parts["log"]
    return ConceptSnapshot(
        version,
        places,
        # The batch's id shows a server that its own commit, of which it lost the answer, is there.
        batches=frozenset(UUID(each["batch"]) for each in log if each["batch"]),
        subjects=frozenset().union(*(each["subjects"] or () for each in log)),
        turns=frozenset().union(*(each["turns"] or () for each in log)),
        names=[to_name(each) for each in parts["names"]],
        edges=[to_edge(each) for each in parts["edges"]],
        denials={to_denial(each): each["assertion_id"] for each in parts["denials"]},
        conflicts={to_clash(each): each["id"] for each in parts["pending"]},
        tombstones={to_key(each): to_tombstone(each) for each in parts["tombstones"]},
        redirects={to_key(each): each["to_dim_id"] for each in parts["redirects"]},
    )


PARSED_BYTES = 256 * 1024
"""The number of bytes that are parsed at once, which outweighs a switch of threads."""
PAUSE_SECONDS = 0.001
"""The pause for more data; a socket buffers about what Postgres sends meanwhile."""


async def copy(
    connection: Connection, query: str, tenant: str, feed: Callable[[bytes], None]
) -> None:
    """Feed the result of a tenant's query, as binary COPY, in parts.

    Raises:
        Exception: An error that `feed` raised; it aborts the COPY.
    """
    parts: list[bytes] = []

    async def take(part: bytes) -> None:
        """Collect a part; parse when there are enough bytes."""
        parts.append(part)
        if sum(map(len, parts)) < PARSED_BYTES:
            # Postgres sends a row at a time: without a pause the event loop would wake for each
            # 8 KB, which is most of the cost of receiving.
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            await parse()

    async def parse() -> None:
        """Parse the collected parts in a thread."""
        data = b"".join(parts)
        parts.clear()
        # In another thread, as parsing holds no GIL.
        await asyncio.to_thread(feed, data)

    await connection.copy_from_query(query, tenant, output=take, format="binary")
    await parse()
