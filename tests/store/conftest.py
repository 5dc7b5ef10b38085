from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from festinger.store.embedded import EmbeddedPostgres, processes
from festinger.store.embedded.place import PostgresUser, ServerPaths
from tests.databases import answer_of
from tests.store.embedded.clusters import (
    HOLDER,
    ROOT,
    StartHolder,
    copy,
    make_base,
)


@pytest.fixture
def empty() -> Iterator[Path]:
    """A data directory that is not there yet; no process outlives it."""
    base = make_base()
    data_dir = base / "data"
    name = ServerPaths(data_dir / "postgres", PostgresUser(0, 0, "")).name
    yield data_dir
    left = processes.of_server(name)
    processes.end_at_once(left)
    shutil.rmtree(base)
    shutil.rmtree(f"/tmp/{name}", ignore_errors=True)

    assert left == []


@pytest.fixture(scope="session")
def stopped() -> Iterator[Path]:
    """A data directory with a cluster that was stopped."""
    base = make_base()

    async def make() -> None:
        async with EmbeddedPostgres(base / "data") as dsn:
            await answer_of(dsn, "create table kept as select 'as it was' as what")

    asyncio.run(make())
    yield base / "data"
    shutil.rmtree(base)


@pytest.fixture
def data_dir(empty: Path, stopped: Path) -> Path:
    """A data directory with a cluster of its own, which holds one row."""
    copy(stopped, empty)
    return empty


@pytest.fixture
def start_holder() -> Iterator[StartHolder]:
    """Start processes that hold a server, and sees to their end."""
    started: list[subprocess.Popen[str]] = []

    def start(data_dir: Path) -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", HOLDER, data_dir],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()
