"""A proxy between a server and its Postgres that breaks connections where it hurts.

It understands just enough of the protocol to see a COMMIT go by, which the store sends
as a simple query, and whether its transaction wrote. Whatever fault it is armed with
befalls the next COMMITs of writes; the other faults befall everybody at once.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import struct
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum, auto
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SOCKET = ".s.PGSQL.5432"

COMMIT = b"Qcommit\0"
ROLLBACK = b"Qrollback\0"
# Numbers and leases are taken in transactions of their own, which are no writes here.
WRITES = re.compile(
    rb"\b(?:insert into|update|delete from)\s+(?!id_blocks|leases|set\b)|for update"
)
READY = b"Z"


class Fault(Enum):
    """Fault of a COMMIT."""

    CUT_BEFORE = auto()
    """It never arrives: the connection is cut."""
    CUT_AFTER = auto()
    """It is done, and the connection is cut before the answer."""
    DELAY = auto()
    """It waits for `gate`."""
    HANG = auto()
    """It never arrives, and neither does anything else on this connection."""
    HANG_AFTER = auto()
    """It is done, and nothing else ever arrives, the answer included."""


class Proxy:
    """
    Listens on a socket of its own, and forwards to a server's.

    Attributes:
        commits: How many COMMITs of writes were seen.
        gate: Closed, it holds what is delayed.
        trickling: Whether every byte travels alone.
        refusing: Whether nobody gets a connection.
        silent: Whether new connections are open, but nothing is forwarded.
    """

    def __init__(self, upstream: Path, directory: Path):
        self.commits = 0
        self.gate = asyncio.Event()
        self.trickling = False
        self.refusing = False
        self.silent = False
        self._upstream = upstream
        self._directory = directory
        self._armed: list[Fault] = []
        self._links: set[_Link] = set()
        self._met = asyncio.Event()

    def arm(self, fault: Fault, times: int = 1) -> None:
        """Let a fault befall the next COMMITs."""
        self._armed += [fault] * times
        self._met.clear()
        self.gate.clear()

    async def met(self) -> None:
        """Wait until a COMMIT has met what the proxy was armed with."""
        await self._met.wait()

    def cut(self) -> None:
        """Cut all connections."""
        for link in list(self._links):
            link.cut()

    def hang(self) -> None:
        """Stop forwarding on all connections, both ways, until they are cut."""
        for link in self._links:
            link.hanging = True

    def silence(self) -> None:
        """Forward nothing, on these connections and on new ones, as behind a cut cable."""
        self.silent = True
        self.hang()

    def mend(self) -> None:
        """Nothing is wrong any more; what hung is cut."""
        self._armed.clear()
        self.refusing = self.trickling = self.silent = False
        self.gate.set()
        for link in list(self._links):
            if link.hanging:
                link.cut()

    def take(self) -> Fault | None:
        """Return the fault of the next COMMIT."""
        self.commits += 1
        if not self._armed:
            return None
        self._met.set()
        return self._armed.pop(0)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Proxy]:
        """Forwards for the length of a block."""
        path = self._directory / SOCKET
        async with await asyncio.start_unix_server(self._serve, path):
            try:
                yield self
            finally:
                self.mend()
                self.cut()
                while self._links:  # noqa: ASYNC110
                    await asyncio.sleep(0.001)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if self.refusing:
            writer.close()
            return
        server = await asyncio.open_unix_connection(str(self._upstream))
        link = _Link(self, (reader, writer), server)
        link.hanging = self.silent
        self._links.add(link)
        try:
            await link.run()
        finally:
            self._links.discard(link)


class _Link:
    """One connection, and its other half."""

    def __init__(
        self,
        proxy: Proxy,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ):
        self.hanging = False
        self._proxy = proxy
        self._from_client, self._to_client = client
        self._from_server, self._to_server = server
        self._deaf = False
        self._writers: set[bytes] = set()
        self._wrote = False
        self._done = asyncio.Event()
        self._over = asyncio.Event()

    def cut(self) -> None:
        """End both halves, without a word."""
        self._over.set()

    async def run(self) -> None:
        """Forward until either side ends, or it is cut."""
        tasks = [
            asyncio.create_task(self._forward_questions()),
            asyncio.create_task(self._forward_answers()),
            asyncio.create_task(self._over.wait()),
        ]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in (self._to_client, self._to_server):
            writer.transport.abort()

    async def _forward_questions(self) -> None:
        """Message by message: a length, and after the first a letter before it."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            letter = b""
            while True:
                length = await self._from_client.readexactly(4)
                (size,) = struct.unpack("!i", length)
                body = await self._from_client.readexactly(size - 4)
                fault = None
                if self._commits_writes(letter, body):
                    fault = self._proxy.take()
                await self._pass(letter + length + body, fault)
                letter = await self._from_client.readexactly(1)

    def _commits_writes(self, letter: bytes, body: bytes) -> bool:
        """Return whether a message is the COMMIT of a transaction that wrote."""
        first, _, rest = body.partition(b"\0")
        if letter == b"P" and WRITES.search(rest):
            self._writers.add(first)
        elif letter == b"B":
            self._wrote |= rest.partition(b"\0")[0] in self._writers
        elif (letter + body).startswith((COMMIT, ROLLBACK)):
            wrote, self._wrote = self._wrote, False
            return wrote and (letter + body).startswith(COMMIT)
        return False

    async def _pass(self, message: bytes, fault: Fault | None) -> None:
        match fault:
            case Fault.CUT_BEFORE:
                self.cut()
                await asyncio.Event().wait()
            case Fault.HANG:
                self.hanging = True
            case Fault.DELAY:
                await self._proxy.gate.wait()
            case Fault.CUT_AFTER | Fault.HANG_AFTER:
                self._deaf = True
        await self._send(self._to_server, message)
        if self._deaf:
            await self._done.wait()
            if fault is Fault.CUT_AFTER:
                self.cut()
            self.hanging = True
            await asyncio.Event().wait()

    async def _forward_answers(self) -> None:
        with suppress(ConnectionError):
            while part := await self._from_server.read(65536):
                if not self._deaf:
                    await self._send(self._to_client, part)
                elif part[-6:-5] == READY:
                    self._done.set()

    async def _send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        if self.hanging:
            # Not even the end of the connection gets through.
            await asyncio.Event().wait()
        if self._proxy.trickling:
            for byte in data:
                writer.write(bytes((byte,)))
                await writer.drain()
                await asyncio.sleep(0)
        else:
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def proxied(dsn: str) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy before the server of a DSN, and the DSN that leads through it."""
    parts = urlsplit(dsn)
    (host,) = parse_qs(parts.query)["host"]
    # A socket's path is short.
    directory = Path(tempfile.mkdtemp(prefix="proxy-", dir="/tmp"))
    try:
        async with Proxy(Path(host) / SOCKET, directory).listening() as proxy:
            yield proxy, dsn.replace(host, str(directory))
    finally:
        shutil.rmtree(directory)
