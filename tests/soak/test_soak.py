"""All of it runs for long while something breaks every minute.

`FESTINGER_SOAK_MINUTES` (20) says for how long, `FESTINGER_SOAK_SECONDS` (60) how much
time is from fault to fault. What was measured is printed, and kept in `build/soak.txt`.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from festinger.credentials import SHIM, read_token
from festinger.standin import StandIn
from festinger.store.embedded import binaries
from tests.faults.disk import Disk
from tests.kill.audit import Records, audit, compare
from tests.kill.clients import Clients
from tests.kill.server import OPTIONS, Serving
from tests.kill.shim import Shimming
from tests.shim.faults import FaultProxy
from tests.soak.faults import FAULTS, disk_full
from tests.soak.scene import REPLY, Scene
from tests.store.embedded.clusters import make_base

MINUTES = float(os.environ.get("FESTINGER_SOAK_MINUTES", "20"))
FAULT_SECONDS = float(os.environ.get("FESTINGER_SOAK_SECONDS", "60"))
CALLERS = 3
"""Clients that write, on each of four connections."""
BACK_SECONDS_MAX = 60.0
"""Five on a machine that does nothing else."""
GROWTH_MAX = 1.5
POSTGRES_MB_MAX = 64.0
"""Of its largest process: each grows from 9 MB to some 15 with what it has planned."""
pytestmark = pytest.mark.timeout(60 * MINUTES + 600)
REPORT = Path("build/soak.txt")


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    """All programs, with agents that talk and clients that write."""
    disk = Disk(make_base())
    disk.data_dir.mkdir(mode=0o755)
    serving = Serving(disk.data_dir)
    async with AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, disk.base)
        stack.push_async_callback(serving.clear)
        stack.callback(lambda: print(serving.output()))
        if Disk.can_be_full():
            serving.variables[binaries.VARIABLE] = str(disk.programs())
        await serving.start()
        ollama = await stack.enter_async_context(StandIn())
        ollama.knobs.reply = REPLY
        proxy = await stack.enter_async_context(FaultProxy(serving.address))
        way = proxy.url.removeprefix("http://")
        shim = Shimming(serving.data_dir, way, ollama.url)
        await shim.start()
        stack.push_async_callback(shim.end)
        stack.callback(lambda: print(shim.output()))
        token = str(read_token(serving.data_dir, SHIM))
        seed = random.randrange(10**6)
        clients = Clients(serving.address, token, seed, callers=CALLERS)
        yield Scene(serving, shim, proxy, ollama, disk, clients)


async def soak(scene: Scene) -> list[str]:
    """Break one thing after the other; give a line about each, and the longest time."""
    lines, backs = [], [0.0]
    until = time.monotonic() + 60 * MINUTES
    faults = [it for it in FAULTS if it is not disk_full or Disk.can_be_full()]
    for fault in itertools.cycle(faults):
        next_one = time.monotonic() + FAULT_SECONDS
        if next_one > until:
            break
        outcomes = scene.outcomes
        before, refused = outcomes.results.copy(), len(outcomes.unreached)
        since = await fault(scene)
        backs.append(await asyncio.wait_for(scene.back_after(since), BACK_SECONDS_MAX))
        lines.append(
            f"{fault.__name__}: back after {backs[-1]:.1f} s, "
            f"{len(outcomes.unreached) - refused} prompts refused, "
            f"{dict(outcomes.results - before)}"
        )
        print(lines[-1], flush=True)
        await asyncio.sleep(max(0.0, next_one - time.monotonic()))
    return [*lines, f"back: {max(backs):.1f} s at most, of {len(lines)} faults"]


def report(lines: list[str]) -> None:
    """Print what was measured, and keep it."""
    print(*lines, sep="\n", flush=True)
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text("\n".join(lines) + "\n")


async def test_nothing_is_lost_or_failed_while_everything_breaks(scene):
    """
    No acknowledged write is lost, no prompt is changed or failed by us, after every
    fault all works again by itself, and no program grows.
    """
    outcomes, ledger = scene.outcomes, scene.clients.ledger
    async with scene.clients.calling(), scene.talking():
        await asyncio.wait_for(scene.back_after(time.monotonic()), BACK_SECONDS_MAX)
        before = scene.memory()
        lines = await soak(scene)
        after = scene.memory()
    lines += [
        f"prompts: {outcomes.results.total()}, {outcomes.untold:.1%} untold, "
        f"{len(outcomes.wrong)} changed or failed, {len(outcomes.unreached)} refused",
        f"results: {dict(outcomes.results)}",
        f"writes: {len(ledger.answers)} acknowledged, {ledger.failures} attempts failed",
        *(f"MB of {it}: {before[it]:.0f} -> {after[it]:.0f}" for it in before),
    ]
    report(lines)

    records = await Records.read(scene.serving.place.dsn)
    audit(ledger, records)
    async with grpc.aio.insecure_channel(scene.serving.address, OPTIONS) as channel:
        await compare(channel, records)
    assert outcomes.wrong == []
    ours = ("server", "shim")
    assert all(after[it] < GROWTH_MAX * before[it] for it in ours), (before, after)
    assert after["postgres"] < POSTGRES_MB_MAX
