"""A hundred items of the inbox are decided by keys alone, in a real browser."""

from __future__ import annotations

import time
from collections import Counter

from festinger.api.v1 import inbox_service_pb2 as pb
from festinger.api.v1 import line_service_pb2
from tests.browser.conftest import PICTURES, Window
from tests.console.guesses import guess
from tests.console.house import House, doubt
from tests.records import Extractor
from tests.serving import Client

OPERATOR = Client.as_("operator")
NADIA, THEO = (
    Client.as_("shim", principal=name, subject=name) for name in ("nadia", "theo")
)
ITEMS = 100
KEYS_MAX = 40
"""The most keys of an item: a dimension or a sentence is written."""
SECONDS_MAX = 20.0
"""A page takes as long only if something hangs."""
MOVED, EDITED, ONLY = 10, 15, 25
"""Of so many items each, one is moved or edited, or is decided apart from its likes."""


class Person:
    """
    Somebody who decides by keys.

    Attributes:
        keys: How many keys each item took.
        seconds: How long each page took to answer.
        kinds: How many items of each kind were decided.
    """

    def __init__(self, window: Window) -> None:
        self.window = window
        self.keys: list[int] = []
        self.seconds: list[float] = []
        self.kinds: Counter[str] = Counter()

    async def decide(self, number: int) -> None:
        """Decide about the item in focus: most by one key, some in words."""
        page = self.window.page
        item = await page.locator("article[data-item]").first.get_attribute("id")
        kind = await page.locator("article[data-item] .tag").first.inner_text()
        self.kinds[kind] += 1
        if kind == "conflict" and number % MOVED == 0:
            keys = ["m", *f"part{number}", "Tab", "Tab", "Tab", "Enter"]
        elif kind in {"memory", "entity"} and number % EDITED == 0:
            keys = ["e", "Control+End", *" today", "Tab", "Tab", "Tab", "Tab", "Enter"]
        else:
            keys = ["a" if number % 3 else "r" if number % 2 else "d"]
        await self.window.presses(*keys[:-1])
        begun = time.monotonic()
        async with page.expect_navigation(timeout=SECONDS_MAX * 1000):
            await self.window.presses(keys[-1])
        self.seconds.append(time.monotonic() - begun)
        self.keys.append(len(keys))
        wrong = await page.locator("p.wrong").all_inner_texts()
        assert not wrong, f"{item}: {wrong}"


async def waiting(house: House) -> int:
    """Return the number of waiting items."""
    answer = await house.client.inbox.CountInbox(
        pb.CountInboxRequest(), metadata=OPERATOR
    )
    return int(answer.waiting_count)


async def fill(house: House, extracted: Extractor) -> None:
    """Make items of every kind, as a day of several projects would."""
    client = house.client
    await house.contradict(*(f"service_{number}" for number in range(30)))
    await doubt(client, *(f"billing{number} is hosted by fly" for number in range(25)))
    for number in range(20):
        await guess(client, f"Alice{number}", "Chess Club")
    for number in range(20):
        await extracted(f"keep file {number} in Postgres", project=f"p{number % 3}")
    for number in range(5):
        text = f"Kassel delivers stock file {number} at 05:4{number} every morning."
        said = line_service_pb2.SayRequest(text=text)
        told = await client.lines.Say(said, metadata=NADIA)
        wrong = line_service_pb2.RateLineRequest(
            name=told.lines[0].name, verdict="VERDICT_WRONG"
        )
        await client.lines.RateLine(wrong, metadata=THEO)


async def test_a_hundred_items_by_keys(house, windows, extracted):
    """Most items take one key, none more than a sentence does, and the page keeps up."""
    await fill(house, extracted)
    begun = await waiting(house)
    person = Person(await windows.open("/inbox"))

    started = time.monotonic()
    for number in range(ITEMS):
        await person.decide(number)
    took = time.monotonic() - started

    single = sum(keys == 1 for keys in person.keys)
    told = (
        f"{ITEMS} items in {took:.1f} s by {sum(person.keys)} keys, {single} of them by "
        f"one; a page took {sum(person.seconds) / ITEMS:.2f} s, at most "
        f"{max(person.seconds):.2f} s; {dict(person.kinds)}"
    )
    print(told)
    PICTURES.mkdir(parents=True, exist_ok=True)
    (PICTURES / "hundred.txt").write_text(f"{told}\n")
    assert begun >= ITEMS
    assert await waiting(house) <= begun - ITEMS
    assert max(person.keys) <= KEYS_MAX
    assert single >= 0.8 * ITEMS
    assert len(person.kinds) >= 5
    assert max(person.seconds) < SECONDS_MAX
    assert person.window.complaints == []
