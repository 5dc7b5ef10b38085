"""Measures what the shim's sessions weigh, and what is left when they have expired."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.chats import Chats, Client
from benchmarks.processes import process
from benchmarks.proxies import SHORT
from benchmarks.recollect import TOKEN
from benchmarks.report import Part, Row
from festinger.config import ServerSettings, ShimSettings
from festinger.shim.app import Shim

_BYTES = 2_000
_CLIENTS = 16
_IDLE_SECONDS = 0.001
_MIB = 2**20


@asynccontextmanager
async def forgetful(
    upstream: str, server: str, tenant: str, sessions_max: int
) -> AsyncIterator[str]:
    """The real shim; a signal lets its sessions expire, another ends that."""
    settings = ShimSettings(
        address="127.0.0.1:0",
        upstream=upstream,
        tenant=tenant,
        memory_milliseconds_max=5000.0,
        sessions_max=sessions_max,
    )
    brief = settings.model_copy(update={"session_idle_seconds": _IDLE_SECONDS})
    async with Shim(settings, ServerSettings(address=server), lambda: TOKEN) as running:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, running.apply, brief)
        loop.add_signal_handler(signal.SIGUSR2, running.apply, settings)
        yield f"{running.url} {os.getpid()}"


async def measure(
    upstream: str, server: str, tenant: str, counts: Sequence[int]
) -> Part:
    """Lead more and more conversations, then let all expire.

    Args:
        upstream: The model's URL.
        server: Of the memory.
        tenant: Its number of concepts.
        counts: Of conversations, rising; two of them at least.
    """
    rows = []
    arguments = (upstream, server, tenant, counts[-1] + 2 * _CLIENTS)
    with process(forgetful, *arguments) as where:
        url, pid = where.split()
        chats = Chats(int(tenant), told=True)
        pool = [await Client.connect(url) for _ in range(_CLIENTS)]
        await _lead(pool, chats, _CLIENTS)
        empty, led = _resident(pid), 0
        for count in counts:
            await _lead(pool, chats, count - led)
            led, resident = count, _resident(pid)
            each = (resident - empty) / count
            rows += [
                Row(
                    f"shim.sessions.{count}",
                    f"{count:,} sessions",
                    resident / _MIB,
                    "MiB",
                ),
                Row(f"shim.sessions.{count}.bytes", "  each", each, "B"),
            ]
        os.kill(int(pid), signal.SIGUSR1)
        await asyncio.sleep(0.1)
        await _lead(pool, chats, 1)
        left = _resident(pid)
        os.kill(int(pid), signal.SIGUSR2)
        await asyncio.sleep(0.1)
        await _lead(pool, chats, counts[-2])
        again = _resident(pid)
        for client in pool:
            await client.close()
    return Part(
        "The shim's memory",
        f"Resident. Sessions of four turns, {_BYTES / 1000:g} KB of them sent at once and "
        "the last for itself, with something told in both; the shim is warm. What has "
        "expired is not given back to the system, but used by the next.",
        [
            Row("shim.sessions.none", "none", empty / _MIB, "MiB"),
            *rows,
            Row("shim.sessions.expired", "all expired", left / _MIB, "MiB"),
            Row("shim.sessions.again", f"{counts[-2]:,} new ones", again / _MIB, "MiB"),
        ],
    )


async def _lead(pool: Sequence[Client], chats: Chats, count: int) -> None:
    """Lead so many conversations, all clients at once."""
    left = iter(range(count))

    async def lead(client: Client) -> None:
        for _ in left:
            chat = chats.chat(_BYTES)
            await client.ask(chat.body(SHORT))
            chat.go_on()
            await client.ask(chat.body(SHORT))

    await asyncio.gather(*map(lead, pool))


def _resident(pid: str) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
