"""Servers whose output nobody takes any more go on, and end as others do."""

from __future__ import annotations

import asyncio
import os
import pty
import signal

import pytest

from tests.kill.server import Serving
from tests.store.embedded import kill_postmaster

pytestmark = pytest.mark.slow


def pair(kind: str) -> tuple[int, int]:
    """
    Where a server's output is read, and where it is written.
    """
    return os.pipe() if kind == "pipe" else pty.openpty()


@pytest.mark.parametrize("kind", ["pipe", "terminal"])
async def test_server_that_nobody_hears(serving: Serving, kind: str) -> None:
    """
    It brings its database back, and ends in good order when it is told to.
    """
    reading, writing = pair(kind)
    await serving.launch(writing)
    os.close(writing)
    await serving.ready()
    os.close(reading)
    lost = serving.postmaster()

    await kill_postmaster(serving.data_dir)
    async with asyncio.timeout(30):
        while serving.postmaster() in {0, lost}:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await serving.ready()

    assert await serving.end(signal.SIGTERM) == 0
    await serving.gone()
