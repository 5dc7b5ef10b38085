from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import mcp
import pytest
from mcp.client.stdio import StdioServerParameters

from festinger.credentials import OPERATOR, SHIM
from tests.serving import Client

Connect = Callable[..., AbstractAsyncContextManager[mcp.Client]]


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """
    A data directory with the tokens of the test's server.
    """
    for name in (SHIM, OPERATOR):
        (tmp_path / f"{name}.token").write_text(name)
    return tmp_path


@pytest.fixture
def stdio(client: Client, data_dir: Path) -> Connect:
    """
    Starts `festinger mcp` with some options, and connects the SDK's client to it.
    """

    @asynccontextmanager
    async def connect(*options: str, **settings: Any) -> AsyncIterator[mcp.Client]:
        program = StdioServerParameters(
            command=str(Path(sys.executable).with_name("festinger")),
            args=["mcp", *options],
            env={
                "FESTINGER_SERVER": client.address,
                "FESTINGER_DATA_DIR": str(data_dir),
                "PATH": os.environ["PATH"],
                "PYTHONWARNINGS": "error",
            },
        )
        async with mcp.Client(program, **settings) as connected:
            yield connected

    return connect
