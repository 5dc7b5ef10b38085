from __future__ import annotations

import asyncio

import pytest

from festinger.config import ShimSettings
from festinger.errors import ConfigurationError
from festinger.shim.proxy import upstreams
from festinger.shim.proxy.breaker import FAILURES_MAX
from festinger.standin import StandIn
from tests.shim.conftest import chat
from tests.shim.system.test_metrics import queued
from tests.waiting import becomes, until


@pytest.fixture
async def spare():
    """A second stand-in for Ollama."""
    async with StandIn() as standin:
        yield standin


def named(session):
    """Return the headers of a session."""
    return {"X-Festinger-Session": session}


async def ask(http, shim, session="one"):
    """Return the status of a prompt."""
    url = f"{shim.url}/api/chat"
    async with http.post(url, json=chat("hello"), headers=named(session)) as response:
        await response.read()
        return response.status


async def test_spare_is_left_alone(http, start_shim, ollama, spare):
    """Prompts go to the preferred upstream while it answers."""
    shim = await start_shim(upstreams=[{"url": spare.url, "priority": 1}])

    for number in range(4):
        assert await ask(http, shim, f"s{number}") == 200

    assert (len(ollama.prompts), len(spare.prompts)) == (4, 0)


async def test_spare_takes_over(http, start_shim, ollama, spare):
    """When the preferred one is gone, the very same request is answered by the other."""
    shim = await start_shim(upstreams=[{"url": spare.url, "priority": 1}])
    await ollama.stop()

    assert await ask(http, shim) == 200
    assert len(spare.prompts) == 1


async def test_sessions_stay_and_load_is_shared(http, start_shim, ollama, spare):
    """Equals share the sessions; each session stays where it began."""
    shim = await start_shim(upstreams=[{"url": spare.url}])
    ollama.knobs.delay = spare.knobs.delay = 0.02
    await asyncio.gather(*(ask(http, shim, f"s{number}") for number in range(6)))
    before = len(ollama.prompts), len(spare.prompts)
    for number in range(6):
        await ask(http, shim, f"s{number}")

    assert min(before) > 0
    assert (len(ollama.prompts), len(spare.prompts)) == tuple(2 * it for it in before)


async def test_nobody_answers(http, start_shim, ollama, spare):
    """With all of them down there is one clear error, and soon no attempt any more."""
    shim = await start_shim(upstreams=[{"url": spare.url}])
    await ollama.stop()
    await spare.stop()

    statuses = [await ask(http, shim) for _ in range(8)]

    assert set(statuses) == {502, 503}
    assert statuses[-1] == 503


async def test_return_is_noticed(http, start_shim, ollama, spare, monkeypatch):
    """
    An upstream that was down is asked in the background, and gets prompts when it is
    back.
    """
    monkeypatch.setattr(upstreams, "PROBE_SECONDS", 0.02)
    shim = await start_shim(upstreams=[{"url": spare.url, "priority": 1}])
    host, port = ollama.url.removeprefix("http://").split(":")
    await ollama.stop()

    async def breakers():
        async with http.get(f"{shim.url}/festinger/health") as response:
            return [each["breaker"] for each in (await response.json())["upstreams"]]

    await becomes(breakers, ["open", "closed"])
    assert await ask(http, shim) == 200
    await ollama.start(host, int(port))
    await becomes(breakers, ["closed", "closed"])
    assert await ask(http, shim) == 200

    assert (len(ollama.prompts), len(spare.prompts)) == (1, 1)


async def test_upload_is_not_sent_twice(http, start_shim, ollama, spare):
    """A streamed body cannot be repeated, so that its failure is told."""
    shim = await start_shim(upstreams=[{"url": spare.url, "priority": 1}])
    await ollama.stop()

    async with http.post(f"{shim.url}/v1/other", data=b"x" * 100_000) as response:
        answer = await response.json()

    assert response.status == 502
    assert "cannot reach Ollama" in str(answer)
    assert spare.requests == []


async def test_silent_upstream_is_given_up(http, start_shim, raw_upstream):
    """If a limit is set, silence ends in a 504 that names it."""
    shim = await start_shim(upstream=raw_upstream.url, answer_seconds_max=0.1)

    async with http.post(f"{shim.url}/api/chat", json=chat("hello")) as response:
        answer = await response.json()

    assert response.status == 504
    assert "shim.answer_seconds_max" in answer["error"]


async def test_too_many_prompts_wait(http, start_shim, ollama):
    """One at a time, one waits, and the third is told to come again."""
    ollama.knobs.hold_after = 0
    shim = await start_shim(requests_max=1, queue_max=1)

    first = asyncio.create_task(ask(http, shim))
    await until(lambda: len(ollama.prompts) == 1)
    second = asyncio.create_task(ask(http, shim))
    await becomes(lambda: queued(http, shim), 1)
    third = await ask(http, shim)
    ollama.knobs.hold_after = None
    first.cancel()

    assert third == 503
    assert await second == 200


async def test_who_leaves_the_queue_leaves_no_gap(http, start_shim, ollama):
    """A waiting client that goes away holds nobody up, and is not sent on."""
    ollama.knobs.hold_after = 0
    shim = await start_shim(requests_max=1, queue_max=5)

    first = asyncio.create_task(ask(http, shim))
    await until(lambda: len(ollama.prompts) == 1)
    leaving = asyncio.create_task(ask(http, shim))
    await becomes(lambda: queued(http, shim), 1)
    last = asyncio.create_task(ask(http, shim))
    await becomes(lambda: queued(http, shim), 2)
    leaving.cancel()
    await becomes(lambda: queued(http, shim), 1)
    ollama.knobs.hold_after = None
    first.cancel()

    assert await last == 200
    assert len(ollama.prompts) == 2


# Other upstreams, without a restart


@pytest.fixture
async def reload(start_shim, ollama):
    """A shim before Ollama, and a way to give it other settings."""
    shim = await start_shim()
    values = shim._settings.model_dump()

    def apply(**changed):
        shim.apply(ShimSettings.model_validate(values | changed))

    return shim, apply


async def health_of(http, shim):
    """Return the shim's health of its upstreams: one, or several with their breakers."""
    async with http.get(f"{shim.url}/festinger/health") as response:
        answer = await response.json()
    return {
        each["url"]: each.get("breaker")
        for each in answer.get("upstreams", [answer["upstream"]])
    }


async def test_added_upstream_is_used(http, reload, ollama, spare):
    """One that is added gets prompts at once, the very first of the file too."""
    shim, apply = reload
    assert await ask(http, shim) == 200
    apply(upstream=spare.url, upstreams=[{"url": ollama.url, "priority": 1}])

    assert await ask(http, shim) == 200
    assert (len(ollama.prompts), len(spare.prompts)) == (1, 1)
    assert list(await health_of(http, shim)) == [spare.url, ollama.url]


async def test_sessions_stay_when_upstreams_come_and_go(http, reload, ollama, spare):
    """A session stays where its prefix is, as long as that is there."""
    shim, apply = reload
    assert await ask(http, shim, "one") == 200
    apply(upstreams=[{"url": spare.url}])
    for _ in range(4):
        assert await ask(http, shim, "one") == 200
    assert (len(ollama.prompts), len(spare.prompts)) == (5, 0)

    apply(upstream=spare.url)
    assert await ask(http, shim, "one") == 200
    apply(upstream=spare.url, upstreams=[{"url": ollama.url}])
    for _ in range(4):
        assert await ask(http, shim, "one") == 200
    assert (len(ollama.prompts), len(spare.prompts)) == (5, 5)


async def test_other_priority(http, reload, ollama, spare):
    """A priority that changed moves the sessions, old ones too."""
    shim, apply = reload
    apply(upstreams=[{"url": spare.url, "priority": 1}])
    assert await ask(http, shim) == 200
    apply(upstream=spare.url, upstreams=[{"url": ollama.url, "priority": 1}])
    assert await ask(http, shim) == 200

    assert (len(ollama.prompts), len(spare.prompts)) == (1, 1)


async def test_removed_upstream_ends_what_it_began(
    http, start_shim, raw_upstream, spare
):
    """An answer under way comes to its end, and then nothing holds on to that upstream."""
    shim = await start_shim(upstream=raw_upstream.url)
    raw_upstream.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf"
    async with http.post(f"{shim.url}/api/chat", json=chat("hello")) as answer:
        half = await answer.content.readexactly(4)
        values = shim._settings.model_dump() | {"upstream": spare.url}
        shim.apply(ShimSettings.model_validate(values))
        assert await ask(http, shim, "other") == 200
        raw_upstream.send(b"rest")
        rest = await answer.read()

    assert half + rest == b"halfrest"
    assert len(spare.prompts) == 1
    await until(lambda: raw_upstream._writer.is_closing())


async def test_what_is_known_of_those_that_stay(http, reload, ollama, spare):
    """An upstream found to be away is not asked again because another one came."""
    shim, apply = reload
    gone = "http://127.0.0.1:1"
    apply(upstream=gone, upstreams=[{"url": ollama.url, "priority": 1}])
    for number in range(FAILURES_MAX):
        assert await ask(http, shim, f"s{number}") == 200
    before = await health_of(http, shim)
    apply(
        upstream=gone,
        upstreams=[
            {"url": spare.url, "priority": 2},
            {"url": ollama.url, "priority": 1},
        ],
    )

    assert before == {gone: "open", ollama.url: "closed"}
    assert await health_of(http, shim) == before | {spare.url: "closed"}


async def test_limits_of_upstreams_are_taken_over(http, start_shim, raw_upstream):
    """A changed limit of an upstream's silence holds from the next request on."""
    shim = await start_shim(upstream=raw_upstream.url)
    values = shim._settings.model_dump() | {"answer_seconds_max": 0.1}
    shim.apply(ShimSettings.model_validate(values))

    async with http.post(f"{shim.url}/api/chat", json=chat("hello")) as response:
        assert response.status == 504


async def test_circle_is_refused_later_too(http, reload, ollama):
    """A file that makes the shim its own upstream is refused as a whole."""
    shim, apply = reload
    with pytest.raises(ConfigurationError, match="the shim itself"):
        apply(upstreams=[{"url": shim.url}], allowed_hosts=["other"])

    assert await ask(http, shim) == 200
    assert list(await health_of(http, shim)) == [ollama.url]
