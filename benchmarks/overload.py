"""Measures what becomes of prompts when more of them come than can be answered.

They come at a steady rate, whatever becomes of those before: at the highest at which
nearly all are told something, at 1.4 and at 2 times as many.
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time

from benchmarks.processes import process
from benchmarks.recollect import TOKEN, Case, usual_memory_server
from benchmarks.report import Part, Row, Samples
from benchmarks.worlds import Prompts
from festinger.config import ShimSettings
from festinger.shim.recollection.memory import MemoryClient, MemoryUnavailable
from festinger.shim.system.identity import RequestCaller

CONCEPTS = 10_000
CHARACTERS = 8_000
"""Of a prompt, all but the last KB of which was read before."""
LOADS = (1.0, 1.4, 2.0)
"""What is sent, in capacities."""
TOLD_MIN = 0.95
"""The share of prompts that are told something at a rate within capacity."""
_CLIENTS = 16
"""That find how much is answered at most, each waiting for its answers."""
_TEXTS = 64
_STEP = 0.9
_STEPS_MAX = 12
_GRACE_SECONDS = 0.02
"""How much longer than it should a prompt may wait on a busy machine."""
_PAUSE_SECONDS = 0.3


@dataclass
class Driven:
    """Results of prompts that were sent at a rate.

    Attributes:
        sent: How many there were.
        told: How many were told something.
        passed: How many went on with nothing, and in time.
        spent: How long those that were told waited.
        server: Processor time of the memory server, in seconds.
        client: The same, of who asks.
    """

    sent: int
    told: int = 0
    passed: int = 0
    spent: list[float] = field(default_factory=list)
    server: float = 0.0
    client: float = 0.0


def measure(quick: bool = False, *, seconds: float | None = None) -> list[Part]:
    """Measure; returns the shares and the times at each load.

    Args:
        seconds: How long each rate is sent.
    """
    usual = ShimSettings().memory_milliseconds_max
    with process(usual_memory_server, str(CONCEPTS)) as address:
        rate, driven = asyncio.run(
            _measure(address, usual / 1000, seconds or (2.0 if quick else 8.0))
        )
    rows = [Row("overload.capacity", "Capacity", rate, "/s")]
    for load, each in zip(LOADS, driven, strict=True):
        rows += _rows(load, each, driven[0])
    return [
        Part(
            "Overload: more prompts than can be answered",
            f"Prompts of {CHARACTERS // 1000} KB, 1 KB of each new, asked as the shim "
            f"asks, which waits {usual:.0f} ms; the memory server is a process of its "
            f"own. Capacity is the highest rate at which {TOLD_MIN:.0%} are told "
            "something. Ratios are to the first load.",
            rows,
        )
    ]


async def _measure(
    address: str, seconds_max: float, seconds: float
) -> tuple[float, list[Driven]]:
    memory = MemoryClient(
        address, lambda: TOKEN, tenant=str(CONCEPTS), budget_seconds=seconds_max
    )
    await memory.start()
    try:
        driver = _Driver(memory)
        rate = await driver.find_capacity(seconds)
        return rate, [await driver.drive(rate * load, seconds) for load in LOADS]
    finally:
        await memory.stop()


class _Driver:
    """Asks a memory as a shim does."""

    def __init__(self, memory: MemoryClient) -> None:
        self._memory = memory
        source = Prompts(CONCEPTS)
        texts = [source.text(CHARACTERS) for _ in range(_TEXTS)]
        self._case = Case("8 KB", CONCEPTS, texts, history=True)
        self._numbers = itertools.count(1)

    async def find_capacity(self, seconds: float) -> float:
        """Return the highest rate at which nearly all are told, in prompts a second."""
        for _ in range(2):  # the first is for warmth
            rate = await self._rate_at_most(seconds)
        for _ in range(_STEPS_MAX):
            driven = await self.drive(rate, seconds)
            if driven.told >= TOLD_MIN * driven.sent:
                break
            rate *= _STEP
        return rate

    async def drive(self, rate: float, seconds: float) -> Driven:
        """Send prompts at a rate, whatever becomes of those before."""
        await asyncio.sleep(_PAUSE_SECONDS)
        driven = Driven(max(1, int(rate * seconds)))
        server, client = _server_seconds(), process_time()
        began = perf_counter()
        async with asyncio.TaskGroup() as group:
            for number in range(driven.sent):
                await asyncio.sleep(max(0.0, began + number / rate - perf_counter()))
                group.create_task(self._ask(driven))
        driven.server = _server_seconds() - server
        driven.client = process_time() - client
        return driven

    async def _rate_at_most(self, seconds: float) -> float:
        """Return how many are told a second if each waits for the one before."""
        driven = Driven(0)
        until = perf_counter() + seconds

        async def ask() -> None:
            while perf_counter() < until:
                told = driven.told
                await self._ask(driven)
                if driven.told == told:
                    await asyncio.sleep(_GRACE_SECONDS)

        await asyncio.gather(*(ask() for _ in range(_CLIENTS)))
        return max(1, driven.told) / seconds

    async def _ask(self, driven: Driven) -> None:
        number = next(self._numbers)
        request = self._case.request(number, number)
        began = perf_counter()
        try:
            await self._memory.recollect(request, _SPEAKER)
        except MemoryUnavailable:
            in_time = self._memory.budget_seconds + _GRACE_SECONDS
            driven.passed += perf_counter() - began <= in_time
        else:
            driven.told += 1
            driven.spent.append(perf_counter() - began)


_SPEAKER = RequestCaller("alice", "alice")


def _server_seconds() -> float:
    """Return the processor time of the memory server until now."""
    (child,) = multiprocessing.active_children()
    stat = Path(f"/proc/{child.pid}/stat").read_text(encoding="ascii")
    ticks = sum(map(int, stat.rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _rows(load: float, driven: Driven, usual: Driven) -> Iterator[Row]:
    key, peer = f"overload.{load:g}x", f"{LOADS[0]:g}x"
    sent = driven.sent
    share = driven.told / sent
    ratio = share / (usual.told / usual.sent) if usual.told else None
    known = "" if ratio is None else peer
    what = f"{load:g}x: told something"
    yield Row(f"{key}.told", what, 100 * share, "%", ratio=ratio, peer=known)
    yield Row(
        f"{key}.untouched",
        "  passed untouched, in time",
        100 * driven.passed / sent,
        "%",
    )
    for name, what, spent, other in (
        ("server", "the memory server", driven.server, usual.server),
        ("client", "who asks", driven.client, usual.client),
    ):
        ratio = spent / sent / (other / usual.sent) if other else None
        yield Row(
            f"{key}.{name}",
            f"  processor time of {what}, a prompt",
            1e3 * spent / sent,
            "ms",
            ratio=ratio,
            peer="" if ratio is None else peer,
        )
    if driven.spent:
        waited = Samples(driven.spent)
        yield Row(f"{key}.waited", "  until it is told, p50", 1e3 * waited.p50, "ms")
