"""Measures what prompts leave in the database, in bytes, and in which tables."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

from benchmarks.report import Part, Row
from benchmarks.worlds import NOW, TRUST, Prompts, renewed
from benchmarks.writing import new_postgres
from festinger.core.reading import Role, Turn
from festinger.flows.memory import Memories
from festinger.flows.recollect import recollect_prompt
from festinger.store.pool import Pool
from festinger.store.postgres import PostgresStore

PER = 1_000
"""Prompts for which the bytes are told."""
LIMIT_MIB = 1.5
"""What they may take at most."""
_CHARACTERS, _NEW_CHARACTERS = 8 * 1024, 1024
_FLUSH_EVERY = 100
_CONCEPTS = 10_000
_TEXTS = 50
_TABLES_TOLD = 6
_SECONDS_BETWEEN = 20.0
_PAUSE_SECONDS = 0.001


def measure(quick: bool = False, *, prompts: int | None = None) -> list[Part]:
    """Measures; returns what all tables grew by, and those that grew most."""
    count = prompts or (PER if quick else 4 * PER)
    grown = asyncio.run(_measure(count))
    most = Counter(grown).most_common(_TABLES_TOLD)
    return [
        Part(
            "Storage: what prompts leave in the database",
            f"{count:,} prompts of 8 KB, 1 KB of each new, by a real Postgres; counters "
            f"are written every {_FLUSH_EVERY} prompts. At most {LIMIT_MIB} MiB for "
            f"{PER:,} prompts is wanted. Tables with their indexes, the largest.",
            [
                Row("storage.mib", "All tables", sum(grown.values()), "MiB"),
                *(
                    Row(f"storage.{it}.mib", f"  {it}", size, "MiB")
                    for it, size in most
                ),
            ],
        )
    ]


async def _measure(count: int) -> dict[str, float]:
    """Return by how many MiB each table grew, for so many prompts."""
    source = Prompts(_CONCEPTS)
    texts = [source.text(_CHARACTERS) for _ in range(_TEXTS)]
    moments = (NOW + number * _SECONDS_BETWEEN for number in range(10**9))
    async with new_postgres() as pool:
        store = PostgresStore(pool, frozenset())
        await store.add_tenant("default")
        memories = Memories(store, now=lambda: next(moments), trust=TRUST)
        memory = await memories.get("default")
        before = await _sizes(pool)
        for first in range(0, count, _FLUSH_EVERY):
            for number in range(first, min(first + _FLUSH_EVERY, count)):
                text = renewed(texts[number % _TEXTS], number)
                cut = (number * 131) % (_CHARACTERS - _NEW_CHARACTERS)
                new = text[cut : cut + _NEW_CHARACTERS]
                turns = [
                    Turn(Role.USER, text[:cut], seen=True),
                    Turn(Role.USER, new, digest=number.to_bytes(16)),
                ]
                recollect_prompt(memory, turns, principal="alice", subject="alice")
                while memory.writer.waiting:
                    await asyncio.sleep(_PAUSE_SECONDS)
            await memories.flush()
        await memories.stop()
        after = await _sizes(pool)
    scale = PER / count / 2**20
    return {name: (size - before[name]) * scale for name, size in after.items()}


async def _sizes(pool: Pool) -> Mapping[str, int]:
    """Return the bytes of each table and its indexes, as they are after a vacuum."""
    async with pool.acquire() as connection:
        await connection.execute("vacuum")
        rows = await connection.fetch(
            "select relname, pg_total_relation_size(oid) as size from pg_class "
            "where relkind = 'r' and relnamespace = 'public'::regnamespace"
        )
    return {row["relname"]: row["size"] for row in rows}
