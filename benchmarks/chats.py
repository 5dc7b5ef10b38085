"""Conversations as agents lead them, and the client that sends them."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from dataclasses import dataclass, field
from time import perf_counter
from typing import Self

from benchmarks.worlds import Prompts

TURNS = 3
"""Requests of a conversation after its first."""

_MESSAGES = 6
_QUESTION, _REPLY = 500, 300
_POOL = 48
_ROLES = ("user", "assistant")
_SENT = re.compile(rb'"sent":([\d.]+)')
_LAST = b"0\r\n\r\n"


class Chats:
    """Makes conversations, of which none comes twice.

    Args:
        concepts: Of the memory.
        told: Whether it has something to tell about each message.
    """

    _numbers = itertools.count()

    def __init__(self, concepts: int, *, told: bool) -> None:
        self._source = Prompts(concepts)
        self._told = told
        self._questions = self._texts(_QUESTION, _POOL)
        self._replies = self._texts(_REPLY, _POOL)
        self._histories: dict[int, list[list[str]]] = {}

    def chat(self, size: int) -> Chat:
        """Return a conversation whose history is of so many bytes."""
        if size not in self._histories:
            length = (size - _QUESTION) // _MESSAGES
            self._histories[size] = [self._texts(length, _MESSAGES) for _ in range(8)]
        number = next(self._numbers)
        parts = self._histories[size][number % 8]
        system = {"role": "system", "content": f"({number}) {parts[0]}"}
        chat = Chat([system], self, number)
        for index, part in enumerate(parts[1:]):
            chat.say(_ROLES[index % 2], part)
        return chat

    def exchange(self, number: int) -> tuple[str, str]:
        """Return an answer and the question after it."""
        return self._replies[number % _POOL], self._questions[number * 7 % _POOL]

    def _texts(self, length: int, count: int) -> list[str]:
        return [self._source.text(length, placed=self._told) for _ in range(count)]


class Chat:
    """A conversation, which grows by an exchange at a time.

    Args:
        messages: It begins with these.
        chats: Where its exchanges come from.
        number: Makes each of its messages new.
    """

    def __init__(
        self, messages: list[dict[str, str]], chats: Chats, number: int
    ) -> None:
        self._messages = messages
        self._chats = chats
        self._number = number

    def say(self, role: str, text: str) -> None:
        """Another message."""
        mark = f"({self._number}.{len(self._messages)})"
        self._messages.append({"role": role, "content": f"{mark} {text}"})

    def go_on(self) -> None:
        """Another exchange."""
        count = len(self._messages)
        reply, question = self._chats.exchange(self._number * TURNS + count)
        if self._messages[-1]["role"] == "user":
            self.say("assistant", reply)
        self.say("user", question)

    def body(self, model: str) -> bytes:
        """Return the request, history and all."""
        return json.dumps({"model": model, "messages": self._messages}).encode()


@dataclass
class Spent:
    """Times of a peer's answers, in seconds.

    Attributes:
        first: To the first byte of the answer's body.
        whole: To its last.
        chunk: From the sending of each chunk to its arrival.
        rate: Requests a second, where many came at once.
        results: What the shim said it had done.
        processor: The processor's time of a request, where many came at once.
    """

    first: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    chunk: list[float] = field(default_factory=list)
    rate: list[float] = field(default_factory=list)
    results: list[bytes] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def share(self, result: bytes) -> float:
        """Return the part of the answers that say this of themselves."""
        return sum(it.startswith(result) for it in self.results) / len(self.results)


class Client:
    """A keep-alive connection that does no more than it must."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str
    ) -> None:
        self._reader, self._writer, self._host = reader, writer, host

    @classmethod
    async def connect(cls, url: str) -> Self:
        """Open the connection."""
        address = url.removeprefix("http://")
        host, _, port = address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        return cls(reader, writer, address)

    async def ask(
        self,
        body: bytes,
        spent: Spent | None = None,
        *,
        path: str = "/api/chat",
        method: str = "POST",
    ) -> None:
        """Send a request and read the answer."""
        sized = f"Content-Length: {len(body)}\r\n" if body else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\n"
            f"Content-Type: application/json\r\n{sized}\r\n"
        )
        started = perf_counter()
        self._writer.write(head.encode() + body)
        headers = await self._reader.readuntil(b"\r\n\r\n")
        chunks: list[tuple[float, bytes]] = []
        left = _length(headers)
        while left is None or left > 0:
            data = await self._reader.read(2**16)
            if not data:
                raise ConnectionError(f"{self._host} broke off: {headers!r}")
            chunks.append((perf_counter(), data))
            if left is not None:
                left -= len(data)
            elif data.endswith(_LAST) or _ends(chunks):
                break
        if spent:
            spent.first.append(chunks[0][0] - started)
            spent.whole.append(chunks[-1][0] - started)
            spent.chunk += _delays(chunks)
            _, _, result = headers.partition(b"X-Festinger-Recollection: ")
            spent.results.append(result.partition(b"\r\n")[0])

    async def close(self) -> None:
        """Close it."""
        self._writer.close()
        await self._writer.wait_closed()


def _length(headers: bytes) -> int | None:
    """Return the length of a body; None if it says itself where it ends."""
    _, named, rest = headers.lower().partition(b"content-length:")
    return int(rest.partition(b"\r")[0]) if named else None


def _ends(chunks: list[tuple[float, bytes]]) -> bool:
    return b"".join(data for _, data in chunks[-len(_LAST) :]).endswith(_LAST)


def _delays(chunks: list[tuple[float, bytes]]) -> list[float]:
    """Return each line's seconds on its way; a line has arrived with its last byte."""
    delays, line = [], b""
    for came, data in chunks:
        *lines, line = (line + data).split(b"}\n")
        for each in lines:
            if sent := _SENT.search(each):
                delays.append(came - float(sent[1]))
    return delays
