"""Measures how long a second server takes to tell what was written through the first."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter

import grpc.aio

from benchmarks.processes import process
from benchmarks.report import Part, Row, Samples
from benchmarks.worlds import TRUST
from festinger.api.v1 import concept_service_pb2 as pb
from festinger.api.v1.concept_service_pb2_grpc import ConceptServiceStub
from festinger.config import DatabaseSettings, ServerSettings
from festinger.core.graph.proposal import Triple
from festinger.programs import now
from festinger.rpc.server import MemoryServer
from festinger.services.graph.facts import assert_fact
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.embedded import EmbeddedPostgres
from festinger.store.migrations import migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import open_pool
from festinger.workers.follower import POLL_SECONDS, Follower
from festinger.workers.periodic import every

FACTS = 240
FACTS_QUICK = 24
TENANT = "default"
LAG_SECONDS_MAX = 10.0
"""Nothing that works takes so long."""

_LOOK_SECONDS = 0.002


def measure(quick: bool = False, *, facts: int = 0) -> list[Part]:
    """Return the lag of a second server at the poll that is the default."""
    facts = facts or (FACTS_QUICK if quick else FACTS)
    with tempfile.TemporaryDirectory(prefix="festinger-", dir="/tmp") as directory:
        # The user that Postgres runs as must be able to enter it.
        place = Path(directory)
        place.chmod(0o755)
        lags = asyncio.run(_measure(place, facts))
    note = (
        f"Two servers on one Postgres, the second in a process of its own, which polls "
        f"every {POLL_SECONDS * 1e3:g} ms. From the first one's answer, which follows "
        f"the commit, until GetConcept of the second tells the fact; {len(lags.values)} "
        "facts, at random moments."
    )
    rows = [
        Row("follower_lag_p50_ms", "lag, median", lags.p50 * 1e3, "ms"),
        Row("follower_lag_p99_ms", "lag, p99", lags.quantile(0.99) * 1e3, "ms"),
    ]
    return [Part("Followers: read elsewhere what was just written", note, rows)]


@asynccontextmanager
async def second_server(dsn: str) -> AsyncIterator[str]:
    """A server that follows, with its memory open."""
    async with AsyncExitStack() as stack:
        memories = await stack.enter_async_context(_memories(dsn))
        await memories.get(TENANT)
        server = MemoryServer(ServerSettings(address="127.0.0.1:0"), memories)
        loop = asyncio.get_running_loop()
        follower = Follower(memories, server.recommend, loop.time, time.time)
        polling = asyncio.create_task(every(POLL_SECONDS, "follow", follower.look))
        stack.callback(polling.cancel)
        address = await server.start()
        stack.push_async_callback(server.stop)
        yield address


@asynccontextmanager
async def _memories(dsn: str) -> AsyncIterator[Memories]:
    async with await open_pool(dsn, DatabaseSettings()) as pool:
        store = PostgresStore(pool)
        await store.add_tenant(TENANT)
        memories = Memories(store, now=now, trust=TRUST)
        yield memories
        await memories.stop()


async def _measure(directory: Path, facts: int) -> Samples:
    async with EmbeddedPostgres(directory) as dsn:
        await migrate(dsn)
        async with _memories(dsn) as memories:
            with process(second_server, dsn) as address:
                return await _lags(await memories.get(TENANT), address, facts)


async def _lags(memory: TenantMemory, address: str, facts: int) -> Samples:
    moments = random.Random(1)
    async with grpc.aio.insecure_channel(address) as channel:
        concepts = ConceptServiceStub(channel)
        lags = []
        for number in range(facts):
            await asyncio.sleep(moments.uniform(0, POLL_SECONDS))
            name = f"fact{number}x"
            fact = Triple(name, "measurement", "type", True)
            await assert_fact(memory, fact, principal="benchmarks")
            lags.append(await _until_told(concepts, name))
    return Samples(lags)


async def _until_told(concepts: ConceptServiceStub, name: str) -> float:
    """Seconds until the second server tells a fact."""
    written = perf_counter()
    while perf_counter() - written < LAG_SECONDS_MAX:
        if await _is_told(concepts, name):
            return perf_counter() - written
        await asyncio.sleep(_LOOK_SECONDS)
    raise TimeoutError(f"the second server was not told of {name}")


async def _is_told(concepts: ConceptServiceStub, name: str) -> bool:
    try:
        answer = await concepts.GetConcept(pb.GetConceptRequest(token=name))
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.NOT_FOUND:
            return False
        raise
    return bool(answer.concept.edges)
