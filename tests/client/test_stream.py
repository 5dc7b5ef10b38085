"""Prompts over an open stream, with and without an event loop."""

from __future__ import annotations

import asyncio

import pytest

from festinger.client import ServerUnreachable
from festinger.errors import TenantNotFound
from tests.client.test_client import prompt


async def test_prompts_share_a_stream(memory):
    """Any number at once, each with its own answer."""
    names = [f"gnommo{number}" for number in range(20)]
    for name in names:
        await memory.assert_fact(f"{name} -isa repo")
    stream = await memory.open_stream()

    told = await asyncio.gather(
        *(stream.recollect(prompt(f"Where is {name}?")) for name in names)
    )

    await stream.close()
    assert [[it.text for it in each.lines] for each in told] == [
        [f"{name}: [type] repo"] for name in names
    ]


async def test_refused_prompt_does_not_end_the_stream(connections, client):
    """An invalid request gets its own error."""
    memory = connections.to(client.address, token="shim")
    stream = await memory.open_stream()

    with pytest.raises(TenantNotFound):
        await stream.recollect(prompt("x"), tenant="zork")
    answer = await stream.recollect(prompt("x"), project="shop")

    await stream.close()
    assert answer.version == 0


async def test_closed_stream_says_so(memory):
    """A prompt after the end fails, and does not wait."""
    stream = await memory.open_stream()
    await stream.close()

    with pytest.raises(ServerUnreachable, match="the stream has ended"):
        await stream.recollect(prompt("x"))


async def test_server_that_stops_ends_the_stream(connections, serve):
    """Requests without an answer fail, and so do later ones."""
    server, client = await serve(drain_seconds=0.1)
    stream = await connections.to(client.address, timeout=30).open_stream()
    await stream.recollect(prompt("x"))

    await server.stop()

    with pytest.raises(Exception, match=r"ended|stop|no memory server"):
        await stream.recollect(prompt("y"))
    await stream.close()
