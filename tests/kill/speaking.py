"""People who say things, and keep a ledger of what they were told is remembered."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count

import asyncpg
import grpc

from festinger.api.v1 import (
    line_service_pb2,
    line_service_pb2_grpc,
    memory_service_pb2_grpc,
)
from festinger.api.v1 import memory_service_pb2 as pb
from tests.kill.audit import expect_none
from tests.kill.clients import (
    CALL_SECONDS_MAX,
    NOBODY_KNOWS,
    PAUSE_SECONDS,
    answered_after,
)
from tests.kill.server import OPTIONS
from tests.serving import Client
from tests.waiting import running

SPEAKERS = 10
PEOPLE = ("alice", "bob", "carol")
POLL_SECONDS = 0.02
FIND_SECONDS_MAX = 15.0
"""A database that was killed may be away for so long."""

# In a hundred sentences.
TOLD_OUTRIGHT, IMPATIENT = 50, 30

SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]

TURNS = "select speaker, project, sentences from turns"


@dataclass
class Spoken:
    """
    Every sentence that was said, and those that were acknowledged as kept.

    Attributes:
        said: The speaker of each sentence.
    """

    said: dict[str, str] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    failures: int = 0
    times: list[float] = field(default_factory=list)

    async def answered_after(self, moment: float) -> float:
        """Wait for the first acknowledgement after a moment, and say when it came."""
        return await answered_after(self.times, moment)

    def note(self, text: str) -> None:
        """Take an acknowledgement down."""
        self.kept.add(text)
        self.times.append(time.monotonic())


class Speakers:
    """
    People over one connection, who say one sentence after the other, each one once: some
    tell the memory outright and are answered after the commit, the others write prompts,
    and look until what they wrote is found.

    Args:
        address: The server's.
        token: Lets them speak for several people.
    """

    def __init__(self, address: str, token: str, seed: int):
        self.ledger = Spoken()
        self._address = address
        self._token = token
        self._random = random.Random(seed)
        self._names = _names()
        self._over = False

    @asynccontextmanager
    async def calling(self) -> AsyncIterator[Spoken]:
        """Has them speak for the length of a block; calls under way are ended after it."""
        async with AsyncExitStack() as stack:
            channel = grpc.aio.insecure_channel(self._address, OPTIONS)
            await stack.enter_async_context(channel)
            speaking = [self._speak(channel) for _ in range(SPEAKERS)]
            async with running(*speaking, end=self._end, seconds=CALL_SECONDS_MAX):
                yield self.ledger

    def _end(self) -> None:
        self._over = True

    async def _speak(self, channel: grpc.aio.Channel) -> None:
        lines = line_service_pb2_grpc.LineServiceStub(channel)
        memory = memory_service_pb2_grpc.MemoryServiceStub(channel)
        while not self._over:
            name, draw = next(self._names), self._random
            rack, speaker = draw.randrange(2, 90), draw.choice(PEOPLE)
            text = f"The {name} server moved to rack {rack} in Falkenstein."
            self.ledger.said[text] = speaker
            patient = draw.randrange(100) >= IMPATIENT
            outright = draw.randrange(100) < TOLD_OUTRIGHT
            while not self.ledger.kept.intersection([text]):
                try:
                    if outright:
                        await self._say(lines, text)
                    else:
                        await self._prompt(memory, text)
                    if outright or await self._find(lines, text, name):
                        self.ledger.note(text)
                except grpc.aio.AioRpcError as error:
                    if error.code() not in NOBODY_KNOWS:
                        raise
                    self.ledger.failures += 1
                    if not patient:
                        break
                    await asyncio.sleep(PAUSE_SECONDS)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _say(
        self, stub: line_service_pb2_grpc.LineServiceStub, text: str
    ) -> None:
        request = line_service_pb2.SayRequest(text=text, project="shop")
        answer = await stub.Say(
            request,
            metadata=self._as(text),
            timeout=CALL_SECONDS_MAX,
            wait_for_ready=True,
        )
        assert [line.quote for line in answer.lines] == [text]

    async def _prompt(
        self, stub: memory_service_pb2_grpc.MemoryServiceStub, text: str
    ) -> None:
        digest = sha256(text.encode()).digest()
        turn = pb.Turn(role=pb.Turn.ROLE_USER, text=text, digest=digest)
        await stub.Recollect(
            pb.RecollectRequest(turns=[turn]),
            metadata=(*self._as(text), ("festinger-project", "shop")),
            timeout=CALL_SECONDS_MAX,
            wait_for_ready=True,
        )

    async def _find(
        self, stub: line_service_pb2_grpc.LineServiceStub, text: str, name: str
    ) -> bool:
        """
        Wait until the server would tell others of it: that it does is its word that it
        is committed. A server that was started meanwhile may not have it.
        """
        request = line_service_pb2.SearchLinesRequest(query=name, page_size=5)
        deadline = time.monotonic() + FIND_SECONDS_MAX
        while time.monotonic() < deadline:
            found = await stub.SearchLines(request, timeout=20)
            if any(line.quote == text for line in found.lines):
                return True
            await asyncio.sleep(POLL_SECONDS)
        return False

    def _as(self, text: str) -> tuple[tuple[str, str], ...]:
        return Client.as_(self._token, principal=self.ledger.said[text])


async def audit_spoken(ledger: Spoken, dsn: str) -> None:
    """
    Compare what speakers know with what the database holds.

    Raises:
        AssertionError: A sentence that was acknowledged is lost, or one is there that
            nobody said, or is there twice, or as somebody else's.
    """
    connection = await asyncpg.connect(dsn)
    try:
        rows = await connection.fetch(TURNS)
    finally:
        await connection.close()
    held = Counter(
        (row["speaker"], row["project"], text)
        for row in rows
        for text in row["sentences"].split("\n")
    )
    said = {(speaker, "shop", text) for text, speaker in ledger.said.items()}
    kept = {it for it in said if it[2] in ledger.kept}
    expect_none("sentences acknowledged and lost", kept - held.keys())
    expect_none("sentences that nobody said", held.keys() - said)
    expect_none("sentences doubled", (it for it in held.items() if it[1] > 1))


def _names() -> Iterator[str]:
    """Return names that nothing has, without end."""
    base = len(SYLLABLES)
    for number in count():
        digits = (number // base**2, number // base, number)
        yield "".join(SYLLABLES[it * 17 % base] for it in digits) + "x"
