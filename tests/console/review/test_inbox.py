"""The inbox in the console."""

from __future__ import annotations

import re

import pytest

from festinger.api.v1 import conflict_service_pb2 as pb
from tests.console.house import doubt, found, text_of
from tests.serving import Client


@pytest.fixture
async def waiting(house):
    """A conflict, a statement that says the same elsewhere, and a memory by hand."""
    await house.client.says(
        "wiki runs on docker", who=Client.as_("shim", principal="alice")
    )
    await house.contradict("wiki")
    await doubt(house.client, "heron is a bird")
    await house.send(
        "/admin/review/propose", kind="memory", type="decision", content="Use Postgres."
    )


async def placings(house, token):
    """Return a concept's parents by their dimensions."""
    return {it.dimension: it.parent for it in (await house.client.concept(token)).edges}


async def test_item_in_focus_says_all_that_is_to_be_known(house, waiting):
    """Both sides with who and when, why a person is asked, and what each answer changes."""
    text = text_of(await house.see("/admin/inbox?kind=conflict"))

    assert "3 wait" in text
    assert "wiki: [type] is a container" in text
    assert "Held [type] is a repo" in text
    assert "Against it [type] is a container stated by local" in text
    assert "Why am I asked? It was stated once, but it is held that wiki -isa" in text
    assert "accepted wiki: [type] container" in text
    assert "rejected wiki: [type] repo" in text
    assert "= 4" in text


async def test_costliest_item_comes_first(house, waiting):
    """The page begins with the item that costs most to be wrong about, and lists the others."""
    page = await house.see("/admin/inbox")

    assert found(r'<article class="record panel" id="([^"]+)"', page) == "conflict-1"
    assert re.findall(r'at=((?:candidate|record)-\d)"', page)


@pytest.mark.parametrize(
    ("query", "item"),
    [
        ("kind=statement", "candidate-1"),
        ("kind=memory", "record-1"),
        ("answerer=community", "candidate-1"),
        ("at=record-1", "record-1"),
        ("view=deferred", None),
        ("source=walrus", None),
    ],
)
async def test_filters_narrow_the_list_down(house, waiting, query, item):
    """The page shows what the address asks for; the counts stay those of everything."""
    page = await house.see(f"/admin/inbox?{query}")

    focused = re.findall(r'<article class="record panel" id="([^"]+)"', page)
    assert focused == ([item] if item else [])
    assert "3 wait" in text_of(page)


async def test_answer_moves_on_and_is_undone(house, waiting):
    """An answer shows the next item and what was done, which can be undone."""
    _, page = await house.send(
        "/admin/inbox/accept", item="conflict-1", next="record-1"
    )
    after = await placings(house, "wiki")
    number = found(r'name="decision" value="([^"]+)"', page)
    _, undone = await house.send("/admin/inbox/undo", decision=number)

    assert "Last: accept conflict-1" in text_of(page)
    assert found(r'<article class="record panel" id="([^"]+)"', page) == "record-1"
    assert after["type"] == "container"
    assert found(r'<article class="record panel" id="([^"]+)"', undone) == "conflict-1"
    assert (await placings(house, "wiki"))["type"] == "repo"


async def test_conflict_is_moved(house, waiting):
    """With dimensions both sides of a conflict are held, each in its own."""
    await house.send(
        "/admin/inbox/accept",
        item="conflict-1",
        incoming_dimension="runtime",
        existing_dimension="code",
        reasoning="both are true",
    )

    held = await placings(house, "wiki")
    request = pb.GetConflictRequest(conflict_id=1)
    conflict = (await house.client.conflicts.GetConflict(request)).conflict
    assert held["runtime"] == "container"
    assert held["code"] == "repo"
    assert conflict.resolution.reasoning == "both are true"


async def test_all_of_a_filter_are_decided(house, waiting):
    """The items that a filter leaves are decided at once, and no others."""
    await house.send("/admin/inbox/reject?kind=statement", everything="1")

    text = text_of(await house.see("/admin/inbox"))
    assert "2 wait" in text
    assert "Last: reject candidate-1" in text


async def test_put_aside_hides_nothing_else(house, waiting):
    """Items that were put aside have a page of their own; all others wait as before."""
    _, page = await house.send("/admin/inbox/defer", item="conflict-1", next="")

    aside = await house.see("/admin/inbox?view=deferred")
    assert "2 wait · 1 put aside" in text_of(page)
    assert found(r'<article class="record panel" id="([^"]+)"', aside) == "conflict-1"
    assert "Take up again" in aside


async def test_second_decider_is_told_who_decided(house, waiting):
    """A person whose item was decided meanwhile is told by whom, and how."""
    await house.send("/admin/inbox/reject", item="conflict-1")

    status, page = await house.send("/admin/inbox/accept", item="conflict-1")

    assert status == 409
    assert "conflict #1 was dismissed by operator on" in text_of(page)


async def test_decisions_are_listed(house, waiting):
    """Decisions are listed with what they were about, the latest first, undone ones too."""
    await house.send("/admin/inbox/reject", item="conflict-1")
    await house.send("/admin/inbox/undo")

    text = text_of(await house.see("/admin/inbox/decisions"))

    assert "reject conflict-1 wiki -isa container" in text
    assert "undone by operator" in text


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("walrus", {"item": "conflict-1"}, 404),
        ("accept", {"item": "conflict-99"}, 404),
        ("accept", {"item": "walrus"}, 400),
        ("accept", {}, 400),
        ("undo", {"decision": "walrus"}, 404),
    ],
)
async def test_odd_answers_do_no_harm(house, path, fields, status):
    """An address that names nothing is refused with a page."""
    answered, page = await house.send(f"/admin/inbox/{path}", **fields)

    assert answered == status
    assert "<h1" in page
