"""Errors, deadlines and repetitions of both clients."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from google.protobuf.any_pb2 import Any
from google.rpc import error_details_pb2, status_pb2

from festinger import errors
from festinger.api.v1.admin_service_pb2 import ReloadRequest
from festinger.api.v1.memory_service_pb2 import RecollectRequest, Turn
from festinger.client import ServerTooSlow, ServerUnreachable
from festinger.client.failures import Attempts, CallFailure, explained
from tests.clients.scripted import HELD, Failure
from tests.waiting import SECONDS_MAX

LOST = Failure(grpc.StatusCode.UNAVAILABLE, "connection lost")
BUSY = CallFailure(errors.Overloaded("busy"), retry_seconds=0.01)
AWAY = CallFailure(ServerUnreachable("away"), is_away=True)
WRONG = CallFailure(errors.InvalidArgument("wrong"))
TYPES = "type.googleapis.com/google.rpc."


@pytest.mark.parametrize(
    ("fact", "kind", "reason"),
    [
        ("nonsense", errors.FactSyntaxError, "FACT_SYNTAX"),
        ("a web service -isa repo", errors.NotATokenError, "NOT_A_TOKEN"),
    ],
)
async def test_refusal_is_an_error_of_the_tree(memory, fact, kind, reason):
    """Of the class that the server raised, with its message, reason and metadata."""
    with pytest.raises(kind) as caught:
        await memory.assert_fact(fact)

    assert isinstance(caught.value, errors.InvalidArgument)
    assert caught.value.reason == reason
    assert caught.value.message
    assert caught.value.metadata


async def test_weak_token_is_refused(memory):
    """Deciding is for operators."""
    with pytest.raises(errors.PermissionDenied):
        await memory.resolve(1, 1)


async def test_unknown_token_is_refused(connections, client):
    """A token that nobody has."""
    with pytest.raises(errors.Unauthenticated):
        await connections.to(client.address, token="nobody").tokenise("x")


async def test_absent_server_is_named(connections):
    """A call that may not be repeated fails at once."""
    memory = connections.to("127.0.0.1:1", timeout=300)

    with pytest.raises(ServerUnreachable, match=r"no memory server at 127\.0\.0\.1:1"):
        await asyncio.wait_for(
            memory.call("AdminService.Reload", ReloadRequest()), SECONDS_MAX
        )


async def test_statement_is_repeated_under_its_id(connections, server):
    """A lost answer is asked for again, as the same call."""
    server.script = [LOST, HELD]

    outcome = await connections.to(server.address).assert_fact("gnommoweb -isa repo")

    assert outcome.verdict == HELD.outcome.verdict
    one, other = server.requests
    assert one.request_id == other.request_id != ""


async def test_prompt_that_teaches_is_not_repeated(connections, server):
    """After a failure it is unknown whether turns were read, unless they have digests."""
    server.script = [LOST]
    turn = Turn(role=Turn.ROLE_USER, text="gnommoweb is a repo")

    with pytest.raises(ServerUnreachable):
        await connections.to(server.address).recollect(RecollectRequest(turns=[turn]))

    assert len(server.requests) == 1


async def test_deadline_is_told(connections, client, door):
    """A server that takes too long is no server that is away."""
    hasty = connections.to(client.address, timeout=0.2)

    with pytest.raises(ServerTooSlow, match="did not answer in time"):
        await hasty.concept("gnommoweb")


def test_refused_call_comes_again_when_asked():
    """Unread calls are repeated after the pause, and others' errors are not."""
    attempts = Attempts(10, repeatable=False)

    pauses = [attempts.pause_after(it) or 0.0 for it in (BUSY, AWAY, WRONG)]

    assert 0.01 <= pauses[0] <= 0.02
    assert pauses[1:] == [0.0, 0.0]


def test_absent_server_is_tried_four_times():
    """With growing pauses, if reading twice does no harm."""
    attempts = Attempts(60, repeatable=True)

    pauses = [attempts.pause_after(AWAY) or 0.0 for _ in range(4)]

    assert pauses[3] == 0.0
    assert 0.2 <= pauses[0] <= 0.4 <= 0.8 <= pauses[1] <= 1.6


def test_deadline_ends_the_tries():
    """Nothing is tried that would come too late."""
    late = CallFailure(errors.Overloaded("busy"), retry_seconds=20)

    assert Attempts(10, repeatable=True).pause_after(late) is None


def test_newer_servers_reasons_are_known_by_their_code():
    """A reason that this client does not know keeps its name."""
    packed = Any()
    packed.Pack(
        error_details_pb2.ErrorInfo(
            reason="ERROR_REASON_TOO_GREEN",
            domain="festinger",
            metadata={"message": "x"},
        )
    )
    status = status_pb2.Status(details=[packed])

    failure = explained(grpc.StatusCode.NOT_FOUND, "no", status, "host:1")

    assert type(failure.error) is errors.NotFound
    assert (failure.error.reason, str(failure.error)) == ("TOO_GREEN", "no")
    assert failure.error.metadata == {"message": "x"}


def test_details_of_others_are_passed_over():
    """Neither a reason of another domain nor bytes that are no message explain an error."""
    foreign, broken = Any(), Any(type_url=f"{TYPES}ErrorInfo", value=b"\xff")
    foreign.Pack(error_details_pb2.ErrorInfo(reason="OVERLOADED", domain="other.org"))
    status = status_pb2.Status(details=[broken, foreign])

    failure = explained(grpc.StatusCode.NOT_FOUND, "no", status, "host:1")

    assert type(failure.error) is errors.NotFound
    assert failure.error.reason == errors.NotFound.reason
