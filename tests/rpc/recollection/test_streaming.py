from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import CallerSettings
from festinger.rpc.recollection import streams
from festinger.rpc.system.callers import Credentials
from tests.serving import Client, refused
from tests.waiting import SECONDS_MAX

CODE = grpc.StatusCode
SHIM, OPERATOR, GUEST = map(Client.as_, ("shim", "operator", "guest"))
EOF = grpc.aio.EOF

# Everyday words, of which there is nothing to tell however often they are met.
NOTHING = "the"

# What a request says wrongly, who sends it, and how it is refused.
REFUSALS = [
    ({"id": 0}, (), "INVALID_ARGUMENT", {"field": "id"}),
    ({"id": -1}, (), "INVALID_ARGUMENT", {"field": "id"}),
    ({"min_version": -1}, (), "INVALID_ARGUMENT", {"field": "min_version"}),
    ({"min_version": 9}, (), "BEHIND", {"version": "0"}),
    ({"tenant": "zork"}, SHIM, "TENANT_NOT_FOUND", {"tenant": "zork"}),
    ({"tenant": "a\0b"}, (), "INVALID_ARGUMENT", {"field": "tenant"}),
    ({"tenant": "x" * 10**6}, SHIM, "INVALID_ARGUMENT", {"field": "tenant"}),
    ({"tenant": "acme"}, GUEST, "PERMISSION_DENIED", {"tenant": "acme"}),
    ({"principal": "bob"}, (), "PERMISSION_DENIED", {"principal": "bob"}),
    ({"principal": "bob"}, GUEST, "PERMISSION_DENIED", {"principal": "bob"}),
    ({"subject": "bob"}, OPERATOR, "PERMISSION_DENIED", {"principal": ""}),
    ({"principal": "a b"}, SHIM, "INVALID_ARGUMENT", {"field": "principal"}),
    ({"subject": "<b>"}, SHIM, "INVALID_ARGUMENT", {"field": "subject"}),
    ({"subject": "x" * 129}, SHIM, "INVALID_ARGUMENT", {"field": "subject"}),
]

# A stream's metadata, the fields of a request, and what becomes of both.
SPEAKERS = [
    ({}, {}, ("shim", "", "default", 0)),
    ({"principal": "ann"}, {}, ("ann", "", "default", 0)),
    ({"subject": "ann"}, {"tenant": "acme"}, ("shim", "ann", "acme", 0)),
    (
        {"principal": "ann", "subject": "sue"},
        {"min_version": 5},
        ("ann", "sue", "default", 5),
    ),
    (
        {"principal": "ann", "subject": "sue"},
        {"principal": "bob"},
        ("bob", "", "default", 0),
    ),
    (
        {"principal": "ann", "subject": "sue"},
        {"subject": "bob"},
        ("shim", "bob", "default", 0),
    ),
    ({"min-version": "7"}, {"principal": "bob"}, ("bob", "", "default", 7)),
    ({"min-version": "7"}, {"tenant": "acme"}, ("shim", "", "acme", 0)),
    (
        {"tenant": "acme", "min-version": "7"},
        {"min_version": 9},
        ("shim", "", "acme", 9),
    ),
]


def prompt(number, *texts, **more):
    """Return a request of the stream: a prompt of a person."""
    turns = [pb.Turn(role=pb.Turn.ROLE_USER, text=text) for text in texts]
    request = pb.RecollectRequest(turns=turns)
    return pb.RecollectStreamRequest(**{"id": number, "request": request} | more)


async def answers(stream, count):
    """Return the next answers, by their ids, in the order in which they came."""
    read = [await stream.read() for _ in range(count)]
    assert EOF not in read
    return {answer.id: answer for answer in read}


async def ask(stream, *texts, **more):
    """Return the answer to a prompt, with nothing else under way."""
    await stream.write(prompt(more.pop("number", 1), *texts, **more))
    return await stream.read()


def texts(answer):
    """Return the texts that an answer tells."""
    assert answer.WhichOneof("result") == "response"
    return [line.text for line in answer.response.lines]


def refusal(answer):
    """Return the refusal of a request: the code, the reason, its metadata."""
    assert answer.WhichOneof("result") == "error"
    status = status_pb2.Status.FromString(answer.error.SerializeToString())
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.domain == "festinger"
    reason = info.reason.removeprefix("ERROR_REASON_")
    return status.code, reason, dict(info.metadata)


async def test_stream_answers_as_the_call_does(client):
    """The same prompt has the same answer on either way."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")
    stream = client.memory.RecollectStream()

    streamed = (await ask(stream, "gnommoweb is a repo.")).response
    await client.states("last -isa statement")
    called = await client.says("gnommoweb is a repo.")

    assert len(streamed.outcomes) == len(streamed.lines) == 1
    assert streamed.version < called.version
    streamed.version = called.version
    assert streamed == called


async def test_stream_teaches(client):
    """A statement in a prompt of a stream is held."""
    stream = client.memory.RecollectStream()

    await ask(stream, "gnommoweb is a repo.")
    await client.states("last -isa statement")

    assert (await client.concept("gnommoweb")).edges[0].parent == "repo"


async def test_answers_carry_their_requests_ids(client):
    """Whatever a client calls its requests; each has one answer."""
    for number in range(20):
        await client.states(f"thing{number}x -isa kind{number}x")
    stream = client.memory.RecollectStream()
    ids = {2**62 - number * 7: number for number in range(20)}
    for number, thing in ids.items():
        await stream.write(prompt(number, f"thing{thing}x"))

    told = await answers(stream, 20)

    assert {number: texts(answer) for number, answer in told.items()} == {
        number: [f"thing{thing}x: [type] kind{thing}x"] for number, thing in ids.items()
    }


async def test_end_of_the_client_is_the_end(client):
    """A request that was read is answered, and the stream ends well."""
    stream = client.memory.RecollectStream()
    for number in range(1, 11):
        await stream.write(prompt(number, NOTHING))
    await stream.done_writing()

    told = await answers(stream, 10)

    assert list(told) == list(range(1, 11))
    assert await stream.read() is EOF
    assert await stream.code() is CODE.OK


async def test_server_says_that_a_stream_is_let_in(client):
    """A client knows before its first prompt whether it can send one."""
    stream = client.memory.RecollectStream(metadata=SHIM)

    await stream.initial_metadata()
    assert not stream.done()


# Who speaks


async def test_people_on_one_stream_are_kept_apart(client):
    """Each prompt is of the one on whose behalf it was sent."""
    stream = client.memory.RecollectStream(metadata=SHIM)
    await ask(stream, "gnommoweb is a repo.", principal="ann")
    await ask(stream, "gnommoweb is a container.", principal="bob")
    await ask(stream, "gnommoweb is a database.", principal="ann")
    await client.states("last -isa statement")

    conflicts = [await client.conflict(number) for number in (1, 2)]

    assert [(it.incoming.parent, it.incoming_principal) for it in conflicts] == [
        ("container", "bob"),
        ("database", "ann"),
    ]


async def test_people_of_one_stream_are_witnesses_each(client):
    """The same statement by two people corroborates, by one twice it does not."""
    stream = client.memory.RecollectStream(metadata=SHIM)
    for principal in ("ann", "ann", "bob"):
        await ask(stream, "gnommoweb is a repo.", principal=principal)
    await client.states("last -isa statement")

    assert (await client.concept("gnommoweb")).edges[0].confidence == 0.9375


async def test_tenants_of_one_stream_are_kept_apart(client, acme):
    """A line of one memory is not told in another."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa database", *Client.as_("shim", tenant="acme"))
    stream = client.memory.RecollectStream(metadata=SHIM)
    for number, tenant in enumerate(["", "acme", "default", "acme", ""], 1):
        await stream.write(prompt(number, "gnommoweb", tenant=tenant))

    told = await answers(stream, 5)

    assert [texts(told[number]) for number in range(1, 6)] == [
        [f"gnommoweb: [type] {parent}"]
        for parent in ("repo", "database", "repo", "database", "repo")
    ]


@pytest.mark.parametrize(("opened", "fields", "expected"), SPEAKERS)
def test_request_speaks_for_itself_or_for_its_stream(opened, fields, expected):
    """A name in a request replaces both of the stream's, another tenant its version."""
    pairs = [(f"festinger-{key}", value) for key, value in opened.items()]
    caller = Credentials(Client.callers()).identify((*SHIM, *pairs))
    unsaid = {"principal": "", "subject": "", "tenant": "", "min_version": 0}

    speaker = caller.on_behalf(**unsaid | fields)

    assert (
        speaker.principal,
        speaker.subject,
        speaker.tenant,
        speaker.min_version,
    ) == expected


def test_speaking_for_others_is_no_operators_power():
    """A request's text changes nothing about the credential."""
    callers = Client.callers()
    both = CallerSettings(**callers[1].model_dump() | {"trusted": True})
    opened = Credentials([both]).identify(OPERATOR)
    fields: Any = {"subject": "", "tenant": "", "min_version": 0}

    assert opened.on_behalf(principal="bob", **fields).operator
    opened = Credentials(callers).identify(SHIM)
    assert not opened.on_behalf(principal="operator", **fields).operator


# What fails


@pytest.mark.parametrize(("fields", "who", "reason", "metadata"), REFUSALS)
async def test_refused_request_is_answered(client, fields, who, reason, metadata):
    """With the reason that a call would have, and the stream goes on."""
    await client.states("gnommoweb -isa repo", *Client.as_("operator"))
    stream = client.memory.RecollectStream(metadata=who)
    if "BEHIND" in reason:
        metadata = {"version": "1"}

    answer = await ask(stream, "gnommoweb", number=7, **fields)
    after = await ask(stream, "gnommoweb", number=8)

    assert answer.id == fields.get("id", 7)
    assert refusal(answer)[1:] == (reason, metadata)
    assert (after.id, texts(after)) == (8, ["gnommoweb: [type] repo"])


async def test_refusal_is_that_of_the_call(client):
    """Code, message and details are, byte for byte, what the call's status holds."""
    turn = pb.Turn(text="x", digest=b"x" * 33)
    request = pb.RecollectRequest(turns=[turn])
    stream = client.memory.RecollectStream()

    await stream.write(pb.RecollectStreamRequest(id=1, request=request))
    answer = await stream.read()

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.memory.Recollect(request)
    trailers = dict(caught.value.trailing_metadata())
    assert answer.error.SerializeToString() == trailers["grpc-status-details-bin"]


@pytest.mark.parametrize("garbage", [b"\xff", b"\x1a\x02\xff\xfe", b"\x08"])
async def test_unreadable_request_is_answered(client, garbage):
    """Without an id, for nobody knows it; the stream goes on."""
    call = client.channel.stream_stream(
        streams.METHOD, response_deserializer=pb.RecollectStreamResponse.FromString
    )
    stream = call()
    await stream.write(garbage)
    await stream.write(prompt(2, NOTHING).SerializeToString())

    told = await answers(stream, 2)

    assert refusal(told[0])[:2] == (CODE.INVALID_ARGUMENT.value[0], "INVALID_ARGUMENT")
    assert texts(told[2]) == []


async def test_defect_in_one_request_is_answered(client, monkeypatch, capsys):
    """The log has the traceback, the client has none, and the stream goes on."""
    stream = client.memory.RecollectStream()
    with monkeypatch.context() as patch:
        patch.setattr(streams, "tell", lambda *_, **__: 1 / 0)
        answer = await ask(stream, NOTHING)

    assert refusal(answer)[:2] == (CODE.INTERNAL.value[0], "INTERNAL")
    assert "ZeroDivisionError" not in answer.error.message
    assert "ZeroDivisionError" in capsys.readouterr().out
    assert texts(await ask(stream, NOTHING)) == []


async def test_unknown_credential_opens_no_stream(client):
    """Whoever is not known is refused before the first prompt."""
    stream = client.memory.RecollectStream(metadata=Client.as_("nobody"))

    with refused() as refusal:
        await stream.read()

    assert (refusal.code, refusal.reason) == (CODE.UNAUTHENTICATED, "UNAUTHENTICATED")


async def test_stream_for_a_tenant_of_others_is_not_opened(client, acme):
    """The stream's metadata are checked as those of any call."""
    stream = client.memory.RecollectStream(metadata=Client.as_("guest", tenant="acme"))

    with refused() as refusal:
        await stream.read()

    assert refusal.code is CODE.PERMISSION_DENIED


async def test_undecided_stream_is_denied(client, monkeypatch):
    """Default deny holds for streams too."""
    monkeypatch.setattr("festinger.rpc.system.interceptors.OPEN", frozenset())
    stream = client.memory.RecollectStream(metadata=OPERATOR)

    with refused() as refusal:
        await stream.read()

    assert refusal.reason == "PERMISSION_DENIED"


async def test_message_beyond_the_limit_ends_the_stream(client):
    """It is not even read; another stream can be opened."""
    stream = client.memory.RecollectStream()
    with refused() as refusal:
        await stream.write(prompt(1, "x" * (4 * 2**20 + 1)))
        await stream.read()

    assert refusal.code is CODE.RESOURCE_EXHAUSTED
    assert texts(await ask(client.memory.RecollectStream(), NOTHING)) == []


# Who waits


async def test_waiting_request_holds_up_no_other(client, acme, door):
    """One whose memory is being loaded is answered when it is there."""
    door.opened.set()
    await client.says(NOTHING)
    door.opened.clear()
    stream = client.memory.RecollectStream(metadata=SHIM)
    await stream.write(prompt(1, NOTHING, tenant="acme"))
    await door.reached.wait()
    await stream.write(prompt(2, NOTHING))
    await stream.write(prompt(3, NOTHING))

    first = await answers(stream, 2)
    door.opened.set()
    then = await answers(stream, 1)

    assert [*first, *then] == [2, 3, 1]


async def test_waiting_requests_have_a_limit(client, acme, door):
    """Beyond it a stream's requests are told to come back, and those that wait go on."""
    limit = streams.WAITING_MAX
    stream = client.memory.RecollectStream(metadata=SHIM)
    for number in range(1, limit + 3):
        await stream.write(prompt(number, NOTHING, tenant="acme"))

    turned_away = await answers(stream, 2)
    door.opened.set()
    served = await answers(stream, limit)

    assert [refusal(it)[1] for it in turned_away.values()] == ["OVERLOADED"] * 2
    assert list(turned_away) == [limit + 1, limit + 2]
    assert [texts(it) for it in served.values()] == [[]] * limit


async def test_waiting_requests_are_answered_one_after_the_other(
    client, acme, door, memories
):
    """However many answers are ready at once, and though the client does not read."""
    who = Client.as_("shim", tenant="acme")
    door.opened.set()
    names = [f"n{number}{'x' * 50}" for number in range(12)]
    for name in names:
        for other in names[:8]:
            await client.states(f"{name} -isa y{other} in context of z{other}", *who)
    await memories._open.pop("acme").writer.stop()
    door.opened.clear()
    stream = client.memory.RecollectStream(metadata=who)
    for number in range(1, streams.WAITING_MAX + 1):
        await stream.write(prompt(number, " ".join(names)))
    await asyncio.sleep(0.2)
    door.opened.set()
    await client.says(NOTHING, who=who)
    await asyncio.sleep(0.2)

    told = await answers(stream, streams.WAITING_MAX)

    assert {len(answer.response.lines) for answer in told.values()} == {12}
    assert sum(answer.ByteSize() for answer in told.values()) > 2**17


async def test_waiting_requests_of_all_streams_have_a_limit(serve, acme, door):
    """It is the server's limit for calls."""
    _, client = await serve(calls_max=4)
    streams = [client.memory.RecollectStream(metadata=SHIM) for _ in range(2)]
    for number in range(1, 4):
        for stream in streams:
            await stream.write(prompt(number, NOTHING, tenant="acme"))

    read = [asyncio.ensure_future(stream.read()) for stream in streams]
    turned_away, _ = await asyncio.wait(read, return_when=asyncio.FIRST_COMPLETED)

    assert {refusal(it.result())[1] for it in turned_away} == {"OVERLOADED"}
    door.opened.set()
    await asyncio.wait(read)


async def test_nobody_waits_for_ever(serve, acme, door):
    """The server's limit for a call holds for a request that waits."""
    _, client = await serve(deadline_seconds_max=0.2)
    stream = client.memory.RecollectStream(metadata=SHIM)

    answer = await ask(stream, NOTHING, tenant="acme")

    assert answer.error.code == CODE.DEADLINE_EXCEEDED.value[0]


async def test_stream_outlives_the_limit_of_a_call(serve):
    """Requests have a deadline, streams have none."""
    _, client = await serve(deadline_seconds_max=1)
    stream = client.memory.RecollectStream()
    await ask(stream, NOTHING)
    await asyncio.sleep(1.2)

    assert texts(await ask(stream, NOTHING)) == []


async def test_flood_does_not_starve_others(client):
    """
    While one stream has a thousand prompts waiting, a call and another stream are
    answered among the first of them.
    """
    flood = client.memory.RecollectStream()
    other = client.memory.RecollectStream()
    await ask(other, NOTHING)
    await ask(flood, NOTHING)
    served, total = 0, 1000
    begun = asyncio.Event()

    async def send():
        for number in range(1, total + 1):
            await flood.write(prompt(number, "word " * 20))

    async def count():
        nonlocal served
        for _ in range(total):
            await flood.read()
            served += 1
            begun.set()

    async with asyncio.TaskGroup() as group:
        group.create_task(send())
        group.create_task(count())
        await begun.wait()
        await client.says(NOTHING)
        await ask(other, NOTHING)
        before = served

    assert served == total
    assert before < total / 2


async def test_client_that_does_not_read_is_not_read(client):
    """Answers that nobody takes do not pile up in the server, and others are served."""
    for number in range(12):
        await client.states(f"thing{number}x -isa kind{number}x")
    names = " ".join(f"thing{number}x" for number in range(12))
    sent = 0

    async def send():
        nonlocal sent
        for number in range(1, 10**6):
            await stream.write(prompt(number, names, "word " * 200))
            sent = number

    before = -1
    # On a fast network the window grows to megabytes, which takes thousands of answers.
    options = [("grpc.http2.bdp_probe", 0)]
    async with grpc.aio.insecure_channel(client.address, options) as channel:
        stream = Client(channel).memory.RecollectStream()
        sending = asyncio.create_task(send())
        async with asyncio.timeout(60):
            while sent != before:
                before = sent
                await asyncio.sleep(0.5)

        assert sent
        assert texts(await ask(client.memory.RecollectStream(), NOTHING)) == []
        sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending


async def test_streams_have_a_limit(serve):
    """Half of the calls may be streams, so that a call finds room whoever keeps them open."""
    _, client = await serve(calls_max=4)
    streams = [client.memory.RecollectStream() for _ in range(2)]
    for stream in streams:
        await ask(stream, NOTHING)

    with refused() as refusal:
        await ask(client.memory.RecollectStream(), NOTHING)

    assert (refusal.code, refusal.reason) == (CODE.UNAVAILABLE, "OVERLOADED")
    assert (await client.says(NOTHING)).block == ""
    await streams[0].done_writing()
    assert await streams[0].read() is EOF
    assert texts(await ask(client.memory.RecollectStream(), NOTHING)) == []


# How it ends


async def test_client_may_leave(client, capsys):
    """In the middle of a flood, without a word in the log; others are served."""
    stream = client.memory.RecollectStream()
    for number in range(1, 200):
        await stream.write(prompt(number, "word " * 20))
    await stream.read()
    stream.cancel()

    assert (await client.says(NOTHING)).block == ""
    assert "call_failed" not in capsys.readouterr().out


async def test_client_may_leave_while_its_requests_wait(client, acme, door, capsys):
    """They wait no longer, and the memory is loaded all the same."""
    stream = client.memory.RecollectStream(metadata=SHIM)
    await stream.write(prompt(1, NOTHING, tenant="acme"))
    await door.reached.wait()
    stream.cancel()
    door.opened.set()

    who = Client.as_("shim", tenant="acme")
    assert (await client.says(NOTHING, who=who)).block == ""
    assert "call_failed" not in capsys.readouterr().out


async def test_stop_ends_an_idle_stream_at_once(serve):
    """It would never end by itself. The client learns that it may come back."""
    server, client = await serve(drain_seconds=100)
    stream = client.memory.RecollectStream(metadata=SHIM)
    await ask(stream, NOTHING)

    async with asyncio.timeout(SECONDS_MAX):
        await server.stop()

    with refused() as refusal:
        await stream.read()
    assert (refusal.code, refusal.reason) == (CODE.UNAVAILABLE, "OVERLOADED")
    assert "google.rpc.RetryInfo" in refusal.details


async def test_stop_answers_what_was_read(serve, acme, door):
    """A request that waits has its answer before the stream ends."""
    server, client = await serve(drain_seconds=30)
    stream = client.memory.RecollectStream(metadata=SHIM)
    await stream.write(prompt(1, NOTHING, tenant="acme"))
    await door.reached.wait()

    stopping = asyncio.create_task(server.stop())
    await asyncio.sleep(0.1)
    door.opened.set()
    answer = await stream.read()

    assert (answer.id, texts(answer)) == (1, [])
    with refused() as refusal:
        await stream.read()
    assert refusal.code is CODE.UNAVAILABLE
    await stopping


async def test_stop_does_not_wait_for_a_stream_for_ever(serve, acme, door):
    """After the drain time what waits is cut off."""
    server, client = await serve(drain_seconds=0.2)
    stream = client.memory.RecollectStream(metadata=SHIM)
    await stream.write(prompt(1, NOTHING, tenant="acme"))
    await door.reached.wait()

    await server.stop()

    with refused() as refusal:
        await stream.read()
    assert refusal.code in {CODE.UNAVAILABLE, CODE.CANCELLED}


async def test_stop_in_a_flood_loses_no_answer_in_between(serve):
    """The answers that came are those of the first requests, and then comes the end."""
    server, client = await serve()
    stream = client.memory.RecollectStream(metadata=SHIM)
    await ask(stream, NOTHING)
    told: list[int] = []
    begun = asyncio.Event()

    async def send():
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            for number in range(1, 100_000):
                await stream.write(prompt(number, "word " * 20))

    async def read():
        with refused() as refusal:
            while (answer := await stream.read()) is not EOF:
                told.append(answer.id)
                begun.set()
        # Who is just writing into the end hears of that first.
        assert refusal.code in {CODE.UNAVAILABLE, CODE.INTERNAL}

    async with asyncio.TaskGroup() as group:
        group.create_task(send())
        group.create_task(read())
        await begun.wait()
        await server.stop()

    assert told == list(range(1, len(told) + 1))
