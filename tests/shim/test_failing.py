from __future__ import annotations

import asyncio
import json
import socket

import aiohttp
import grpc
import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import ServerSettings, ShimSettings
from festinger.errors import AddressInUse, ConfigurationError
from festinger.shim.app import Shim
from festinger.shim.wire import ROUTES
from tests.shim.conftest import BLOCK, FakeMemory, chat, exchange
from tests.waiting import SECONDS_MAX, becomes, until

RESULT = "X-Festinger-Recollection"
PATHS = sorted(ROUTES)


def free_port():
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# The memory


async def test_dead_memory(http, start_shim, ollama):
    """Without a memory server the prompt goes on at once, as it is."""
    shim = await start_shim(
        server=f"127.0.0.1:{free_port()}", memory_milliseconds_max=5000
    )
    for _ in range(3):
        answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))
        assert answer.headers[RESULT] == "skipped:memory-down"
        assert float(answer.headers["X-Festinger-Added-Ms"]) < 5000

    assert ollama.requests[-1].json == chat("hello")


async def test_hung_memory(http, start_shim, ollama, memory):
    """A memory that is slower than the budget is not waited for."""
    memory.block, memory.delay = BLOCK, 60
    shim = await start_shim(memory_milliseconds_max=50)
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))

    assert answer.headers[RESULT] == "skipped:memory-slow"
    assert 45 < float(answer.headers["X-Festinger-Added-Ms"]) < 30_000
    assert ollama.requests[-1].json == chat("hello")


async def test_late_memory_reads_all_the_same(http, start_shim, memory):
    """A prompt's statement is not lost because its block came too late."""
    memory.block, memory.delay = BLOCK, 0.3
    shim = await start_shim(memory_milliseconds_max=50)
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))
    assert answer.headers[RESULT] == "skipped:memory-slow"

    await until(lambda: memory.answered)
    assert memory.turns == [("user", "hello", False)]


async def test_silent_memory(http, start_shim, raw_upstream):
    """A port that takes connections and says nothing is not waited for either."""
    silent = raw_upstream.url.removeprefix("http://")
    shim = await start_shim(server=silent, memory_milliseconds_max=50)
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))

    assert answer.headers[RESULT].startswith("skipped:memory-")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (grpc.StatusCode.UNAVAILABLE, "memory-down"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "memory-busy"),
        (grpc.StatusCode.INTERNAL, "memory-error"),
        (grpc.StatusCode.UNAUTHENTICATED, "memory-error"),
    ],
)
async def test_failing_memory(http, shim, memory, code, why):
    """An error of the memory costs the block, and is counted by its cause."""
    memory.abort = code
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))
    health = await http.get(f"{shim.url}/festinger/health")

    assert answer.headers[RESULT] == f"skipped:{why}"
    assert (await health.json())["shim"]["recollections"] == {f"skipped:{why}": 1}


async def test_message_stays_new_after_a_failure(http, shim, memory):
    """Turns that the memory did not read are sent as new again, under the same name."""
    memory.abort = grpc.StatusCode.UNAVAILABLE
    first = await http.post(f"{shim.url}/api/chat", json=chat("hello"))
    memory.abort = None
    second = await http.post(f"{shim.url}/api/chat", json=chat("hello"))

    assert memory.turns == [("user", "hello", False)]
    one, two = memory.recollects
    assert one.turns[0].digest == two.turns[0].digest
    session = "X-Festinger-Session"
    assert first.headers[session] == second.headers[session]


async def test_memory_comes_back(http, start_shim):
    """Soon after the memory server is back, recollections are too."""
    port = free_port()
    shim = await start_shim(server=f"127.0.0.1:{port}")
    await http.post(f"{shim.url}/api/chat", json=chat("hello"))
    back = FakeMemory()
    back.block = BLOCK
    await back.start(port)
    try:

        async def result():
            answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))
            return answer.headers[RESULT]

        await becomes(result, "full")
    finally:
        await back.stop()


# The upstream


@pytest.mark.parametrize("path", ["/api/chat", "/api/tags"])
async def test_upstream_down(http, start_shim, path):
    """Without an upstream the answer is 502 and says what to do."""
    shim = await start_shim(upstream=f"http://127.0.0.1:{free_port()}")
    answer = await http.post(shim.url + path, json=chat("hello"))

    assert answer.status == 502
    assert "ollama serve" in (await answer.json())["error"]


async def test_upstream_down_for_openai(http, start_shim):
    """On /v1 errors have the shape that OpenAI's clients read."""
    shim = await start_shim(upstream=f"http://127.0.0.1:{free_port()}")
    answer = await http.post(f"{shim.url}/v1/chat/completions", json=chat("hello"))

    error = (await answer.json())["error"]
    assert answer.status == 502
    assert set(error) == {"message", "type", "code", "param"}
    assert "ollama serve" in error["message"]


@pytest.mark.parametrize("garbage", [b"", b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 2"])
async def test_garbage_of_the_upstream(http, start_shim, raw_upstream, garbage):
    """An upstream that breaks off before, or talks no HTTP, is a 502."""
    raw_upstream.answer, raw_upstream.closes = garbage or b" ", True
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))

    assert answer.status == 502


async def test_short_body(http, start_shim, raw_upstream):
    """A body that is shorter than announced stays so."""
    raw_upstream.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
    raw_upstream.closes = True
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.get(f"{shim.url}/api/tags")

    with pytest.raises(aiohttp.ClientPayloadError):
        await answer.read()


# The client goes away


async def send_and_leave(shim, path, *, stream, wait):
    """Send a prompt, waits for something, and close the connection."""
    _, writer = await asyncio.open_connection(*shim.address.rsplit(":", 1))
    body = {**chat("hello"), "prompt": "hello", "input": "hello", "stream": stream}
    raw = json.dumps(body).encode()
    writer.write(
        b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b"
        % (path.encode(), len(raw), raw)
    )
    await wait()
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("stream", [True, False])
async def test_client_gone_before_the_answer(shim, ollama, path, stream):
    """A client that leaves before the first byte stops the upstream."""
    ollama.knobs.hold_after = 0
    await send_and_leave(
        shim, path, stream=stream, wait=lambda: until(lambda: ollama.requests)
    )

    await until(lambda: ollama.cancelled == [path])


@pytest.mark.parametrize("path", PATHS)
async def test_client_gone_within_the_stream(shim, ollama, path):
    """
    A client that leaves while the model thinks stops the upstream: no write has to
    fail first.
    """
    ollama.knobs.hold_after = 1
    ollama.knobs.reply = "one two"

    async def first_word() -> None:
        await until(lambda: ollama.requests)
        await asyncio.sleep(0.1)

    await send_and_leave(shim, path, stream=True, wait=first_word)

    await until(lambda: ollama.cancelled == [path])


async def test_client_gone_from_a_passed_route(start_shim, raw_upstream):
    """The same holds for routes that only pass."""
    shim = await start_shim(upstream=raw_upstream.url, model_changes=True)
    await send_and_leave(
        shim,
        "/api/pull",
        stream=True,
        wait=lambda: until(lambda: raw_upstream.received),
    )

    await until(lambda: raw_upstream._writer.is_closing())


async def test_client_gone_within_its_upload(start_shim, raw_upstream):
    """An upload that breaks off breaks off at the upstream."""
    shim = await start_shim(upstream=raw_upstream.url, model_changes=True)
    _, writer = await asyncio.open_connection(*shim.address.rsplit(":", 1))
    writer.write(
        b"POST /api/blobs/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"
    )
    await until(lambda: b"half" in raw_upstream.received)
    writer.close()
    await writer.wait_closed()

    await until(lambda: raw_upstream._writer.is_closing())


# Starting and stopping


async def test_address_in_use(shim):
    """An address that is taken is named, with what to do."""
    other = Shim(
        ShimSettings(address=shim.address), ServerSettings(address="127.0.0.1:1")
    )

    with pytest.raises(AddressInUse, match=f"{shim.address} already"):
        await other.start()


async def test_wrong_address():
    """An address that is not this machine's is refused at the start."""
    shim = Shim(
        ShimSettings(address="203.0.113.1:0"), ServerSettings(address="127.0.0.1:1")
    )

    with pytest.raises(ConfigurationError):
        await shim.start()


async def test_circle():
    """The shim cannot be its own upstream."""
    port = free_port()
    settings = ShimSettings(
        address=f"127.0.0.1:{port}", upstream=f"http://localhost:{port}"
    )

    with pytest.raises(ConfigurationError, match="itself"):
        await Shim(settings, ServerSettings(address="127.0.0.1:1")).start()


async def test_stop_lets_answers_end(http, start_shim, ollama):
    """An answer under way is finished before the shim stops."""
    ollama.knobs.reply, ollama.knobs.delay = "one two three", 0.05
    shim = await start_shim(drain_seconds=5)
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hi", stream=True))
    stopping = asyncio.create_task(shim.stop())
    body = await answer.read()
    await stopping

    assert b'"done":true' in body
    with pytest.raises(aiohttp.ClientConnectorError):
        await http.get(shim.url)


async def test_stop_is_bounded(http, start_shim, ollama):
    """An answer that does not end is broken off, at the upstream too."""
    ollama.knobs.hold_after, ollama.knobs.reply = 1, "one two"
    shim = await start_shim(drain_seconds=0.1)
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hi", stream=True))
    await shim.stop()

    await until(lambda: ollama.cancelled == ["/api/chat"])
    with pytest.raises(aiohttp.ClientPayloadError):
        await answer.read()


async def test_stop_with_idle_connections(http, start_shim):
    """Idle connections do not delay a stop."""
    shim = await start_shim(drain_seconds=100)
    await (await http.get(shim.url)).read()

    async with asyncio.timeout(SECONDS_MAX):
        await shim.stop()


async def test_context_manager(ollama, memory):
    """A shim can be used in a `with` statement."""
    settings = ShimSettings(address="127.0.0.1:0", upstream=ollama.url)
    async with Shim(settings, ServerSettings(address=memory.address)) as shim:
        raw = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        assert b"Ollama is running" in await exchange(shim.url, raw)


async def test_many_at_once(http, shim, ollama, memory):
    """Prompts at once are told apart."""
    memory.block = BLOCK
    line = pb.RecollectResponse.Line
    memory.lines = [line(concept="gnommoweb", digest=b"1" * 8)]

    async def one(number):
        body = chat(f"number {number}")
        answer = await http.post(f"{shim.url}/api/chat", json=body)
        return (await answer.json())["message"]["content"]

    answers = await asyncio.gather(*(one(number) for number in range(50)))

    assert answers == [f"You said: number {number}" for number in range(50)]
    assert len({r.turns[0].digest for r in memory.recollects}) == 50
