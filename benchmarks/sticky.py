"""Measures how much of a conversation a model reads again, by the block's position."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any, cast

import aiohttp
import grpc.aio

from benchmarks.processes import process
from benchmarks.recollect import PATIENT_MS, TOKEN
from benchmarks.report import Part, Row
from benchmarks.worlds import NOW, TRUST, NoStore, Prompts, name
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.memory_service_pb2_grpc import MemoryServiceStub
from festinger.config import CallerSettings, ServerSettings, ShimSettings
from festinger.core.system.preferences import Position, Preferences
from festinger.rpc.server import MemoryServer
from festinger.services.world.memory import Memories
from festinger.shim.app import Shim
from festinger.standin import StandIn, evaluated

CONCEPTS = 5_000
TURNS, TURNS_QUICK = 30, 12
FACT_EVERY = 3
"""Somebody states something new before one turn in so many, and the user names it."""

SYSTEM, SAID, ANSWERED = 2000, 400, 1200
"""Characters of the system text, of a user's message and of an answer."""


def measure(quick: bool = False, *, turns: int | None = None) -> list[Part]:
    """Has the same conversation at each position; the figures do not depend on time."""
    turns = turns or (TURNS_QUICK if quick else TURNS)
    read = asyncio.run(_measure(turns))
    bare = read[Position.OFF]
    rows = [Row("sticky.off", "no block", bare, "B")]
    rows += [
        Row(
            f"sticky.{position}",
            f"position {position}",
            read[position],
            "B",
            ratio=read[position] / bare,
            peer="no block",
        )
        for position in Position
        if position is not Position.OFF
    ]
    note = (
        f"{turns} turns of /api/chat, {SAID} characters said and {ANSWERED} answered "
        f"each, after {SYSTEM} of system text. Before every {FACT_EVERY}rd turn somebody "
        "states a fact, which the user names in that turn and in later ones. Counted are "
        "the bytes of each prompt behind what it shares with the one before: what a "
        "prefix cache does not spare. The goal of sticky is 1.1 times no block at most."
    )
    return [Part("Prompt bytes that a model reads, by position", note, rows)]


class _Positioned(NoStore):
    """A store whose tenants are named by their position."""

    async def load(self, tenant: str) -> Any:
        """Return a world of a fixed size."""
        return await super().load(str(CONCEPTS))

    async def preferences(self, tenant: str) -> tuple[Preferences, list[str]]:
        """Return the defaults, at the tenant's position."""
        return Preferences(recollection_position=Position(tenant)), []


@asynccontextmanager
async def memory_server() -> AsyncIterator[str]:
    """The real server over worlds that no database holds."""
    caller = CallerSettings(
        name="shim",
        token_sha256=sha256(TOKEN.encode()).hexdigest(),
        trusted=True,
        tenants=("*",),
    )
    memories = Memories(cast(Any, _Positioned()), now=lambda: NOW, trust=TRUST)
    server = MemoryServer(
        ServerSettings(address="127.0.0.1:0", queue_milliseconds_max=PATIENT_MS),
        memories,
        (caller,),
    )
    try:
        yield await server.start()
    finally:
        await server.stop()
        await memories.stop()


@asynccontextmanager
async def shim(upstream: str, server: str, tenant: str) -> AsyncIterator[str]:
    """The real shim."""
    settings = ShimSettings(
        address="127.0.0.1:0",
        upstream=upstream,
        tenant=tenant,
        memory_milliseconds_max=5000.0,
    )
    async with Shim(settings, ServerSettings(address=server), lambda: TOKEN) as running:
        yield running.url


async def _measure(turns: int) -> dict[Position, int]:
    read = {}
    with process(memory_server) as server:
        for position in Position:
            async with StandIn() as ollama:
                with process(shim, ollama.url, server, str(position)) as url:
                    await _converse(url, server, position, turns)
                read[position] = sum(evaluated(ollama.prompts))
    return read


async def _converse(url: str, server: str, position: Position, turns: int) -> None:
    """Has a conversation, and somebody else state facts meanwhile."""
    texts = Prompts(CONCEPTS)
    messages = [_message("system", texts.text(SYSTEM, placed=False))]
    async with (
        grpc.aio.insecure_channel(server) as channel,
        aiohttp.ClientSession() as http,
    ):
        for turn in range(turns):
            named = turn // FACT_EVERY
            if turn % FACT_EVERY == 0:
                await _state(channel, f"{_thing(named)} -isa measurement", position)
            said = texts.text(SAID, placed=False)
            said += f" What about {_thing(named)} and {_thing(named // 2)}?"
            messages.append(_message("user", said))
            await _ask(http, url, messages, position)
            answer = texts.text(ANSWERED, placed=False)
            messages.append(_message("assistant", answer))


async def _state(channel: grpc.aio.Channel, fact: str, tenant: str) -> None:
    # The generated stubs carry no types.
    stub: Any = MemoryServiceStub
    metadata = (("authorization", f"Bearer {TOKEN}"), ("festinger-tenant", tenant))
    await stub(channel).Assert(pb.AssertRequest(fact=fact), metadata=metadata)


async def _ask(
    http: aiohttp.ClientSession,
    url: str,
    messages: list[dict[str, str]],
    position: Position,
) -> None:
    body = {"model": "stand-in", "stream": False, "messages": messages}
    async with http.post(f"{url}/api/chat", json=body) as answer:
        await answer.read()
        result = answer.headers["X-Festinger-Recollection"]
    expected = {"skipped:off"} if position is Position.OFF else {"full", "replay"}
    if answer.status != 200 or result not in expected:
        raise RuntimeError(f"the shim did not answer as it should: {result}")


def _thing(number: int) -> str:
    """Return a name that no world has."""
    return f"{name(CONCEPTS + number)}x"


def _message(role: str, text: str) -> dict[str, str]:
    return {"role": role, "content": text}
