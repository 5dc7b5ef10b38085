"""A server is killed while lines are called wrong: none is held with its item open."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc.aio
import pytest

from festinger.api.v1 import inbox_service_pb2, line_service_pb2
from festinger.credentials import OPERATOR, read_token
from tests.kill.server import OPTIONS, Serving
from tests.serving import Client

pytestmark = pytest.mark.slow

FACTS, BEFORE = 80, 10


async def name_of(client: Client, number: int, who: Any) -> str:
    """Return the name of the line that tells a fact."""
    request = line_service_pb2.SearchLinesRequest(query=f"thing{number}x")
    found = await client.lines.SearchLines(request, metadata=who)
    return str(found.lines[0].name)


async def wrong(client: Client, names: list[str], who: Any) -> None:
    """Call all lines wrong at once, until some of it is done; the rest is under way."""
    calls = [
        asyncio.ensure_future(
            client.lines.RateLine(
                line_service_pb2.RateLineRequest(name=name, verdict="VERDICT_WRONG"),
                metadata=who,
            )
        )
        for name in names
    ]
    while sum(call.done() for call in calls) < BEFORE:
        await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED, timeout=0.01)
    for call in calls:
        call.cancel()


async def test_what_is_called_wrong_is_retracted_with_it(serving: Serving) -> None:
    """
    After kill -9 in the middle each fact is held, or retracted with its item waiting; never
    both, and never neither.
    """
    await serving.start()
    token = read_token(serving.data_dir, OPERATOR)
    who = (("authorization", f"Bearer {token}"),)
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        client = Client(channel)
        for number in range(FACTS):
            await client.states(f"thing{number}x -isa repo", *who)
        names = [await name_of(client, number, who) for number in range(FACTS)]
        await wrong(client, names, who)
        await serving.kill()
    await serving.start()

    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        client = Client(channel)
        request = inbox_service_pb2.ListInboxRequest(page_size=1000)
        page = await client.inbox.ListInbox(request, metadata=who)
        held = {
            f"thing{number}x"
            for number in range(FACTS)
            if (await client.concept(f"thing{number}x")).edges
        }

    waiting = {fact.split()[0] for it in page.items for fact in it.feedback.facts}
    everything = {f"thing{number}x" for number in range(FACTS)}
    assert len(waiting) >= BEFORE
    assert waiting & held == set()
    assert waiting | held == everything
