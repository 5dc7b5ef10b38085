"""Streams that end too early, and clients that read them slowly or not at all."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

import aiohttp
import anthropic
import openai
import pytest

from festinger.shim.wire import ROUTES
from tests.shim.conftest import chat
from tests.waiting import standstill, until

PATHS = sorted(ROUTES)
ENDINGS = (b'"done":true', b"[DONE]", b"event: response.completed", b"message_stop")

NDJSON, EVENTS = "application/x-ndjson", "text/event-stream"


def asked():
    """Return a prompt that every route takes."""
    return {**chat("hi", stream=True), "prompt": "hi", "input": "hi", "max_tokens": 9}


async def read_until_broken(answer):
    """Return the part of an answer before its connection breaks."""
    got = b""
    try:
        async for chunk in answer.content.iter_any():
            got += chunk
    except aiohttp.ClientPayloadError:
        answer.close()
        return got
    raise AssertionError("it did not break")


def error_of(path, last):
    """The message of an error in a stream, if it has the shape that its clients read."""
    if path.startswith("/api/"):
        return json.loads(last)["error"]
    name, _, data = last.rpartition(b"data: ")
    said = json.loads(data)
    if path == "/v1/messages":
        assert name == b"event: error\n"
        assert said["type"] == "error"
        assert said["error"]["type"] == "api_error"
        return said["error"]["message"]
    if path == "/v1/responses":
        assert name == b"event: error\n"
        assert said["type"] == "error"
        assert said["sequence_number"] == 2
        return said["message"]
    assert name == b""
    assert set(said["error"]) == {"message", "type", "code", "param"}
    return said["error"]["message"]


@pytest.mark.parametrize("knob", ["cut_after", "end_after"])
@pytest.mark.parametrize("path", PATHS)
async def test_stream_that_ends_too_early(http, shim, ollama, capsys, path, knob):
    """
    A stream that breaks, or ends in good order before it says that it is complete, ends
    with an error of its protocol, is broken for the client, and is logged.
    """
    ollama.knobs.reply = "one two three"
    whole = await (await http.post(ollama.url + path, json=asked())).read()
    setattr(ollama.knobs, knob, 2)
    answer = await http.post(shim.url + path, json=asked())
    got = await read_until_broken(answer)

    *before, last = (
        got.removesuffix(b"\n")
        .removesuffix(b"\n")
        .split(b"\n" if path.startswith("/api/") else b"\n\n")
    )
    assert len(before) == 2
    assert whole.startswith(got[: got.index(last)])
    assert "before the answer was complete" in error_of(path, last)
    assert not any(ending in got for ending in ENDINGS)
    assert capsys.readouterr().out.count("upstream_") == 1


def say(raw_upstream, content_type, *said):
    """Make an upstream say something in chunks and end in good order."""
    raw_upstream.answer = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: %b\r\n\r\n%b"
        % (
            content_type.encode(),
            b"".join(b"%x\r\n%b\r\n" % (len(s), s) for s in (*said, b"")),
        )
    )


COMPLETE = [
    ("/api/chat", NDJSON, b'{"message":{},"done":true}\n'),
    ("/api/chat", NDJSON, b'{"message":{},"done":true}'),
    ("/api/chat", NDJSON, b'{"message":{},"done":true}\n\n'),
    ("/api/chat", NDJSON, b'{"message":{},"done":true}\r\n \r\n'),
    ("/api/chat", NDJSON, b'{"message":{}}\n{"error":"out of memory"}\n'),
    ("/api/generate", NDJSON, b'{"done":true,"context":[%b1]}\n' % (b"1000," * 2**18)),
    ("/api/pull", NDJSON, b'{"status":"working"}\n{"status":"success"}\n'),
    ("/v1/completions", EVENTS, b'data: {"error":{"message":"x"}}\n\n'),
    ("/v1/chat/completions", EVENTS, b"data: {}\r\n\r\ndata: [DONE]\r\n\r\n"),
    ("/v1/responses", EVENTS, b"event: response.incomplete\ndata: {}\n\n"),
    ("/v1/responses", EVENTS, b"event: response.failed\ndata: {}\n\n"),
    ("/v1/messages", EVENTS, b"event: error\ndata: {}\n\n"),
    ("/v1/unknown", EVENTS, b"data: {}\n\n"),
    ("/unknown", NDJSON, b"{}\n"),
    ("/api/chat", "application/json", b"{}"),
]


@pytest.mark.parametrize(("path", "content_type", "said"), COMPLETE)
async def test_complete_stream(
    http, start_shim, raw_upstream, capsys, path, content_type, said
):
    """
    A stream that says that it is over, by its own error too, or that need not say so,
    is passed as it is.
    """
    say(raw_upstream, content_type, said)
    shim = await start_shim(upstream=raw_upstream.url, model_changes=True)
    answer = await http.post(shim.url + path, json=asked())

    assert await answer.read() == said
    assert "upstream_" not in capsys.readouterr().out


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \n", b" "])
async def test_blank_lines_do_not_count(http, start_shim, raw_upstream, blank):
    """A complete answer stays so where a blank line follows by itself."""
    done = b'{"message":{},"done":true}\n'
    say(raw_upstream, NDJSON, done, blank)
    begun, end, rest = raw_upstream.answer.partition(done + b"\r\n")
    raw_upstream.answer = begun + end
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.post(f"{shim.url}/api/chat", json=asked())
    first = await answer.content.readany()
    raw_upstream.send(rest)

    assert first + await answer.read() == done + blank


INCOMPLETE = [
    ("/api/chat", NDJSON, b'{"message":{"tool_calls":[{"a":{"done":true}}]}}\n'),
    ("/api/chat", NDJSON, b'{"message":{"content":"\\"done\\":true"},"done":false}\n'),
    ("/v1/completions", EVENTS, b'data: {"text":"\\ndata: [DONE]"}\n\n'),
    ("/v1/messages", EVENTS, b'data: {"text":"event: message_stop"}\n\n'),
]


@pytest.mark.parametrize(("path", "content_type", "said"), INCOMPLETE)
async def test_text_is_no_ending(
    http, start_shim, raw_upstream, path, content_type, said
):
    """Words of a model or a tool cannot pass for the end of a stream."""
    say(raw_upstream, content_type, said)
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.post(shim.url + path, json=asked())
    got = await read_until_broken(answer)

    assert got.startswith(said)
    assert b"before the answer was complete" in got[len(said) :]


@pytest.mark.parametrize(
    ("path", "content_type", "half"),
    [
        ("/api/chat", NDJSON, b'{"half":'),
        ("/v1/messages", EVENTS, b"event: message_start\n"),
        ("/v1/completions", EVENTS, b"data: {}\n"),
    ],
)
async def test_broken_record(http, start_shim, raw_upstream, path, content_type, half):
    """After half a line or half an event nothing is added to it."""
    say(raw_upstream, content_type, half)
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.post(shim.url + path, json=asked())

    assert await read_until_broken(answer) == half


async def test_headers_do_not_wait_for_the_answer(http, start_shim, raw_upstream):
    """The headers arrive as soon as the upstream's do, before it says a word."""
    raw_upstream.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.get(f"{shim.url}/api/tags")
    raw_upstream.send(b"{}")

    assert await answer.read() == b"{}"


async def test_broken_stream_of_another_route(http, start_shim, raw_upstream):
    """Nothing is added to a stream whose protocol is not known."""
    raw_upstream.answer = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: text/event-stream\r\n\r\n4\r\nx\n\n\n\r\n"
    )
    raw_upstream.closes = True
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.post(f"{shim.url}/v1/unknown", json=asked())

    assert await read_until_broken(answer) == b"x\n\n\n"


@pytest.mark.parametrize("tail", [b"", b'{"done":true}\n'])
async def test_stream_ended_by_its_connection(http, start_shim, raw_upstream, tail):
    """
    If only the connection's end says that a stream is over, it must have said so
    itself; else it is passed on as broken.
    """
    raw_upstream.answer = (
        b"HTTP/1.0 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n"
        b'{"message":{}}\n' + tail
    )
    raw_upstream.closes = True
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.post(f"{shim.url}/api/chat", json=asked())

    if tail:
        assert (await answer.read()).endswith(tail)
    else:
        assert b"error" in await read_until_broken(answer)


async def test_openai_broken_stream(shim, ollama):
    """OpenAI's client raises, with words."""
    ollama.knobs.cut_after = 1
    async with openai.AsyncOpenAI(base_url=f"{shim.url}/v1", api_key="x") as client:
        stream = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hi"}], stream=True
        )
        with pytest.raises(openai.APIError, match="before the answer was complete"):
            [chunk async for chunk in stream]


async def collect(stream, events):
    """Put the events of a stream into a list, as they come."""
    async for event in stream:
        events.append(event)


async def test_openai_broken_response(shim, ollama):
    """OpenAI's client is given the error as the last event of a response."""
    ollama.knobs.cut_after = 1
    events: list[Any] = []
    async with openai.AsyncOpenAI(base_url=f"{shim.url}/v1", api_key="x") as client:
        stream = await client.responses.create(model="m", input="hi", stream=True)
        with pytest.raises(openai.APIError):
            await collect(stream, events)

    assert [event.type for event in events] == ["response.created", "error"]
    assert "before the answer was complete" in events[-1].message


async def test_anthropic_broken_stream(shim, ollama):
    """Anthropic's client raises, with words."""
    ollama.knobs.cut_after = 2
    async with anthropic.AsyncAnthropic(base_url=shim.url, api_key="x") as client:
        stream = await client.messages.create(
            model="m",
            max_tokens=9,
            messages=[{"role": "user", "content": "hi"}],
            stream=True,
        )
        with pytest.raises(anthropic.APIError, match="before the answer was complete"):
            [event async for event in stream]


# Backpressure

LINE = b'{"message":{"content":"%b"},"done":false}\n' % (b"x" * 2**16)
LINES = 200 * 2**20 // len(LINE)
HELD_BYTES_MAX = 48 * 2**20
"""What the kernel's buffers of four sockets and the shim's own may hold."""


class Fountain:
    """An upstream that speaks as fast as it is read, and listens when it is told to."""

    def __init__(self):
        self.url = ""
        self.sent = self.received = 0
        self.listening = asyncio.Event()
        self.closed = asyncio.Event()

    async def serve(self, reader, writer):
        """Answer one request."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"POST /api/blobs"):
                await self.listen(reader, writer)
            else:
                await self.speak(writer)
        except ConnectionError:
            pass
        finally:
            writer.close()
            self.closed.set()

    async def speak(self, writer):
        """Say 200 MB."""
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for _ in range(LINES):
            writer.write(b"%x\r\n%b\r\n" % (len(LINE), LINE))
            await writer.drain()
            self.sent += len(LINE)
        last = b'{"done":true}\n'
        writer.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(last), last))
        await writer.drain()

    async def listen(self, reader, writer):
        """Take an upload."""
        await self.listening.wait()
        tail = b""
        while not tail.endswith(b"\r\n0\r\n\r\n"):
            data = await reader.read(2**20)
            self.received += len(data)
            tail = (tail + data)[-7:]
        writer.write(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")


@pytest.fixture
async def fountain():
    """An upstream with a lot to say."""
    fountain = Fountain()
    server = await asyncio.start_server(fountain.serve, "127.0.0.1", 0)
    fountain.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield fountain
    server.close()


async def send_prompt(shim):
    """Send a prompt over a connection of its own, and read nothing."""
    reader, writer = await asyncio.open_connection(*shim.address.rsplit(":", 1))
    raw = json.dumps(asked()).encode()
    writer.write(
        b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b"
        % (len(raw), raw)
    )
    return reader, writer


@pytest.mark.slow
async def test_slow_reader(start_shim, fountain):
    """
    A client that does not read holds the upstream up instead of filling the memory,
    and gets all of it once it reads.
    """
    shim = await start_shim(upstream=fountain.url, loops={"enabled": False})
    reader, writer = await send_prompt(shim)
    held = await standstill(lambda: fountain.sent)
    digest, size = hashlib.sha256(), 0
    await reader.readuntil(b"\r\n\r\n")
    while length := int(await reader.readline(), 16):
        digest.update(await reader.readexactly(length))
        size += length
        await reader.readline()
    writer.close()
    await writer.wait_closed()

    assert held < HELD_BYTES_MAX
    assert size == LINES * len(LINE) + len(b'{"done":true}\n')
    whole = hashlib.sha256(LINE * LINES + b'{"done":true}\n')
    assert digest.digest() == whole.digest()


async def test_slow_reader_goes_away(start_shim, fountain):
    """A client that leaves while the upstream is held up lets it go."""
    shim = await start_shim(upstream=fountain.url)
    _, writer = await send_prompt(shim)
    await standstill(lambda: fountain.sent)
    writer.close()
    await writer.wait_closed()

    await until(fountain.closed.is_set, 1)


@pytest.mark.slow
async def test_slow_upload(http, start_shim, fountain):
    """An upstream that does not read holds the client up, and gets all of it once it does."""
    shim = await start_shim(upstream=fountain.url, model_changes=True)
    sent = 0

    async def blob():
        nonlocal sent
        for _ in range(LINES):
            yield LINE
            sent += len(LINE)

    url = f"{shim.url}/api/blobs/sha256:1"
    post = asyncio.create_task(http.post(url, data=blob()))
    held = await standstill(lambda: sent)
    fountain.listening.set()
    answer = await post

    assert held < HELD_BYTES_MAX
    assert answer.status == 201
    assert fountain.received >= LINES * len(LINE)
