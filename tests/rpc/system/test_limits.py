"""Limits of tenants: what one takes too much of is refused, and the others notice nothing."""

from __future__ import annotations

from typing import cast

import grpc

from festinger.api.v1 import line_service_pb2 as lines_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import ServerSettings
from festinger.errors import LimitExceeded
from festinger.rpc.system.auditing import UNAUDITED
from festinger.rpc.system.callers import RpcCaller
from festinger.rpc.system.interceptors import ADDING, FOR_TRUSTED, OPEN
from festinger.rpc.system.limits import TenantLimits
from festinger.services.world.memory import Memories
from tests.rpc.system.test_every_method import METHODS, name_of
from tests.serving import Client, refused

# What callers who are no operators may write to a memory that is full.
TAKEN_WHEN_FULL = {
    # These make room.
    "MemoryService/Retract",
    "LineService/ForgetLines",
    # These end, or decide about, what was there before.
    "IngestionService/FinishWave",
    "LearningService/SubmitAnswer",
    "LineService/RateLine",
    "ValidationService/Answer",
    "ValidationService/ReportQuestion",
    # It says who is asked, and nothing that is known.
    "ValidationService/SetOptOut",
}

SHIM = Client.as_("shim", principal="ann", subject="ann")
CODE = grpc.StatusCode


def limits(clock, **settings):
    """Return the limits that settings make, by a clock of the test's own."""
    section = ServerSettings.model_validate(settings)
    nothing = cast(Memories, None)  # requests are counted without any
    return TenantLimits(section, nothing, lambda: clock[0])


def counted(limits, tenant="default", **rights):
    """Return whether a request is taken; if not, when it may come again."""
    try:
        limits.count(RpcCaller("ann", tenant, **rights))
    except LimitExceeded as error:
        return error.retry_seconds
    return True


def test_nothing_is_limited_by_default():
    """Whoever sets nothing notices nothing."""
    unlimited = limits([0.0])

    assert [counted(unlimited) for _ in range(1000)] == [True] * 1000


def test_as_many_as_come_in_a_second():
    """More are told when the next one is due, and are taken then."""
    clock = [0.0]
    four = limits(clock, limits={"requests_per_second": 4})

    assert [counted(four) for _ in range(5)] == [True] * 4 + [0.25]
    clock[0] = 0.25
    assert counted(four) is True
    assert counted(four) == 0.25


def test_one_tenant_does_not_starve_another():
    """Each has its own allowance, and its own limit if the settings give it one."""
    own = {"acme": {"requests_per_second": 2}}
    each = limits([0.0], limits={"requests_per_second": 1}, tenant_limits=own)

    assert [counted(each) for _ in range(2)] == [True, 1.0]
    assert [counted(each, "acme") for _ in range(3)] == [True, True, 0.5]


def test_operators_are_not_counted():
    """Whoever can end a flood is not locked out by it."""
    one = limits([0.0], limits={"requests_per_second": 1})
    counted(one)

    assert counted(one, operator=True) is True


async def test_call_over_the_limit_is_told_when_to_come_back(serve):
    """The refusal names the limit, and holds a delay."""
    _, client = await serve(limits={"requests_per_second": 0.001})
    await client.says("gnommoweb", who=SHIM)

    with refused() as refusal:
        await client.says("gnommoweb", who=SHIM)

    assert (refusal.code, refusal.reason) == (
        CODE.RESOURCE_EXHAUSTED,
        "LIMIT_EXCEEDED",
    )
    assert refusal.metadata == {"tenant": "default", "limit": "requests_per_second"}
    assert "requests_per_second" in refusal.message
    assert "google.rpc.RetryInfo" in refusal.details


async def test_prompts_of_a_stream_are_counted(serve):
    """A stream is no way around the limit."""
    _, client = await serve(limits={"requests_per_second": 2})
    requests = [pb.RecollectStreamRequest(id=number + 1) for number in range(20)]

    answers = [
        answer.error.code
        async for answer in client.memory.RecollectStream(iter(requests), metadata=SHIM)
    ]

    assert CODE.RESOURCE_EXHAUSTED.value[0] in answers


async def test_full_memory_refuses_more(client, memories):
    """
    A call that would add to it is refused with the limit's name, until something is
    forgotten.
    """
    await client.states("gnommoweb -isa repo", *SHIM)
    memory = await memories.get("default")
    memory.lines_max = len(memory.world.lines)

    with refused() as refusal:
        await client.states("catalog -isa service", *SHIM)
    memory.lines_max += 1
    await client.states("catalog -isa service", *SHIM)

    assert (refusal.code, refusal.reason) == (
        CODE.RESOURCE_EXHAUSTED,
        "LIMIT_EXCEEDED",
    )
    assert refusal.metadata == {"tenant": "default", "limit": "lines_max"}
    assert "google.rpc.RetryInfo" in refusal.details


async def test_full_memory_takes_no_notes(client, memories):
    """They are lines like others."""
    await client.states("gnommoweb -isa repo", *SHIM)
    memory = await memories.get("default")
    memory.lines_max = before = len(memory.world.lines)
    note = lines_pb.Note(text="The stock file comes from Kassel.")

    with refused() as refusal:
        await client.lines.KeepNotes(
            lines_pb.KeepNotesRequest(notes=[note], session="notes"), metadata=SHIM
        )

    assert refusal.metadata == {"tenant": "default", "limit": "lines_max"}
    assert len(memory.world.lines) == before


def test_every_method_that_writes_needs_room_unless_it_is_excepted():
    """A new one needs room until somebody names it among the exceptions."""
    writing = {name_of(it) for it in METHODS} - UNAUDITED

    excepted = {f"/festinger.api.v1.{name}" for name in TAKEN_WHEN_FULL}
    assert (writing & (OPEN | FOR_TRUSTED)) - ADDING == excepted
    assert writing >= ADDING


async def test_full_memory_still_answers_prompts(client, memories):
    """It tells what it holds, and learns nothing of what is said."""
    await client.states("gnommoweb -isa repo", *SHIM)
    memory = await memories.get("default")
    memory.lines_max = before = len(memory.world.lines)

    told = await client.says(
        "What is gnommoweb? The stock file comes from Kassel.", who=SHIM
    )
    memory.lines_max = 0
    await client.states("last -isa statement", *SHIM)

    assert "gnommoweb: [type] repo" in [line.text for line in told.lines]
    assert len(memory.world.lines) == before + 1


def test_memory_has_the_limit_of_its_tenant():
    """The settings of one memory take the place of those for all."""
    settings = ServerSettings.model_validate(
        {"limits": {"lines_max": 5}, "tenant_limits": {"acme": {"lines_max": 7}}}
    )

    assert settings.limits_of("default").lines_max == 5
    assert settings.limits_of("acme").lines_max == 7
