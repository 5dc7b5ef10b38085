from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from festinger.store.embedded import EmbeddedPostgres, cluster, processes
from festinger.store.embedded.locks import FileLock
from tests.store.embedded.clusters import (
    kill_postmaster,
    place_of,
    server_is_gone,
)
from tests.waiting import until


def start_and_cancel(server, monkeypatch):
    """Return a start that is cancelled right behind the launch of its server."""
    launch = cluster.launch

    async def launch_and_cancel(*given):
        begins_at = await launch(*given)
        start.cancel()
        return begins_at

    monkeypatch.setattr(cluster, "launch", launch_and_cancel)
    start = asyncio.create_task(server.start())
    return start


@pytest.mark.slow
@pytest.mark.parametrize(
    "made", [".", "postgres.making/global", "postgres/postmaster.pid"]
)
async def test_a_start_that_is_cancelled_leaves_nothing(empty, made):
    """Ctrl-C during the first start leaves no process and no lock, however far it has come."""
    server = EmbeddedPostgres(empty)
    start = asyncio.create_task(server.start())
    await until((empty / made).exists)
    if not start.cancel():
        await server.stop()  # it was quicker than we were
    await asyncio.wait([start])

    await until(lambda: server_is_gone(empty))
    assert FileLock(place_of(empty).locks / "change").take()


async def test_a_start_that_is_cancelled_too_early_to_be_told(data_dir, monkeypatch):
    """A server that was launched, and has not said yet which process it is, is stopped."""
    start = start_and_cancel(EmbeddedPostgres(data_dir), monkeypatch)
    await asyncio.wait([start])

    assert start.cancelled()
    await until(lambda: server_is_gone(data_dir))


async def test_a_revival_that_is_cancelled_too_early_to_be_told(data_dir, monkeypatch):
    """Whoever held a server while it was launched again stops it, and need not wait."""
    server = EmbeddedPostgres(data_dir)
    await server.start()
    await kill_postmaster(data_dir)
    revival = start_and_cancel(server, monkeypatch)
    await asyncio.wait([revival])

    assert revival.cancelled()
    async with asyncio.timeout(10):
        await server.stop()
    assert server_is_gone(data_dir)


async def test_a_program_that_ended_as_it_was_cancelled(data_dir, monkeypatch):
    """Whoever cancels a program in the moment of its end gets its result, or a cancel."""
    spawn, spawned = asyncio.create_subprocess_exec, []

    async def spawn_and_tell(*command, **options):
        spawned.append(await spawn(*command, **options))
        return spawned[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", spawn_and_tell)
    for later in range(30):
        spawned.clear()
        run = processes.run(
            ["true"], owner=place_of(data_dir).owner, directory=Path("/")
        )
        task = asyncio.create_task(run)
        while not spawned or spawned[0].returncode is None:  # noqa: ASYNC110
            await asyncio.sleep(0)
        for _ in range(later % 3):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

        assert task.cancelled() or task.result() == (0, "")
