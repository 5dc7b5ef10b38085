"""Terminals are closed, and readers of output end: whatever runs ends in order."""

from __future__ import annotations

import asyncio
import os
import pty
import signal
from pathlib import Path

import pytest

from festinger.store.embedded import processes
from tests.kill.server import COMMAND, Serving, environment
from tests.store.embedded.clusters import kill_postmaster, place_of
from tests.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture
def command() -> tuple[str, ...]:
    """The command itself: a fork would not look at its own output before it begins."""
    return COMMAND


def pair(kind: str) -> tuple[int, int]:
    """Return the reading and the writing end of a server's output."""
    return os.pipe() if kind == "pipe" else pty.openpty()


@pytest.mark.parametrize("kind", ["pipe", "terminal"])
async def test_server_that_nobody_hears(serving: Serving, kind: str) -> None:
    """It brings its database back, and ends in good order when it is told to."""
    reading, writing = pair(kind)
    await serving.launch(writing)
    os.close(writing)
    await serving.ready()
    os.close(reading)
    lost = serving.postmaster()

    await kill_postmaster(serving.data_dir)
    await until(lambda: serving.postmaster() not in {0, lost})
    await serving.ready()

    assert await serving.end(signal.SIGTERM) == 0
    await serving.gone()


async def test_terminal_is_closed(serving: Serving) -> None:
    """The server ends in good order, though its shell and the kernel both tell it."""
    await serving.start()
    os.kill(serving.pid, signal.SIGHUP)

    assert await serving.end(signal.SIGHUP) == 0, serving.output()
    assert "Stopping" in serving.output()
    await serving.gone()


@pytest.mark.parametrize("command", [("nohup", *COMMAND)])
async def test_server_that_is_to_outlive_its_terminal(serving: Serving) -> None:
    """A server started with nohup goes on."""
    await serving.start()
    os.kill(serving.pid, signal.SIGHUP)
    await asyncio.sleep(0.5)

    await serving.ready()
    assert await serving.end() == 0, serving.output()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_demo_is_stopped(number: int) -> None:
    """It leaves nothing behind, as it does at its end."""
    process = await asyncio.create_subprocess_exec(
        *(*COMMAND, "demo", "--pause"),
        env=environment(),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout
    await process.stdout.readuntil(b"is ready")
    data_dir = directory_of(process.pid)
    name = place_of(data_dir).name
    assert processes.of_server(name)

    process.send_signal(number)
    await process.communicate()

    assert not data_dir.exists()
    assert not processes.of_server(name)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_tenant_is_stopped(serving: Serving, number: int) -> None:
    """A command that started a Postgres for itself stops it, however it ends."""
    process = await asyncio.create_subprocess_exec(
        *(*COMMAND, "system", "tenant", "add", "acme", "--data-dir", serving.data_dir),
        env=environment(),
    )
    await until(serving.postmaster, pause=0.001)
    process.send_signal(number)

    # It may have been quicker: then the signal meets nothing, or the interpreter's end.
    assert await process.wait() in {0, 1, -number}
    assert not processes.of_server(serving.place.name)


def directory_of(pid: int) -> Path:
    """Return the data directory that a process serves, by the lock that it holds."""
    links = [Path(os.readlink(link)) for link in Path(f"/proc/{pid}/fd").iterdir()]
    (lock,) = {link for link in links if link.name == "server.lock"}
    return lock.parent
