from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.shim.recollection import stream
from festinger.shim.recollection.memory import MemoryClient, MemoryUnavailable
from festinger.shim.system.identity import RequestCaller
from tests.serving import Client
from tests.shim.conftest import FakeMemory
from tests.waiting import becomes, until

StartClient = Callable[..., Awaitable[MemoryClient]]

ANN, BOB = RequestCaller("ann", "ann"), RequestCaller("bob", "sue")


@pytest.fixture
async def start_client(memory: FakeMemory) -> AsyncIterator[StartClient]:
    """Start clients of the memory with settings of the test's own, and stop them."""
    started: list[MemoryClient] = []

    async def start(
        address: str = "", seconds: float = 5.0, **values: Any
    ) -> MemoryClient:
        named = {"token": lambda: "secret", "tenant": "default", **values}
        client = MemoryClient(
            address or memory.address, budget_seconds=seconds, **named
        )
        await client.start()
        started.append(client)
        return client

    yield start
    for client in started:
        await client.stop()


@pytest.fixture
async def client(start_client: StartClient) -> MemoryClient:
    """A client whose stream is open."""
    client = await start_client()
    await opened(client)
    return client


async def opened(client):
    """Return a client, once its stream is open."""
    await until(lambda: client._stream.ready)
    return client


def says(client, text, caller=ANN):
    """Ask about a prompt of one turn."""
    turn = pb.Turn(role=pb.Turn.ROLE_USER, text=text)
    return client.recollect(pb.RecollectRequest(turns=[turn]), caller)


async def why(asking):
    """Return why a prompt goes on without an answer."""
    with pytest.raises(MemoryUnavailable) as caught:
        await asking
    return str(caught.value)


# Answers


async def test_prompts_share_one_stream(client, memory):
    """Whoever asks, and however many, nobody pays for a call."""
    for number in range(5):
        await says(client, f"prompt {number}")
    await asyncio.gather(*(says(client, f"prompt {number}") for number in range(20)))

    assert (memory.streams, memory.streamed, memory.calls) == (1, 25, 0)


async def test_answers_are_matched(client, memory):
    """Each prompt has its own answer, in whatever order they come."""
    memory.echo = True
    memory.delays = {f"prompt {number}": (20 - number) / 100 for number in range(20)}

    answers = await asyncio.gather(
        *(says(client, f"prompt {number}") for number in range(20))
    )

    assert [answer.block for answer in answers] == [
        f"prompt {number}" for number in range(20)
    ]


async def test_slow_answer_holds_up_no_other(client, memory):
    """One prompt that takes long is one prompt that takes long."""
    memory.holds = {"slow"}
    slow = asyncio.create_task(says(client, "slow"))
    await until(lambda: memory.recollects)

    await says(client, "quick")

    assert not slow.done()
    memory.let_go.set()
    await slow


async def test_each_prompt_names_who_speaks(client, memory):
    """The credential and the tenant are the stream's, the people are the prompts'."""
    await says(client, "one", ANN)
    await says(client, "two", BOB)

    assert [
        (seen["festinger-principal"], seen["festinger-subject"])
        for seen in memory.metadata
    ] == [("ann", "ann"), ("bob", "sue")]
    assert {seen["authorization"] for seen in memory.metadata} == {"Bearer secret"}
    assert {seen["festinger-tenant"] for seen in memory.metadata} == {"default"}


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        (grpc.StatusCode.UNAVAILABLE, "memory-down"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "memory-busy"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, "memory-slow"),
        (grpc.StatusCode.INTERNAL, "memory-error"),
    ],
)
async def test_refused_prompt_breaks_nothing(client, memory, code, cause):
    """The prompt goes on without, and the next one is answered by the same stream."""
    memory.abort = code
    assert await why(says(client, "one")) == cause
    memory.abort = None
    await says(client, "two")

    assert (memory.streamed, memory.calls) == (2, 0)


# Late and left


async def test_late_answer_was_read_all_the_same(start_client, memory):
    """A prompt's statement is learned after the agent has stopped to wait for it."""
    client = await opened(await start_client(seconds=0.05))
    memory.holds = {"slow"}

    assert await why(says(client, "slow")) == "memory-slow"

    memory.let_go.set()
    await until(lambda: memory.answered)
    client.budget_seconds = 5.0
    await says(client, "quick")
    assert (memory.answered, memory.streams, memory.calls) == (2, 1, 0)


async def test_whoever_leaves_disturbs_nobody(client, memory):
    """Of prompts at once, those that are given up do not take others with them."""
    memory.echo = True
    memory.holds = {f"n{number}" for number in range(10)}
    asking = [asyncio.create_task(says(client, f"n{number}")) for number in range(10)]
    await until(lambda: memory.streamed == 10)
    for task in asking[::2]:
        task.cancel()
    memory.let_go.set()

    answers: list[Any] = await asyncio.gather(*asking, return_exceptions=True)

    left = asyncio.CancelledError
    assert all(isinstance(answer, left) for answer in answers[::2])
    assert [answer.block for answer in answers[1::2]] == [
        f"n{n}" for n in range(1, 10, 2)
    ]
    await becomes(lambda: (memory.answered, memory.streams), (10, 1))


async def test_whoever_leaves_before_sending_is_read(client, memory):
    """Prompts that were given up at once reach the memory."""
    asking = [asyncio.create_task(says(client, f"n{number}")) for number in range(5)]
    await asyncio.sleep(0)
    for task in asking:
        task.cancel()

    await until(lambda: memory.answered == 5)
    said = [request.turns[0].text for request in memory.recollects]
    assert said == [f"n{number}" for number in range(5)]


async def test_late_prompts_have_a_limit(client, monkeypatch, memory):
    """A memory that hangs is not sent for ever what nobody waits for."""
    monkeypatch.setattr(stream, "LATE_MAX", 3)
    asking = [asyncio.create_task(says(client, f"n{number}")) for number in range(10)]
    await asyncio.sleep(0)
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    await says(client, "last")

    said = [request.turns[0].text for request in memory.recollects]
    # The limit, the one that was being sent, and the last.
    assert 4 <= len(said) <= 5
    assert said[-1] == "last"


# Without a stream


async def test_server_without_streams_is_called(start_client, memory):
    """An older server has calls only, and that is enough."""
    memory.streaming = False
    client = await start_client()
    for number in range(5):
        await says(client, f"prompt {number}")
        await asyncio.sleep(0.02)

    assert (memory.calls, memory.streamed) == (5, 0)


async def test_server_that_breaks_a_stream_for_want_of_the_method_is_called(
    client, memory
):
    """It has read nothing, so the prompt that found out is answered too."""
    memory.breaks = grpc.StatusCode.UNIMPLEMENTED
    await says(client, "hello")

    assert (memory.calls, memory.streamed) == (1, 1)


async def test_refused_stream_is_not_tried_all_the_time(start_client, memory):
    """A method that a server lacks, it will lack in a moment, too."""
    memory.streaming = False
    client = await start_client()
    await until(lambda: memory.opened)
    await asyncio.sleep(0.7)
    await says(client, "hello")

    assert memory.opened == 1


async def test_refused_stream_is_tried_again(start_client, memory, monkeypatch, capsys):
    """After a while, for servers are replaced; and it takes one line of the log."""
    memory.streaming = False
    monkeypatch.setattr(stream, "REFUSED_SECONDS", 0.1)
    client = await start_client()
    await says(client, "one")
    await until(lambda: memory.opened > 2)
    memory.streaming = True
    await opened(client)
    await says(client, "two")

    assert (memory.calls, memory.streamed) == (1, 1)
    assert capsys.readouterr().out.count("memory_stream_refused") == 1


async def test_large_prompt_is_called(client, memory):
    """One that is too large for the server would end the stream for all."""
    waiting = asyncio.create_task(says(client, "hello"))
    await says(client, "x" * (stream.REQUEST_BYTES_MAX + 1))
    await waiting

    assert (memory.calls, memory.streamed) == (1, 1)


async def test_prompt_before_the_stream_is_called(start_client, memory):
    """The first prompt does not wait for the stream."""
    client = await start_client()
    await says(client, "hello")

    assert (memory.calls, memory.streamed) == (1, 0)


# It breaks


async def test_prompt_on_a_broken_stream_goes_on(client, memory):
    """Nobody knows whether the memory has read it, so it is not sent twice."""
    memory.delay = 5.0
    asking = asyncio.create_task(says(client, "hello"))
    await until(lambda: memory.recollects)
    await memory.stop()

    assert await why(asking) == "memory-down"
    assert len(memory.recollects) == 1


async def test_stream_comes_back_with_the_server(client, memory):
    """After a restart the stream is opened again, though nobody asks."""
    port = int(memory.address.rpartition(":")[2])
    await memory.stop()
    await until(lambda: not client._stream.ready)
    assert await why(says(client, "hello")) == "memory-down"
    back = FakeMemory()
    await back.start(port)
    try:
        await opened(client)
        await says(client, "hello")
    finally:
        await back.stop()

    assert (back.streamed, back.calls) == (1, 0)


async def test_broken_stream_is_opened_again(client, memory):
    """A stream that breaks alone is replaced; meanwhile there are calls."""
    memory.breaks = grpc.StatusCode.INTERNAL
    assert await why(says(client, "hello")) == "memory-down"
    memory.breaks = None
    await says(client, "hello")
    await opened(client)
    await says(client, "hello")

    assert (memory.calls, memory.streamed) == (1, 2)


async def test_no_server_at_all(start_client):
    """A stream that never opens costs nobody anything."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    client = await start_client(f"127.0.0.1:{port}")

    assert await why(says(client, "hello")) == "memory-down"


async def test_stop_with_prompts_under_way(start_client, memory, caplog):
    """Whoever stops the client leaves nothing behind but cancelled prompts."""
    memory.delay = 5.0
    client = await opened(await start_client())
    asking = [asyncio.create_task(says(client, f"n{number}")) for number in range(5)]
    await until(lambda: memory.streamed == 5)

    for task in asking:
        task.cancel()
    await client.stop()
    await until(lambda: memory.streams == 0)

    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert not [task for task in others if "shim" in repr(task)]
    assert not caplog.records


# The product's server


async def test_real_server_takes_the_stream(serve, start_client):
    """Facts of two people come by one stream, and are theirs."""
    _, server = await serve()
    client = await opened(await start_client(server.address, token=lambda: "shim"))
    await says(client, "gnommoweb is a repo.", ANN)
    await says(client, "gnommoweb is a container.", BOB)
    await server.states("last -isa statement", *Client.as_("operator"))

    conflict = await server.conflict(1)

    assert (conflict.incoming.parent, conflict.incoming_principal) == (
        "container",
        "bob",
    )
    told = await says(client, "gnommoweb", BOB)
    assert told.lines[0].text == "gnommoweb: [type?] repo — conflict pending"


async def test_real_server_stops_and_comes_back(serve, start_client):
    """A stop breaks the stream at once; the next server has it again."""
    first, server = await serve(drain_seconds=30.0)
    client = await opened(await start_client(server.address, token=lambda: "shim"))
    await says(client, "hello")

    async with asyncio.timeout(20):
        await first.stop()
    await until(lambda: not client._stream.ready)
    await serve(address=server.address)

    await opened(client)
    assert (await says(client, "hello")).version == 0


# A server that is busy


async def test_busy_server_is_left_alone_for_as_long_as_it_says(client, memory):
    """Prompts go on at once meanwhile, and the server hears nothing of them."""
    memory.busy_seconds = 3.0
    assert await why(says(client, "one")) == "memory-busy"
    told = asyncio.get_running_loop().time()
    memory.busy_seconds = 0.0
    assert await why(says(client, "two")) == "memory-busy"
    assert memory.streamed == 1

    await until(lambda: client._busy_until < asyncio.get_running_loop().time())
    assert asyncio.get_running_loop().time() - told > 2.0
    await says(client, "three")

    assert memory.streamed == 2


async def test_late_refusal_counts(start_client, memory):
    """A server that says it is busy after the prompt went on is left alone as well."""
    client = await opened(await start_client(seconds=0.05))
    memory.busy_seconds, memory.delay = 30.0, 0.15
    assert await why(says(client, "one")) == "memory-slow"

    await until(lambda: client._busy_until > 0)

    assert await why(says(client, "two")) == "memory-busy"
    assert memory.streamed == 1


async def test_busy_server_is_left_alone_after_a_call(start_client, memory):
    """The answer of a call holds as that of the stream."""
    memory.streaming = False
    client = await start_client()
    memory.busy_seconds = 30.0

    assert await why(says(client, "one")) == "memory-busy"
    assert await why(says(client, "two")) == "memory-busy"

    assert memory.calls == 1


@pytest.mark.parametrize("streaming", [True, False])
async def test_busy_gateway_is_no_busy_server(start_client, memory, streaming):
    """A program between them that is busy silences no prompt."""
    memory.streaming = streaming
    client = await start_client()
    if streaming:
        await opened(client)
    memory.domain, memory.busy_seconds = "gateway.example", 30.0
    assert await why(says(client, "one")) == "memory-down"
    memory.busy_seconds = 0.0

    await says(client, "two")

    assert len(memory.recollects) == 2


async def test_nobody_is_silenced_for_long(client, memory, monkeypatch):
    """However long a server says it is busy, it is asked again."""
    monkeypatch.setattr("festinger.shim.recollection.memory.BUSY_SECONDS_MAX", 0.1)
    memory.busy_seconds = 3600.0
    assert await why(says(client, "one")) == "memory-busy"
    memory.busy_seconds = 0.0
    await asyncio.sleep(0.15)

    await says(client, "two")
