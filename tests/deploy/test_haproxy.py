"""`deploy/haproxy.cfg`, tried with a real HAProxy."""

from __future__ import annotations

import asyncio
import os
import re
import socket
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc
import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.shim.recollection.stream import NotSent, Stream, UnansweredQuery
from festinger.shim.system.identity import RequestCaller
from festinger.store.postgres import PostgresStore
from tests.memories import DICTIONARY
from tests.rpc.world.test_directory import Named, follow, write_until
from tests.serving import Client, refused
from tests.unpacked import find_program
from tests.waiting import SECONDS_MAX, becomes, until

DEPLOY = Path(__file__).parents[2] / "deploy"
HAPROXY = find_program("haproxy", ".venv-patroni")
PROMPT = pb.RecollectRequest(turns=[pb.Turn(role="ROLE_USER", text="gnommoweb")])

pytestmark = pytest.mark.skipif(
    HAPROXY is None,
    reason="NO HAPROXY: install it, or make test-patroni",
)


def free_port():
    """Return a port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Router:
    """A HAProxy with the shipped configuration, for addresses of the test."""

    def __init__(self, folder, servers):
        self.folder = folder
        self.address = f"127.0.0.1:{free_port()}"
        self.map = folder / "tenants.map"
        text = (DEPLOY / "haproxy.cfg").read_text()
        text = re.sub(r"^( +server).*\n", "", text, flags=re.MULTILINE)
        text += "".join(f"    server {name} {at}\n" for name, at in servers.items())
        text = text.replace("127.0.0.1:7700 proto", f"{self.address} proto")
        for place in ("/etc/haproxy", "/run/haproxy"):
            text = text.replace(place, str(folder))
        self.file = folder / "haproxy.cfg"
        self.file.write_text(text)

    @asynccontextmanager
    async def running(self):
        """Routes while the block runs, once it found a server."""
        assert HAPROXY is not None
        process = await asyncio.create_subprocess_exec(
            *(HAPROXY.path, "-db", "-f", self.file),
            env={**os.environ, **HAPROXY.variables},
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with grpc.aio.insecure_channel(self.address) as channel:
                await asyncio.wait_for(channel.channel_ready(), 20)
                yield Client(channel, self.address)
        finally:
            process.terminate()
            await process.wait()

    async def tell(self, command):
        """Return the answer to a command on its socket."""
        reader, writer = await asyncio.open_unix_connection(self.folder / "admin.sock")
        writer.write(command.encode() + b"\n")
        answer = await reader.read()
        writer.close()
        return answer.decode()

    async def up(self, name):
        """Return whether the health check finds a server well."""
        states = await self.tell("show servers state servers")
        (line,) = [it for it in states.splitlines() if f" {name} " in it]
        return line.split()[5] == "2"

    async def until(self, name, up):
        """Wait until a server is found well, or is not."""
        await becomes(lambda: self.up(name), up)


@pytest.fixture
async def routed(store, pool, clock, tmp_path):
    """
    Two servers, a router in front, and a client of the router. `default` is the first's,
    `acme` the second's.
    """
    await store.add_tenant("acme")
    await store.assign_tenant("default", "eu-1")
    await store.assign_tenant("acme", "eu-2")
    async with AsyncExitStack() as stack:
        servers = []
        for name in ("eu-1", "eu-2"):
            named = Named(name, PostgresStore(pool, DICTIONARY), clock)
            servers.append(await stack.enter_async_context(named.running()))
            following = asyncio.create_task(follow(named))
            stack.callback(following.cancel)
        router = Router(tmp_path, {it.name: it.client.address for it in servers})
        directory = await store.directory()
        router.map.write_text("".join(f"{it} {at}\n" for it, at in directory.items()))
        client = await stack.enter_async_context(router.running())
        yield router, client, servers


@pytest.mark.parametrize("file", sorted(DEPLOY.glob("*.cfg")), ids=lambda it: it.name)
async def test_configurations_are_valid(file, tmp_path):
    """HAProxy finds nothing to complain of, warnings included."""
    (tmp_path / "tenants.map").write_text("default any\n")
    given = tmp_path / file.name
    given.write_text(file.read_text().replace("/etc/haproxy", str(tmp_path)))

    assert HAPROXY is not None
    process = await asyncio.create_subprocess_exec(
        *(HAPROXY.path, "-c", "-V", "-dW", "-f", given),
        env={**os.environ, **HAPROXY.variables},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()

    assert (process.returncode, b"WARNING" in said) == (0, False), said.decode()


async def test_calls_reach_the_server_of_their_tenant(routed):
    """By the metadata `festinger-tenant`; a call without it is one for `default`."""
    _, client, (one, two) = routed

    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa service", *Client.as_("shim", tenant="acme"))

    assert [it.tenant for it in one.memories.loaded] == ["default"]
    assert [it.tenant for it in two.memories.loaded] == ["acme"]


async def test_tenant_of_no_server_stays_with_one(routed, store):
    """All its calls come to the same server, so that no other loads it."""
    _, client, servers = routed
    names = [f"tenant{number}" for number in range(12)]
    for name in names:
        await store.add_tenant(name)

    for _ in range(3):
        for name in names:
            who = Client.as_("shim", tenant=name)
            await client.memory.Recollect(PROMPT, metadata=who)

    opened = [
        {it.tenant for it in server.memories.loaded} & {*names} for server in servers
    ]
    assert opened[0] | opened[1] == {*names}
    assert not opened[0] & opened[1]
    assert all(opened), "both have some"


async def test_shims_stream_follows_its_tenant(routed, store):
    """
    The stream that a shim holds ends when its tenant moves, and the next one, on the
    same connection, is directed to the new server.
    """
    router, client, (one, two) = routed
    stream = Stream(client.channel, lambda: Client.as_("shim", tenant="default"))
    caller = RequestCaller("agent")
    try:
        await answered(stream, caller)
        served = [it.tenant for it in one.memories.loaded]
        await store.assign_tenant("default", "eu-2")
        await router.tell(f"set map {router.map} default eu-2")

        async def followed():
            await answered(stream, caller)
            return two.memories.loaded

        await until(followed)
    finally:
        await stream.stop()

    assert served == ["default"]
    assert one.memories.loaded == ()


async def answered(stream, caller):
    """Return the answer to a prompt, repeated for as long as it is refused."""
    refusals = (NotSent, UnansweredQuery)
    return await until(lambda: stream.ask(PROMPT, caller), 30, 0.05, refusals)


async def test_nothing_is_lost_when_a_tenant_moves_behind_the_router(routed, store):
    """
    A writer repeats what is refused: every acknowledged fact is there, and no call is
    refused for long.
    """
    router, client, _ = routed
    stop = asyncio.Event()
    kept: list[str] = []
    waits: list[float] = []

    writing = asyncio.create_task(write_until(stop, [client], kept, waits))
    for server in ("eu-2", "eu-1", None):
        before = len(kept)
        await until(lambda: len(kept) > before + 10)  # noqa: B023
        if server:
            await store.assign_tenant("default", server)
            await router.tell(f"set map {router.map} default {server}")
    stop.set()
    await writing

    world = await store.load("default")
    assert [name for name in kept if not world.facts(world.id(name))] == []
    assert max(waits) < SECONDS_MAX, "seconds of refusal"


async def test_server_that_drains_gets_no_calls(routed):
    """
    The health check sees that it stops, before it does; what is assigned to it is
    refused by the other, which may try again.
    """
    router, client, (one, _) = routed
    await router.until("eu-1", True)

    await one.server.stop()
    await router.until("eu-1", False)
    with refused() as refusal:
        await client.states("gnommoweb -isa repo")

    assert refusal.metadata["server"] == "eu-1"
