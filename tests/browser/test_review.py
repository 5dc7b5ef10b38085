"""Reviewing in a real browser: by key, by mouse, and without a script."""

from __future__ import annotations

import re

import pytest

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from tests.browser.conftest import LOOKS
from tests.browser.test_using import TWINKLE
from tests.serving import Client

OPERATOR = Client.as_("operator")
HEBREW = "הטלסקופ חייב לעמוד בטמפרטורה של 40 מעלות"


async def standing(house):
    """Return the state of each record, by its content; `deferred` if it was put aside."""
    request = pb.ListRecordsRequest(deferred=True)
    answer = await house.client.promotion.ListRecords(request, metadata=OPERATOR)
    return {
        it.content: "deferred"
        if it.HasField("defer_time")
        else MemoryRecord.Status.Name(it.status).removeprefix("STATUS_").lower()
        for it in answer.records
    }


async def focused(window):
    """Return the content of the record in focus."""
    text: str = await window.page.locator("article.record .says").last.inner_text()
    return text


async def does(window, *keys):
    """Press keys, each of which leads to another page."""
    for key in keys:
        async with window.page.expect_navigation():
            await window.presses(key)


async def test_every_answer_by_key(house, windows, extracted, clock):
    """a, r and d decide and go on; j and k only go; u takes back what was done last."""
    await extracted("use Postgres", "use SQLite", "use files", "use Redis")
    window = await windows.open("/inbox")

    await does(window, "j", "j", "k")
    second = await focused(window)
    await does(window, "a")
    clock.now += 1
    third = await focused(window)
    await does(window, "r")
    clock.now += 1
    fourth = await focused(window)
    await does(window, "d")
    decided = await standing(house)
    await does(window, "u", "u")

    assert (second, third, fourth) == ("use SQLite", "use files", "use Redis")
    assert decided == {
        "use Postgres": "candidate",
        "use SQLite": "active",
        "use files": "invalid",
        "use Redis": "deferred",
    }
    assert await standing(house) == decided | {
        "use files": "candidate",
        "use Redis": "candidate",
    }
    assert window.complaints == []


async def test_editing_by_key(house, windows, extracted):
    """e opens the text; keys in it are letters; saved, its page has it beside the original."""
    await extracted("use Postgres 15")
    window = await windows.open("/inbox")
    page = window.page

    await window.presses("e", "Control+End", "Backspace")
    await page.keyboard.type("6, yes and no")
    await page.get_by_role("button", name="Save", exact=True).click()
    await page.get_by_text("Edited").wait_for()
    await window.open("/review/1")
    # The words that differ; below, the history has both texts.
    marked = await page.locator("ins").first.inner_text()
    gone = await page.locator("del").first.inner_text()
    await does(window, "a")

    assert (marked, gone) == ("16, yes and no", "15")
    assert await standing(house) == {"use Postgres 16, yes and no": "active"}
    assert window.complaints == []


async def test_all_of_the_same_text_by_key(house, windows, extracted):
    """r rejects them all, u brings them all back; o has it hold for one only."""
    for project in ("dome", "mast", "pier"):
        await extracted("use Postgres", project=project)
    await extracted("use SQLite")
    window = await windows.open("/inbox?at=record-1")

    await does(window, "r")
    rejected = await standing(house)
    await does(window, "u")
    back = set((await standing(house)).values())
    await window.open("/inbox?at=record-1")
    await window.presses("o")
    await does(window, "r")

    assert rejected == {"use Postgres": "invalid", "use SQLite": "candidate"}
    assert back == {"candidate"}
    assert (await standing(house))["use Postgres"] == "candidate"
    assert window.complaints == []


async def test_ticked_by_key(house, windows, extracted):
    """x ticks all of the list, and a button decides what is ticked."""
    await extracted("use Postgres", "use SQLite")
    window = await windows.open("/inbox")

    await window.presses("x")
    async with window.page.expect_navigation():
        await window.page.get_by_role("button", name="Reject ticked").click()

    assert set((await standing(house)).values()) == {"invalid"}
    assert window.complaints == []


async def test_facets_and_views_by_mouse(house, windows, extracted):
    """A click narrows the list, another one widens it; what was put aside has its tab."""
    await extracted("use Postgres", "use SQLite", project="dome")
    await extracted("use files", project="mast")
    window = await windows.open("/inbox")
    page, facets = window.page, window.page.locator(".facets")

    await facets.get_by_role("link", name="mast 1").click()
    await page.get_by_text("1 of 1").wait_for()
    narrowed = await focused(window)
    await facets.get_by_role("link", name="mast 1").click()
    await page.get_by_text("1 of 3").wait_for()
    first = await focused(window)
    await page.get_by_role("button", name="Put aside", exact=False).first.click()
    await page.get_by_role("link", name="Put aside 1").click()
    await page.get_by_text("1 of 1").wait_for()

    assert narrowed == "use files"
    assert await focused(window) == first
    assert window.complaints == []


async def test_without_scripts(house, windows, extracted):
    """Everything can be read, edited, decided and taken back by plain forms."""
    await extracted("use Postgres", "use SQLite")
    window = await windows.open("/inbox", java_script_enabled=False)
    page = window.page

    await page.locator("summary", has_text="Edit").click()
    await page.get_by_label("What it says").fill("use Postgres 16")
    await page.get_by_role("button", name="Save and accept").click()
    await page.get_by_text("1 of 1").wait_for()
    await page.get_by_role("button", name="Reject", exact=False).first.click()
    await page.get_by_text("Nothing waits for you").wait_for()
    decided = await standing(house)
    await page.get_by_role("button", name="Undo").click()

    assert decided == {"use Postgres 16": "active", "use SQLite": "invalid"}
    await page.get_by_text("1 of 1").wait_for()
    assert (await standing(house))["use SQLite"] == "candidate"


async def test_from_memory_to_entity(house, windows, extracted):
    """A candidate written by hand is promoted, graduated and judged by the gate."""
    window = await windows.open("/review/new")
    page = window.page

    await page.get_by_label("What it says").fill("The mast is part of the telescope")
    await page.get_by_role("button", name="Propose").click()
    await page.get_by_text("written by hand").first.wait_for()
    await does(window, "a")
    await window.open("/review/1")
    await page.locator("summary", has_text="Graduate").click()
    await page.get_by_label("Type of the entity").select_option("component")
    await page.locator("#gf").fill("mast -ispart telescope")
    await page.get_by_role("button", name="Graduate").click()
    await page.get_by_text("Graduated from").wait_for()
    await does(window, "a")
    await window.open("/review/2")

    assert "mast -ispart telescope held" in re.sub(r"\s+", " ", await window.text())
    assert (await house.client.concept("mast")).edges[0].parent == "telescope"
    assert window.complaints == []


async def test_trusted_state(house, windows):
    """An item is written, changed and looked back upon."""
    window = await windows.open("/state")
    page = window.page

    await page.locator("#project").fill("dome")
    await page.locator("#key").fill("release")
    for value in ("0.9", "1.0"):
        await page.locator("#value").fill(value)
        await page.get_by_role("button", name="Write").last.click()
        await page.locator(".value", has_text=value).wait_for()
        await page.locator("#project").fill("dome")
        await page.locator("#key").fill("release")
    await page.get_by_text("What it was before (1)").click()

    assert "0.9" in await window.text(".before")
    assert window.complaints == []


@pytest.fixture
async def full(house, extracted, clock):
    """A queue of fifty, with everything that is hard to show."""
    (known,) = await extracted(
        "Postgres is the system of record",
        project="observatory",
        quote="Decision: Postgres is the system of record. It was the only one we knew.",
    )
    await house.send("/admin/inbox/accept", item=f"record-{known}")
    clock.now += 86_400
    await extracted(
        "SQLite is the system of record for the edge nodes",
        project="observatory",
        confidence=0.66,
        contradicts=(known,),
        place="notes/2026-11-edge.md: Storage",
        quote="We went back and forth on Tuesday. SQLite is the system of record for "
        "the edge nodes, because they are offline for weeks. Carol writes it up.",
    )
    clock.now += 16 * 86_400
    await extracted(
        "The mast is part of the telescope",
        kind="entity",
        type="component",
        project="telescope",
        fact="mast -ispart telescope",
        place="charter.md: Parts",
    )
    await extracted(
        "loves fettuccini",
        type="user_pattern",
        subject="alice",
        confidence=0.76,
        extractor="llama3.2",
        place="session 8c74e6cd",
        quote="I cook pasta on Sundays, and I love fettuccini most.",
        reasoning="Mentioned once; between 0.75 and 0.80 a person decides.",
    )
    await extracted(HEBREW, type="requirement", quote=f"דרישות: {HEBREW} לפחות.")
    await extracted(f"The key is {'x9' * 200}", type="constraint", project="y" * 120)
    await extracted("The drive holds. " * 100, type="requirement")
    await extracted.at_once(
        [
            f"The tracking error stays under {number / 10:.1f} arcsec"
            for number in range(2, 55)
        ],
        type="measurement",
        project="telescope",
        confidence=0.55,
    )
    await house.send("/admin/state", project="telescope", key="release", value="0.9")
    await house.send("/admin/state", project="telescope", key="release", value="1.0")
    return house


@LOOKS
async def test_pages_fit(full, windows, size, light):
    """Whatever is in the queue, no page is wider than its window, in either light."""
    pages = {
        **{f"inbox-{number}": f"/inbox?at=record-{number}" for number in range(2, 8)},
        "review-record": "/review/2",
        "review-active": "/review/1",
        "review-history": "/review/history",
        "review-new": "/review/new",
        "review-later": "/review/records?status=later",
        "inbox-none": "/inbox?project=telescope&mark=contradicts",
        "state": "/state",
    }
    window = await windows.open("/inbox", size=size, light=light)

    wide = await window.too_wide(pages)
    colour = await window.page.evaluate(TWINKLE)

    assert wide == []
    assert window.complaints == []
    brightness = sum(map(int, colour.removeprefix("rgb(").rstrip(")").split(",")))
    assert (brightness < 100) == (light == "dark")


@pytest.mark.parametrize("width", [800, 1024, 1216, 1280])
async def test_all_pages_are_in_the_bar(full, windows, width):
    """The number of what waits pushes no page out of the bar, nor does signing out."""
    window = await windows.open("/inbox", size={"width": width, "height": 800})
    await window.page.evaluate(
        """
        document.querySelector("nav .badge").textContent = "999+";
        document.querySelector(".aside").insertAdjacentHTML(
            "beforeend", "<button class=quiet>Sign out</button>")
        """
    )

    room, needed = await window.page.evaluate(
        "(nav => [nav.clientWidth, nav.scrollWidth])(document.querySelector('nav'))"
    )

    assert needed <= room
