"""A `festinger system serve` of the test's own: a real process, which is killed for real."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from festinger.store.embedded import cluster, processes
from festinger.store.embedded.place import ServerPaths, settle
from tests.kill.program import Program, run
from tests.waiting import until

START_SECONDS_MAX = 180.0
END_SECONDS_MAX = 120.0

COMMAND = (str(Path(sys.executable).with_name("festinger")),)

OPTIONS = (
    # A server that was killed is found again at once.
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_reconnect_backoff_ms", 200),
    # Else all channels to one address share a connection.
    ("grpc.use_local_subchannel_pool", 1),
)


class Serving(Program):
    """
    A server process on a data directory, started, killed and started again.

    What it prints goes to the file `output` beside the data directory.

    Attributes:
        dsn: A database of its own; empty for the one that it makes.
        variables: What is added to its environment.
    """

    def __init__(self, data_dir: Path, command: tuple[str, ...] = COMMAND):
        self.data_dir = data_dir
        self.address = f"127.0.0.1:{free_port()}"
        self.dsn = ""
        self.variables: dict[str, str] = {}
        self._command = command
        super().__init__(data_dir.parent / "output")

    @property
    def place(self) -> ServerPaths:
        """The paths of its Postgres."""
        return settle(self.data_dir, self.data_dir)

    async def launch(self, printing: int | None = None) -> None:
        """
        Start the process, and does not wait for it; it prints to the file `output`,
        unless another one is given.
        """
        dsn = ("--dsn", self.dsn) if self.dsn else ()
        with self._output.open("ab") as file:
            output = file.fileno() if printing is None else printing
            where = ("--data-dir", str(self.data_dir), "--server", self.address, *dsn)
            self._process = await run(
                *(*self._command, "system", "serve", *where),
                environment=environment() | self.variables,
                output=output,
            )

    async def start(self) -> float:
        """Start the process; say how long it took until it answered."""
        began = time.monotonic()
        await self.launch()
        await self.ready()
        return time.monotonic() - began

    async def ready(self) -> None:
        """Wait until it answers."""
        async with grpc.aio.insecure_channel(self.address, OPTIONS) as channel:
            deadline = time.monotonic() + START_SECONDS_MAX
            while time.monotonic() < deadline:
                if self.code is not None:
                    pytest.fail(f"the server ended ({self.code}):\n{self.output()}")
                if await health(channel) == health_pb2.HealthCheckResponse.SERVING:
                    return
                await asyncio.sleep(0.02)
        pytest.fail(f"the server does not answer:\n{self.output()}")

    async def kill(self) -> None:
        """End it as the kernel does: it cannot even notice."""
        await self.end(signal.SIGKILL)

    async def end(self, number: int = signal.SIGTERM) -> int:
        """Send it a signal, waits until it ended, and give its exit code."""
        assert self._process is not None, "it was not started"
        if self.code is None:
            os.kill(self.pid, number)
        async with asyncio.timeout(END_SECONDS_MAX):
            return await self._process.wait()

    def postmaster(self) -> int:
        """Return the process that is its Postgres; 0 if it has none."""
        seen = cluster.postmaster(self.place)
        alive = seen and processes.is_postmaster(seen.pid, self.place.name)
        return seen.pid if seen and alive else 0

    def backends(self) -> list[int]:
        """Return the processes of its Postgres that serve a connection."""
        postmaster = self.postmaster()
        return [
            pid
            for pid in processes.of_server(self.place.name)
            if pid != postmaster and "[local]" in " ".join(processes.arguments(pid))
        ]

    async def clear(self) -> None:
        """Leave no process behind, whatever happened."""
        if self._process and self.code is None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        processes.end_at_once(processes.of_server(self.place.name))
        await self.gone()

    async def gone(self) -> None:
        """Wait until no process of its Postgres is left."""
        await until(
            lambda: not processes.of_server(self.place.name), END_SECONDS_MAX, 0.02
        )


def environment() -> dict[str, str]:
    """Return the environment, without the settings of whoever runs the tests."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("FESTINGER_")
    }


async def health(channel: grpc.aio.Channel, service: str = "") -> int:
    """Return the state by the health service; 0 if nobody answers."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    try:
        request = health_pb2.HealthCheckRequest(service=service)
        status: int = (await stub.Check(request, timeout=5)).status
    except grpc.aio.AioRpcError:
        return 0
    return status


def free_port() -> int:
    """Return a port that nobody listens on, below those that the kernel gives to clients."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
