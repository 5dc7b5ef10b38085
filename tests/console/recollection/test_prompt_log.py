from __future__ import annotations

import asyncio

import pytest

from tests.console.house import text_of
from tests.waiting import SECONDS_MAX


async def event(stream):
    """Return the next event: its number and its text."""
    number, data = "", []
    async for raw in stream:
        line = raw.decode().rstrip("\n")
        if line.startswith("id: "):
            number = line[4:]
        elif line.startswith("data: "):
            data.append(line[6:])
        elif not line and data:
            return number, text_of("\n".join(data))
    raise AssertionError("the stream ended")


async def test_recollections_as_they_happen(house):
    """A live recollection shows person, lines and reasons; the prompt itself is nowhere."""
    await house.client.states("gnommoweb -isa repo")

    async with house.http.get(f"{house.url}/admin/live/events") as answer:
        await answer.content.readline()
        await house.prompt("Deploy gnommoweb, secretly.", who="bob")
        number, text = await event(answer.content)

    page = text_of(await house.see("/admin/live"))
    assert number == "1"
    for shown in (text, page):
        assert "bob session" in shown
        assert "gnommoweb: [type] repo" in shown
        assert "novelty 1.0" in shown
        assert "secretly" not in shown


async def test_what_a_prompt_taught(house):
    """The page shows the statement that was learnt, and its conflict."""
    await house.client.states("gnommoweb -isa repo")
    await house.prompt("gnommoweb is a container.")

    page = text_of(await house.see("/admin/live"))

    assert "Learnt conflicted gnommoweb [type] container two kinds" in page


async def test_nothing_is_missed_in_between(house):
    """A page that comes back is sent what happened meanwhile, from where it was."""
    await house.client.states("gnommoweb -isa repo")
    for number in range(3):
        await house.prompt("Deploy gnommoweb.", session=f"s{number}")

    headers = {"Last-Event-ID": "1"}
    async with house.http.get(
        f"{house.url}/admin/live/events", headers=headers
    ) as answer:
        numbers = [(await event(answer.content))[0] for _ in range(2)]

    assert numbers == ["2", "3"]


@pytest.mark.parametrize("after", ["9" * 5000, "-1", "yesterday"])
async def test_what_is_no_number_is_refused(house, after):
    """Events are asked for from a number on."""
    status, text = await house.get(f"/admin/live/events?after={after}")

    assert status == 400
    assert "after must be" in text


async def test_live_pages_do_not_hold_up_the_end(house):
    """The shim stops although somebody watches."""
    async with house.http.get(f"{house.url}/admin/live/events") as answer:
        await answer.content.readline()
        async with asyncio.timeout(SECONDS_MAX):  # a drain would take twice as long
            await house.shim.stop()

        assert (await answer.content.read()).strip() == b""
