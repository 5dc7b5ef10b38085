"""A server is killed while people talk; what was acknowledged is kept, once."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

import asyncpg
import grpc
import pytest

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1 import line_service_pb2_grpc, memory_service_pb2_grpc
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.credentials import SHIM, read_token
from tests.kill.conftest import Report
from tests.kill.server import OPTIONS, Serving
from tests.serving import Client

pytestmark = pytest.mark.slow

KILLS, SPEAKERS = 6, 6


class Talk:
    """
    People who talk without end, and what they were told.

    Attributes:
        sent: Every sentence that was sent.
        kept: Those of which the memory said that it keeps them.
    """

    def __init__(self, serving: Serving, seed: int):
        self._serving = serving
        self._draw = random.Random(seed)
        token = str(read_token(serving.data_dir, SHIM))
        self._token = ("authorization", f"Bearer {token}")
        self.sent: set[str] = set()
        self.kept: set[str] = set()

    async def go_on(self, name: str) -> None:
        """
        Says one sentence after the other; of those that fail nobody knows.
        """
        who = (*Client.as_("x", principal="key", subject=name)[1:], self._token)
        number = 0
        async with grpc.aio.insecure_channel(self._serving.address, OPTIONS) as channel:
            lines = line_service_pb2_grpc.LineServiceStub(channel)
            memory = memory_service_pb2_grpc.MemoryServiceStub(channel)
            while True:
                number += 1
                await asyncio.sleep(0.02)
                text = f"{name} stores crate {number} in hall {self._draw.random()}."
                self.sent.add(text)
                turn = memory_pb.Turn(role=memory_pb.Turn.ROLE_USER, text=text)
                with suppress(grpc.aio.AioRpcError):
                    await memory.Recollect(
                        memory_pb.RecollectRequest(turns=[turn]),
                        metadata=who,
                        timeout=9,
                    )
                with suppress(grpc.aio.AioRpcError):
                    said = await lines.Say(
                        pb.SayRequest(text=text), metadata=who, timeout=9
                    )
                    assert [it.quote for it in said.lines] == [text]
                    self.kept.add(text)


async def test_what_people_said_survives_kills(
    serving: Serving, seed: int, report: Report
) -> None:
    """
    After kill -9 at any moment each sentence that was acknowledged is kept once, none is
    there that nobody said, and the server finds what the table holds.
    """
    draw = random.Random(seed)
    await serving.start()
    talk = Talk(serving, seed)
    people = [asyncio.create_task(talk.go_on(f"p{it}")) for it in range(SPEAKERS)]
    for _ in range(KILLS):
        await asyncio.sleep(draw.uniform(0.3, 1.5))
        await serving.kill()
        await serving.start()
    await asyncio.sleep(1)
    for person in people:
        person.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    # What nobody waits for any more is written all the same.
    await asyncio.sleep(1)

    connection = await asyncpg.connect(serving.place.dsn)
    rows = await connection.fetch("select unnest(sentences) as text from turns")
    await connection.close()
    stored = [row["text"] for row in rows]
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        stub = line_service_pb2_grpc.LineServiceStub(channel)
        found = await stub.SearchLines(pb.SearchLinesRequest(page_size=1), timeout=20)

    report(f"{len(talk.sent)} sentences said, {len(talk.kept)} acknowledged")
    assert len(talk.kept) > KILLS
    assert talk.kept - set(stored) == set()
    assert set(stored) - talk.sent == set()
    assert len(stored) == len(set(stored))
    assert found.total_size == len(stored)
    assert await serving.end() == 0, serving.output()
