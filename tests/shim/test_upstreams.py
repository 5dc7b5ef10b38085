from __future__ import annotations

import asyncio

import pytest

from festinger.shim import upstreams
from festinger.standin import StandIn
from tests.shim.conftest import chat, until


@pytest.fixture
async def spare():
    """
    A second stand-in for Ollama.
    """
    async with StandIn() as standin:
        yield standin


def named(session):
    """
    The headers of a session.
    """
    return {"X-Festinger-Session": session}


async def ask(http, shim, session="one"):
    """
    The status of a prompt.
    """
    url = f"{shim.url}/api/chat"
    async with http.post(url, json=chat("hello"), headers=named(session)) as response:
        await response.read()
        return response.status


async def test_spare_is_left_alone(http, start_shim, ollama, spare):
    """
    Prompts go to the preferred upstream while it answers.
    """
    shim = await start_shim(upstreams=[{"url": spare.url, "priority": 1}])

    for number in range(4):
        assert await ask(http, shim, f"s{number}") == 200

    assert (len(ollama.prompts), len(spare.prompts)) == (4, 0)


async def test_spare_takes_over(http, start_shim, ollama, spare):
    """
    When the preferred one is gone, the very same request is answered by the other.
    """
    shim = await start_shim(upstreams=[{"url": spare.url, "priority": 1}])
    await ollama.stop()

    assert await ask(http, shim) == 200
    assert len(spare.prompts) == 1


async def test_sessions_stay_and_load_is_shared(http, start_shim, ollama, spare):
    """
    Equals share the sessions; each session stays where it began.
    """
    shim = await start_shim(upstreams=[{"url": spare.url}])
    ollama.knobs.delay = spare.knobs.delay = 0.02
    await asyncio.gather(*(ask(http, shim, f"s{number}") for number in range(6)))
    before = len(ollama.prompts), len(spare.prompts)
    for number in range(6):
        await ask(http, shim, f"s{number}")

    assert min(before) > 0
    assert (len(ollama.prompts), len(spare.prompts)) == tuple(2 * it for it in before)


async def test_nobody_answers(http, start_shim, ollama, spare):
    """
    With all of them down there is one clear error, and soon no attempt any more.
    """
    shim = await start_shim(upstreams=[{"url": spare.url}])
    await ollama.stop()
    await spare.stop()

    statuses = [await ask(http, shim) for _ in range(8)]

    assert set(statuses) == {502, 503}
    assert statuses[-1] == 503


async def test_return_is_noticed(http, start_shim, ollama, spare, monkeypatch):
    """
    Who was down is asked in the background, and gets prompts when it is back.
    """
    monkeypatch.setattr(upstreams, "PROBE_SECONDS", 0.02)
    shim = await start_shim(upstreams=[{"url": spare.url, "priority": 1}])
    host, port = ollama.url.removeprefix("http://").split(":")
    await ollama.stop()

    async def breakers():
        async with http.get(f"{shim.url}/festinger/health") as response:
            return [each["breaker"] for each in (await response.json())["upstreams"]]

    while await breakers() != ["open", "closed"]:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    assert await ask(http, shim) == 200
    await ollama.start(host, int(port))
    while await breakers() != ["closed", "closed"]:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    assert await ask(http, shim) == 200

    assert (len(ollama.prompts), len(spare.prompts)) == (1, 1)


async def test_upload_is_not_sent_twice(http, start_shim, ollama, spare):
    """
    A streamed body cannot be repeated, so that its failure is told.
    """
    shim = await start_shim(upstreams=[{"url": spare.url, "priority": 1}])
    await ollama.stop()

    async with http.post(f"{shim.url}/v1/other", data=b"x" * 100_000) as response:
        answer = await response.json()

    assert response.status == 502
    assert "cannot reach Ollama" in str(answer)
    assert spare.requests == []


async def test_silent_upstream_is_given_up(http, start_shim, raw_upstream):
    """
    If a limit is set, silence ends in a 504 that names it.
    """
    shim = await start_shim(upstream=raw_upstream.url, answer_seconds_max=0.1)

    async with http.post(f"{shim.url}/api/chat", json=chat("hello")) as response:
        answer = await response.json()

    assert response.status == 504
    assert "shim.answer_seconds_max" in answer["error"]


async def test_too_many_prompts_wait(http, start_shim, ollama):
    """
    One at a time, one waits, and the third is told to come again.
    """
    ollama.knobs.delay = 0.2
    shim = await start_shim(requests_max=1, queue_max=1)

    first = asyncio.create_task(ask(http, shim))
    await until(lambda: len(ollama.prompts) == 1)
    second = asyncio.create_task(ask(http, shim))
    await asyncio.sleep(0.05)
    third = await ask(http, shim)

    assert third == 503
    assert [await first, await second] == [200, 200]


async def test_who_leaves_the_queue_leaves_no_gap(http, start_shim, ollama):
    """
    A waiting client that goes away holds nobody up, and is not sent on.
    """
    ollama.knobs.delay = 0.2
    shim = await start_shim(requests_max=1, queue_max=5)

    first = asyncio.create_task(ask(http, shim))
    await until(lambda: len(ollama.prompts) == 1)
    leaving = asyncio.create_task(ask(http, shim))
    last = asyncio.create_task(ask(http, shim))
    await asyncio.sleep(0.05)
    leaving.cancel()

    assert [await first, await last] == [200, 200]
    assert len(ollama.prompts) == 2
