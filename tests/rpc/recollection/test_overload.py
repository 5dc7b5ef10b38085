from __future__ import annotations

import asyncio
import time
from functools import partial

import grpc
import pytest
from google.rpc import error_details_pb2

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.errors import Overloaded
from festinger.rpc.recollection import memory_service, streams
from festinger.rpc.recollection.queueing import RETRY_SECONDS_MAX, QuestionQueue
from festinger.rpc.recollection.recollecting import tell
from festinger.services.world.statistics import MemoryStatistics
from tests.serving import refused

SECONDS_EACH = 0.02
OVERLOADED = "OVERLOADED"


@pytest.fixture
def judged(monkeypatch):
    """The texts of the prompts that were judged; each takes so long."""
    texts = []

    def slowly(memory, asked, caller, *, as_of):
        texts.append(asked.turns[0].text)
        time.sleep(SECONDS_EACH)
        return tell(memory, asked, caller, as_of=as_of)

    monkeypatch.setattr(streams, "tell", slowly)
    monkeypatch.setattr(memory_service, "tell", slowly)
    return texts


def prompt(number, text, digest=b""):
    """Return a request of the stream."""
    turn = pb.Turn(role=pb.Turn.ROLE_USER, text=text, digest=digest)
    request = pb.RecollectRequest(turns=[turn])
    return pb.RecollectStreamRequest(id=number, request=request)


async def ask_at_once(client, count, text="prompt {}", digest=b""):
    """
    The answers to so many prompts that are sent without waiting, by their ids, in the
    order in which they came.
    """
    stream = client.memory.RecollectStream()
    await stream.write(prompt(count + 1, "first"))
    assert (await stream.read()).id == count + 1
    for number in range(1, count + 1):
        await stream.write(prompt(number, text.format(number), digest))
    answers = [await stream.read() for _ in range(count)]
    stream.cancel()
    return {answer.id: answer for answer in answers}


def dropped(answers):
    """Return the ids of those that were refused."""
    return {
        number for number, it in answers.items() if it.WhichOneof("result") == "error"
    }


def detail(answer, message):
    """Return the detail of a kind in a refusal."""
    assert any(each.Unpack(message) for each in answer.error.details)
    return message


# What the server does


async def test_questions_that_wait_too_long_are_dropped_unread(serve, judged):
    """Nothing of them is judged, and what is answered are the others."""
    _, client = await serve(queue_milliseconds_max=3 * SECONDS_EACH * 1000)

    answers = await ask_at_once(client, 30)

    lost = dropped(answers)
    assert 0 < len(lost) < 30
    assert {f"prompt {number}" for number in lost}.isdisjoint(judged)
    assert len(judged) == 1 + 30 - len(lost)


async def test_newest_question_is_answered_under_overload(serve, judged):
    """Whoever came last still waits for the answer, whoever came first does not."""
    _, client = await serve(queue_milliseconds_max=3 * SECONDS_EACH * 1000)

    answers = await ask_at_once(client, 30)

    assert 30 not in dropped(answers)


async def test_dropped_question_says_when_to_come_back(serve, judged):
    """UNAVAILABLE, with a reason for programs, and a delay of about what the rest takes."""
    _, client = await serve(queue_milliseconds_max=3 * SECONDS_EACH * 1000)

    answers = await ask_at_once(client, 30)

    for number in dropped(answers):
        answer = answers[number]
        assert answer.error.code == grpc.StatusCode.UNAVAILABLE.value[0]
        info = detail(answer, error_details_pb2.ErrorInfo())
        assert info.reason == f"ERROR_REASON_{OVERLOADED}"
        delay = detail(answer, error_details_pb2.RetryInfo()).retry_delay
        assert 0 < delay.ToTimedelta().total_seconds() <= RETRY_SECONDS_MAX


async def test_calls_are_dropped_as_prompts_of_a_stream_are(serve, judged):
    """They wait in the same queue, with the same refusal."""
    _, client = await serve(queue_milliseconds_max=3 * SECONDS_EACH * 1000)

    calls = [asyncio.create_task(client.says(f"prompt {n}")) for n in range(30)]
    await asyncio.wait(calls)

    failed = [call for call in calls if call.exception()]
    assert 0 < len(failed) < 30
    with refused() as refusal:
        await failed[0]
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, OVERLOADED)
    assert "google.rpc.RetryInfo" in refusal.details
    assert len(judged) == 30 - len(failed)


async def test_dropped_turn_is_still_new(serve, judged):
    """A turn that was dropped unread teaches when it is sent again."""
    _, client = await serve(queue_milliseconds_max=3 * SECONDS_EACH * 1000)
    stream = client.memory.RecollectStream()
    await stream.write(prompt(99, "first"))
    await stream.read()
    said = {
        number: prompt(number, f"thing{number}x is a repo.", bytes([number]))
        for number in range(1, 31)
    }
    for each in said.values():
        await stream.write(each)
    lost = dropped({it.id: it for it in [await stream.read() for _ in said]})

    number = min(lost)
    await stream.write(said[number])
    again = await stream.read()

    assert len(again.response.outcomes) == 1
    await client.states("last -isa statement")
    assert (await client.concept(f"thing{number}x")).edges[0].parent == "repo"


async def test_few_questions_are_answered_in_their_order(serve, judged):
    """While nobody waits long, the first who came is the first to be answered."""
    _, client = await serve(queue_milliseconds_max=5000)

    answers = await ask_at_once(client, 8)

    assert list(answers) == list(range(1, 9))
    assert judged == ["first", *(f"prompt {number}" for number in range(1, 9))]


async def test_dropped_questions_are_counted(serve, memories, judged):
    """So that an operator sees that there are too many."""
    _, client = await serve(queue_milliseconds_max=3 * SECONDS_EACH * 1000)

    answers = await ask_at_once(client, 30)

    assert memories.statistics.dropped == len(dropped(answers))


# The queue itself


async def test_question_that_nobody_waits_behind_is_answered():
    """However long it waited: dropping it would help nobody."""
    queue = QuestionQueue(seconds_max=0.01, statistics=MemoryStatistics())
    first = asyncio.create_task(queue.ask(lambda: time.sleep(0.05)))
    alone = asyncio.create_task(queue.ask(lambda: "alone"))

    assert await alone == "alone"
    await first


async def test_whoever_left_is_not_judged():
    """A call that was given up while it waited costs nothing."""
    queue = QuestionQueue(seconds_max=10, statistics=MemoryStatistics())
    done = []
    queue.add(lambda: done.append("first"), lambda error: None)
    left = asyncio.create_task(queue.ask(lambda: done.append("left")))
    stays = asyncio.create_task(queue.ask(lambda: "stays"))
    await asyncio.sleep(0)
    left.cancel()

    assert await stays == "stays"
    assert done == ["first"]


async def test_failure_of_one_question_ends_no_other():
    """The caller of a failed question is told, and the next is answered."""
    queue = QuestionQueue(seconds_max=10, statistics=MemoryStatistics())
    failing = asyncio.create_task(queue.ask(lambda: 1 / 0))
    working = asyncio.create_task(queue.ask(lambda: "works"))

    with pytest.raises(ZeroDivisionError):
        await failing
    assert await working == "works"


async def test_queue_has_a_limit(monkeypatch):
    """Beyond it the oldest is dropped, however short it waited."""
    monkeypatch.setattr("festinger.rpc.recollection.queueing.LENGTH_MAX", 3)
    queue = QuestionQueue(seconds_max=100, statistics=MemoryStatistics())
    calls = [asyncio.create_task(queue.ask(lambda: "yes")) for _ in range(9)]

    answers = await asyncio.gather(*calls, return_exceptions=True)

    assert answers[0] == "yes"
    assert [isinstance(it, Overloaded) for it in answers[1:]] == [True] * 5 + [
        False
    ] * 3


async def test_pause_of_the_process_does_not_send_clients_away():
    """
    An answer that took very long, since the process was frozen, counts like one that
    took as long as a request may wait: clients come back soon.
    """
    queue = QuestionQueue(seconds_max=0.01, statistics=MemoryStatistics())
    durations = [0, 0.5, 0, 0, 0, 0, 0]
    asked = [
        asyncio.create_task(queue.ask(partial(time.sleep, each))) for each in durations
    ]

    answers = await asyncio.gather(*asked, return_exceptions=True)

    delays = [it.retry_seconds for it in answers if isinstance(it, Overloaded)]
    assert delays
    assert max(delays) < 0.05
