"""Inspection of the embedded Postgres, for its tests."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from festinger.store.embedded import cluster, processes
from festinger.store.embedded.locks import FileLock
from festinger.store.embedded.place import ServerPaths, settle
from tests.conftest import fastest_place
from tests.waiting import until

ROOT = Path(__file__).parents[3]

# Holds the server until its standard input ends.
HOLDER = """
import asyncio, sys
from pathlib import Path
from festinger.store.embedded import EmbeddedPostgres

async def main():
    async with EmbeddedPostgres(Path(sys.argv[1])) as dsn:
        print(dsn, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""

as_root = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root has a stand-in: run this one as root"
)

StartHolder = Callable[[Path], subprocess.Popen[str]]


def place_of(data_dir: Path) -> ServerPaths:
    """Return all the paths of a data directory's server."""
    return settle(data_dir, data_dir)


def postmaster_of(data_dir: Path) -> int:
    """Return the process that is the server."""
    seen = cluster.postmaster(place_of(data_dir))
    assert seen is not None
    return seen.pid


async def kill_postmaster(data_dir: Path) -> None:
    """Do to the server what the kernel does when memory runs out."""
    pid = postmaster_of(data_dir)
    os.kill(pid, signal.SIGKILL)
    await until(lambda: not processes.arguments(pid))


def state_of(pid: int) -> str:
    """The kernel's letter for what a process does: Z is dead and not yet reaped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def server_is_gone(data_dir: Path) -> bool:
    """Return whether no process of the server is left, by its lock and by its name."""
    place = place_of(data_dir)
    free = FileLock(place.locks / "server")
    if not free.take():
        return False
    free.release()
    return not processes.of_server(place.name)


def copy(source: Path, target: Path) -> None:
    """Copy a data directory, and whose it is."""
    subprocess.run(["cp", "-a", source, target], check=True)


def make_base() -> Path:
    """Return a directory for a test: root's stand-in cannot enter pytest's own."""
    base = Path(tempfile.mkdtemp(prefix="festinger-test-", dir=fastest_place()))
    base.chmod(0o755)
    return base
