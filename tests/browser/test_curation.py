"""Curation and Metrics in a real browser: by key, by mouse, and without a script."""

from __future__ import annotations

import pytest

from tests.browser.conftest import NARROW, WIDE
from tests.browser.test_looks import PICTURES
from tests.console.guesses import NO, guess, says


@pytest.fixture
async def full(house, clock):
    """
    Candidates of every kind, some of which people have answered.
    """
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


@pytest.mark.parametrize(
    ("size", "light"), [(WIDE, "light"), (NARROW, "dark")], ids=["wide", "narrow"]
)
async def test_pages_fit(full, windows, size, light):
    """
    Whatever waits, no page is wider than its window, in either light.
    """
    PICTURES.mkdir(parents=True, exist_ok=True)
    pages = {
        **{f"curation-{number}": f"/curation?at={number}" for number in range(1, 8)},
        "curation-one": "/curation/6",
        "curation-decided": "/curation?view=decided",
        "curation-digest": "/curation/digest",
        "metrics": "/metrics",
        "trail": "/trail?concept=erin",
    }
    window = await windows.open("/curation", size=size, light=light)
    wide = []

    for name, path in pages.items():
        await window.open(path)
        file = PICTURES / f"{name}-{light}-{size['width']}.png"
        await window.page.screenshot(path=file, full_page=True)
        width = await window.page.evaluate("document.documentElement.scrollWidth")
        wide += [name] if width > size["width"] else []

    assert wide == []
    assert window.complaints == []
