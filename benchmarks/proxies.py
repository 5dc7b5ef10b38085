"""Processes that the shim is measured with: a model, and a minimal proxy before it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from time import perf_counter
from typing import Any, Final

import aiohttp
import grpc.aio
from aiohttp import web

from benchmarks.recollect import EMPTY_STREAM

BURST, PACED, SHORT = "burst", "paced", "short"
"""Models: one that answers without a pause, one at a model's pace, one in a word."""

WORDS = 40
"""In an answer, half of them at a model's pace; each is a chunk of the stream."""
PACE_SECONDS = 0.006
"""Between two chunks of the one that takes its time."""

_WORDS: Final = {BURST: WORDS, PACED: WORDS // 2, SHORT: 1}
_CONTEXT = 2**17
_ASKED_BYTES = 1024
_TOLD_BYTES = 512


@asynccontextmanager
async def model() -> AsyncIterator[str]:
    """Plays Ollama, at less cost than any proxy: what it takes is nobody's merit."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, limit=2**20)
    host, port = server.sockets[0].getsockname()[:2]
    try:
        yield f"http://{host}:{port}"
    finally:
        server.close()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection."""
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            body = await _body(head, reader)
            if b"/api/chat" in head:
                await _speak(body, writer)
            elif b"/api/show" in head:
                shown = {"model_info": {}, "parameters": f"num_ctx {_CONTEXT}"}
                _say(writer, json.dumps(shown).encode())
            else:
                _say(writer, b'{"models": []}')
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def _body(head: bytes, reader: asyncio.StreamReader) -> bytes:
    if b"chunked" in head:
        parts = []
        while size := int(await reader.readline(), 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return b"".join(parts)
    _, named, rest = head.partition(b"content-length:")
    return await reader.readexactly(int(rest.split(b"\r", 1)[0])) if named else b""


async def _speak(body: bytes, writer: asyncio.StreamWriter) -> None:
    """Say word by word when each was sent."""
    asked = next(name for name in _WORDS if f'"{name}"'.encode() in body[:40])
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    for number in range(_WORDS[asked]):
        if asked == PACED:
            await asyncio.sleep(PACE_SECONDS)
        said = f'{{"role":"assistant","content":"word {number} "}},"done":false'
        _send(writer, f'{{"model":"{asked}","message":{said}')
    _send(writer, f'{{"model":"{asked}","done":true,"done_reason":"stop"')
    writer.write(b"0\r\n\r\n")


def _send(writer: asyncio.StreamWriter, line: str) -> None:
    line = f'{line},"sent":{perf_counter():.6f}}}\n'
    writer.write(f"{len(line):x}\r\n{line}\r\n".encode())


def _say(writer: asyncio.StreamWriter, body: bytes) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    writer.write(f"{head}\r\n\r\n".encode() + body)


@asynccontextmanager
async def bare_proxy(upstream: str, server: str | None = None) -> AsyncIterator[str]:
    """The least that a proxy of aiohttp does: send on, and stream back.

    Args:
        upstream: Where to.
        server: A memory server, whose empty stream it asks before it sends on.
    """
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(
            aiohttp.ClientSession(
                auto_decompress=False, connector=aiohttp.TCPConnector(limit=0)
            )
        )
        asking = await _EmptyStream.open(server) if server else None

        async def handle(request: web.Request) -> web.StreamResponse:
            body = await request.read() if request.can_read_body else None
            if asking:
                await asking.ask((body or b"")[-_ASKED_BYTES:])
            async with session.request(
                request.method,
                upstream + request.path,
                data=body,
                headers={"Content-Type": request.content_type},
            ) as answer:
                out = web.StreamResponse(
                    status=answer.status,
                    headers={"Content-Type": answer.content_type},
                )
                out.content_length = answer.content_length
                await out.prepare(request)
                async for chunk in answer.content.iter_any():
                    await out.write(chunk)
                await out.write_eof()
                return out

        app = web.Application(client_max_size=0)
        app.router.add_route("*", "/{path:.*}", handle)
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        if asking:
            stack.push_async_callback(asking.close)
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"


class _EmptyStream:
    """A stream to a handler that does nothing; it answers in order."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel
        self._call: Any = channel.stream_stream(f"{EMPTY_STREAM}{_TOLD_BYTES}")()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._sending = asyncio.Lock()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, server: str) -> _EmptyStream:
        """Open the stream."""
        stream = cls(grpc.aio.insecure_channel(server))
        await stream.ask(b"ready")
        return stream

    async def ask(self, data: bytes) -> None:
        """Send so much, and wait for an answer."""
        answered = asyncio.get_running_loop().create_future()
        async with self._sending:
            self._waiting.append(answered)
            await self._call.write(data)
        await answered

    async def _read(self) -> None:
        while True:
            await self._call.read()
            answered = self._waiting.popleft()
            if not answered.done():
                answered.set_result(None)

    async def close(self) -> None:
        """Close it."""
        self._reading.cancel()
        self._call.cancel()
        await self._channel.close()
