from __future__ import annotations

import asyncio
import json

import pytest

from festinger.shim.proxy.guard import HostGuard
from tests.shim.conftest import BLOCK, chat, exchange
from tests.waiting import until


def get(host: str | None, path: str = "/api/version", more: str = "") -> bytes:
    """Return a request of few headers."""
    line = f"Host: {host}\r\n" if host is not None else ""
    text = f"GET {path} HTTP/1.1\r\n{line}{more}Connection: close\r\n\r\n"
    return text.encode()


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LocalHost.:1",
        "127.0.0.1:11435",
        "127.1.2.3",
        "[::1]:80",
        "festinger",
        "festinger:11435",
    ],
)
async def test_host_is_allowed(start_shim, host):
    """Loopback names and those of the configuration are taken, with any port."""
    shim = await start_shim(allowed_hosts=("festinger",))

    assert (await exchange(shim.url, get(host))).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "host.docker.internal",
        "10.0.0.1",
        "0.0.0.0",
        "127.0.0.1.evil.example",
        "[::1",
        "[::1]evil.example",
        "[",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/api/version", "/festinger/health"])
async def test_host_is_foreign(shim, ollama, host, path):
    """Any other name is refused before anything is done."""
    answer = await exchange(shim.url, get(host, path))

    assert answer.startswith(b"HTTP/1.1 403")
    assert b'{"error": "the host' in answer
    assert ollama.requests == []


async def test_one_foreign_host_of_two(shim):
    """A second `Host` does not smuggle the first one in."""
    raw = get("localhost", more="Host: evil.example\r\n")

    assert not (await exchange(shim.url, raw)).startswith(b"HTTP/1.1 200")


async def test_address_of_the_machine_on_all_interfaces(start_shim):
    """On 0.0.0.0 the numeric address that a request came to is a name for it."""
    shim = await start_shim(
        address="0.0.0.0:0", plain_text=True, name_of={"known": ""}.get
    )
    url = shim.url.replace("0.0.0.0", "127.0.0.1")
    token = "Authorization: Bearer known\r\n"

    own = await exchange(url, get("0.0.0.0", more=token))
    foreign = await exchange(url, get("10.9.8.7", more=token))

    assert own.startswith(b"HTTP/1.1 200")
    assert foreign.startswith(b"HTTP/1.1 403")


def test_listening_name_is_allowed():
    """The name that the shim listens on is one of its own."""
    guard = HostGuard("festinger.lan", ())

    assert "festinger.lan" in guard._names


@pytest.mark.parametrize("path", ["/api/chat", "/api/embed", "/v1/chat/completions"])
async def test_too_large(start_shim, ollama, path):
    """A body over the limit is refused before it comes."""
    shim = await start_shim(body_bytes_max=2**16)
    raw = await exchange(
        shim.url,
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n".encode(),
        read_all=False,
    )

    assert raw.startswith(b"HTTP/1.1 413")
    assert ollama.requests == []


@pytest.mark.parametrize("path", ["/api/chat", "/api/embed"])
async def test_too_large_in_chunks(http, start_shim, ollama, path):
    """A body of unknown length is refused as soon as it is over the limit."""
    shim = await start_shim(body_bytes_max=2**16)

    async def body():
        for _ in range(20):
            yield b" " * 2**13
            await asyncio.sleep(0)

    answer = await http.post(shim.url + path, data=body())

    assert answer.status == 413
    assert "shim.body_bytes_max" in (await answer.json())["error"]


@pytest.mark.parametrize("path", ["/api/chat", "/api/embed"])
async def test_slow_body(start_shim, path):
    """A client that pauses too long within its body is refused."""
    shim = await start_shim(body_seconds_max=0.1)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"

    assert (await exchange(shim.url, head.encode())).startswith(b"HTTP/1.1 408")


async def test_steady_body(http, start_shim):
    """A body may take long as long as it comes."""
    shim = await start_shim(body_seconds_max=1.5)

    async def body():
        for byte in json.dumps(chat("hi")).encode():
            yield bytes([byte])
            await asyncio.sleep(0.03)

    assert (await http.post(f"{shim.url}/api/chat", data=body())).status == 200


@pytest.mark.parametrize("head", [b"GET / HTT", b"GET / HTTP/1.1\r\nHost: loc"])
async def test_slow_headers(start_shim, head):
    """A client that does not finish its headers is told so and cut off."""
    shim = await start_shim(header_seconds_max=0.1)
    answer = await exchange(shim.url, head)

    assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert set(json.loads(answer.partition(b"\r\n\r\n")[2])) == {"error"}


async def test_no_headers(start_shim):
    """A client that says nothing is cut off without a word."""
    shim = await start_shim(header_seconds_max=0.1)
    assert await exchange(shim.url, b"") == b""


async def test_slow_headers_of_a_second_request(start_shim):
    """The deadline holds for every request of a connection, but not for its idleness."""
    shim = await start_shim(header_seconds_max=0.5)
    reader, writer = await asyncio.open_connection(*shim.address.rsplit(":", 1))
    request = b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for _ in range(2):
        writer.write(request)
        answer = await reader.readuntil(b"}")
        await asyncio.sleep(0.6)
    writer.write(request[:9])
    rest = await reader.read()
    writer.close()
    await writer.wait_closed()

    assert answer.startswith(b"HTTP/1.1 200")
    assert rest.startswith(b"HTTP/1.1 408")


async def test_many_slow_clients(http, start_shim):
    """Hundreds of connections that say nothing do not keep others waiting."""
    shim = await start_shim(header_seconds_max=0.5)
    host, port = shim.address.rsplit(":", 1)
    slow = [await asyncio.open_connection(host, port) for _ in range(300)]
    answer = await http.get(f"{shim.url}/api/version")
    assert answer.status == 200
    await until(lambda: all(reader.at_eof() for reader, _ in slow))
    for _, writer in slow:
        writer.close()
        await writer.wait_closed()


ODD = [
    b"CONNECT elsewhere:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Odd: \xe9\xff\r\nConnection: close\r\n\r\n",
    b"GET http://elsewhere/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"GET /%ff%00?%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: close, upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
    b"\x16\x03\x01 TLS\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 2**17 + b"\r\n\r\n",
]


@pytest.mark.parametrize("raw", ODD, ids=range(len(ODD)))
async def test_odd_requests(shim, raw, caplog):
    """No request, however odd, makes the shim stumble."""
    answer = await exchange(shim.url, raw, read_all=b"CONNECT" not in raw)

    assert answer.startswith(b"HTTP/1.")
    assert not answer.startswith(b"HTTP/1.1 5")
    assert b"Traceback" not in answer


FACT = {"fact": "gnommoweb -isa repo"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": "app://obsidian.md"}, 403),
        ({"Origin": "http://tauri.localhost"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 201),
        ({"Sec-Fetch-Site": "none"}, 201),
        ({"Origin": "SELF"}, 201),
        ({"Origin": "SELF", "Content-Type": "text/plain"}, 415),
    ],
)
async def test_origins(http, shim, memory, headers, status):
    """A page of another site cannot state facts through its reader's browser."""
    headers = {k: shim.url if v == "SELF" else v for k, v in headers.items()}
    answer = await http.post(f"{shim.url}/iknowthat", json=FACT, headers=headers)

    assert answer.status == status
    assert len(memory.asserts) == (status == 201)


async def test_session_name(http, shim, ollama):
    """A session's name is short and visible."""
    headers = {"X-Festinger-Session": "ä"}
    answer = await http.post(f"{shim.url}/api/chat", json=chat("x"), headers=headers)

    assert answer.status == 400
    assert ollama.requests == []


@pytest.mark.parametrize(
    ("origin", "result"),
    [
        ("http://evil.example", "skipped:origin"),
        ("null", "skipped:origin"),
        ("http://[", "skipped:origin"),
        ("http://x]y", "skipped:origin"),
        ("https://localhost.evil.example", "skipped:origin"),
        ("https://evillocalhost", "skipped:origin"),
        ("chrome-extension://abcdefghijklmnop", "skipped:origin"),
        ("application://evil.example", "skipped:origin"),
        ("http://localhost:3000", "full"),
        ("http://tauri.localhost", "full"),
        ("https://tauri.localhost", "full"),
        ("app://obsidian.md", "full"),
        ("file://", "full"),
        ("tauri://localhost", "full"),
        ("vscode-file://vscode-app", "full"),
        ("vscode-webview://1a2b3c", "full"),
        (None, "full"),
    ],
)
async def test_foreign_page_neither_teaches_nor_is_told(
    http, shim, ollama, memory, origin, result
):
    """
    A prompt that a page from elsewhere made a browser send passes as it came; pages and
    applications of this machine are told.
    """
    memory.block = BLOCK
    headers = {"Origin": origin} if origin else {}
    answer = await http.post(
        f"{shim.url}/api/chat", json=chat("hello"), headers=headers
    )

    assert answer.headers["X-Festinger-Recollection"] == result
    assert len(memory.recollects) == (result == "full")
