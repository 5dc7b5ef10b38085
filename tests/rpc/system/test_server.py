from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf import descriptor_pool
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import ServerSettings
from festinger.errors import AddressInUse, Unauthenticated
from festinger.rpc.server import SERVICES, MemoryServer
from festinger.rpc.system import interceptors
from festinger.rpc.system.callers import Credentials, seconds_left
from festinger.rpc.system.limits import CallLimit, TenantLimits
from festinger.services.world.memory import Memories
from tests.memories import TRUST
from tests.serving import Client, refused
from tests.waiting import until

CODE = grpc.StatusCode
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class Gate:
    """Holds the store's commits until a test opens it."""

    def __init__(self, store):
        self._writing = store.writing
        self.reached, self.opened = asyncio.Event(), asyncio.Event()
        store.writing = self.writing

    @asynccontextmanager
    async def writing(self, tenant):
        """Commits when the gate is open."""
        async with self._writing(tenant) as writing:
            yield writing
            self.reached.set()
            await self.opened.wait()


@pytest.fixture
def gate(store):
    """A gate before the test's store."""
    gate = Gate(store)
    yield gate
    gate.opened.set()


def has_ipv6():
    """Return whether somebody can listen at the loopback address of IPv6."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.fixture
def nothing(clock):
    """Memories that nobody asks for."""
    nowhere: Any = None
    return Memories(nowhere, now=clock, trust=TRUST)


@pytest.mark.parametrize("service", ["", "database", *SERVICES])
async def test_running_server_is_healthy(client, service):
    """As a whole, for its database and for each of its services."""
    assert await client.health(service) == SERVING


async def test_database_has_a_health_of_its_own(serve):
    """While the database is away the server still serves."""
    server, client = await serve()

    await server.set_database(False)
    away = await client.health("database"), await client.health()
    await server.set_database(True)

    assert away == (NOT_SERVING, SERVING)
    assert await client.health("database") == SERVING


async def test_unknown_service_has_no_health(client):
    """The standard's NOT_FOUND."""
    with refused() as refusal:
        await client.health("zork")

    assert refusal.code is CODE.NOT_FOUND


async def test_reflection_lists_the_services(client):
    """A generic client finds everything that is served."""
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(client.channel)
    call = stub.ServerReflectionInfo()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    answer = await call.read()
    await call.done_writing()

    listed = {it.name for it in answer.list_services_response.service}
    assert listed >= {*SERVICES, "grpc.health.v1.Health"}


def test_every_method_is_decided_about():
    """Whoever adds a method must say who may call it: it is denied until then."""
    pool = descriptor_pool.Default()
    methods = {
        f"/{service}/{method.name}"
        for service in SERVICES
        for method in pool.FindServiceByName(service).methods
    }

    decided = (
        interceptors.OPEN,
        interceptors.FOR_OPERATORS,
        interceptors.FOR_TRUSTED,
    )
    assert methods == frozenset().union(*decided)
    assert sum(map(len, decided)) == len(methods)


def test_every_service_of_the_api_is_served():
    """No service is only defined."""
    protos = Path(__file__).parents[3] / "proto" / "festinger" / "api" / "v1"
    names = {
        line.split()[1]
        for file in protos.glob("*_service.proto")
        for line in file.read_text().splitlines()
        if line.startswith("service ")
    }

    assert {service.rpartition(".")[2] for service in SERVICES} == names


async def test_undecided_method_is_denied(client, monkeypatch):
    """Default deny: not even an operator calls what nobody decided about."""
    monkeypatch.setattr(interceptors, "OPEN", frozenset())

    with refused() as refusal:
        await client.memory.Tokenise(
            pb.TokeniseRequest(), metadata=Client.as_("operator")
        )

    assert refusal.reason == "PERMISSION_DENIED"


def test_method_of_another_kind_is_not_served_unguarded(nothing):
    """Whoever adds one must say first how it is let in."""
    limits = TenantLimits(ServerSettings(), nothing)
    gatekeeper = interceptors.Gatekeeper(
        Credentials(()), limits, CallLimit(1), nothing, deadline_seconds_max=1
    )
    handler: Any = grpc.stream_unary_rpc_method_handler(lambda *_: None)

    with pytest.raises(NotImplementedError, match="/festinger"):
        gatekeeper._wrapped("/festinger.api.v1.MemoryService/Watch", handler)


async def test_largest_message_is_read(client):
    """Up to four MiB, the prompt's text and its wrapping together."""
    text = "word " * ((4 * 2**20 - 100) // 5)

    answer = await client.says(text)

    assert answer.block == ""


async def test_larger_message_is_refused(client):
    """Beyond the limit a message is not even parsed."""
    with refused() as refusal:
        await client.says("x" * (4 * 2**20 + 1))

    assert refusal.code is CODE.RESOURCE_EXHAUSTED


async def test_text_that_is_no_unicode_is_refused(client):
    """A broken client gets an error, and the server goes on."""
    call = client.channel.unary_unary(
        "/festinger.api.v1.MemoryService/Tokenise",
        request_serializer=lambda data: data,
        response_deserializer=pb.TokeniseResponse.FromString,
    )

    with refused() as refusal:
        await call(b"\x0a\x02\xff\xfe")

    assert refusal.code is not CODE.OK
    assert (await client.says("hello")).version == 0


async def test_client_may_hurry(client, gate, store):
    """After the client's deadline the call ends; what it asked for is done all the same."""
    with refused() as refusal:
        await client.memory.Assert(
            pb.AssertRequest(fact="gnommoweb -isa repo", request_id="r1"), timeout=0.2
        )
    gate.opened.set()

    again = await client.states("gnommoweb -isa repo", request_id="r1")
    assert refusal.code is CODE.DEADLINE_EXCEEDED
    assert again.version == 1


async def test_no_call_lasts_for_ever(serve, gate):
    """The server's own limit holds, however long the client would wait."""
    _, client = await serve(deadline_seconds_max=0.2)

    with refused() as refusal:
        await client.memory.Assert(pb.AssertRequest(fact="x -isa y"), timeout=60)

    assert refusal.code is CODE.DEADLINE_EXCEEDED


async def test_nobody_waits_for_ever_for_a_memory(serve, acme, door):
    """Recollect has the server's limit too, when its memory has to be loaded first."""
    _, client = await serve(deadline_seconds_max=0.2)

    with refused() as refusal:
        await client.says("hello", who=Client.as_("shim", tenant="acme"))

    assert refusal.code is CODE.DEADLINE_EXCEEDED
    assert refusal.message == "the call took too long"


async def test_memory_that_took_too_long_is_there_later(serve, acme, door):
    """Whoever gave up waiting did not stop the loading."""
    _, client = await serve(deadline_seconds_max=0.2)
    acme = Client.as_("shim", tenant="acme")
    with refused():
        await client.says("hello", who=acme)
    door.opened.set()

    # On a busy machine the rest of the loading takes longer than a call may.
    answer = await until(
        lambda: client.says("hello", who=acme), despite=grpc.aio.AioRpcError
    )

    assert answer.version == 0
    assert door.loads == 1


@pytest.mark.parametrize(
    ("client", "most", "left"), [(None, 60.0, 60.0), (5.0, 60.0, 5.0), (90.0, 60, 60)]
)
def test_shorter_limit_holds(client, most, left):
    """The client's deadline and the server's limit, whichever is nearer."""
    context: Any = SimpleNamespace(time_remaining=lambda: client)

    assert seconds_left(context, most) == left


async def test_stranger_learns_nothing_of_its_request(client):
    """The caller is authenticated before the request is read."""
    call = client.channel.unary_unary(
        "/festinger.api.v1.MemoryService/Tokenise",
        request_serializer=lambda data: data,
        response_deserializer=pb.TokeniseResponse.FromString,
    )

    with refused() as refusal:
        await call(b"\x0a\x02\xff\xfe", metadata=Client.as_("nobody"))

    assert refusal.reason == "UNAUTHENTICATED"


async def test_calls_under_way_have_a_limit(serve, gate):
    """Further ones are told which it is and when to come back; health checks are answered."""
    _, client = await serve(calls_max=2)
    calls = [
        asyncio.ensure_future(client.states(f"n{i}x -isa thing")) for i in range(2)
    ]
    await gate.reached.wait()

    with refused() as refusal:
        for _ in range(50):
            await client.memory.Tokenise(pb.TokeniseRequest())
            await asyncio.sleep(0.01)
    healthy = await client.health()
    gate.opened.set()
    await asyncio.gather(*calls)

    assert (refusal.code, refusal.reason) == (
        CODE.RESOURCE_EXHAUSTED,
        "LIMIT_EXCEEDED",
    )
    assert refusal.metadata == {"limit": "calls_max"}
    assert "google.rpc.RetryInfo" in refusal.details
    assert healthy == SERVING
    assert (await client.says("hello")).version


async def test_stop_lets_calls_end(serve, gate):
    """A running call is answered, new calls are not taken."""
    server, client = await serve()
    call = asyncio.ensure_future(client.states("gnommoweb -isa repo"))
    await gate.reached.wait()

    stopping = asyncio.create_task(server.stop())
    await asyncio.sleep(0.1)
    with refused() as refusal:
        await client.says("hello")
    gate.opened.set()
    answer = await call
    await stopping

    assert answer.version == 1
    assert refusal.code is CODE.UNAVAILABLE


async def test_stop_does_not_wait_for_ever(serve, gate):
    """After the drain time calls are cut off."""
    server, client = await serve(drain_seconds=0.2)
    call = asyncio.ensure_future(client.states("gnommoweb -isa repo"))
    await gate.reached.wait()

    await server.stop()

    with refused() as refusal:
        await call
    assert refusal.code in {CODE.UNAVAILABLE, CODE.CANCELLED}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
async def test_address_has_the_port_that_was_taken(nothing, host):
    """Port 0 takes a free one and says which; brackets stay around an IPv6 host."""
    if host == "[::1]" and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    server = MemoryServer(ServerSettings(address=f"{host}:0"), nothing)

    address = await server.start()
    await server.stop()

    before, _, port = address.rpartition(":")
    assert before == host
    assert int(port) > 0


async def test_taken_address_is_an_error(nothing):
    """Two servers on one port would each answer half of the calls."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        server = MemoryServer(ServerSettings(address=f"127.0.0.1:{port}"), nothing)

        with pytest.raises(AddressInUse, match=f"127.0.0.1:{port}"):
            await server.start()


@pytest.mark.parametrize(
    ("address", "open_to_all"),
    [
        ("127.0.0.1:7700", True),
        ("localhost:7700", True),
        ("0.0.0.0:7700", False),
        ("192.0.2.1:7700", False),
        ("[::]:7700", False),
        ("example.com:7700", False),
    ],
)
async def test_tokens_are_needed_where_others_can_call(nothing, address, open_to_all):
    """Nobody is known without one on an address beyond this machine."""
    server = MemoryServer(ServerSettings(address=address), nothing)

    if open_to_all:
        assert server.credentials.identify(()).principal == "local"
    else:
        with pytest.raises(Unauthenticated):
            server.credentials.identify(())
