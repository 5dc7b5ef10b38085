"""Slow readers and uploads hold the other side up, not the shim's memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from tests.kill.conftest import Report
from tests.kill.shim import Shimming

pytestmark = pytest.mark.slow

PIECE = b"x" * 2**16
WHOLE_BYTES = 200 * 2**20
UPLOAD_BYTES = 30 * 2**20
"""Below `shim.body_bytes_max`."""
CLIENTS = 4


def kernel_bytes_max() -> int:
    """Return the most bytes in the kernel's buffers of two connections: it lets them grow."""
    limits = [
        int(Path(f"/proc/sys/net/ipv4/tcp_{way}mem").read_text().split()[2])
        for way in "rw"
    ]
    return 2 * sum(limits)


HELD_BYTES_MAX = kernel_bytes_max() + 8 * 2**20
GROWTH_BYTES_MAX = 24 * 2**20
"""What the shim's own may, for all clients, and whatever else it keeps."""


class Upstream:
    """An upstream that speaks as fast as it is read, and takes no upload."""

    def __init__(self) -> None:
        self.sent = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        """Start to listen; return the URL."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Stop, whatever is under way."""
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        head = await reader.readuntil(b"\r\n\r\n")
        try:
            if b"/audio/" in head:
                await asyncio.Event().wait()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % WHOLE_BYTES)
            for _ in range(WHOLE_BYTES // len(PIECE)):
                writer.write(PIECE)
                await writer.drain()
                self.sent += len(PIECE)
        except OSError:
            pass
        finally:
            writer.transport.abort()


@pytest.fixture
async def upstream() -> AsyncIterator[tuple[Upstream, str]]:
    """An upstream, and its URL."""
    upstream = Upstream()
    yield upstream, await upstream.start()
    await upstream.stop()


@pytest.fixture
async def shim(
    tmp_path: Path, upstream: tuple[Upstream, str]
) -> AsyncIterator[Shimming]:
    """A shim process without a memory server."""
    (tmp_path / "data").mkdir()
    shim = Shimming(tmp_path / "data", "127.0.0.1:1", upstream[1])
    try:
        await shim.start()
        yield shim
    finally:
        print(shim.output())
        # What it passes on would be waited for.
        await upstream[0].stop()
        await shim.end()


async def settled(shim: Shimming, upstream: Upstream, sent: list[int]) -> int:
    """Wait until nothing flows any more; say how much memory the shim takes then."""
    before = -1
    while before != (now := upstream.sent + sum(sent)):
        before = now
        await asyncio.sleep(1)
    return shim.resident_bytes()


async def test_slow_readers(
    shim: Shimming, upstream: tuple[Upstream, str], report: Report
) -> None:
    """Clients that read a kilobyte now and then of 200 MB leave them where they come from."""
    fountain, _ = upstream
    before = shim.resident_bytes()
    over = asyncio.Event()

    async def read() -> int:
        size = 0
        async with (
            aiohttp.ClientSession(read_bufsize=1024) as http,
            http.get(f"{shim.url}/v1/models") as answer,
        ):
            while not over.is_set():
                size += len(await answer.content.readexactly(1024))
                await asyncio.sleep(0.2)
        return size

    clients = [asyncio.create_task(read()) for _ in range(CLIENTS)]
    await asyncio.sleep(5)
    growth = shim.resident_bytes() - before
    over.set()
    sizes = await asyncio.gather(*clients)

    report(f"{growth / 2**20:.1f} MB more for {CLIENTS} slow readers")
    assert min(sizes) >= 1024
    assert fountain.sent < CLIENTS * HELD_BYTES_MAX
    assert growth < GROWTH_BYTES_MAX


async def test_slow_uploads(
    shim: Shimming, upstream: tuple[Upstream, str], report: Report
) -> None:
    """Uploads that the upstream does not take stay with the clients."""
    fountain, _ = upstream
    before = shim.resident_bytes()
    sent = [0] * CLIENTS

    async def body(number: int) -> AsyncIterator[bytes]:
        for _ in range(UPLOAD_BYTES // len(PIECE)):
            yield PIECE
            sent[number] += len(PIECE)

    async def upload(number: int) -> None:
        async with aiohttp.ClientSession() as http:
            url = f"{shim.url}/v1/audio/transcriptions"
            await http.post(url, data=body(number))

    clients = [asyncio.create_task(upload(number)) for number in range(CLIENTS)]
    growth = await settled(shim, fountain, sent) - before
    for client in clients:
        client.cancel()
    await asyncio.gather(*clients, return_exceptions=True)

    report(
        f"{growth / 2**20:.1f} MB more for {CLIENTS} uploads that are held up, of which "
        f"{max(sent) / 2**20:.1f} MB were sent"
    )
    assert 0 < max(sent) < UPLOAD_BYTES - len(PIECE)
    assert growth < GROWTH_BYTES_MAX
