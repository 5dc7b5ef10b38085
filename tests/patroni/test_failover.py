"""The primary of a cluster that Patroni keeps is lost while a server writes."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise

import grpc
import pytest

from festinger.credentials import SHIM, read_token
from tests.kill.audit import Records, audit, compare
from tests.kill.clients import Clients, Ledger
from tests.kill.server import OPTIONS, Serving
from tests.memories import write_dictionary
from tests.patroni.cluster import PatroniCluster
from tests.store.embedded.clusters import make_base
from tests.waiting import until

pytestmark = pytest.mark.timeout(600)
BACK_SECONDS_MAX = 120.0
WRITES = 100
LEASE_SECONDS = 30
"""The `ttl` of `deploy/patroni.yml`."""


@pytest.fixture
async def cluster() -> AsyncIterator[PatroniCluster]:
    """A cluster with an empty database; nothing of it outlives the test."""
    base = make_base()
    cluster = PatroniCluster(base)
    try:
        await cluster.start()
        yield cluster
    finally:
        await cluster.clear()
        shutil.rmtree(base)


@pytest.fixture
async def serving(cluster: PatroniCluster) -> AsyncIterator[Serving]:
    """A server on it by way of the router, which is not started yet."""
    serving = Serving(cluster.shell.directory / "data")
    serving.data_dir.mkdir()
    write_dictionary(serving.data_dir)
    serving.dsn = cluster.dsn
    yield serving
    print(serving.output())
    await serving.clear()


async def lose_primary(cluster: PatroniCluster) -> None:
    """Kill the primary and its Patroni, and wait until another member has taken over."""
    lost = await cluster.primary()
    await lost.kill()
    await cluster.primary(but=lost)


async def lose_postgres(cluster: PatroniCluster) -> None:
    """Kill the primary alone, and wait until its Patroni has started it again."""
    lost = await cluster.primary()
    file = lost.data / "postmaster.pid"
    before = file.read_text()
    lost.kill_postgres()
    await until(
        lambda: file.read_text() != before, BACK_SECONDS_MAX, despite=FileNotFoundError
    )


@dataclass
class Scene:
    """A cluster, a server on it, and clients that write."""

    cluster: PatroniCluster
    serving: Serving
    ledger: Ledger

    async def back(self) -> float:
        """Wait for an answer from now on, and say when it came."""
        answer = self.ledger.answered_after(time.monotonic())
        return await asyncio.wait_for(answer, BACK_SECONDS_MAX)

    async def writes(self) -> None:
        """Wait for some more answers."""
        enough = len(self.ledger.answers) + WRITES
        await until(lambda: len(self.ledger.answers) >= enough, BACK_SECONDS_MAX)

    async def nothing_is_lost(self) -> None:
        """Compare the database with what was acknowledged, and the server with the database."""
        records = await Records.read(self.cluster.superuser)
        audit(self.ledger, records)
        async with grpc.aio.insecure_channel(self.serving.address, OPTIONS) as channel:
            await compare(channel, records)
        print(f"{len(self.ledger.answers)} acknowledged")


@asynccontextmanager
async def writing(cluster: PatroniCluster, serving: Serving) -> AsyncIterator[Scene]:
    """
    Start the server, write for the length of a block, and look afterwards that nothing is
    lost.
    """
    await serving.start()
    token = str(read_token(serving.data_dir, SHIM))
    clients = Clients(serving.address, token, 1, callers=3)
    async with clients.calling() as ledger:
        scene = Scene(cluster, serving, ledger)
        yield scene
    await scene.nothing_is_lost()


async def test_no_acknowledged_write_is_lost_by_a_failover(cluster, serving):
    """
    After the loss of the primary, with its Patroni or without, and after a planned switch
    the server writes again by itself, and what was killed joins the others as it is back.
    """
    faults = (lose_primary, lose_primary, lose_postgres, PatroniCluster.switch_over)
    async with writing(cluster, serving) as scene:
        for fault in faults:
            began = await scene.back()
            await fault(cluster)
            await cluster.writable()
            there = time.monotonic()
            last = await scene.back()
            answers = [it for it in scene.ledger.times if began <= it <= last]
            pause = max(later - earlier for earlier, later in pairwise(answers))
            print(
                f"{fault.__name__}: writes waited for {pause:.1f} s, of which "
                f"{last - there:.1f} s after the database was there"
            )
            await cluster.complete()


async def test_writes_go_on_while_etcd_is_away(cluster, serving):
    """For longer than the primary's lease, which nobody can prolong."""
    async with writing(cluster, serving) as scene:
        await scene.back()
        with cluster.etcd_away():
            await asyncio.sleep(1.5 * LEASE_SECONDS)
            await scene.writes()
        await cluster.complete()
        await scene.writes()


async def test_server_finds_the_new_primary_without_a_router(cluster, serving):
    """By a DSN that names all members, one of which is gone."""
    serving.dsn = cluster.direct
    async with writing(cluster, serving) as scene:
        await scene.writes()
        await lose_primary(cluster)
        await cluster.writable()
        await scene.writes()
