"""Measures what prompts leave in the database, in bytes, and in which tables."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from benchmarks.report import Part, Row
from benchmarks.worlds import NOW, TRUST, Prompts, everyday, renewed
from benchmarks.writing import new_postgres
from festinger.core.language.turns import Role, Turn
from festinger.services.language.forgetting import ForgetOldTurns
from festinger.services.recollection.recollect import answer_prompt
from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import Pool

PER = 1_000
"""Prompts for which the bytes are told."""
LIMIT_MIB = 1.5
"""What they should take at most."""
_CHARACTERS, _NEW_CHARACTERS = 8 * 1024, 1024
_FLUSH_EVERY = 100
_CONCEPTS = 10_000
_TEXTS = 200
_TABLES_TOLD = 6
_SECONDS_BETWEEN = 20.0


def measure(quick: bool = False, *, prompts: int | None = None) -> list[Part]:
    """Measure; returns what all tables grew by, and those that grew most.

    Args:
        prompts: In each half.
    """
    count = prompts or (PER // 4 if quick else PER)
    halves = asyncio.run(_measure(count))
    rows: list[Row] = []
    for key, what, grown in zip(
        ("storage.first", "storage.later", "storage.closed"),
        (f"The first {count:,}", f"The next {count:,}", "When it is closed"),
        halves,
        strict=True,
    ):
        rows.append(Row(f"{key}.mib", what, sum(grown.values()), "MiB"))
        rows += [
            Row(f"{key}.{name}.mib", f"  {name}", size, "MiB")
            for name, size in Counter(grown).most_common(_TABLES_TOLD)
        ]
    return [
        Part(
            f"Storage: what {PER:,} prompts leave in the database",
            "Prompts of 8 KB, 1 KB of each new, by a real Postgres; counters are written "
            f"every {_FLUSH_EVERY} prompts, those of everyday words when the memory is "
            f"closed: these come once. At most {LIMIT_MIB} MiB is wanted. Tables with "
            "their indexes, the largest.",
            rows,
        )
    ]


async def _measure(count: int) -> list[dict[str, float]]:
    """Return by how many MiB each table grew: for `PER` prompts, twice, and at the end.

    Args:
        count: Prompts of each half.
    """
    source = Prompts(_CONCEPTS)
    texts = [source.text(_CHARACTERS) for _ in range(_TEXTS)]
    read = 0
    async with new_postgres() as pool:
        store = PostgresStore(pool, frozenset(everyday()))
        await store.add_tenant("default")
        memories = Memories(
            store, now=lambda: NOW + read * _SECONDS_BETWEEN, trust=TRUST
        )
        sizes = [await _sizes(pool)]
        for half in range(2):
            for number in range(count * half, count * (half + 1)):
                read = number
                await _read(memories, texts[number % _TEXTS], number)
                if number % _FLUSH_EVERY == _FLUSH_EVERY - 1:
                    await memories.flush()
            await memories.flush()
            sizes.append(await _sizes(pool))
        await memories.stop()
        sizes.append(await _sizes(pool))
    scales = (PER / count / 2**20, PER / count / 2**20, 1 / 2**20)
    return [
        {name: (size - before[name]) * scale for name, size in after.items()}
        for (before, after), scale in zip(pairwise(sizes), scales, strict=True)
    ]


async def _read(memories: Memories, text: str, number: int) -> None:
    """Have a prompt read, and what it brings committed."""
    text = renewed(text, number)
    cut = (number * 131) % (_CHARACTERS - _NEW_CHARACTERS)
    new = text[cut : cut + _NEW_CHARACTERS]
    turns = [
        Turn(Role.USER, text[:cut], seen=True),
        Turn(Role.USER, new, digest=number.to_bytes(16)),
    ]
    memory = await memories.get("default")
    _, keep = answer_prompt(memory, turns, principal="alice", subject="alice")
    keep()
    # What is submitted is done after what was offered.
    await memory.writer.submit(ForgetOldTurns(0))


async def _sizes(pool: Pool) -> Mapping[str, int]:
    """Return the bytes of each table and its indexes, as they are after a vacuum."""
    async with pool.acquire() as connection:
        await connection.execute("vacuum")
        rows = await connection.fetch(
            "select relname, pg_total_relation_size(oid) as size from pg_class "
            "where relkind = 'r' and relnamespace = 'public'::regnamespace"
        )
    return {row["relname"]: row["size"] for row in rows}
