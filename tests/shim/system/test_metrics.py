from __future__ import annotations

import asyncio

import pytest

from tests.exposition import complaints, families, value
from tests.shim.conftest import BLOCK, chat
from tests.shim.loops.test_looping import READ, TASK, play
from tests.waiting import becomes

PATHS = ["/metrics", "/festinger/metrics"]


async def scrape(http, shim, path="/metrics"):
    """Return the text of the metrics."""
    answer = await http.get(shim.url + path)
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return await answer.text()


async def queued(http, shim):
    """Return the number of prompts that wait for a place."""
    return value(await scrape(http, shim), "festinger_shim_queue_length")


async def ask(http, shim, body, path="/api/chat", **headers):
    """Send a prompt, and read the answer."""
    answer = await http.post(shim.url + path, json=body, headers=headers)
    await answer.read()


@pytest.mark.parametrize("path", PATHS)
async def test_nothing_to_complain_of(http, shim, memory, path):
    """The metrics keep to the conventions, before the first prompt and after some."""
    before = await scrape(http, shim, path)
    memory.block = BLOCK
    await ask(http, shim, chat("one"))
    await play(http, shim, [TASK, *[READ] * 4])
    after = await scrape(http, shim, path)

    assert complaints(before) == complaints(after) == []
    assert set(families(before)) == set(families(after))
    assert value(after, "process_open_fds") > 0


async def test_prompts_by_route_and_result(http, shim, memory):
    """Each prompt is counted by what became of it, and the time it was held up."""
    await ask(http, shim, chat("one"))
    memory.block = BLOCK
    await ask(http, shim, chat("one"))
    await ask(http, shim, chat("two"), "/v1/chat/completions")
    await ask(http, shim, chat("one"), "/as/ann/api/chat", **{"X-Festinger": "off"})
    text = await scrape(http, shim)

    requests = families(text)["festinger_shim_requests"].samples
    assert {(it.labels["route"], it.labels["result"]): it.value for it in requests} == {
        ("/api/chat", "none"): 1,
        ("/api/chat", "full"): 1,
        ("/api/chat", "skipped:off"): 1,
        ("/v1/chat/completions", "full"): 1,
    }
    assert value(text, "festinger_shim_added_seconds_count") == 4
    assert 0 < value(text, "festinger_shim_added_seconds_sum") < 60
    assert value(text, "festinger_shim_sessions") == 2


async def test_misses(http, shim, memory):
    """Prompts that had to do without the memory are counted by the cause."""
    await memory.stop()
    await ask(http, shim, chat("one"))

    missed = value(
        await scrape(http, shim),
        "festinger_shim_memory_misses_total",
        why="memory-down",
    )
    assert missed == 1


async def test_loops(http, shim):
    """Loops are counted by rule and rung."""
    await play(http, shim, [TASK, *[READ] * 4])
    text = await scrape(http, shim)

    name = "festinger_shim_loop_activations_total"
    assert value(text, name, rule="repeat", rung="temperature") == 1
    assert value(text, name, rule="repeat", rung="forbid") == 1


async def test_what_is_under_way(http, start_shim, ollama):
    """The numbers of running and waiting prompts are told meanwhile."""
    shim = await start_shim(requests_max=1)
    ollama.knobs.hold_after = 0
    prompts = [asyncio.create_task(ask(http, shim, chat(it))) for it in ("a", "b")]
    await becomes(lambda: queued(http, shim), 1)
    text = await scrape(http, shim)

    assert value(text, "festinger_shim_prompts_in_progress") == 1
    busy = "festinger_shim_upstream_requests_in_progress"
    assert value(text, busy, upstream=ollama.url) == 1
    for prompt in prompts:
        prompt.cancel()
    await asyncio.gather(*prompts, return_exceptions=True)


async def test_upstreams(http, start_shim, ollama):
    """
    Each upstream has one state, an URL with a password is told without it, and one
    that stands twice is told once.
    """
    away = "http://user:hunter2@127.0.0.1:1"
    further = [{"url": away, "priority": 1}, {"url": ollama.url, "priority": 2}]
    shim = await start_shim(upstreams=further)
    text = await scrape(http, shim)

    states = families(text)["festinger_shim_upstream_breaker_state"].samples
    closed = [it.labels["upstream"] for it in states if it.value]
    assert sorted(closed) == sorted([ollama.url, "http://127.0.0.1:1"])
    assert complaints(text) == []
    assert "hunter2" not in text


async def test_refusals(http, shim):
    """An error of the shim is counted by its status."""
    await http.post(f"{shim.url}/api/pull", json={})
    text = await scrape(http, shim)

    assert value(text, "festinger_shim_refusals_total", status="403") == 1


async def test_other_methods_pass(http, shim, ollama):
    """Only reading `/metrics` is ours; the other path is ours alone."""
    await http.post(f"{shim.url}/metrics", json={})
    refused = await http.post(f"{shim.url}/festinger/metrics", json={})

    assert [request.path for request in ollama.requests] == ["/metrics"]
    assert refused.status == 405


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Host": "evil.example"}]
)
async def test_foreign_pages_are_refused(http, shim, path, headers):
    """A page of another site does not read it."""
    answer = await http.get(shim.url + path, headers=headers)

    assert answer.status == 403
