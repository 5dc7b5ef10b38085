"""Faults of the programs: each function breaks something, and mends it.

It returns the moment since when it is on us to be back: that of the kill, or that at
which what hangs goes on and what is cut can be reached.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Final

from tests.shim.faults import Fault as Spoiled
from tests.soak.scene import Scene

HOLD_SECONDS: Final = 3.0
"""How long what does not end by itself lasts."""

Fault = Callable[[Scene], Awaitable[float]]


async def server_killed(scene: Scene) -> float:
    """Return the memory server is killed, and started again."""
    began = time.monotonic()
    await scene.serving.kill()
    await scene.serving.start()
    return began


async def postgres_killed(scene: Scene) -> float:
    """Postgres is killed; the server brings it back."""
    began = time.monotonic()
    os.kill(scene.serving.postmaster(), signal.SIGKILL)
    return began


async def connection_killed(scene: Scene) -> float:
    """A process of Postgres that serves a connection is killed: it restarts all of them."""
    began = time.monotonic()
    os.kill(random.choice(scene.serving.backends()), signal.SIGKILL)
    return began


async def shim_killed(scene: Scene) -> float:
    """Return the shim is killed, and started again."""
    began = time.monotonic()
    await scene.shim.kill()
    await scene.shim.start()
    return began


async def server_frozen(scene: Scene) -> float:
    """Return the memory server hangs, and goes on."""
    async with scene.frozen([scene.serving.pid]):
        await asyncio.sleep(HOLD_SECONDS)
    return time.monotonic()


async def postgres_frozen(scene: Scene) -> float:
    """Postgres hangs, and goes on."""
    async with scene.frozen(scene.database()):
        await asyncio.sleep(HOLD_SECONDS)
    return time.monotonic()


async def shim_frozen(scene: Scene) -> float:
    """Return the shim hangs, and goes on."""
    async with scene.frozen([scene.shim.pid]):
        await asyncio.sleep(HOLD_SECONDS)
    return time.monotonic()


async def way_cut(scene: Scene) -> float:
    """Return the connections between shim and server are cut."""
    scene.proxy.cut()
    return time.monotonic()


async def way_silent(scene: Scene) -> float:
    """They stay open, and nothing comes through; new ones work."""
    scene.proxy.silence()
    return time.monotonic()


async def way_slow(scene: Scene) -> float:
    """Return whatever the server says arrives a tenth of a second late."""
    scene.proxy.fault = Spoiled.LATE
    await asyncio.sleep(HOLD_SECONDS)
    scene.proxy.fault = Spoiled.NONE
    return time.monotonic()


async def disk_full(scene: Scene) -> float:
    """Return the disk of Postgres has no room, and then has some again."""
    scene.disk.fill()
    await asyncio.sleep(HOLD_SECONDS)
    scene.disk.free()
    return time.monotonic()


FAULTS: Final[tuple[Fault, ...]] = (
    server_killed,
    way_silent,
    postgres_killed,
    shim_killed,
    disk_full,
    server_frozen,
    way_cut,
    connection_killed,
    way_slow,
    postgres_frozen,
    shim_frozen,
)
