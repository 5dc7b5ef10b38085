"""Upstreams that speak HTTP badly, or oddly, byte by byte as told."""

from __future__ import annotations

import asyncio
import gzip
import json
import re

import aiohttp
import pytest

from tests.shim.conftest import chat, exchange

OK = b"HTTP/1.1 200 OK\r\n"
JSON = b"Content-Type: application/json\r\n"
LINES = b"Content-Type: application/x-ndjson\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
DONE = b'{"done":true}\n'
LENGTH = re.compile(rb"Content-Length: (\d+)")


def sized(body, *, size=None, more=b""):
    """Return an answer with a length."""
    length = b"Content-Length: %d\r\n\r\n" % (len(body) if size is None else size)
    return OK + JSON + more + length + body


def chunk(body):
    """Return a chunk."""
    return b"%x\r\n%b\r\n" % (len(body), body)


PACKED = gzip.compress(DONE * 3)

WHOLE = {
    "100 and 103 before": (
        b"HTTP/1.1 100 Continue\r\n\r\n"
        b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + sized(DONE),
        DONE,
    ),
    "HTTP/1.0": (b"HTTP/1.0 200 OK\r\n" + JSON + b"\r\n" + DONE, DONE),
    "HTTP/1.0 in lines": (b"HTTP/1.0 200 OK\r\n" + LINES + b"\r\n" + DONE, DONE),
    "packed": (sized(PACKED, more=b"Content-Encoding: gzip\r\n"), PACKED),
    "packed in chunks": (
        OK
        + (LINES + CHUNKED + b"Content-Encoding: gzip\r\n\r\n")
        + (chunk(PACKED[:9]) + chunk(PACKED[9:]) + b"0\r\n\r\n"),
        PACKED,
    ),
    "trailers": (
        OK + JSON + CHUNKED + b"\r\n" + chunk(DONE) + b"0\r\nX-Tail: 1\r\n\r\n",
        DONE,
    ),
    "no reason": (sized(DONE).replace(b"200 OK", b"200"), DONE),
}

CUT = {
    "less than its length": sized(DONE, size=1000),
    "half a chunk": OK + JSON + CHUNKED + b"\r\n" + b"64\r\n" + DONE,
    "no last chunk": OK + JSON + CHUNKED + b"\r\n" + chunk(DONE),
    "no last chunk, in lines": OK + LINES + CHUNKED + b"\r\n" + chunk(b"{}\n"),
}

NONE = {
    "two lengths": sized(DONE, more=b"Content-Length: 1\r\n"),
    "a length below zero": sized(DONE, size=-1),
    "a length that is none": sized(DONE).replace(b"Length: 14", b"Length: 1x"),
    "length and chunks": sized(chunk(DONE) + b"0\r\n\r\n", more=CHUNKED),
    "a header without a colon": sized(DONE, more=b"zork\r\n"),
    "a status that is none": sized(DONE).replace(b"200 OK", b"2x OK"),
    "half a head": OK + JSON,
    "a header that is too long": sized(DONE, more=b"X: %b\r\n" % (b"x" * 2**17)),
}


@pytest.fixture
async def ask(http, start_shim, raw_upstream):
    """
    Send a prompt to an upstream that answers these bytes; give status, body, and
    whether it came to its end.
    """
    raw_upstream.closes = True
    shim = await start_shim(upstream=raw_upstream.url)

    async def ask(answer):
        raw_upstream.answer = answer
        url = f"{shim.url}/api/chat"
        async with http.post(url, json=chat("hello")) as response:
            got = b""
            try:
                async for piece in response.content.iter_any():
                    got += piece
            except aiohttp.ClientError:
                return response.status, got, False
            return response.status, got, True

    return ask


@pytest.mark.parametrize("said", WHOLE)
async def test_odd_answers_pass(ask, said):
    """A legal, or harmless, answer arrives as it was sent, and so does the next one."""
    answer, body = WHOLE[said]

    assert await ask(answer) == (200, body, True)
    assert await ask(sized(b"{}")) == (200, b"{}", True)


@pytest.mark.parametrize("said", CUT)
async def test_cut_answers_stay_cut(ask, said):
    """An answer without its end does not look as if it had one."""
    status, body, whole = await ask(CUT[said])

    assert status == 200
    assert not whole
    assert b'"error"' in body or body in (b"", DONE)
    assert await ask(sized(b"{}")) == (200, b"{}", True)


@pytest.mark.parametrize("said", NONE)
async def test_what_is_no_answer(ask, said):
    """An answer without a known end, or that is no HTTP, is a 502."""
    status, body, whole = await ask(NONE[said])

    assert (status, whole) == (502, True)
    assert "Ollama" in json.loads(body)["error"]
    assert await ask(sized(b"{}")) == (200, b"{}", True)


@pytest.mark.parametrize(
    "answer",
    [
        sized(DONE * 2, size=len(DONE)),
        OK + JSON + CHUNKED + b"\r\n" + chunk(DONE) + b"zork\r\n",
        OK + JSON + CHUNKED + b"\r\n" + b"5\r\n" + DONE + b"\r\n0\r\n\r\n",
    ],
)
async def test_what_has_another_end_than_it_says(ask, answer):
    """
    Bytes behind the end of an answer, be it refused, cut, or complete, never pass,
    not even for the next answer.
    """
    status, body, whole = await ask(answer)

    assert status in {200, 502}
    assert b'"error"' in body or DONE.startswith(body)
    assert not whole or status == 502 or body == DONE
    assert await ask(sized(b"{}")) == (200, b"{}", True)


INJECTED = [
    b"X-A: 1\rX-Injected: 1\r\n",
    b"X-A: 1\nX-Injected: 1\r\n",
    b"X-A: 1\r\n X-Injected: 1\r\n",
    b"X-A: \x00\r\nX-B: 1\x00X-Injected: 1\r\n",
    b"X-A : 1\r\n",
]


@pytest.mark.parametrize("line", INJECTED)
async def test_no_header_is_smuggled_to_the_client(start_shim, raw_upstream, line):
    """
    One header of the upstream does not become two on its way, nor a line that clients
    may read in several ways.
    """
    raw_upstream.answer = sized(DONE, more=line)
    shim = await start_shim(upstream=raw_upstream.url)
    raw = b"GET /api/tags HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    head, _, _ = (await exchange(shim.url, raw)).partition(b"\r\n\r\n")

    lines = head.split(b"\r\n")
    assert not any(b"\r" in it or b"\n" in it or b"\0" in it for it in lines)
    names = [it.partition(b":")[0].lower() for it in lines[1:]]
    assert b"x-a " not in names
    # A bare line feed does end a header for many, the shim's parser among them.
    assert (b"x-injected" in names) == (line == INJECTED[1] and b"200" in lines[0])


@pytest.mark.parametrize(
    "head",
    [
        b"GET /api/tags?x=%0d%0aX-Injected:%201 HTTP/1.1\r\n",
        b"GET /api/tags%0d%0aX-Injected:%201 HTTP/1.1\r\n",
        b"GET /as/a%0d%0aX-Injected:%201/api/tags HTTP/1.1\r\n",
        b"GET /api/tags HTTP/1.1\r\nX-A: 1\rX-Injected: 1\r\n",
        b"GET /api/tags HTTP/1.1\r\nX-A: 1\r\n X-Injected: 1\r\n",
        b"GET /api/tags HTTP/1.1\r\nX-A: 1\x00X-Injected: 1\r\n",
        b"GET /api/tags HTTP/1.1\r\nX-A : 1\r\nX-Injected : 1\r\n",
        b"GET /api/tags HTTP/1.1\r\nX-Festinger-Session: a\rX-Injected: 1\r\n",
    ],
)
async def test_no_header_is_smuggled_to_the_upstream(shim, ollama, head):
    """Nothing that a client puts into a path or a header becomes a header of its own."""
    raw = head + b"Host: localhost\r\nConnection: close\r\n\r\n"
    answer = await exchange(shim.url, raw)

    assert answer.startswith(b"HTTP/1.")
    assert b"\r\nX-Injected" not in answer
    for received in ollama.requests:
        assert received.header("X-Injected") is None


class Closing:
    """
    An upstream that answers the first request of a connection, and closes it when the
    second one comes, as one does that was about to close it.
    """

    def __init__(self):
        self.requests = []

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self._server.close()

    async def _serve(self, reader, writer):
        for number in range(2):
            head = await reader.readuntil(b"\r\n\r\n")
            self.requests.append(number)
            await reader.readexactly(int(LENGTH.findall(head)[0]))
            if not number:
                writer.write(sized(DONE))
        writer.close()


async def test_prompt_is_not_sent_twice(http, start_shim):
    """
    A prompt on a connection that closes under it may have been read, so that nobody but
    the client sends it again; the next one goes over a new connection.
    """
    async with Closing() as upstream:
        shim = await start_shim(upstream=upstream.url)
        url, statuses = f"{shim.url}/api/chat", []
        for _ in range(3):
            async with http.post(url, json=chat("hello")) as answer:
                await answer.read()
            statuses.append(answer.status)

    assert statuses == [200, 502, 200]
    assert upstream.requests == [0, 1, 0]


async def test_connection_that_was_closed_meanwhile(http, start_shim, raw_upstream):
    """One that the upstream closed while nobody used it costs nobody a prompt."""
    raw_upstream.answer, raw_upstream.closes = sized(DONE), True
    shim = await start_shim(upstream=raw_upstream.url)
    for _ in range(5):
        async with http.post(f"{shim.url}/api/chat", json=chat("hello")) as answer:
            assert await answer.read() == DONE
        await asyncio.sleep(0.01)
