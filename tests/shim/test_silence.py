from __future__ import annotations

import socket
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest

from festinger import channels
from festinger.client.channel import CLIENT_OPTIONS
from festinger.shim.proxy.proxy import _open_socket
from tests.shim.conftest import FakeMemory, chat
from tests.shim.faults import FaultProxy
from tests.waiting import until

PING_MILLISECONDS = 300


@pytest.fixture
async def proxy(
    memory: FakeMemory, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[FaultProxy]:
    """A way to the memory server that can fall silent."""
    pings = {
        "grpc.keepalive_time_ms": PING_MILLISECONDS,
        "grpc.keepalive_timeout_ms": PING_MILLISECONDS,
        "grpc.http2.ping_timeout_ms": PING_MILLISECONDS,
    }
    options = tuple((name, pings.get(name, it)) for name, it in CLIENT_OPTIONS)
    monkeypatch.setattr(channels, "CLIENT_OPTIONS", options)
    async with FaultProxy(memory.address) as proxy:
        yield proxy


async def test_silent_way_to_the_memory_is_given_up(http, start_shim, memory, proxy):
    """
    A connection that is open but silent is replaced after two pings, and prompts are
    enriched again; until then each is forwarded without its lines.
    """
    memory.block = "gnommoweb: [type] repo"
    shim = await start_shim(
        server=proxy.url.removeprefix("http://"), memory_milliseconds_max=50
    )
    url = shim.url
    await until_enriched(http, url)
    before = proxy.connections
    proxy.silence()

    async with http.post(f"{url}/api/chat", json=chat("gnommoweb again")) as response:
        status = response.status
    await until_enriched(http, url)

    assert status == 200
    assert proxy.connections > before


async def until_enriched(http: aiohttp.ClientSession, url: str) -> None:
    """Ask until the memory answers."""

    async def enriched() -> bool:
        prompt = chat(f"what is gnommoweb? {time.monotonic()}")
        async with http.post(f"{url}/api/chat", json=prompt) as response:
            return response.headers.get("X-Festinger-Recollection") == "full"

    await until(enriched, pause=0.05)


def test_connection_to_an_upstream_that_vanished_is_ended_by_the_kernel():
    """
    It is probed after two silent seconds, and ended after two unanswered probes, or when
    what was sent is not acknowledged for four seconds.
    """
    address = (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", 1))
    with _open_socket(address) as opened:
        assert opened.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        options = [
            opened.getsockopt(socket.IPPROTO_TCP, option)
            for option in (
                socket.TCP_KEEPIDLE,
                socket.TCP_KEEPINTVL,
                socket.TCP_KEEPCNT,
                socket.TCP_USER_TIMEOUT,
            )
        ]
    assert options == [2, 1, 2, 4000]
