"""A proxy between the shim and its upstream that spoils answers on their way back."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from enum import Enum, auto
from typing import Self


class Fault(Enum):
    """Fault of an answer."""

    NONE = auto()
    """It arrives as it was sent."""
    LATE = auto()
    """A tenth of a second late."""
    TRICKLING = auto()
    """Byte by byte."""
    UNAVAILABLE = auto()
    """A 503 comes in its stead."""
    GARBAGE = auto()
    """Something that is not HTTP comes in its stead."""
    RESET_BEFORE = auto()
    """The connection is reset before the first byte."""
    RESET_WITHIN = auto()
    """The connection is reset in the middle of the body."""
    CLOSED_WITHIN = auto()
    """The connection is closed in the middle of the body."""
    CLOSED_AT_ONCE = auto()
    """The connection is closed before the request is read."""


REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
    b'Content-Length: 24\r\n\r\n{"error":"server busy"}\n'
)
WITHIN_BYTES = 40
"""How much of a body arrives before it is cut."""


class FaultProxy:
    """
    Forwards to an upstream.

    Attributes:
        fault: What befalls the next answers.
        connections: How many there were.
    """

    def __init__(self, upstream: str):
        host, _, port = upstream.removeprefix("http://").partition(":")
        self._upstream = host, int(port)
        self.fault = Fault.NONE
        self.connections = 0
        self._silenced = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """End all connections."""
        for task in list(self._tasks):
            task.cancel()

    def silence(self) -> None:
        """Let no answer pass on the connections that are open, which stay so."""
        self._silenced.set()
        self._silenced = asyncio.Event()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            if self.fault is not Fault.CLOSED_AT_ONCE:
                await self._link(reader, writer)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _link(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        there = await asyncio.open_connection(*self._upstream)
        up = asyncio.create_task(_copy(reader, there[1]))
        try:
            await self._answer(there[0], writer)
        finally:
            up.cancel()
            there[1].close()

    async def _answer(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        silenced = self._silenced
        while data := await reader.read(65536):
            if silenced.is_set():
                await asyncio.Event().wait()
            match self.fault:
                case Fault.NONE:
                    writer.write(data)
                case Fault.LATE:
                    await asyncio.sleep(0.1)
                    writer.write(data)
                case Fault.TRICKLING:
                    for at in range(len(data)):
                        writer.write(data[at : at + 1])
                        await writer.drain()
                        await asyncio.sleep(0)
                case Fault.UNAVAILABLE:
                    writer.write(REFUSAL)
                    return
                case Fault.GARBAGE:
                    writer.write(b"\x16\x03\x01\x02garbage\r\n\r\n")
                    return
                case Fault.CLOSED_AT_ONCE:
                    return  # a connection that was open already
                case Fault.RESET_BEFORE:
                    reset_connection(writer)
                    return
                case Fault.RESET_WITHIN | Fault.CLOSED_WITHIN as fault:
                    body = data.find(b"\r\n\r\n") + 4
                    writer.write(data[: body + WITHIN_BYTES])
                    await writer.drain()
                    # Time for what was sent to be read: a reset drops the rest.
                    await asyncio.sleep(0.05)
                    if fault is Fault.RESET_WITHIN:
                        reset_connection(writer)
                    return
            await writer.drain()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


def reset_connection(writer: asyncio.StreamWriter) -> None:
    """End a connection with RST instead of FIN."""
    connection: socket.socket = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
