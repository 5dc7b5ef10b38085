from __future__ import annotations

import asyncio
import json

import pytest

from festinger.shim.wire import ROUTES
from tests.shim.conftest import BLOCK, chat, exchange, load, samples
from tests.waiting import until

ENRICHED = set(ROUTES)
# What is between the client and the shim, or the shim and the upstream, only.
CONNECTION = {"host", "connection", "content-length", "accept-encoding"}


@pytest.fixture(params=samples(), ids=lambda sample: sample.stem)
def sample(request):
    """A captured request."""
    return load(request.param)


@pytest.fixture
async def shim(start_shim):
    """A shim that lets everything pass."""
    return await start_shim(model_changes=True)


async def replay(http, shim, sample):
    """Send a captured request."""
    headers = [(k, v) for k, v in sample["headers"] if k.lower() not in CONNECTION]
    return await http.request(
        sample["method"], shim.url + sample["path"], headers=headers, data=sample["raw"]
    )


async def test_sample_passes_byte_for_byte(http, shim, ollama, sample):
    """With nothing to tell, the upstream gets what every real client sent."""
    answer = await replay(http, shim, sample)
    await answer.read()

    received = ollama.requests[-1]
    assert len(ollama.requests) == 1
    assert (received.method, received.path) == (sample["method"], sample["path"])
    assert received.body == sample["raw"]
    for name, value in sample["headers"]:
        if name.lower() not in CONNECTION:
            assert received.header(name) == value


async def test_sample_changes_only_where_a_block_goes(
    http, shim, ollama, memory, sample
):
    """With a block to tell, it is the only difference in what the upstream gets."""
    memory.block = BLOCK
    answer = await replay(http, shim, sample)
    await answer.read()

    sent, got = sample["raw"], ollama.requests[-1].body
    if answer.headers.get("X-Festinger-Recollection") != "full":
        assert got == sent
        return
    written = json.dumps(BLOCK)[1:-1].encode()
    assert got.count(written) == 1
    before, after = got.split(written)
    if sent.startswith(before):
        # Put into a text that was there: what follows is as it was.
        rest = after.removeprefix(json.dumps("\n\n")[1:-1].encode())
        assert json.loads(before + rest) == json.loads(sent)
        assert sent.endswith(rest) or b"\\u" in sent
    else:
        without = json.loads(got)
        if without.get("messages"):
            assert without["messages"].pop(0)["content"] == BLOCK
        else:
            assert without.pop("system") == BLOCK
        assert without == json.loads(sent)
    assert sample["path"] in ENRICHED


async def test_query_and_double_slashes(shim, ollama):
    """Path and query go on as they are, but for `//` in the path."""
    target = b"//api///t%61gs/../x?a=%2F%20b&c=//"
    await exchange(
        shim.url,
        b"GET %b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % target,
    )

    assert ollama.requests[-1].path == "/api/t%61gs/../x?a=%2F%20b&c=//"


async def test_head_and_delete_with_body(http, shim, ollama):
    """Every method passes, DELETE with its body."""
    head = await http.head(f"{shim.url}/")
    await http.delete(f"{shim.url}/api/delete", data=b'{"model":"t2"}')

    assert head.status == 200
    assert head.headers["Content-Length"] == str(len("Ollama is running"))
    assert [r.method for r in ollama.requests] == ["HEAD", "DELETE"]
    assert ollama.requests[-1].body == b'{"model":"t2"}'


async def test_headers_of_the_request(http, shim, ollama):
    """
    The upstream gets its own Host and `Authorization`, but nothing of the shim's own
    and nothing that belongs to one connection.
    """
    headers = {
        "Authorization": "Bearer x",
        "X-Festinger-Session": "s",
        "X-Festinger-Subject": "alice",
        "Connection": "keep-alive, X-Hop",
        "X-Hop": "1",
        "X-Mine": "2",
        "TE": "trailers",
    }
    await http.post(f"{shim.url}/api/chat", json=chat("hello"), headers=headers)

    received = ollama.requests[-1]
    assert f"http://{received.header('Host')}" == ollama.url
    assert received.header("Authorization") == "Bearer x"
    assert received.header("X-Mine") == "2"
    for name in ("X-Festinger-Session", "X-Festinger-Subject", "X-Hop", "TE"):
        assert received.header(name) is None


async def test_no_headers_are_invented(shim, ollama):
    """A client that sends few headers does not get some of ours added."""
    raw = b"GET /api/tags HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    await exchange(shim.url, raw)

    assert [name for name, _ in ollama.requests[-1].headers] == ["Host"]


async def test_compressed_answer_stays_compressed(http, start_shim, raw_upstream):
    """A body with a content encoding comes through as it is, with its headers."""
    body = b"\x1f\x8bnot really gzip"
    raw_upstream.answer = (
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nX-Up: 1\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    )
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.get(f"{shim.url}/api/tags")

    assert await answer.read() == body
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["X-Up"] == "1"
    assert "Content-Type" not in answer.headers
    assert "Server" not in answer.headers


async def test_compressed_request_stays_compressed(http, shim, ollama):
    """A compressed prompt is not read, and passes as it is."""
    headers = {"Content-Encoding": "zstd", "Content-Type": "application/json"}
    answer = await http.post(f"{shim.url}/api/chat", data=b"\x28\xb5", headers=headers)

    assert ollama.requests[-1].body == b"\x28\xb5"
    assert answer.headers["X-Festinger-Recollection"] == "skipped:encoded"


async def test_redirect_is_not_followed(http, start_shim, raw_upstream):
    """A redirect is the client's to follow."""
    raw_upstream.answer = b"HTTP/1.1 301 Moved\r\nLocation: http://elsewhere/\r\nContent-Length: 0\r\n\r\n"
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.get(f"{shim.url}/api/tags", allow_redirects=False)

    assert answer.status == 301
    assert answer.reason == "Moved"
    assert answer.headers["Location"] == "http://elsewhere/"


async def test_error_of_the_upstream_passes(http, shim, ollama):
    """Status and body of the upstream's own errors come through."""
    ollama.knobs.status = 404
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))

    assert answer.status == 404
    assert await answer.json() == {"error": "as told"}


async def test_first_chunk_comes_before_the_second_is_made(http, shim, ollama):
    """A stream is not buffered."""
    ollama.knobs.reply = "one two"
    ollama.knobs.hold_after = 1
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hello", stream=True))
    first = await answer.content.readany()

    assert json.loads(first)["message"]["content"] == "one "
    answer.close()


async def test_half_a_line_comes_at_once(http, start_shim, raw_upstream):
    """A line that is split across segments is passed on in the same pieces."""
    raw_upstream.answer = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    shim = await start_shim(upstream=raw_upstream.url)
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hi", stream=True))
    pieces = [
        b'{"message":{"con',
        'tent":"ü'.encode()[:-1],
        b'\xbc"},"done":',
        b"true}\n",
    ]
    got = []
    for piece in pieces:
        raw_upstream.send(b"%x\r\n%b\r\n" % (len(piece), piece))
        got.append(await answer.content.readany())
    raw_upstream.send(b"0\r\n\r\n")

    assert got == pieces
    assert await answer.content.read() == b""


async def test_upload_is_streamed(http, shim, start_shim, raw_upstream):
    """The first bytes of an upload reach the upstream before the last ones are sent."""
    shim = await start_shim(upstream=raw_upstream.url, model_changes=True)
    more = asyncio.Event()

    async def blob():
        yield b"first"
        await more.wait()
        yield b"last"

    url = f"{shim.url}/api/blobs/sha256:1"
    post = asyncio.create_task(http.post(url, data=blob()))
    await until(lambda: b"first" in raw_upstream.received)
    assert b"last" not in raw_upstream.received
    more.set()
    await until(lambda: b"last" in raw_upstream.received)
    raw_upstream.send(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")

    assert (await post).status == 201


async def test_blobs_may_be_large(http, start_shim, ollama):
    """The limit of bodies does not hold for blobs, which are streamed."""
    shim = await start_shim(body_bytes_max=2**16, model_changes=True)
    blob = b"x" * 2**20
    answer = await http.post(f"{shim.url}/api/blobs/sha256:1", data=_pieces(blob))

    assert answer.status == 201
    assert len(ollama.requests[-1].body) == 2**20


async def test_large_prompt_passes(http, shim, ollama):
    """A prompt with megabytes of images passes, and without a warning."""
    body = chat("hello")
    body["messages"][0]["images"] = ["A" * 3 * 2**20]
    raw = json.dumps(body).encode()
    answer = await http.post(f"{shim.url}/api/chat", data=_pieces(raw))

    assert answer.status == 200
    assert ollama.requests[-1].body == raw


async def test_http_1_0_client(shim, ollama):
    """An old client gets the stream as it is, ended by the connection."""
    body = json.dumps(chat("hello", stream=True)).encode()
    head = b"POST /api/chat HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body)
    answer = await exchange(shim.url, head + body)

    assert b"chunked" not in answer
    assert answer.rstrip().endswith(b"}")
    assert b'"done":true' in answer


async def test_stream_is_the_upstreams(http, shim, ollama):
    """The bytes of a stream are the upstream's, on all enriched routes."""
    for path in sorted(ENRICHED):
        body = {**chat("hello"), "prompt": "hello", "input": "hello", "stream": True}
        direct = await http.post(ollama.url + path, json=body)
        through = await http.post(shim.url + path, json=body)

        assert await through.read() == await direct.read()
        assert through.headers["Content-Type"] == direct.headers["Content-Type"]


async def test_credentials_of_the_upstream(http, start_shim, ollama):
    """Credentials in the upstream's URL are sent, instead of the client's."""
    url = ollama.url.replace("http://", "http://me:pw@")
    shim = await start_shim(upstream=url)
    await http.get(f"{shim.url}/api/tags", headers={"Authorization": "Bearer x"})

    assert ollama.requests[-1].header("Authorization") == "Basic bWU6cHc="


async def test_upstream_with_a_path(http, start_shim, ollama):
    """An upstream may live below a path."""
    shim = await start_shim(upstream=f"{ollama.url}/below/")
    await http.get(f"{shim.url}/api/tags")

    assert ollama.requests[-1].path == "/below/api/tags"


async def test_connections_are_reused(http, shim, ollama):
    """Requests one after another share a connection to the upstream."""
    for _ in range(3):
        answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))
        await answer.read()

    assert ollama._runner is not None
    assert ollama._runner.server is not None
    assert len(ollama._runner.server.connections) == 1


async def _pieces(body):
    for start in range(0, len(body), 2**16):
        yield body[start : start + 2**16]
