"""Statements and Metrics in a real browser: by key, by mouse, and without a script."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.console.enum_names import candidate_state
from tests.browser.conftest import LOOKS
from tests.console.guesses import EXAMPLE, NO, YES, guess, read, says
from tests.serving import Client


@pytest.fixture
async def full(house, clock):
    """Candidates of every kind, some of which people have answered."""
    client = house.client
    await client.states("alice -ispart go_club in context of joined")
    await guess(
        client, "Alice", "Chess Club", external_id="f:0x123", message_id="m:0x998",
        sentence="Last week I joined the Chess Club, and it is great fun so far.",
        author="alice", prompt_hash="5f0c9a1d", model_version="qwen3:0.6b",
    )  # fmt: skip
    clock.now += 3600
    await guess(
        client, "Bob", "Rowing Crew",
        sentence="Bob joined the Rowing Crew and the Book Circle on Monday.",
    )  # fmt: skip
    await guess(
        client, "Bob", "Book Circle",
        sentence="Bob joined the Rowing Crew and the Book Circle on Monday.",
    )  # fmt: skip
    await guess(
        client, "Carol", "Glitch University", "t:worksAt", author="carol",
        sentence="I think Carol works at the Glitch University since May.",
    )  # fmt: skip
    await guess(
        client, "Dave", "Lisbon", "t:livesIn",
        sentence="Dave lives in Lisbon; write to dave.miller@example.org or +351 912 345 678.",
    )  # fmt: skip
    await guess(client, "Erin", "Choir")
    await says(client, "frank", 6)
    await says(client, "grace", 6)
    await guess(client, "Heidi", "Choir")
    await says(client, "frank", 7, NO)
    return house


@LOOKS
async def test_pages_fit(full, windows, size, light):
    """Whatever waits, no page is wider than its window, in either light."""
    pages = {
        **{f"candidate-{number}": f"/curation/{number}" for number in range(1, 8)},
        "candidate-focus": "/inbox?at=candidate-4",
        "candidates-decided": "/curation/decided",
        "metrics": "/metrics",
        "trail": "/trail?concept=erin",
    }
    window = await windows.open("/inbox", size=size, light=light)

    wide = await window.too_wide(pages)

    assert wide == []
    assert window.complaints == []


async def does(window, *keys):
    """Press keys, each of which leads to another page."""
    for key in keys:
        async with window.page.expect_navigation():
            await window.presses(key)


async def states(house, *numbers):
    """Return the states of candidates, in words."""
    candidates = [(await read(house.client, it)).candidate for it in numbers]
    return [candidate_state(it.state).split("_")[0] for it in candidates]


async def test_example_of_the_document(house, windows):
    """
    A model guesses, a moderator confirms with one key, and agents are told; the trail
    leads back to the model.
    """
    async with house.http.post(
        f"{house.url}/candidate_factoids", json=EXAMPLE
    ) as answer:
        assert answer.status == 201
    window = await windows.open("/curation/1")
    page = window.page

    seen = await window.text("article")
    await does(window, "a")
    done = await window.text(".banner")
    await house.prompt("What does Alice do?", "s2")
    await window.open("/curation/1")
    await page.get_by_role("link", name="Trail").first.click()
    await page.get_by_text("extracted by microllm:v0.1").wait_for()
    trail = await window.text()

    assert "Alice joined Chess Club" in seen
    assert "f:0x123" in seen
    assert "accept candidate-1 alice -ispart chess_club" in done
    assert "alice: [joined] chess_club" in str(house.ollama.requests[-1].json)
    assert "m:0x998" in trail
    assert trail.count("✓ is what its name says") == 4
    assert window.complaints == []


async def test_every_answer_by_key(house, windows, clock):
    """a, r, s, z and e answer and go on; u takes the last answer back."""
    for name in ("Alice", "Bob", "Carol", "Dave", "Erin"):
        await guess(house.client, name, "Choir", author=name.lower())
    window = await windows.open("/inbox?at=candidate-1")

    await does(window, "a", "r", "s", "z", "e")
    decided = await states(house, 1, 2, 3, 4, 5)
    clock.now += 1
    await window.open("/inbox?at=candidate-3")
    await does(window, "r", "u")

    assert decided == ["confirmed", "rejected", "pending", "expired", "pending"]
    assert await states(house, 3) == ["pending"]
    assert window.complaints == []


async def test_dreaming_is_watched(house, windows, pool, model):
    """The button starts a night, and what it looks into appears as it happens."""
    await pool.execute("update config set value = '1' where key = 'dream_model_id'")
    await guess(house.client, "Alice", "Choir")
    await house.send("/admin/curation/1/dream")
    model.says({"triples": []})
    window = await windows.open("/metrics")

    await window.page.get_by_role("button", name="Dream now").click()
    await window.page.locator("#night .tag", has_text="done").wait_for()

    assert "1 of 1 looked into" in await window.text("#night")
    assert window.complaints == []


async def test_without_scripts(house, windows):
    """Everything can be read, answered and taken back by plain forms."""
    await guess(house.client, "Alice", "Choir")
    await guess(house.client, "Bob", "Choir")
    window = await windows.open("/inbox?at=candidate-1", java_script_enabled=False)
    page = window.page

    await page.get_by_role("button", name="Accept", exact=False).first.click()
    await page.get_by_text("Last: accept").wait_for()
    decided = await states(house, 1)
    await page.get_by_role("button", name="Undo").click()
    await page.get_by_text("1 of 2").wait_for()

    assert decided == ["confirmed"]
    assert await states(house, 1) == ["pending"]


@pytest.fixture
async def busy(full, memories, questioner, retrainer, clock):
    """A day on which people were asked about guesses of two machines, and answered."""
    client, memory = full.client, await memories.get("default", 0)
    memories.validation.policy = replace(
        memories.validation.policy, channel="matrix:!club", channel_questions_max=100
    )
    number = 8
    for hour in range(12):
        for at in range(1 + hour % 4):
            sure = (0.15, 0.35, 0.55, 0.75, 0.9)[(hour + at) % 5]
            await guess(
                client,
                f"Person {chr(65 + hour)}{chr(65 + at)}",
                "Choir",
                confidence=sure,
                extractor_version="microllm:v0.1" if at % 2 else "microllm:v0.2",
            )
            await questioner.ask(memory)
            await post(client)
            if (hour + at) % 3:
                agree = sure > 0.5 or at == 2
                for name in ("frank", "grace", "heidi")[: 2 + hour % 2]:
                    await says(client, name, number, YES if agree else NO)
            number += 1
        clock.now += 3600
    await retrainer.learn("default")
    return full


async def post(client):
    """Post the questions that wait, as a bot does."""
    bot = Client.as_("shim")
    lessee = str(uuid.uuid4())
    leased = await client.validation.LeaseQuestions(
        pb.LeaseQuestionsRequest(
            platform="matrix", channels=["matrix:!club"], lessee=lessee
        ),
        metadata=bot,
    )
    for question in leased.post:
        await client.validation.ReportQuestion(
            pb.ReportQuestionRequest(
                question_id=question.id,
                lessee=lessee,
                result="posted",
                reference=f"$event-{question.id}",
            ),
            metadata=bot,
        )


@LOOKS
async def test_metrics_of_a_busy_day(busy, windows, size, light):
    """With all that there is to show, nothing is wider than the window."""
    window = await windows.open("/metrics", size=size, light=light)
    bars = await window.page.locator(".plot rect").count()

    wide = await window.too_wide(
        {"metrics-busy": "/metrics", "curation-busy": "/curation/8"}
    )

    assert wide == []
    assert bars >= 10
    assert window.complaints == []
