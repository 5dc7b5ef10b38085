"""Measures what becomes of prompts when more of them come than can be answered.

Clients that do not wait for each other send prompts at a steady rate: at the highest at
which nearly all are told something, at 1.4 and at 2 times as many.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.chats import TURNS, Chats, Client, Spent
from benchmarks.processes import process
from benchmarks.proxies import SHORT, model
from benchmarks.recollect import memory_server
from benchmarks.report import Part, Row, Samples
from benchmarks.shim import CONCEPTS, shim
from festinger.config import ShimSettings

BYTES = 8_000
"""Of a conversation, before the new message."""
LOADS = (1.0, 1.4, 2.0)
"""What is sent, in capacities."""
CLIENTS = 16
"""That find how much is answered at most."""
OPENERS = 2
"""That open conversations."""
_TOLD_MIN = 0.95
"""The share of prompts that are told something at a rate that counts as within
capacity."""
_PAUSE_SECONDS = 0.3
_STEP = 0.93
_STEPS_MAX = 16
_PARTS = ("memory_server", "shim")
"""Processes whose time is told."""


@dataclass(frozen=True, slots=True)
class Driven:
    """What became of prompts that were sent at a rate.

    Attributes:
        sent: How many there were.
        spent: Of those that were answered.
        cpu: Processor time of each part, in seconds.
    """

    sent: int
    spent: Spent
    cpu: dict[str, float]

    @property
    def told(self) -> float:
        """The share of all prompts that was told something."""
        return self._count(b"full") / self.sent

    @property
    def untouched(self) -> float:
        """The share that the memory had nothing to do with, and the model answered."""
        return self._count(b"skipped") / self.sent

    @property
    def answered(self) -> float:
        """The share that the model answered."""
        return len(self.spent.results) / self.sent

    def _count(self, result: bytes) -> int:
        return sum(each.startswith(result) for each in self.spent.results)


def measure(quick: bool = False, *, seconds: float | None = None) -> list[Part]:
    """Measures; returns the shares and the times at each load.

    Args:
        seconds: How long each rate is sent.
    """
    return asyncio.run(_measure(seconds or (1.5 if quick else 8.0)))


async def _measure(seconds: float) -> list[Part]:
    usual = ShimSettings().memory_milliseconds_max
    with ExitStack() as stack:
        upstream = stack.enter_context(process(model))
        server = stack.enter_context(process(memory_server, str(CONCEPTS)))
        url = stack.enter_context(process(shim, upstream, server, usual))
        driver = _Driver(url)
        capacity = await driver.find_capacity(seconds)
        driven = [await driver.drive(capacity * load, seconds) for load in LOADS]
    rows = [Row("overload.capacity", "Capacity", capacity, "/s")]
    for load, each in zip(LOADS, driven, strict=True):
        rows += _rows(load, each, driven[0])
    return [
        Part(
            "Overload: more prompts than can be answered",
            f"Conversations of {BYTES // 1000} KB whose last message is new, through "
            f"the shim, which waits {usual:.0f} ms for the memory. Capacity is the "
            f"highest rate at which {_TOLD_MIN:.0%} of the prompts are told something. "
            "Client, shim, memory server and model are processes of their own, which "
            "share the cores. Ratios are to the first load.",
            rows,
        )
    ]


class _Driver:
    """Sends conversations by a shim.

    Args:
        url: Of the shim.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._chats = Chats(CONCEPTS, told=True)
        self._free: list[Client] = []

    async def find_capacity(self, seconds: float) -> float:
        """Return the highest rate at which nearly all are told, in prompts a second."""
        rate = await self._rate_at_most(int(CLIENTS * 20 * seconds))
        for _ in range(_STEPS_MAX):
            if (await self.drive(rate, seconds)).told >= _TOLD_MIN:
                return rate
            rate *= _STEP
        return rate

    async def drive(self, rate: float, seconds: float) -> Driven:
        """Send prompts at a rate, whatever becomes of those before."""
        bodies = await self._opened(max(TURNS, int(rate * seconds)))
        spent, before = Spent(), _cpu()
        began = perf_counter()
        async with asyncio.TaskGroup() as group:
            for number, body in enumerate(bodies):
                await asyncio.sleep(max(0.0, began + number / rate - perf_counter()))
                group.create_task(self._send(body, spent))
        after = _cpu()
        return Driven(
            len(bodies), spent, {name: after[name] - before[name] for name in before}
        )

    async def _rate_at_most(self, prompts: int) -> float:
        bodies = iter(await self._opened(prompts))
        began = perf_counter()
        await asyncio.gather(*(self._send_all(bodies) for _ in range(CLIENTS)))
        return prompts / (perf_counter() - began)

    async def _opened(self, prompts: int) -> Sequence[bytes]:
        """Open as many conversations as are needed; return what is sent next."""
        chats = [self._chats.chat(BYTES) for _ in range(-(-prompts // TURNS))]
        openings = iter([chat.body(SHORT) for chat in chats])
        # What the memory misses now would be new to it later.
        await asyncio.gather(*(self._send_all(openings) for _ in range(OPENERS)))
        await asyncio.sleep(_PAUSE_SECONDS)
        bodies: list[bytes] = []
        for _ in range(TURNS):
            for chat in chats:
                chat.go_on()
                bodies.append(chat.body(SHORT))
        return bodies[:prompts]

    async def _send_all(self, bodies: Iterator[bytes]) -> None:
        for body in bodies:
            await self._send(body, None)

    async def _send(self, body: bytes, spent: Spent | None) -> None:
        client = self._free.pop() if self._free else await Client.connect(self._url)
        await client.ask(body, spent)
        self._free.append(client)


def _cpu() -> dict[str, float]:
    """Return the processor time of each part until now, in seconds."""
    ticks = os.sysconf("SC_CLK_TCK")
    used = dict.fromkeys(_PARTS, 0.0)
    for child in multiprocessing.active_children():
        if child.name in used:
            stat = Path(f"/proc/{child.pid}/stat").read_text(encoding="ascii")
            used[child.name] = sum(map(int, stat.rpartition(")")[2].split()[11:13]))
    return {name: spent / ticks for name, spent in used.items()}


def _rows(load: float, driven: Driven, usual: Driven) -> Iterator[Row]:
    key, peer = f"overload.{load:g}x", f"{LOADS[0]:g}x"
    shares = (
        ("told", f"{load:g}x: told something", driven.told, usual.told),
        ("untouched", "  passed untouched", driven.untouched, None),
        ("answered", "  answered by the model", driven.answered, None),
    )
    for name, what, share, other in shares:
        ratio = share / other if other else None
        known = peer if other else ""
        yield Row(f"{key}.{name}", what, 100 * share, "%", ratio=ratio, peer=known)
    for name in _PARTS:
        spent, other = (each.cpu[name] / each.sent for each in (driven, usual))
        what = f"  processor time of the {name.replace('_', ' ')}, a prompt"
        ratio = spent / other if other else None
        yield Row(f"{key}.{name}", what, 1e3 * spent, "ms", ratio=ratio, peer=peer)
    first = Samples(driven.spent.first).p50
    ratio = first / Samples(usual.spent.first).p50
    yield Row(f"{key}.first", "  first byte", 1e3 * first, "ms", ratio=ratio, peer=peer)
