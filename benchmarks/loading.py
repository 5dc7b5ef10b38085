"""Time of loading a memory from Postgres, against rows and dictionaries."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.report import Part, Row, Samples, timed
from festinger.config import DatabaseSettings
from festinger.store.embedded import EmbeddedPostgres
from festinger.store.migrations import migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import Pool, open_pool

TENANT = "default"
ROUNDS = 5

# Past the constraints, which would take longer than all that is measured.
FILL = """
    set session_replication_role = replica;
    truncate soas, urd cascade;
    insert into soas (tenant, id, token, is_dictionary, encounter_count, last_seen)
    select 'default', n, 'concept-' || substr(md5(n::text), 1, 8) || n, n < 5000,
           n % 9, now()
    from generate_series(1, {count}) as n;
    insert into urd (tenant, id, parent_id, dim_id, is_isa, confidence,
                     last_confirmed, source, assertion_id)
    select 'default', n, 1 + n % 20, 1 + n % 6, n % 2 = 0, 0.9, now(), 'gutask', n
    from generate_series(21, {count} + 20) as n;
    reset session_replication_role;
"""
# What the peer asks for: everything that we load, as it is stored.
CONCEPTS = """
    select id, token, encounter_count, last_seen, novelty, is_dictionary
    from concepts where tenant = 'default'
"""
EDGES = """
    select id, parent_id, dim_id, is_isa, confidence, last_confirmed, source, modality,
           assertion_id
    from urd where tenant = 'default'
"""


class Times:
    """Seconds of some loads: as the clock has it, and of our own processor time."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.own: list[float] = []

    async def add(self, load: Callable[[Pool], Awaitable[int]], pool: Pool) -> int:
        """Times one load; returns how many concepts and edges it found."""
        started, started_own = perf_counter(), process_time()
        found = await load(pool)
        self.wall.append(perf_counter() - started)
        self.own.append(process_time() - started_own)
        return found


def measure(quick: bool = False, *, count: int | None = None) -> list[Part]:
    """Measure a million concepts and as many edges, or a twentieth of that."""
    count = count or (50_000 if quick else 1_000_000)
    with tempfile.TemporaryDirectory(prefix="festinger-") as directory:
        # Postgres' own user must be able to enter it.
        Path(directory).chmod(0o755)
        ours, theirs = asyncio.run(_measure(Path(directory), count))
    wall, peer = Samples(ours.wall), Samples(theirs.wall)
    own, peer_own = Samples(ours.own), Samples(theirs.own)
    return [
        Part(
            f"Loading: {count:,} concepts and as many edges",
            "A whole memory from a real Postgres on this machine, in turns: as a world, "
            "or by\nasyncpg's fetch() into two dictionaries.",
            [
                timed("load.copy", "COPY into the tables", wall),
                timed("load.fetch", "fetch() and dictionaries", peer),
                Row("load_vs_fetch", "  we are faster by", peer.ratio(wall), "x"),
                timed("load.copy.own", "COPY: processor time of ours", own),
                timed("load.fetch.own", "fetch(): the same", peer_own),
                Row("load_own_vs_fetch", "  we take less by", peer_own.ratio(own), "x"),
            ],
        )
    ]


async def _measure(directory: Path, count: int) -> tuple[Times, Times]:
    server = EmbeddedPostgres(directory)
    dsn = await server.start()
    ours, theirs = Times(), Times()
    try:
        await migrate(dsn)
        settings = DatabaseSettings(connections_max=4, statement_seconds_max=600)
        async with await open_pool(dsn, settings) as pool:
            await PostgresStore(pool).add_tenant(TENANT)
            await pool.execute(FILL.format(count=count))
            await pool.execute("vacuum analyze")
            for _ in range(ROUNDS):
                assert await ours.add(_load, pool) == 2 * count
                assert await theirs.add(_fetch, pool) == 2 * count
    finally:
        await server.stop()
    return ours, theirs


async def _load(pool: Pool) -> int:
    world = await PostgresStore(pool).load(TENANT)
    return len(world.vocabulary) + len(world.graph)


async def _fetch(pool: Pool) -> int:
    concepts: dict[str, Any] = {
        row["token"]: list(row) for row in await pool.fetch(CONCEPTS)
    }
    edges: dict[Any, Any] = {
        (row["id"], row["dim_id"]): tuple(row) for row in await pool.fetch(EDGES)
    }
    return len(concepts) + len(edges)
