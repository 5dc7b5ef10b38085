"""Measures the shim against a bare pass-through proxy before the same stand-in."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Self

import aiohttp
from aiohttp import web

from benchmarks.processes import process
from benchmarks.recollect import TOKEN, memory_server
from benchmarks.report import Part, Row, Samples, timed
from benchmarks.worlds import Prompts
from festinger.config import ShimSettings
from festinger.shim.app import Shim
from festinger.standin import StandIn

CONCEPTS = 10_000
CONCURRENT = 16
WORDS = 40
"""In an answer; each is a chunk of the stream."""

_TURNS = (("system", 2000), ("user", 1500), ("assistant", 1500), ("user", 1000))


@asynccontextmanager
async def stand_in() -> AsyncIterator[str]:
    """Plays Ollama: answers at once, word by word."""
    async with StandIn() as ollama:
        ollama.knobs.reply = " ".join(["word"] * WORDS)
        forget = asyncio.create_task(_forget(ollama))
        try:
            yield ollama.url
        finally:
            forget.cancel()


async def _forget(ollama: StandIn) -> None:
    while True:
        await asyncio.sleep(0.5)
        ollama.requests.clear()


@asynccontextmanager
async def shim(
    upstream: str, server: str, milliseconds_max: float
) -> AsyncIterator[str]:
    """The real shim."""
    settings = ShimSettings(
        address="127.0.0.1:0",
        upstream=upstream,
        tenant=str(CONCEPTS),
        memory_milliseconds_max=milliseconds_max,
    )
    async with Shim(settings, server, TOKEN) as running:
        yield running.url


@asynccontextmanager
async def bare_proxy(upstream: str) -> AsyncIterator[str]:
    """The least that a proxy of aiohttp does: read, send on, stream back."""
    async with aiohttp.ClientSession(auto_decompress=False) as session:

        async def handle(request: web.Request) -> web.StreamResponse:
            body = await request.read()
            async with session.post(f"{upstream}{request.path}", data=body) as answer:
                out = web.StreamResponse(
                    status=answer.status,
                    headers={"Content-Type": answer.content_type},
                )
                await out.prepare(request)
                async for chunk in answer.content.iter_any():
                    await out.write(chunk)
                await out.write_eof()
                return out

        app = web.Application()
        app.router.add_post("/{path:.*}", handle)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        try:
            yield f"http://{host}:{port}"
        finally:
            await runner.cleanup()


@dataclass
class Spent:
    """What a peer's answers took.

    Attributes:
        first: To the first byte of the answer's body.
        whole: To its last.
    """

    first: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)


class Client:
    """A keep-alive connection that does no more than it must.

    Attributes:
        headers: Of the last answer.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str
    ) -> None:
        self._reader, self._writer, self._host = reader, writer, host
        self.headers = b""

    @classmethod
    async def connect(cls, url: str) -> Self:
        """Opens the connection."""
        address = url.removeprefix("http://")
        host, _, port = address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        return cls(reader, writer, address)

    async def chat(self, body: bytes, spent: Spent | None) -> None:
        """Sends a prompt and reads the streamed answer."""
        head = (
            f"POST /api/chat HTTP/1.1\r\nHost: {self._host}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        started = perf_counter()
        self._writer.write(head.encode() + body)
        self.headers = await self._reader.readuntil(b"\r\n\r\n")
        tail = await self._reader.read(2**16)
        first = perf_counter()
        while not tail.endswith(b"0\r\n\r\n"):
            chunk = await self._reader.read(2**16)
            if not chunk:
                raise ConnectionError(f"{self._host} broke off: {self.headers!r}")
            tail = tail[-8:] + chunk
        if spent:
            spent.first.append(first - started)
            spent.whole.append(perf_counter() - started)

    async def close(self) -> None:
        """Closes it."""
        self._writer.close()
        await self._writer.wait_closed()


class Conversations:
    """Bodies of `/api/chat` of about 6 KB; none comes twice.

    Args:
        told: Whether the memory has something to tell about each.
    """

    # Of all of them: blocks of a conversation that comes again are only put back.
    _numbers = itertools.count()

    def __init__(self, told: bool) -> None:
        self.told = told
        source = Prompts(CONCEPTS)
        self._texts = [
            [source.text(length, placed=told) for _, length in _TURNS]
            for _ in range(32)
        ]

    def body(self) -> bytes:
        """The next one, with a mark in each message that makes it new."""
        number = next(self._numbers)
        texts = self._texts[number % len(self._texts)]
        messages = [
            {"role": role, "content": f"({number}) {text}"}
            for (role, _), text in zip(_TURNS, texts, strict=True)
        ]
        return json.dumps({"model": "stand-in", "messages": messages}).encode()


PEERS = ("shim", "bare proxy", "no proxy")


def measure(quick: bool = False, *, rounds: int | None = None) -> list[Part]:
    """Measures; sequential first, then many clients at once."""
    return asyncio.run(_measure(rounds or (32 if quick else 1200)))


async def _measure(rounds: int) -> list[Part]:
    rows: list[Row] = []
    async with AsyncExitStack() as stack:
        upstream = stack.enter_context(process(stand_in))
        server = stack.enter_context(process(memory_server, str(CONCEPTS)))
        # With the product's 50 ms a loaded machine would skip the memory, and the
        # shim would look faster for it.
        through = stack.enter_context(process(shim, upstream, server, 5000.0))
        usual = ShimSettings().memory_milliseconds_max
        impatient = stack.enter_context(process(shim, upstream, server, usual))
        bare = stack.enter_context(process(bare_proxy, upstream))
        urls = dict(zip(PEERS, (through, bare, upstream), strict=True))
        for told in (True, False):
            for clients in (1, CONCURRENT):
                spent = await _compare(urls, told, clients, rounds)
                rows += _rows(spent, told, clients)
        for clients in (1, CONCURRENT):
            share = await _skipped(impatient, clients, rounds)
            how = "one at a time" if clients == 1 else f"{clients} at once"
            what = f"prompts that went on without: {usual:.0f} ms, {how}"
            rows.append(Row(f"shim.skipped.{clients}", what, share * 100, "%"))
    return [
        Part(
            "The shim, streaming /api/chat",
            f"Bodies of 6 KB, four messages, all of them new to the memory; answers of "
            f"{WORDS} chunks, sent without a pause. Client, shim, memory server, bare "
            "proxy and stand-in are processes of their own, which share the cores; the "
            "peers alternate.",
            rows,
        )
    ]


async def _compare(
    urls: dict[str, str], told: bool, clients: int, rounds: int
) -> dict[str, Spent]:
    conversations = Conversations(told)
    spent = {peer: Spent() for peer in urls}
    pools = {
        peer: [await Client.connect(url) for _ in range(clients)]
        for peer, url in urls.items()
    }
    for number in range(-32 // clients, rounds // clients):
        for peer, pool in pools.items():
            noted = spent[peer] if number >= 0 else None
            async with asyncio.TaskGroup() as group:
                for client in pool:
                    group.create_task(client.chat(conversations.body(), noted))
    result = b"full" if told else b"none"
    headers = pools["shim"][0].headers
    if b"X-Festinger-Recollection: " + result not in headers:
        raise RuntimeError(f"the shim did not answer as it should: {headers!r}")
    for client in itertools.chain(*pools.values()):
        await client.close()
    return spent


async def _skipped(url: str, clients: int, rounds: int) -> float:
    """The share of prompts for which the memory took longer than the shim waits."""
    conversations = Conversations(told=True)
    pool = [await Client.connect(url) for _ in range(clients)]
    skipped = asked = 0
    for number in range(-32 // clients, rounds // clients):
        async with asyncio.TaskGroup() as group:
            for client in pool:
                group.create_task(client.chat(conversations.body(), None))
        if number >= 0:
            asked += clients
            skipped += sum(b"skipped:" in client.headers for client in pool)
    for client in pool:
        await client.close()
    return skipped / asked


def _rows(spent: dict[str, Spent], told: bool, clients: int) -> list[Row]:
    what = "something to tell" if told else "nothing to tell"
    how = "one at a time" if clients == 1 else f"{clients} at once"
    key = f"shim.{'told' if told else 'untold'}.{clients}"
    rows = []
    for name, part in (("first byte", "first"), ("whole answer", "whole")):
        ours, bare, direct = (Samples(getattr(spent[peer], part)) for peer in PEERS)
        rows += [
            timed(
                f"{key}.{part}", f"{what}, {how}: {name}", ours, ("bare proxy", bare)
            ),
            timed(f"{key}.{part}.bare", "  bare proxy", bare),
            timed(f"{key}.{part}.direct", "  no proxy", direct),
            Row(
                f"{key}.{part}.added", "  shim adds to bare proxy", ours.p50 - bare.p50
            ),
        ]
    return rows
