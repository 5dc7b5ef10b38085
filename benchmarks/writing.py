"""Measures facts a second, against plain asyncpg that writes the same rows.

The peer replays what ours did: the same rows in every table, in as many transactions of
the same sizes, on one connection, and thinks nothing. It is told all numbers beforehand.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import median
from uuid import uuid4

from benchmarks.report import Part, Row
from festinger.config import DatabaseSettings
from festinger.core.graph.proposal import Triple
from festinger.services.graph.facts import assert_fact
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.embedded import EmbeddedPostgres
from festinger.store.migrations import migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import Connection, Pool, open_pool
from festinger.store.world.batches import RequestKey

CONCURRENCIES = (1, 8, 64)
PARENTS = 50
PEER = "asyncpg"
_PAYLOAD = b"x" * 16


@dataclass
class Case:
    """Facts that so many callers state at once.

    Attributes:
        ours: Seconds a fact, by round.
        plain: The same of the peer.
        batches: Facts a transaction, of all rounds.
    """

    callers: int
    facts: int
    ours: list[float] = field(default_factory=list)
    plain: list[float] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)


def measure(
    quick: bool = False, *, rounds: int | None = None, facts: int | None = None
) -> list[Part]:
    """Measure new facts about new concepts, with a request_id each."""
    cases = [
        Case(callers, facts or (10 if quick else 100) * min(callers, 16))
        for callers in CONCURRENCIES
    ]
    asyncio.run(_compare(cases, rounds or (3 if quick else 9)))
    return [
        Part(
            "Writing: facts a second",
            "In one process over a Postgres of its own, with fsync, without gRPC; "
            "ours and the peer alternate. The peer writes the same rows in all tables "
            "with the same commits, and judges nothing.",
            [row for case in cases for row in _rows(case)],
        )
    ]


async def _compare(cases: Sequence[Case], rounds: int) -> None:
    numbers = iter(range(1, 10**9))
    async with new_postgres() as pool:
        store = PostgresStore(pool, frozenset())
        await store.add_tenant("plain")
        await store.add_tenant("default")
        memories = Memories(store, now=time.time, trust={})
        memory = await memories.get("default")
        async with pool.acquire() as connection:
            peer = await Plain.begin(connection)
            for parent in range(PARENTS):
                triple = Triple(_parent(parent), "thing", "type", True)
                await assert_fact(memory, triple, principal="b")
            # The first round is for the caches.
            for number in range(-1, rounds):
                for case in cases:
                    await _round(case, memory, peer, numbers, kept=number >= 0)
        await memories.stop()


async def _round(
    case: Case, memory: TenantMemory, peer: Plain, numbers: Iterator[int], *, kept: bool
) -> None:
    before = memory.world.version
    wanted = list(islice(numbers, case.facts))
    started = time.perf_counter()
    await _state(memory, wanted, case.callers)
    stated = time.perf_counter()
    batches = await peer.batches(before)
    replayed = time.perf_counter()
    await peer.replay(batches)
    ended = time.perf_counter()
    assert sum(batches) == case.facts, "every fact is new, and in one commit"
    if kept:
        case.ours.append((stated - started) / case.facts)
        case.plain.append((ended - replayed) / case.facts)
        case.batches += batches


async def _state(memory: TenantMemory, wanted: list[int], callers: int) -> None:
    waiting = iter(wanted)

    async def caller() -> None:
        for number in waiting:
            await assert_fact(
                memory,
                Triple(f"n{number}x", _parent(number), "type", True),
                principal="b",
                request=RequestKey("b", f"r{number}", "Assert", _PAYLOAD),
            )

    await asyncio.gather(*(caller() for _ in range(callers)))


class Plain:
    """Writes the rows of new facts, without a thought."""

    def __init__(self, connection: Connection, parents: list[int], dim_id: int) -> None:
        self._connection = connection
        self._parents = parents
        self._dim_id = dim_id
        self._next = 10_000

    @classmethod
    async def begin(cls, connection: Connection) -> Plain:
        """Make the parents."""
        dim_id = await connection.fetchval(
            "select id from soas where tenant = 'plain' and token = 'type'"
        )
        parents = list(range(1_000, 1_000 + PARENTS))
        await connection.execute(
            "insert into soas (tenant, id, token) "
            "select 'plain', id, token from unnest($1::bigint[], $2::text[]) "
            "as new (id, token)",
            parents,
            [_parent(number) for number in range(PARENTS)],
        )
        return cls(connection, parents, dim_id)

    async def batches(self, since: int) -> list[int]:
        """Return the number of facts in each of our transactions after a version."""
        rows = await self._connection.fetch(
            "select cardinality(concept_ids) from change_log "
            "where tenant = 'default' and version > $1 order by version",
            since,
        )
        return [row[0] for row in rows]

    async def replay(self, batches: Sequence[int]) -> None:
        """Write as many facts in as many transactions."""
        for size in batches:
            ids = list(range(self._next, self._next + size))
            self._next += size
            async with self._connection.transaction():
                await self._write(ids)

    async def _write(self, ids: list[int]) -> None:
        names = [f"n{number}x" for number in ids]
        parents = [_parent(number) for number in ids]
        await self._connection.execute(
            "insert into soas (tenant, id, token, novelty, is_dictionary) "
            "select 'plain', id, token, 1, false "
            "from unnest($1::bigint[], $2::text[]) as new (id, token)",
            ids,
            names,
        )
        await self._connection.execute(
            "insert into assertions (tenant, id, concept, parent, dimension, is_isa, "
            "negated, confidence, source, principal, proposer, rule, outcome, fact) "
            "select 'plain', id, concept, parent, 'type', true, false, 1, 'gutask', "
            "'b', 'b', 'iknowthat', 'held', fact "
            "from unnest($1::bigint[], $2::text[], $3::text[], $4::jsonb[]) "
            "as new (id, concept, parent, fact)",
            ids,
            names,
            parents,
            [
                _fact(number, parent)
                for number, parent in zip(ids, parents, strict=True)
            ],
        )
        await self._connection.execute(
            "insert into urd (tenant, id, parent_id, dim_id, is_isa, confidence, "
            "last_confirmed, source, assertion_id) "
            "select 'plain', id, parent_id, $3, true, 1, now(), 'gutask', id "
            "from unnest($1::bigint[], $2::bigint[]) as new (id, parent_id)",
            ids,
            [self._parents[number % PARENTS] for number in ids],
            self._dim_id,
        )
        await self._connection.execute(
            "insert into requests (tenant, principal, request_id, method, "
            "payload_hash, response) select 'plain', 'b', id, 'Assert', $2, response "
            "from unnest($1::text[], $3::jsonb[]) as new (id, response)",
            [f"r{number}" for number in ids],
            _PAYLOAD,
            [_response(number) for number in ids],
        )
        await self._connection.execute(
            "with head as (update heads set version = version + 1 "
            "where tenant = 'plain' returning version) "
            "insert into change_log (tenant, version, concept_ids, batch) "
            "select 'plain', version, $1, $2 from head",
            ids,
            uuid4(),
        )


def _parent(number: int) -> str:
    return f"kind{number % PARENTS}x"


def _fact(number: int, parent: str) -> str:
    return json.dumps(
        {
            "parent": parent,
            "is_isa": True,
            "confidence": 1.0,
            "last_confirmed": 1.8e9,
            "source": "gutask",
            "assertion_id": number,
            "contested": False,
        }
    )


def _response(number: int) -> str:
    numbers = {"assertion_id": number, "conflict_id": 0, "candidate_id": 0}
    return json.dumps(numbers | {"settled": [], "version": number})


def _rows(case: Case) -> list[Row]:
    key = f"writing.{case.callers}"
    name = f"{case.callers} caller{'s' if case.callers > 1 else ''}"
    ours, plain = median(case.ours), median(case.plain)
    ratio = median(a / b for a, b in zip(case.ours, case.plain, strict=True))
    return [
        Row(f"{key}.fact", f"{name}: a fact", ours, ratio=ratio, peer=PEER),
        Row(f"{key}.per_second", "  facts a second", 1 / ours, "/s"),
        Row(f"{key}.plain_per_second", "  of the peer", 1 / plain, "/s"),
        Row(f"{key}.batch", "  facts a commit", median(case.batches), ""),
    ]


@asynccontextmanager
async def new_postgres() -> AsyncIterator[Pool]:
    """Connections to a database of its own, which is gone afterwards."""
    directory = _directory()
    server = EmbeddedPostgres(directory)
    try:
        dsn = await server.start()
        await migrate(dsn)
        async with await open_pool(dsn, DatabaseSettings()) as pool:
            yield pool
    finally:
        await server.stop()
        shutil.rmtree(directory)


def _directory() -> Path:
    directory = Path(tempfile.mkdtemp(prefix="festinger-"))
    # Postgres runs as another user, if we are root, and must reach it.
    directory.chmod(0o755)
    return directory
