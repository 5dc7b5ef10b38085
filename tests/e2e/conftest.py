from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import grpc
import pytest

from festinger.api.v1.line_service_pb2 import SearchLinesRequest
from festinger.api.v1.line_service_pb2_grpc import LineServiceStub
from festinger.app import everything
from festinger.config import Settings
from festinger.programs import RunningServices
from festinger.standin import StandIn
from festinger.store.language import dictionary
from tests import forks
from tests.waiting import until

BLOCK = re.compile("<recollection>.*?</recollection>", re.DOTALL)


@pytest.fixture(scope="session")
def words() -> Iterator[str]:
    """The dictionary as a file, so that it is read from its package once."""
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        dictionary.load(Settings().dictionary, Path(directory))
        yield directory


@pytest.fixture
def settings(database: str, words: str, tmp_path: Path) -> Settings:
    """A configuration with a database of its own, and a memory that may be slow."""
    for file in Path(words).iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return Settings.model_validate(
        {
            "data_dir": tmp_path,
            "server": {"address": "127.0.0.1:0"},
            # A test on a busy machine must not fail open.
            "shim": {"address": "127.0.0.1:0", "memory_milliseconds_max": 5000},
            "database": {"dsn": database},
        }
    )


@dataclass
class Festinger:
    """Everything, running."""

    settings: Settings
    running: RunningServices
    ollama: StandIn
    http: aiohttp.ClientSession

    @property
    def url(self) -> str:
        """The address of the shim."""
        return f"http://{self.running.shim}"

    async def chat(
        self, text: str, agent: str = "local", **more: Any
    ) -> dict[str, Any]:
        """Send one user message as an agent, and return what the model was given."""
        messages = [{"role": "user", "content": text}]
        body = {"model": "llama3", "messages": messages, **more}
        return await self.post(f"/as/{agent}/api/chat", body)

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Post a prompt, and return what the model was given."""
        async with self.http.post(self.url + path, json=body) as response:
            await response.read()
            assert response.status == 200
        given: dict[str, Any] = json.loads(self.ollama.prompts[-1].body)
        return given

    async def told(self, text: str, agent: str = "asker", **more: Any) -> str:
        """Return the block of a prompt, wherever it stands, or nothing."""
        given = (await self.chat(text, agent, **more))["messages"]
        return "\n".join(BLOCK.findall("\n".join(it["content"] for it in given)))

    async def until(self, text: str, expected: Callable[[str], bool]) -> str:
        """Wait until the block of a prompt is as expected: writing follows the answer."""

        told = ""

        async def is_told() -> bool:
            nonlocal told
            told = await self.told(text)
            return expected(told)

        await until(is_told, pause=0.02)
        return told

    async def until_kept(self, count: int) -> None:
        """Wait until so many lines are kept."""
        request = SearchLinesRequest(page_size=1)

        async def kept() -> bool:
            return bool((await stub.SearchLines(request)).total_size >= count)

        async with grpc.aio.insecure_channel(self.running.server) as channel:
            stub = LineServiceStub(channel)
            await until(kept, pause=0.02)

    async def run(
        self, program: str, *words: str, server: str | None = None
    ) -> tuple[int, str]:
        """Run a command; its exit code, and all that it printed."""
        environment = {
            **os.environ,
            "FESTINGER_SERVER": self.running.server if server is None else server,
            "FESTINGER_DATA_DIR": str(self.settings.data_dir),
        }
        ended = await asyncio.to_thread(
            forks.run, *words, environment=environment, together=True, program=program
        )
        return ended.code, ended.printed


@pytest.fixture
async def festinger(settings: Settings) -> AsyncIterator[Festinger]:
    """Server and shim in front of a stand-in, on a fresh database."""
    async with StandIn() as ollama, aiohttp.ClientSession() as http:
        shim = settings.shim.model_copy(update={"upstream": ollama.url})
        settings = settings.model_copy(update={"shim": shim})
        async with everything(settings) as running:
            yield Festinger(settings, running, ollama, http)
