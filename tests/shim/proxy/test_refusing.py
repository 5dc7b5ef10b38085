"""Refusals, and how the clients of each family of routes are told."""

from __future__ import annotations

import asyncio
import json

import anthropic
import pytest

from festinger.shim.proxy.guard import HEADER_BYTES_MAX, changes_models
from tests.shim.conftest import chat, exchange
from tests.waiting import until

OWN, OLLAMA, OPENAI, ANTHROPIC = "/iknowthat", "/api/chat", "/v1/x", "/v1/messages"
PATHS = [OWN, OLLAMA, OPENAI, ANTHROPIC]


def message_of(path, answer):
    """Return the message of an error, if it has the shape that the path's clients read."""
    if path.startswith("/v1/messages"):
        assert answer["type"] == "error"
        assert set(answer["error"]) == {"type", "message"}
        return answer["error"]["message"]
    if path.startswith("/v1/"):
        assert set(answer["error"]) == {"type", "message", "code", "param"}
        return answer["error"]["message"]
    assert set(answer) == {"error"}
    return answer["error"]


def parse(raw):
    """Status and body of an answer."""
    head, _, body = raw.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), json.loads(body)


def post(path, *lines, body=b""):
    """Return a request over a connection of its own."""
    head = [f"POST {path} HTTP/1.1", "Host: localhost", "Connection: close", *lines]
    return "\r\n".join([*head, "", ""]).encode() + body


# Models

CHANGES = [
    ("POST", "/api/pull"),
    ("POST", "/api/push"),
    ("POST", "/api/create"),
    ("POST", "/api/copy"),
    ("DELETE", "/api/delete"),
    ("POST", "/api/blobs/sha256:1"),
    ("HEAD", "/api/blobs/sha256:1"),
    ("DELETE", "/v1/models/llama3"),
    # As servers read them.
    ("POST", "/api/%70ull"),
    ("POST", "//api//pull"),
    ("POST", "/api/pull/"),
    ("POST", "/API/Pull"),
    ("POST", "/api/./pull"),
    ("POST", "/api/x/../pull"),
    ("POST", "/%2e/api/pull?x=1"),
    ("POST", "/as/alice/api/pull"),
    ("POST", "/as/alice//api/pull"),
]


@pytest.mark.parametrize(("method", "path"), CHANGES)
async def test_models_are_not_changed(shim, ollama, method, path):
    """Requests that change models do not reach the upstream."""
    raw = post(path).replace(b"POST", method.encode(), 1)
    answer = await exchange(shim.url, raw)

    assert answer.startswith(b"HTTP/1.1 403")
    assert method == "HEAD" or b"shim.model_changes" in answer
    assert ollama.requests == []


@pytest.mark.parametrize(("method", "path"), CHANGES)
async def test_models_are_changed_if_allowed(start_shim, ollama, method, path):
    """They do if the configuration says so."""
    shim = await start_shim(model_changes=True)
    await exchange(shim.url, post(path).replace(b"POST", method.encode(), 1))

    assert [r.method for r in ollama.requests] == [method]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/show"),
        ("POST", "/api/chat"),
        ("GET", "/api/tags"),
        ("GET", "/v1/models/llama3"),
        ("POST", "/api/pulled"),
        ("POST", "/v1/pull"),
        ("POST", "/x/api/pull"),
        ("GET", "/"),
    ],
)
def test_other_requests_change_nothing(method, path):
    """Everything else is no change."""
    assert not changes_models(method, path)


async def test_refused_upload_is_not_asked_for(shim, ollama):
    """A client that waits for `100 Continue` before it uploads is told no at once."""
    lines = ("Expect: 100-continue", "Content-Length: 9999999999")
    answer = await exchange(shim.url, post("/api/blobs/sha256:1", *lines))

    assert answer.startswith(b"HTTP/1.1 403")
    assert b"100 Continue" not in answer


# 100 Continue


@pytest.mark.parametrize("path", ["/api/chat", "/api/embed"])
async def test_continue_is_said_once_it_is_read(shim, ollama, path):
    """A client that waits for `100 Continue` gets it, and its body gets through."""
    body = json.dumps(chat("hello")).encode()
    reader, writer = await asyncio.open_connection(*shim.address.rsplit(":", 1))
    lines = ("Expect: 100-continue", f"Content-Length: {len(body)}")
    writer.write(post(path, *lines))
    asked = await reader.readuntil(b"\r\n\r\n")
    writer.write(body)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()

    assert asked == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert answer.startswith(b"HTTP/1.1 200")
    assert ollama.requests[-1].body == body
    assert ollama.requests[-1].header("Expect") is None


# Shapes


@pytest.mark.parametrize("path", PATHS)
async def test_foreign_host(shim, path):
    """403 in every shape."""
    raw = post(path).replace(b"localhost", b"evil.example")
    status, answer = parse(await exchange(shim.url, raw))
    _, named = parse(await exchange(shim.url, raw.replace(b"POST ", b"POST /as/alice")))

    assert status == 403
    assert "evil.example" in message_of(path, answer)
    assert named == answer


@pytest.mark.parametrize("path", PATHS)
async def test_too_large(http, start_shim, path):
    """413 in every shape."""
    shim = await start_shim(body_bytes_max=2**16)
    answer = await http.post(shim.url + path, data=b" " * (2**16 + 1))

    assert answer.status == 413
    assert "bytes" in message_of(path, await answer.json())


@pytest.mark.parametrize("path", PATHS)
async def test_too_slow(http, start_shim, path):
    """408 in every shape."""
    shim = await start_shim(body_seconds_max=0.05)

    async def body():
        yield b"{"
        await asyncio.Event().wait()

    answer = await http.post(shim.url + path, data=body())

    assert answer.status == 408
    assert "0.05 seconds" in message_of(path, await answer.json())


@pytest.mark.parametrize("path", PATHS)
async def test_unusable_name(shim, path):
    """400 in every shape."""
    raw = post(path, "X-Festinger-Subject: a b")
    status, answer = parse(await exchange(shim.url, raw))

    assert status == 400
    assert "X-Festinger-Subject" in message_of(path, answer)


@pytest.mark.parametrize("path", PATHS)
async def test_headers_too_large_together(shim, path):
    """431 in every shape, where the headers came whole."""
    lines = [f"X-{n}: {'x' * 1000}" for n in range(HEADER_BYTES_MAX // 1000)]
    status, answer = parse(await exchange(shim.url, post(path, *lines)))

    assert status == 431
    assert "bytes" in message_of(path, answer)


@pytest.mark.parametrize("path", PATHS)
async def test_header_too_large(shim, path):
    """431 in every shape, for a single line that is too large."""
    line = f"X-Long: {'x' * (HEADER_BYTES_MAX // 2 + 1)}"
    status, answer = parse(await exchange(shim.url, post(path, line)))

    assert status == 431
    assert "bytes" in message_of(path, answer)


@pytest.mark.parametrize("path", PATHS)
async def test_headers_that_stop(start_shim, path):
    """408 in every shape, for headers that are not finished in time."""
    shim = await start_shim(header_seconds_max=0.1)
    half = post(f"/as/alice{path}?x=1").removesuffix(b"\r\n")
    status, answer = parse(await exchange(shim.url, half))

    assert status == 408
    assert "in time" in message_of(path, answer)


@pytest.mark.parametrize("path", PATHS)
async def test_headers_that_stop_on_a_used_connection(start_shim, path):
    """The shape is that of the second request, not of the first."""
    shim = await start_shim(header_seconds_max=0.5)
    reader, writer = await asyncio.open_connection(*shim.address.rsplit(":", 1))
    writer.write(b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await reader.readuntil(b"}]}")
    for piece in (f"POST {path} HT".encode(), b"TP/1.1\r\nHost: loc"):
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.01)
    status, answer = parse(await reader.read())
    writer.close()
    await writer.wait_closed()

    assert status == 408
    assert "in time" in message_of(path, answer)


@pytest.mark.parametrize("path", PATHS)
async def test_headers_without_end(shim, path):
    """431 in every shape, for headers that go on and on, before all of them came."""
    reader, writer = await asyncio.open_connection(*shim.address.rsplit(":", 1))
    lines = b"X-Line: %b\r\n" % (b"x" * 1000) * (HEADER_BYTES_MAX // 1000 + 1)
    head = post(path).removesuffix(b"\r\n")
    writer.write((head + lines)[: HEADER_BYTES_MAX + 1])
    status, answer = parse(await reader.read())
    writer.close()
    await writer.wait_closed()

    assert status == 431
    assert "bytes" in message_of(path, answer)


@pytest.mark.parametrize("path", PATHS)
async def test_unreadable_headers(shim, ollama, path):
    """400 in every shape."""
    status, answer = parse(await exchange(shim.url, post(path, "Content-Length: x")))

    assert status == 400
    assert "HTTP" in message_of(path, answer)
    assert ollama.requests == []


@pytest.mark.parametrize("path", PATHS[1:])
async def test_no_place_in_the_queue(http, start_shim, ollama, path):
    """503 in every shape, with when to come again; whoever waits gets an answer."""
    ollama.knobs.hold_after = 0
    path = path.replace("/v1/x", "/v1/chat/completions")
    shim = await start_shim(requests_max=1, queue_max=1)
    body = chat("hello", max_tokens=9)
    held = asyncio.create_task(http.post(shim.url + path, json=body))
    await until(lambda: ollama.requests)
    waiting = asyncio.create_task(http.post(shim.url + path, json=body))
    await until(lambda: len(shim._dispatcher._under_way) == 2)
    answer = await http.post(shim.url + path, json=body)

    assert answer.status == 503
    assert answer.headers["Retry-After"] == "1"
    assert "shim.queue_max" in message_of(path, await answer.json())
    ollama.knobs.hold_after = None
    held.cancel()
    assert (await waiting).status == 200


async def test_no_memory_for_a_fact(http, start_shim):
    """503 with when to come again, where a fact cannot be stored."""
    shim = await start_shim(server="127.0.0.1:1")
    answer = await http.post(f"{shim.url}{OWN}", json={"fact": "a -isa b"})

    assert answer.status == 503
    assert answer.headers["Retry-After"] == "1"
    assert "festinger system serve" in str(await answer.json())


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GARBAGE\r\n\r\n",
    ],
)
async def test_not_http(shim, ollama, raw):
    """400 as JSON for what is no request, or could be two."""
    status, answer = parse(await exchange(shim.url, raw))

    assert status == 400
    assert set(answer) == {"error"}
    assert ollama.requests == []


async def test_own_paths(http, shim):
    """404 and 405 on the shim's own paths."""
    unknown = await http.get(f"{shim.url}/festinger/zork")
    wrong = await http.get(f"{shim.url}/iknowthat")

    assert unknown.status == 404
    assert "/festinger/health" in message_of(OWN, await unknown.json())
    assert wrong.status == 405
    assert "POST" in message_of(OWN, await wrong.json())


@pytest.mark.parametrize("path", PATHS[1:])
async def test_upstream_away(http, start_shim, ollama, path):
    """502 in every shape."""
    shim = await start_shim()
    await ollama.stop()
    answer = await http.post(shim.url + path, json=chat("hello"))

    assert answer.status == 502
    assert "ollama serve" in message_of(path, await answer.json())


@pytest.mark.parametrize("path", PATHS[1:])
async def test_upstream_that_takes_no_connection(http, start_shim, deaf, path):
    """504 in every shape."""
    shim = await start_shim(upstream=deaf, connect_seconds_max=0.1)
    answer = await http.post(shim.url + path, json=chat("hello"))

    assert answer.status == 504
    assert "0.1 seconds" in message_of(path, await answer.json())


async def test_defect(http, shim, monkeypatch, capsys):
    """A defect of the shim's is a 500 in the path's shape, logged without the prompt."""
    monkeypatch.setattr("festinger.shim.steps.receive.open_body", None)
    answer = await http.post(f"{shim.url}/v1/messages", json=chat("a secret"))

    logged = capsys.readouterr().out
    assert answer.status == 500
    assert message_of("/v1/messages", await answer.json())
    assert "request_failed" in logged
    assert "receive.py" in logged
    assert "secret" not in logged


async def test_anthropic_exceptions(start_shim, ollama):
    """Anthropic's client knows our errors by their status."""
    shim = await start_shim(body_bytes_max=2**16)
    async with anthropic.AsyncAnthropic(
        base_url=shim.url, api_key="x", max_retries=0
    ) as client:
        with pytest.raises(anthropic.APIStatusError, match=r"shim\.body_bytes_max"):
            await client.messages.create(
                model="m",
                max_tokens=9,
                messages=[{"role": "user", "content": "x" * 2**17}],
            )
        await ollama.stop()
        with pytest.raises(anthropic.InternalServerError, match="ollama serve"):
            await client.messages.create(
                model="m", max_tokens=9, messages=[{"role": "user", "content": "x"}]
            )


async def test_refused_body_ends_the_connection(shim, ollama):
    """Bytes after a refusal cannot pass for another request."""
    inner = b"GET /api/tags HTTP/1.1\r\nHost: localhost\r\n\r\n"
    raw = post("/api/pull", f"Content-Length: {len(inner)}", body=inner)
    answer = await exchange(shim.url, raw.replace(b"Connection: close\r\n", b""))

    assert answer.count(b"HTTP/1.1") == 1
    assert ollama.requests == []
