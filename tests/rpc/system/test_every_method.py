"""
Every method of every service, called by those who must get nothing from it.

The methods are those of the descriptors, so that a new one is called too.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from festinger.api import v1
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.rpc.server import SERVICES
from tests.serving import Client, refused

CODE = grpc.StatusCode
SECONDS = 10.0
STRANGER = Client.as_("stranger", tenant="acme")
"""Whoever holds all rights, in another memory."""
MARK = "secretvault"
"""A word that is in the memory `default` alone."""


def _methods() -> list[MethodDescriptor]:
    """Return the methods of all services that the protos have."""
    modules = [
        importlib.import_module(f"{v1.__name__}.{it.name}")
        for it in pkgutil.iter_modules(v1.__path__)
        if it.name.endswith("_service_pb2")
    ]
    return [
        method
        for module in modules
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    ]


METHODS = _methods()


def name_of(method: MethodDescriptor) -> str:
    """Return the path by which a method is called."""
    return f"/{method.containing_service.full_name}/{method.name}"


def filled(kind: Any, number: int, text: str, depth: int = 2) -> Any:
    """A message whose fields are all set: numbers, texts, and the first choice of each."""
    message = GetMessageClass(kind)()
    for field in kind.fields:
        if field.containing_oneof and message.WhichOneof(field.containing_oneof.name):
            continue
        value: Any = number
        if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
            if depth and not field.message_type.GetOptions().map_entry:
                value = filled(field.message_type, number, text, depth - 1)
                target = getattr(message, field.name)
                target.add().CopyFrom(value) if field.is_repeated else target.CopyFrom(
                    value
                )
            continue
        if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            value = text.encode() if field.type == FieldDescriptor.TYPE_BYTES else text
        elif field.cpp_type == FieldDescriptor.CPPTYPE_ENUM:
            value = field.enum_type.values[-1].number
        elif field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
            value = True
        if field.is_repeated:
            getattr(message, field.name).append(value)
        else:
            setattr(message, field.name, value)
    if "tenant" in kind.fields_by_name:
        message.ClearField("tenant")
    return message


async def answers(
    channel: grpc.aio.Channel, method: MethodDescriptor, request: Any, who: Any
) -> list[Any]:
    """Return all messages that a method answers with."""
    shape: Any = {
        (False, False): channel.unary_unary,
        (False, True): channel.unary_stream,
        (True, True): channel.stream_stream,
    }[method.client_streaming, method.server_streaming]
    call = shape(
        name_of(method),
        request_serializer=type(request).SerializeToString,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    given = iter([request]) if method.client_streaming else request
    answer = call(given, metadata=who, timeout=SECONDS)
    if method.server_streaming:
        return [message async for message in answer]
    return [await answer]


async def refusals(client: Client, who: Any) -> dict[str, Any]:
    """Return the refusal of a caller by each method; None for one that answers."""
    refusals: dict[str, Any] = {}
    for method in METHODS:
        request = GetMessageClass(method.input_type)()
        refusals[name_of(method)] = None
        try:
            with refused() as refusal:
                await answers(client.channel, method, request, who)
        except pytest.fail.Exception:
            continue
        refusals[name_of(method)] = refusal
    return refusals


def test_every_service_is_served():
    """No service of the protos is left out of what is looked at here."""
    assert {it.containing_service.full_name for it in METHODS} == set(SERVICES)


async def test_only_the_health_check_needs_no_token(serve):
    """Reflection and the watch of the health service do, since anybody could hold them open."""
    _, client = await serve(address="0.0.0.0:0", plain_text=True)
    # The generated stubs carry no types.
    health: Any = health_pb2_grpc.HealthStub(client.channel)
    asked = health_pb2.HealthCheckRequest()

    assert (await health.Check(asked)).status == health_pb2.HealthCheckResponse.SERVING
    with refused() as watching:
        async for _ in health.Watch(asked):
            pass
    with refused() as reflecting:
        reflecting_stub: Any = reflection_pb2_grpc.ServerReflectionStub
        stub = reflecting_stub(client.channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        async for _ in stub.ServerReflectionInfo(iter([request])):
            pass
    assert watching.code is reflecting.code is CODE.UNAUTHENTICATED


async def test_nothing_answers_beyond_this_machine_without_a_token(serve):
    """On an address that others can reach each method asks for a credential."""
    _, client = await serve(address="0.0.0.0:0", plain_text=True)

    answered = {
        name: refusal
        for name, refusal in (await refusals(client, ())).items()
        if not refusal
        or (refusal.code, refusal.reason) != (CODE.UNAUTHENTICATED, "UNAUTHENTICATED")
    }

    assert answered == {}


async def test_nothing_answers_who_holds_another_tenant(client, acme):
    """
    No method can be called in a memory that the credential does not name, whatever it
    may do in its own.
    """
    who = Client.as_("stranger", tenant="default")

    answered = {
        name: refusal
        for name, refusal in (await refusals(client, who)).items()
        if not refusal
        or (refusal.code, refusal.reason, refusal.metadata)
        != (CODE.PERMISSION_DENIED, "PERMISSION_DENIED", {"tenant": "default"})
    }

    assert answered == {}


async def test_no_request_names_a_tenant_that_its_credential_does_not_hold(
    client, acme
):
    """A memory named in a request is refused like one in the metadata."""
    naming = [it for it in METHODS if "tenant" in it.input_type.fields_by_name]

    for method in naming:
        request = GetMessageClass(method.input_type)(id=1, tenant="default")
        (answer,) = await answers(client.channel, method, request, STRANGER)

        assert answer.error.code == CODE.PERMISSION_DENIED.value[0]
    assert [it.name for it in naming] == ["RecollectStream"]


async def test_nothing_of_one_memory_is_seen_or_changed_from_another(client, acme):
    """All numbers and names of a memory, given to each method in another one, find nothing."""
    shim = Client.as_("shim", principal="ann", subject="ann")
    await client.states("gnommoweb -isa repo", *shim)
    await client.states(f"gnommoweb -ispart {MARK}", *shim)
    await client.says("gnommoweb is a container", who=shim)
    await client.says(f"the key of the {MARK} is kept by gnommoweb", who=shim)
    # Prompts are written behind their answers, in order.
    await client.states("notice -isa document", *shim)
    before = await everything(client)

    leaking = []
    for method in METHODS:
        for number in (1, 2):
            request = filled(method.input_type, number, "gnommoweb")
            try:
                told = await answers(client.channel, method, request, STRANGER)
            except grpc.aio.AioRpcError as error:
                told = [error.details()]
            if MARK in str(told):
                leaking.append(name_of(method))

    assert MARK in before
    assert leaking == []
    assert await everything(client) == before


async def everything(client: Client) -> str:
    """Return the memory `default` as an operator is shown it by all lists, and its size."""
    shown = []
    for method in METHODS:
        if method.name.startswith("List") or method.name == "GetSize":
            request = GetMessageClass(method.input_type)()
            told = await answers(
                client.channel, method, request, Client.as_("operator")
            )
            shown += [name_of(method), *map(str, told)]
    return "\n".join(shown)


async def test_nobody_holds_one_tenant(client, acme):
    """On this machine a call without a token reaches the memory `default` alone."""
    told = await client.states("gnommoweb -isa repo")

    with refused() as refusal:
        await client.memory.Assert(
            pb.AssertRequest(fact="gnommoweb -isa repo"),
            metadata=(("festinger-tenant", "acme"),),
        )

    assert told.outcome.verdict == Outcome.VERDICT_HELD
    assert refusal.code is CODE.PERMISSION_DENIED
    assert "festinger system tokens create" in refusal.message


async def test_tokens_may_be_needed_on_this_machine(serve):
    """Behind a proxy everybody seems to be on this machine, so all need a token."""
    _, client = await serve(require_tokens=True)

    with refused() as refusal:
        await client.says("gnommoweb is a repo")

    assert refusal.code is CODE.UNAUTHENTICATED
    assert "FESTINGER_TOKEN" in refusal.message
