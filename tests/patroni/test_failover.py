"""The primary of a cluster that Patroni keeps is lost while a server writes."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator
from itertools import pairwise

import grpc
import pytest

from festinger.credentials import SHIM, read_token
from tests.kill.audit import Records, audit, compare
from tests.kill.clients import Clients
from tests.kill.server import OPTIONS, Serving
from tests.patroni.cluster import PatroniCluster
from tests.store.embedded.clusters import make_base
from tests.waiting import until

pytestmark = pytest.mark.timeout(600)
BACK_SECONDS_MAX = 120.0


@pytest.fixture
async def cluster() -> AsyncIterator[PatroniCluster]:
    """
    A cluster with an empty database; nothing of it outlives the test.
    """
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
    """
    A server that writes to it by way of the router.
    """
    serving = Serving(cluster.shell.directory / "data")
    serving.data_dir.mkdir()
    (serving.data_dir / "dictionary-en-3.3.txt").write_text("please\nupdate\n")
    serving.dsn = cluster.dsn
    await serving.start()
    yield serving
    print(serving.output())
    await serving.clear()


async def lose_primary(cluster: PatroniCluster) -> None:
    """
    Kill the primary and its Patroni, and wait until another member has taken over.
    """
    lost = await cluster.primary()
    await lost.kill()
    await cluster.primary(but=lost)


async def lose_postgres(cluster: PatroniCluster) -> None:
    """
    Kill the primary alone, and wait until its Patroni has started it again.
    """
    lost = await cluster.primary()
    file = lost.data / "postmaster.pid"
    before = file.read_text()
    lost.kill_postgres()
    await until(
        lambda: file.read_text() != before, BACK_SECONDS_MAX, despite=FileNotFoundError
    )


async def test_no_acknowledged_write_is_lost_by_a_failover(cluster, serving):
    """
    After the loss of the primary, with its Patroni or without, and after a planned switch
    the server writes again by itself, and what was killed joins the others as it is back.
    """
    token = str(read_token(serving.data_dir, SHIM))
    clients = Clients(serving.address, token, 1, callers=3)
    faults = (lose_primary, lose_primary, lose_postgres, PatroniCluster.switch_over)
    async with clients.calling() as ledger:
        for fault in faults:
            began = await ledger.answered_after(time.monotonic())
            await fault(cluster)
            await cluster.writable()
            there = time.monotonic()
            back = ledger.answered_after(there)
            last = await asyncio.wait_for(back, BACK_SECONDS_MAX)
            answers = [it for it in ledger.times if began <= it <= last]
            pause = max(later - earlier for earlier, later in pairwise(answers))
            print(
                f"{fault.__name__}: writes waited for {pause:.1f} s, of which "
                f"{last - there:.1f} s after the database was there"
            )
            await cluster.complete()

    records = await Records.read(cluster.superuser)
    audit(ledger, records)
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        await compare(channel, records)
    print(f"{len(ledger.answers)} acknowledged, {ledger.failures} attempts failed")
