"""Measures facts a second of servers that share a database and write the same memory.

Each is a process of `festinger system serve`, and each fact a call of its own, by one of
many callers. Processor time tells what a fact costs, whatever else the machine does.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import asyncpg
import grpc.aio

from benchmarks.processes import seconds_of, seconds_of_children
from benchmarks.report import Part, Row, run
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.memory_service_pb2_grpc import MemoryServiceStub
from festinger.store.embedded import EmbeddedPostgres, cluster
from festinger.store.embedded.place import settle
from festinger.store.migrations import migrate

SERVERS = 3
SECONDS = 20.0
CALLERS = 64
"""Callers of each server."""
PARENTS = 50
_WARM_SHARE = 0.25
"""Of the time, for which facts are written before, to fill the caches."""
_START_SECONDS = 120.0
_ADDRESS = "The memory server listens on "


@dataclass
class Written:
    """Facts that were written in a time, and what they cost.

    Attributes:
        facts: Facts that were acknowledged.
        lost: Those of them that the database does not hold.
        seconds: The time that it took.
        batches: Transactions that they were written in.
        servers: Processor time of all servers in seconds; the same of `postgres` and
            of the `callers`.
    """

    facts: int
    lost: int
    seconds: float
    batches: int
    servers: float
    postgres: float
    callers: float


def measure(servers: int, seconds: float) -> Part:
    """Measure new facts about new concepts, with a request_id each.

    Args:
        servers: How many servers there are.
        seconds: How long facts are written.
    """
    with tempfile.TemporaryDirectory(prefix="festinger-", dir="/tmp") as directory:
        # The user that Postgres runs as must be able to enter it.
        place = Path(directory)
        place.chmod(0o755)
        done = asyncio.run(_measure(place, servers, seconds))
    rows = [
        Row("servers.per_second", "facts a second", done.facts / done.seconds, "/s"),
        Row("servers.batch", "facts a commit", done.facts / done.batches, ""),
        Row("servers.lost", "acknowledged and lost", done.lost, ""),
    ]
    for key, what in (
        ("servers", "of the servers"),
        ("postgres", "of Postgres"),
        ("callers", "of the callers"),
    ):
        cost = getattr(done, key) / done.facts
        rows.append(Row(f"servers.{key}", f"processor time {what}, a fact", cost))
    return Part(
        "Servers: facts a second of several",
        f"{servers} servers, {CALLERS} callers of each in one process, one memory, a "
        "Postgres with fsync, all on this machine.",
        rows,
    )


async def _measure(place: Path, count: int, seconds: float) -> Written:
    async with (
        EmbeddedPostgres(place) as dsn,
        _serving(place, dsn, count) as servers,
    ):
        seen = cluster.postmaster(settle(place, place))
        assert seen is not None, "it runs"
        connection = await asyncpg.connect(dsn)
        try:
            return await _write(connection, servers, seen.pid, seconds)
        finally:
            await connection.close()


@asynccontextmanager
async def _serving(place: Path, dsn: str, count: int) -> AsyncIterator[dict[int, str]]:
    """Run the servers; yield their addresses by process."""
    await migrate(dsn)
    started = [_start(place / f"server{number}", dsn) for number in range(count)]
    try:
        yield {each.pid: await asyncio.to_thread(_address, each) for each in started}
    finally:
        for each in started:
            each.terminate()
        for each in started:
            await asyncio.to_thread(each.wait, _START_SECONDS)


def _start(data_dir: Path, dsn: str) -> subprocess.Popen[str]:
    command = Path(sys.executable).with_name("festinger")
    server = ("--server", "127.0.0.1:0", "--dsn", dsn, "--data-dir", data_dir)
    kept = {it: os.environ[it] for it in os.environ if not it.startswith("FESTINGER_")}
    return subprocess.Popen(
        [command, "system", "serve", *server],
        env=kept | {"COLUMNS": "300"},
        stdout=subprocess.PIPE,
        text=True,
    )


def _address(server: subprocess.Popen[str]) -> str:
    """Wait until a server listens, and return where."""
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith(_ADDRESS):
            return line.removeprefix(_ADDRESS).strip()
    raise TimeoutError(f"the server ended: {server.wait()}")


async def _write(
    connection: asyncpg.Connection,
    servers: dict[int, str],
    postmaster: int,
    seconds: float,
) -> Written:
    """Write to all servers, first to fill the caches."""

    def spent() -> tuple[float, float, float]:
        """Return the processor time of servers, Postgres and this process."""
        return (
            sum(map(seconds_of, servers)),
            seconds_of_children(postmaster),
            process_time(),
        )

    numbers = itertools.count()
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(address))
            for address in servers.values()
        ]
        stubs = [MemoryServiceStub(channel) for channel in channels]
        for parent in range(PARENTS):
            fact = f"{_parent(parent)} -isa thing"
            await stubs[0].Assert(pb.AssertRequest(fact=fact, request_id=fact))
        await _state(stubs, numbers, _WARM_SHARE * seconds)
        before, version, began = spent(), await _version(connection), perf_counter()
        stated = await _state(stubs, numbers, seconds)
        took, after = perf_counter() - began, spent()
    held = await connection.fetch(
        "select concept from assertions where outcome = 'held'"
    )
    batches = await _version(connection) - version
    lost = set(stated) - {row["concept"] for row in held}
    costs = [b - a for a, b in zip(before, after, strict=True)]
    return Written(len(stated), len(lost), took, batches, *costs)


async def _state(
    stubs: Sequence[MemoryServiceStub], numbers: Iterator[int], seconds: float
) -> list[str]:
    """State facts for a time; return the concepts of those that were acknowledged."""
    ends = perf_counter() + seconds
    stated: list[str] = []

    async def caller(stub: MemoryServiceStub) -> None:
        """State one fact after the other."""
        while perf_counter() < ends:
            number = next(numbers)
            name = f"n{number}x"
            await stub.Assert(
                pb.AssertRequest(fact=f"{name} -isa {_parent(number)}", request_id=name)
            )
            stated.append(name)

    await asyncio.gather(*(caller(stub) for stub in stubs for _ in range(CALLERS)))
    return stated


async def _version(connection: asyncpg.Connection) -> int:
    version: int = await connection.fetchval("select version from heads")
    return version


def _parent(number: int) -> str:
    return f"kind{number % PARENTS}x"


if __name__ == "__main__":
    run("servers", measure, servers=SERVERS, seconds=SECONDS)
