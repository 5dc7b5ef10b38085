"""Clients that leave, in every phase of a request: the upstream is let go at once."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from itertools import count

import aiohttp
import pytest

from festinger.shim.proxy.endings import Lines
from tests.shim.conftest import chat
from tests.shim.faults import reset_connection
from tests.waiting import standstill, until

PIECE = b"x" * 2**16


async def connect(shim):
    """Return a connection to the shim."""
    return await asyncio.open_connection(*shim.address.rsplit(":", 1))


def prompt(path="/api/chat"):
    """Return a whole request."""
    raw = json.dumps(chat("hello", stream=True)).encode()
    return b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b" % (
        path.encode(),
        len(raw),
        raw,
    )


def requests_under_way(shim):
    """Return the requests that the shim works on."""
    return shim._dispatcher._under_way


async def leave(writer):
    """Close a connection."""
    writer.close()
    await writer.wait_closed()


async def reset(writer):
    """Break a connection off."""
    reset_connection(writer)


async def say_no_more(writer):
    """Close one direction only; the other is never read."""
    writer.transport.get_extra_info("socket").shutdown(socket.SHUT_WR)


in_any_way = pytest.mark.parametrize(
    "go", [leave, reset, say_no_more], ids=lambda it: it.__name__
)


class Upstream:
    """An upstream that takes requests, and reads and speaks only as it is told."""

    def __init__(self, says=b""):
        self.url = ""
        self.taken = self.closed = self.held = self.received = 0
        self.reading = asyncio.Event()
        self._says = says

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self.reading.set()
        self._server.close()

    async def _serve(self, reader, writer):
        self.taken += 1
        speaking = asyncio.create_task(self._speak(writer))
        with suppress(OSError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            await self.reading.wait()
            while data := await reader.read(2**16):
                self.received += len(data)
        self.closed += 1
        speaking.cancel()
        await asyncio.gather(speaking, return_exceptions=True)
        writer.transport.abort()

    async def _speak(self, writer):
        if not self._says:
            return
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while True:
            writer.write(self._says)
            await writer.drain()
            self.held += len(self._says)


@pytest.fixture
async def upstream():
    """An upstream that reads, and says nothing."""
    async with Upstream() as upstream:
        upstream.reading.set()
        yield upstream


@in_any_way
async def test_within_an_upload_that_is_held_up(start_shim, upstream, go):
    """
    While the upstream takes nothing, so that nothing is read from the client. When it
    reads again it finds the upload broken off.
    """
    upstream.reading.clear()
    shim = await start_shim(upstream=upstream.url, model_changes=True)
    _, writer = await connect(shim)
    writer.write(
        b"POST /api/blobs/x HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Length: 999999999\r\n\r\n"
    )
    await until(lambda: upstream.taken)
    (connection,) = shim._runner.server.connections
    while connection.transport.is_reading():
        writer.write(PIECE)
        await writer.drain()
        await asyncio.sleep(0.001)
    await go(writer)

    await until(lambda: not requests_under_way(shim))
    upstream.reading.set()
    await until(lambda: upstream.closed)
    assert 0 < upstream.received < 999999999
    writer.transport.abort()


@in_any_way
async def test_while_the_queue_is_full(start_shim, ollama, go):
    """While it waits for its turn: it is never sent on, and the next one's turn comes."""
    ollama.knobs.hold_after = 0
    shim = await start_shim(requests_max=1, queue_max=1)
    _, first = await connect(shim)
    first.write(prompt())
    await until(lambda: len(ollama.prompts) == 1)
    _, waiting = await connect(shim)
    waiting.write(prompt())
    await until(lambda: len(requests_under_way(shim)) == 2)
    await go(waiting)
    await until(lambda: len(requests_under_way(shim)) == 1)
    ollama.knobs.hold_after = None
    await go(first)
    await until(lambda: not requests_under_way(shim))

    assert len(ollama.prompts) == 1
    assert ollama.cancelled == ["/api/chat"]
    waiting.transport.abort()
    first.transport.abort()


@in_any_way
async def test_while_the_memory_is_asked(start_shim, memory, ollama, go):
    """While the memory thinks: nothing reaches the upstream."""
    memory.delay = 30
    shim = await start_shim(memory_milliseconds_max=5000)
    _, writer = await connect(shim)
    writer.write(prompt())
    await until(lambda: memory.recollects)
    await go(writer)

    await until(lambda: not requests_under_way(shim))
    assert ollama.requests == []
    writer.transport.abort()


@in_any_way
async def test_while_the_upstream_takes_no_connection(start_shim, deaf, go):
    """While the connection to the upstream is not there yet."""
    shim = await start_shim(upstream=deaf)
    _, writer = await connect(shim)
    writer.write(prompt())
    await until(lambda: requests_under_way(shim))
    await asyncio.sleep(0.1)
    assert requests_under_way(shim)
    await go(writer)

    await until(lambda: not requests_under_way(shim))
    writer.transport.abort()


@in_any_way
@pytest.mark.parametrize("path", ["/api/chat", "/api/pull", "/v1/other"])
async def test_before_the_first_byte(start_shim, upstream, go, path):
    """While the model loads, on routes that are enriched and on those that pass."""
    shim = await start_shim(upstream=upstream.url, model_changes=True)
    _, writer = await connect(shim)
    writer.write(prompt(path))
    await until(lambda: upstream.taken)
    await go(writer)

    await until(lambda: upstream.closed)
    writer.transport.abort()


@pytest.mark.parametrize("chunk", [1, 3])
async def test_just_before_a_chunk_is_written(
    http, shim, ollama, monkeypatch, capsys, chunk
):
    """
    A connection closed between two steps of an answer is no failure of the shim's: the
    log says no more than that the client left.
    """
    seen = count(1)
    see = Lines.see

    def seeing(lines, read):
        see(lines, read)
        if next(seen) == chunk:
            for connection in shim._runner.server.connections:
                connection.transport.abort()

    monkeypatch.setattr(Lines, "see", seeing)
    ollama.knobs.reply, ollama.knobs.delay = "one two three four", 0.05
    with pytest.raises(aiohttp.ClientError):
        await (
            await http.post(f"{shim.url}/api/chat", json=chat("hi", stream=True))
        ).read()
    await until(lambda: not requests_under_way(shim))

    logged = capsys.readouterr().out
    assert "client_left" in logged
    assert "request_failed" not in logged


@in_any_way
async def test_within_an_answer_that_it_reads_slowly(start_shim, go):
    """While the answer is held up, because the client does not read it."""
    async with Upstream(PIECE) as upstream:
        upstream.reading.set()
        shim = await start_shim(upstream=upstream.url)
        reader, writer = await connect(shim)
        writer.write(prompt("/v1/other"))
        await reader.readuntil(b"\r\n\r\n")
        await standstill(lambda: upstream.held)
        await go(writer)

        await until(lambda: upstream.closed)
        await until(lambda: not requests_under_way(shim))
        writer.transport.abort()
