from __future__ import annotations

import asyncio
import json
import re

import pytest

from festinger.errors import BadAnswer
from tests.console.house import OWN, doubt, found, opened, text_of
from tests.waiting import SECONDS_MAX, until

UPDATE = {"decision": "update", "reasoning": "it was rebuilt"}
DISMISS = {"decision": "dismiss", "reasoning": "a typing error"}


@pytest.fixture
async def chosen(house, pool):
    """A console whose memory has a model that resolves."""
    await pool.execute("update config set value = '1' where key = 'resolve_model_id'")
    return house


async def follows(house):
    """Has a run begin, and reads how it goes to its end."""
    headers = OWN | {"Accept": "application/x-ndjson"}
    async with house.http.post(
        f"{house.url}/admin/run", data={"": ""}, headers=headers
    ) as answer:
        assert "Content-Security-Policy" in answer.headers
        return [json.loads(line) async for line in answer.content]


async def test_counts_and_ages(house, clock):
    """
    The overview shows waiting items and their age, the memory's size, and why nothing
    is resolved.
    """
    await house.contradict("gnommoweb", "wiki")
    await doubt(house.client, "mailer is a daemon")
    clock.now += 3 * 3600

    text = text_of(await house.see("/admin"))

    assert "2 pending conflicts the oldest 3 h ago" in text
    assert "3 wait for you conflict: 2, statement: 1" in text
    assert "concepts met 3 facts" in text
    assert "It rests:" in text
    assert "resolve_model_id" in text
    assert "turns to read" in text


async def test_empty_memory_says_how_to_point_a_client_at_it(house):
    """With the shim's own address, until something is learnt; then that is shown instead."""
    empty = await house.see("/admin")
    await house.prompt("The stock file comes from Kassel at 05:40.")

    async def learnt():
        page = await house.see("/admin")
        return "Kassel" in page and page

    after = await until(learnt)

    assert f"export OLLAMA_HOST={house.url}<" in empty
    assert f"and go on to <b>{house.ollama.url}</b>" in empty
    assert "Learnt last" not in empty
    assert "Learnt last" in after
    assert "OLLAMA_HOST" not in after


async def test_what_was_learnt_is_told_in_words(house):
    """Nobody said `podman_desktop`, the name under which it is held."""
    await house.prompt("The billing service runs on podman desktop.")

    async def learnt():
        page = text_of(await house.see("/admin"))
        return "In the last day" in page and "[runs-on]" in page and page

    page = await until(learnt)

    assert "podman desktop" in page
    assert "podman_desktop" not in page


async def test_address_of_the_visitor_is_escaped(house):
    """A client's claim of the host's name is text, if it is accepted at all."""
    status, text = await house.get("/admin", Host='127.0.0.1"><script>')

    assert status >= 400 or "<script>" not in text


async def test_run_begins_without_scripts(chosen, model):
    """A form starts it, and the overview says how it ended and when the next one is."""
    await chosen.contradict("gnommoweb")
    model.says(UPDATE)

    status, _ = await chosen.send("/admin/run")
    await follows(chosen)
    text = text_of(await chosen.see("/admin"))

    assert status == 200
    assert "Next run in" in text
    assert "by operator" in text
    assert (await chosen.client.concept("gnommoweb")).edges[0].parent == "container"


async def test_run_is_told_as_it_goes(chosen, model):
    """A line for its begin, one for each conflict, and one for its end."""
    await chosen.contradict("gnommoweb", "wiki", "mailer")
    model.says(UPDATE, DISMISS, BadAnswer("the answer names no dimension"))

    lines = await follows(chosen)

    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    items = [text_of(line["item"]) for line in lines if line["item"]]
    assert len(items) == 3
    assert items[0].startswith("#1 gnommoweb [type] update it was rebuilt")
    assert items[1].startswith("#2 wiki [type] dismiss a typing error")
    assert "stays pending" in items[2]
    assert "names no dimension" in items[2]
    assert "3 of 3 looked at" in text_of(lines[-1]["run"])


async def test_overview_looks_again_while_it_runs(chosen, model):
    """While a run is under way the page asks the browser to come back; afterwards not."""
    begun, go_on = asyncio.Event(), asyncio.Event()
    says = model.ask

    async def slowly(*args, **values):
        begun.set()
        await go_on.wait()
        return await says(*args, **values)

    model.ask = slowly
    model.says(UPDATE)
    await chosen.contradict("gnommoweb")

    await chosen.send("/admin/run")
    await begun.wait()
    async with chosen.http.get(f"{chosen.url}/admin") as answer:
        during, text = answer.headers.get("Refresh"), text_of(await answer.text())
    go_on.set()
    await follows(chosen)
    async with chosen.http.get(f"{chosen.url}/admin") as answer:
        after = answer.headers.get("Refresh")

    assert during is not None
    assert "A run is under way" in text
    assert after is None


async def test_run_without_a_model_is_refused(house):
    """The reason is given as JSON to who follows it, and as a page otherwise."""
    headers = OWN | {"Accept": "application/x-ndjson"}
    async with house.http.post(
        f"{house.url}/admin/run", data={"": ""}, headers=headers
    ) as answer:
        told = await answer.json()
    status, page = await house.send("/admin/run")

    assert "resolve_model_id" in told["error"]
    assert status == 409
    assert "resolve_model_id" in page


async def test_without_a_server_it_says_so(client, clock):
    """Without a memory server, the page is shown all the same."""
    client.address = "127.0.0.1:9"
    async with opened(client, now=clock) as house:
        text = text_of(await house.see("/admin"))
        status, page = await house.get("/admin/conflicts")

    assert "no memory server answers at 127.0.0.1:9" in text
    assert status == 503
    assert "festinger system serve" in page


async def test_watched_runs_do_not_hold_up_the_end(chosen, model):
    """The shim stops although somebody watches a run, and says that it goes on."""
    begun = asyncio.Event()

    async def never(*args, **values):
        begun.set()
        await asyncio.Event().wait()

    model.ask = never
    await chosen.contradict("gnommoweb")
    watching = asyncio.create_task(follows(chosen))
    await begun.wait()

    async with asyncio.timeout(SECONDS_MAX):  # a drain would take twice as long
        await chosen.shim.stop()

    assert "goes on without it" in (await watching)[-1]["error"]


async def test_reading_is_seen_and_switched(house, pool):
    """The number of unread turns is shown, and a button that stops reading, at once."""
    assert "No model reads what people say" in text_of(await house.see("/admin"))

    await house.http.post(
        f"{house.url}/admin/reading", data={"reading": "off"}, headers=OWN
    )
    off = await pool.fetchval("select value from config where key = 'reading'")
    await house.http.post(
        f"{house.url}/admin/reading", data={"reading": "on"}, headers=OWN
    )

    assert off == "off"
    assert await pool.fetchval("select value from config where key = 'reading'") == "on"


async def test_what_happened_in_a_day(house, clock):
    """
    The counts of statements, contradictions, decisions and ratings, and their authors;
    each leads to its concept or conflict.
    """
    await house.contradict("gnommoweb", "wiki")
    await house.send("/admin/inbox/accept", item="conflict-1")
    await house.client.states("billing -isa service")
    await house.send(
        "/admin/concepts/billing/forget",
        parent="service", dimension="type", is_isa="1", negated="0",
    )  # fmt: skip
    await house.send("/admin/memory", text="Kassel delivers the stock file at 05:40.")
    name = found(r'name="name" value="(said-[^"]+)"', await house.see("/admin/memory"))
    await house.send("/admin/memory/rate", name=name, verdict="helped")

    page = await house.see("/admin")
    text = text_of(page[page.index('id="today"') :])
    clock.now += 2 * 86_400
    later = await house.see("/admin")

    assert re.search(r"learnt \d+ by ", text)
    assert "contradicted 2 by local 2" in text
    assert "settled 1 by operator 1" in text
    assert "forgotten 1 by operator 1" in text
    assert "told and helped 1 by operator 1" in text
    assert 'href="/admin/concepts/billing"' in page
    assert 'href="/admin/conflicts/2"' in page
    assert 'id="today"' not in later


async def test_run_is_offered_without_a_schedule(chosen):
    """Although the schedule never comes, somebody can still have it run now."""
    await chosen.send("/admin/settings/resolution_schedule", value="never")

    page = await chosen.see("/admin")

    assert "No run is scheduled: it runs when you ask for it." in text_of(page)
    assert re.search(r'<button class="main">\s*Run resolution now', page)
