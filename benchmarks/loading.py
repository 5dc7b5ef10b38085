"""How long a memory takes to load from Postgres, against rows and dictionaries."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import asyncpg

from benchmarks.report import Part, Row, Samples, timed
from festinger import _fast
from festinger.store.embedded import EmbeddedPostgres

CONCEPTS = """
    select n::int8 as id, 'concept-' || md5(n::text)::varchar(8) || n as token,
        n % 9 as encounters, extract(epoch from now())::float8 as last_seen,
        0.0::float8 as novelty, n < 5000 as dictionary
    from generate_series(1::int8, {count}::int8) as n
"""
EDGES = """
    select n::int8 as concept_id, 1 + n % 20 as parent_id, 1 + n % 6 as dim_id,
        n % 2 = 0 as is_isa, 0.9::float8 as confidence,
        extract(epoch from now())::float8 as last_confirmed, 1::int2 as source,
        0::int2 as modality, n::int8 as assertion_id
    from generate_series(1::int8, {count}::int8) as n
"""


def measure(quick: bool = False, *, count: int | None = None) -> list[Part]:
    """Measures a million concepts and as many edges, or a twentieth of that."""
    count = count or (50_000 if quick else 1_000_000)
    with tempfile.TemporaryDirectory(prefix="festinger-") as directory:
        # Postgres' own user must be able to enter it.
        Path(directory).chmod(0o755)
        ours, theirs = asyncio.run(_measure(Path(directory), count, rounds=3))
    return [
        Part(
            f"Loading: {count:,} concepts and as many edges",
            "From a real Postgres on this machine, in turns: binary COPY into the "
            "tables, or\nasyncpg's fetch() into two dictionaries.",
            [
                timed("load.copy", "COPY into the tables", ours),
                timed("load.fetch", "fetch() and dictionaries", theirs),
                Row("load_vs_fetch", "  we are faster by", theirs.ratio(ours), "x"),
            ],
        )
    ]


async def _measure(directory: Path, count: int, rounds: int) -> tuple[Samples, Samples]:
    server = EmbeddedPostgres(directory)
    connection: Any = await asyncpg.connect(await server.start())
    try:
        for name, query in (("concepts", CONCEPTS), ("edges", EDGES)):
            await connection.execute(
                f"create unlogged table {name} as {query.format(count=count)}"
            )
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(await _seconds(_copy, connection, count))
            theirs.append(await _seconds(_fetch, connection, count))
        return Samples(ours), Samples(theirs)
    finally:
        await connection.close()
        await server.stop()


async def _seconds(load: Any, connection: Any, count: int) -> float:
    started = perf_counter()
    held = await load(connection)
    spent = perf_counter() - started
    assert list(map(len, held)) == [count, count]
    return spent


async def _copy(connection: Any) -> tuple[_fast.Vocabulary, _fast.Graph]:
    vocabulary, graph = _fast.Vocabulary(), _fast.Graph()
    vocabulary.load_copy(await _stream(connection, "concepts"))
    graph.load_copy(await _stream(connection, "edges"))
    return vocabulary, graph


async def _stream(connection: Any, table: str) -> bytes:
    parts: list[bytes] = []

    async def collect(part: bytes) -> None:
        parts.append(part)

    await connection.copy_from_table(table, output=collect, format="binary")
    return b"".join(parts)


async def _fetch(connection: Any) -> tuple[dict[str, Any], dict[Any, Any]]:
    concepts = {
        row["token"]: list(row) for row in await connection.fetch("table concepts")
    }
    edges = {
        (row["concept_id"], row["dim_id"]): tuple(row)
        for row in await connection.fetch("table edges")
    }
    return concepts, edges
