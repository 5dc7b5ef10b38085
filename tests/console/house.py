"""A console in a real shim before a real memory server, and somebody who looks at it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import unescape
from types import CodeType
from typing import Any

import aiohttp
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import ServerSettings, ShimSettings
from festinger.console import Console
from festinger.shim.app import Shim
from festinger.standin import StandIn
from tests.serving import Client
from tests.waiting import SECONDS_MAX

OWN = {"Sec-Fetch-Site": "same-origin"}
"""What a browser says of a form that the console itself sent."""


@dataclass
class House:
    """
    A running console.

    Attributes:
        client: Of its memory server.
        http: A browser without eyes; it follows redirects.
    """

    shim: Shim
    client: Client
    ollama: StandIn
    http: aiohttp.ClientSession

    @property
    def url(self) -> str:
        """The console's address."""
        return self.shim.url

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Return a page: status and text."""
        async with self.http.get(self.url + path, headers=headers) as answer:
            return answer.status, await answer.text()

    async def see(self, path: str) -> str:
        """Return the text of a page that is there."""
        status, text = await self.get(path)
        assert status == 200, text
        return text

    async def send(self, path: str, **fields: str) -> tuple[int, str]:
        """Send a form, as one of the console's own pages does."""
        async with self.http.post(
            self.url + path, data=fields or {"": ""}, headers=OWN
        ) as answer:
            return answer.status, await answer.text()

    async def json(self, method: str, path: str, **more: Any) -> tuple[int, Any]:
        """Return the JSON routes' answer: status and body."""
        headers = {"Authorization": "Bearer operator"} | more.pop("headers", {})
        async with self.http.request(
            method, self.url + path, headers=headers, **more
        ) as answer:
            return answer.status, await answer.json()

    async def contradict(
        self, *names: str, parents: Any = ("repo", "container")
    ) -> None:
        """Make a conflict about each name."""
        for name in names:
            for parent in parents:
                await self.client.states(f"{name} -isa {parent}")

    async def prompt(self, text: str, session: str = "s1", who: str = "") -> Any:
        """Send a prompt through the shim."""
        prefix = f"/as/{who}" if who else ""
        async with self.http.post(
            f"{self.url}{prefix}/api/chat",
            json={
                "model": "llama3",
                "stream": False,
                "messages": [{"role": "user", "content": text}],
            },
            headers={"X-Festinger-Session": session},
        ) as answer:
            await answer.read()
            return answer


class CompiledTemplates(BytecodeCache):
    """
    The code of templates, for all consoles of the tests: it takes longer to compile a
    page than to do all else for it.
    """

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template its code, if it was compiled before."""
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._code[bucket.key, bucket.checksum] = bucket.code


TEMPLATES = CompiledTemplates()


@asynccontextmanager
async def opened(
    client: Client,
    *,
    token: str | None = "operator",
    now: Callable[[], float],
    **settings: Any,
) -> AsyncIterator[House]:
    """
    A console before a server.

    Args:
        token: The operator's, as the console reads it.
    """
    async with StandIn() as ollama:
        section = ShimSettings.model_validate(
            {
                "address": "127.0.0.1:0",
                "upstream": ollama.url,
                "memory_milliseconds_max": 5000,
                "drain_seconds": 2 * SECONDS_MAX,
                **settings,
            }
        )
        server = ServerSettings(address=client.address)
        console = Console(
            section, server, lambda: token, agents=lambda: "shim", now=now
        )
        console._pages._environment.bytecode_cache = TEMPLATES
        async with (
            Shim(section, server, lambda: "shim", console) as shim,
            aiohttp.ClientSession() as http,
        ):
            yield House(shim, client, ollama, http)


async def doubt(client: Client, *texts: str, who: str = "guest") -> None:
    """Make a candidate of each text: a tool's result states it."""
    for text in texts:
        turn = pb.Turn(role=pb.Turn.ROLE_TOOL, text=text)
        await client.memory.Recollect(
            pb.RecollectRequest(turns=[turn]), metadata=Client.as_(who)
        )
    # It is committed after them.
    await client.states("last -isa statement")


def text_of(page: str) -> str:
    """Return the text of a page without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def found(pattern: str, text: str) -> str:
    """Return the text of the pattern's group, which must be there."""
    match = re.search(pattern, text)
    assert match, f"there is no {pattern!r}"
    return match.group(1)
