from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import mcp
import pytest
from mcp.client.stdio import StdioServerParameters

from festinger.credentials import OPERATOR, SHIM
from festinger.mcp.memory import LocalCaller, MemoryCalls
from festinger.mcp.reference import ReferenceServer
from festinger.mcp.server import memory_server
from tests.mcp.graphs import GraphTools
from tests.serving import Client

Connect = Callable[..., AbstractAsyncContextManager[mcp.Client]]


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A data directory with the tokens of the test's server."""
    for name in (SHIM, OPERATOR):
        (tmp_path / f"{name}.token").write_text(name)
    return tmp_path


@pytest.fixture
def stdio(client: Client, data_dir: Path) -> Connect:
    """Start `festinger mcp` with some options, and connects the SDK's client to it."""

    @asynccontextmanager
    async def connect(
        *options: str, variables: Mapping[str, str] | None = None, **settings: Any
    ) -> AsyncIterator[mcp.Client]:
        program = StdioServerParameters(
            command=str(Path(sys.executable).with_name("festinger")),
            args=["mcp", *options],
            env={
                "FESTINGER_SERVER": client.address,
                "FESTINGER_DATA_DIR": str(data_dir),
                "PATH": os.environ["PATH"],
                "PYTHONWARNINGS": "error",
                **(variables or {}),
            },
        )
        async with mcp.Client(program, **settings) as connected:
            yield connected

    return connect


@pytest.fixture
async def memory(client: Client) -> AsyncIterator[MemoryCalls]:
    """Call to the test's memory server."""
    memory = MemoryCalls(client.address)
    yield memory
    await memory.close()


@pytest.fixture
def agent(memory: MemoryCalls, data_dir: Path) -> Connect:
    """Connect the SDK's client to a server of the tools in this process."""

    @asynccontextmanager
    async def connect(
        callers: Any = None, mode: str = "legacy", **settings: Any
    ) -> AsyncIterator[mcp.Client]:
        server = memory_server(memory, callers or LocalCaller(data_dir))
        async with mcp.Client(server, mode=mode, **settings) as connected:
            yield connected

    return connect


@pytest.fixture
def reference(memory: MemoryCalls, data_dir: Path) -> Connect:
    """Connect the SDK's client to a reference server in this process."""

    @asynccontextmanager
    async def connect(**caller: Any) -> AsyncIterator[mcp.Client]:
        server = ReferenceServer(memory, LocalCaller(data_dir, **caller)).server()
        async with mcp.Client(server, mode="legacy") as connected:
            yield connected

    return connect


@pytest.fixture
async def graph(reference: Connect) -> AsyncIterator[GraphTools]:
    """The tools of a reference server."""
    ready: asyncio.Future[mcp.Client] = asyncio.get_running_loop().create_future()
    done = asyncio.Event()

    async def hold() -> None:
        # A client is closed by the task that opened it, which fixtures do not promise.
        async with reference() as client:
            ready.set_result(client)
            await done.wait()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(hold())
        yield GraphTools(await ready)
        done.set()
