"""Tenants are served by the server that the directory gives them."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import grpc
import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import ServerSettings
from festinger.errors import TenantNotFound
from festinger.rpc.server import MemoryServer
from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from festinger.workers.follower import POLL_SECONDS, Follower
from tests.memories import DICTIONARY, TRUST
from tests.serving import Client, refused
from tests.structures import urd_by_concept
from tests.waiting import SECONDS_MAX, until

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE


class Named:
    """A server with a name, on the test's database."""

    def __init__(self, name, store, clock):
        self.name = name
        self.memories = Memories(store, now=clock, trust=TRUST, server=name)
        settings = ServerSettings(name=name, address="127.0.0.1:0")
        self.server = MemoryServer(settings, self.memories, Client.callers())
        self.client: Client

    @asynccontextmanager
    async def running(self):
        """Serves while the block runs."""
        address = await self.server.start()
        async with grpc.aio.insecure_channel(address) as channel:
            self.client = Client(channel, address)
            yield self
        await self.server.stop()
        await self.memories.stop()


@pytest.fixture
async def pair(store, pool, clock):
    """Two servers, of which `default` is assigned to the first."""
    await store.assign_tenant("default", "one")
    other = PostgresStore(pool, DICTIONARY)
    async with (
        Named("one", store, clock).running() as one,
        Named("two", other, clock).running() as two,
    ):
        yield one, two


async def test_server_serves_what_the_directory_gives_it(pair):
    """The other refuses, says who serves, and that trying again may help."""
    one, two = pair

    answer = await one.client.states("gnommoweb -isa repo")
    with refused() as refusal:
        await two.client.states("gnommoweb -isa service")

    assert answer.version == 1
    assert (refusal.code, refusal.reason) == (UNAVAILABLE, "SERVED_ELSEWHERE")
    assert refusal.metadata == {"tenant": "default", "server": "one"}
    assert "google.rpc.RetryInfo" in refusal.details


async def test_any_server_serves_what_is_assigned_to_none(pair, store):
    """A new memory begins with these concepts."""
    one, two = pair
    await store.add_tenant("acme")
    who = Client.as_("shim", tenant="acme")

    await one.client.states("gnommoweb -isa repo", *who)
    found = await two.client.memory.Recollect(
        pb.RecollectRequest(turns=[pb.Turn(role="ROLE_USER", text="gnommoweb")]),
        metadata=who,
    )

    assert [line.text for line in found.lines] == ["gnommoweb: [type] repo"]


async def test_call_that_needs_no_memory_is_refused_too(pair):
    """A memory is read from the database by the server that serves it."""
    _, two = pair

    with refused() as refusal:
        await two.client.memory.Tokenise(pb.TokeniseRequest(text="a"))

    assert refusal.reason == "SERVED_ELSEWHERE"


async def test_memory_that_moved_is_let_go(pair, store):
    """The former server closes it at its next look, after writing what it has counted."""
    one, two = pair
    for prompt in ("zeppelin", "a zeppelin again"):  # what is met once gets no row
        await one.client.says(prompt)
    await store.assign_tenant("default", "two")

    await one.memories.follow()
    await asyncio.gather(*one.memories._closing)
    with refused() as refusal:
        await one.client.says("zeppelin")
    await two.client.says("zeppelin")

    assert refusal.metadata["server"] == "two"
    assert one.memories.loaded == ()
    world = (await two.memories.get("default")).world
    row = world.vocabulary.row(world.id("zeppelin"))
    assert row.encounters == 3


async def test_stream_ends_when_its_memory_moves(pair, store):
    """A router directs a new stream to the new server; an open one stays where it is."""
    one, _ = pair
    stream = one.client.memory.RecollectStream()
    request = pb.RecollectRequest(turns=[pb.Turn(role="ROLE_USER", text="gnommoweb")])
    await stream.write(pb.RecollectStreamRequest(id=1, request=request))
    first = await stream.read()
    await store.assign_tenant("default", "two")
    await one.memories.follow()

    await stream.write(pb.RecollectStreamRequest(id=2, request=request))
    second = await stream.read()
    with refused() as refusal:
        await stream.read()

    assert first.WhichOneof("result") == "response"
    assert second.error.code == UNAVAILABLE.value[0]
    assert refusal.reason == "SERVED_ELSEWHERE"


async def test_jobs_leave_other_servers_memories_alone(pair, store):
    """A worker for all memories does the work of its own, and of those of none."""
    await store.add_tenant("acme")

    found = [
        await it.memories.directory.served(["acme", "default", "gone"]) for it in pair
    ]

    assert found == [["acme", "default"], ["acme"]]


async def test_only_a_tenant_that_exists_is_assigned(store):
    """A mistyped name is no new memory."""
    with pytest.raises(TenantNotFound, match="acem"):
        await store.assign_tenant("acem", "one")


async def follow(server):
    """Look what was written and what moved, as often as a server does."""
    loop = asyncio.get_running_loop()

    async def tell(ready):
        pass

    follower = Follower(server.memories, tell, loop.time, loop.time)
    while True:
        await follower.look()
        await asyncio.sleep(POLL_SECONDS)


async def write_until(stop, clients, kept, waits):
    """
    State facts through whoever serves, repeating what was refused at the next client.

    Args:
        kept: Gets the names whose facts were acknowledged.
        waits: Gets for how long each was refused, in seconds.
    """
    clock = asyncio.get_running_loop().time
    number = 0
    while not stop.is_set():
        number += 1
        began, name = clock(), f"service{number}"
        while True:
            try:
                fact = f"{name} -isa service"
                await clients[0].states(fact, request_id=name)
                break
            except grpc.aio.AioRpcError as error:
                if error.code() != UNAVAILABLE:
                    raise
                clients.reverse()
                await asyncio.sleep(0.01)
        kept.append(name)
        waits.append(clock() - began)


async def test_nothing_is_lost_when_a_tenant_moves_while_it_is_written_to(pair, store):
    """
    It moves forth and back under a writer: every acknowledged fact is there, once, and
    nobody is refused for long.
    """
    one, two = pair
    stop = asyncio.Event()
    kept: list[str] = []
    waits: list[float] = []
    tasks = [asyncio.create_task(follow(it)) for it in pair]
    writing = asyncio.create_task(
        write_until(stop, [one.client, two.client], kept, waits)
    )
    for server in ("two", "one", "two", None):
        before = len(kept)
        await until(lambda: len(kept) > before + 15)  # noqa: B023
        if server:
            await store.assign_tenant("default", server)
    stop.set()
    await writing
    for task in tasks:
        task.cancel()

    world = await store.load("default")
    parent = world.id("service")
    held = [
        name
        for name in kept
        if [it.parent_id for it in world.facts(world.id(name))] == [parent]
    ]
    assert held == kept
    assert len([it for it in urd_by_concept(world).values() if it]) >= len(kept)
    assert max(waits) < SECONDS_MAX, "seconds of refusal"
    assert (await two.client.states("last -isa service")).version > 0
