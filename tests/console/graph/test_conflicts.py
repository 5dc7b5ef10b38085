from __future__ import annotations

import json
import re

import pytest

from festinger.api.v1.conflict_pb2 import Conflict
from festinger.console.graph import conflicts
from tests.console.house import found, text_of
from tests.serving import Client


def etag(page):
    """The etag that the form of a conflict would send, on its page and in the inbox."""
    return found(r'name="etag" value="([^"]+)"', page)


async def parents(house, token):
    """Return a concept's parents by their dimensions."""
    concept = await house.client.concept(token)
    return {it.dimension: it.parent for it in concept.edges}


async def test_both_sides_with_where_they_came_from(house):
    """The held and the refused statement are shown, with their authors and words."""
    alice = Client.as_("shim", principal="alice")
    carol = Client.as_("shim", principal="carol")
    await house.client.says("gnommoweb is a repo.", who=alice)
    await house.client.says("gnommoweb is a container.", who=carol)
    await house.client.states("last -isa statement")

    text = text_of(await house.see("/admin/conflicts/1"))

    assert "gnommoweb [type?]" in text
    assert "Held is a repo found in a prompt by alice · confidence 0.75" in text
    assert "Refused is a container found in a prompt by carol" in text
    assert "gnommoweb is a repo." in text
    assert "gnommoweb is a container." in text


async def test_sides_are_quoted_with_who_said_them(house):
    """Each side of a conflict between sentences is quoted, with its speaker."""
    alice = Client.as_("shim", principal="alice")
    carol = Client.as_("shim", principal="carol")
    await house.client.says("The billing runs on podman.", who=alice, digest=b"a")
    await house.client.says("The billing runs on kubernetes.", who=carol, digest=b"b")
    await house.client.states("last -isa statement")

    text = text_of(await house.see("/admin/conflicts/1"))

    assert "The billing runs on podman. said by alice" in text
    assert "The billing runs on kubernetes. said by carol" in text


async def test_values_are_shown_as_they_were_worded(house):
    """People decide about their own words, and programs get them beside the names."""
    alice = Client.as_("shim", principal="alice")
    carol = Client.as_("shim", principal="carol")
    await house.client.says("The standup is at 9:30 am.", who=alice, digest=b"a")
    await house.client.says("The standup is at 10:15 am.", who=carol, digest=b"b")
    await house.client.states("last -isa statement")

    text = text_of(await house.see("/admin/conflicts/1"))
    both = json.loads(await house.see("/conflicts"))["conflicts"][0]

    assert "9:30 am" in text
    assert "10:15 am" in text
    assert (both["existing_parent"], both["existing"]["value"]) == ("09:30", "9:30 am")
    assert (both["incoming_parent"], both["incoming"]["value"]) == ("10:15", "10:15 am")


async def test_end_of_a_fact_is_found_in_a_long_history(house, monkeypatch):
    """The fact that a decision ended is shown, however many events came before."""
    monkeypatch.setattr(conflicts, "HISTORY_SIZE", 1)
    await house.contradict("gnommoweb", parents=("repo", "repo", "repo", "container"))
    tag = etag(await house.see("/admin/conflicts/1"))
    await house.send("/admin/inbox/accept", item="conflict-1", etag=tag)

    text = text_of(await house.see("/admin/conflicts/1"))

    assert "Was held is a repo from" in text


@pytest.mark.parametrize(
    ("decision", "fields", "held"),
    [
        ("update", {}, {"type": "container"}),
        ("dismiss", {}, {"type": "repo"}),
        (
            "decompose",
            {"existing_dimension": "code_host", "incoming_dimension": "deployment"},
            {"code_host": "repo", "deployment": "container"},
        ),
        (
            "reclassify",
            {"incoming_dimension": "deployment"},
            {"type": "repo", "deployment": "container"},
        ),
    ],
)
async def test_four_decisions_and_undo(house, decision, fields, held):
    """Each does what it says, and is offered to be taken back, which it then is."""
    await house.contradict("gnommoweb")
    tag = etag(await house.see("/admin/conflicts/1"))

    status, _ = await house.send(
        f"/admin/inbox/{'reject' if decision == 'dismiss' else 'accept'}",
        item="conflict-1",
        etag=tag,
        reasoning="so it is",
        **fields,
    )

    assert status == 200
    assert await parents(house, "gnommoweb") == held
    page = await house.see("/admin/conflicts/1")
    assert f"{decision} , " in text_of(page)
    undo = found(r'name="decision" value="([^"]+)"', page)
    await house.send("/admin/inbox/undo", decision=undo)
    assert await parents(house, "gnommoweb") == {"type": "repo"}
    assert "for people only" in text_of(await house.see("/admin/conflicts/1"))


async def test_reasoning_is_kept(house):
    """Why it was decided is shown with who did."""
    await house.contradict("gnommoweb")

    await house.send("/admin/inbox/reject", item="conflict-1", reasoning="moved in May")
    page = await house.see("/admin/conflicts/1")

    assert "by operator" in text_of(page)
    assert "“moved in May”" in text_of(page)


async def test_what_changed_meanwhile_is_shown_anew(house):
    """A decision about what is no longer so is refused at the item, with its new state."""
    await house.contradict("gnommoweb")
    tag = etag(await house.see("/admin/conflicts/1"))
    await house.client.states("gnommoweb -isa container")

    status, page = await house.send("/admin/inbox/accept", item="conflict-1", etag=tag)

    assert status == 409
    assert "it has changed meanwhile" in text_of(page)
    assert "It was stated 2 times" in text_of(page)
    assert etag(page) != tag
    assert await parents(house, "gnommoweb") == {"type": "repo"}


async def test_refused_decision_keeps_what_was_filled_in(house):
    """An error is a sentence at the item, and nothing has to be written twice."""
    await house.contradict("gnommoweb")

    status, page = await house.send(
        "/admin/inbox/accept",
        item="conflict-1",
        existing_dimension="two words here",
        incoming_dimension="deployment",
        reasoning="both are so",
    )

    assert status == 400
    assert 'role="alert"' in page
    assert 'value="two words here"' in page
    assert 'value="both are so"' in page
    assert (await house.client.conflict(1)).state == Conflict.STATE_PENDING


async def test_decided_twice_is_said(house):
    """Two people who decide at once: the second is told of the first."""
    await house.contradict("gnommoweb")
    await house.send("/admin/inbox/reject", item="conflict-1")

    status, page = await house.send("/admin/inbox/accept", item="conflict-1")

    assert status == 409
    assert 'role="alert"' in page
    assert await parents(house, "gnommoweb") == {"type": "repo"}


async def test_settled_ones_are_listed(house):
    """Settled conflicts have a list, by concept on demand; pending ones are in the inbox."""
    await house.contradict("gnommoweb", "wiki", "mailer")
    for number in (2, 3):
        await house.send("/admin/inbox/reject", item=f"conflict-{number}")

    settled = await house.see("/admin/conflicts")
    mailer = await house.see("/admin/conflicts?concept=mailer")

    def numbers(page):
        return re.findall(r'<article[^>]*id="c(\d+)"', page)

    assert numbers(settled) == ["2", "3"]
    assert numbers(mailer) == ["3"]


async def test_list_goes_on(house):
    """Ten a page, and a link to the next ones."""
    await house.contradict(*(f"name_{letter}" for letter in "abcdefghijkl"))
    for number in range(1, 13):
        await house.send("/admin/inbox/reject", item=f"conflict-{number}")

    page = await house.see("/admin/conflicts")
    following = found(r'rel="next" href="([^"]+)"', page)
    rest = await house.see(following.replace("&amp;", "&"))

    assert page.count("<article") == 10
    assert rest.count("<article") == 2


async def test_what_a_decision_ended(house):
    """A settled conflict shows the fact that was held until then."""
    await house.contradict("gnommoweb")
    await house.send("/admin/inbox/accept", item="conflict-1")

    text = text_of(await house.see("/admin/conflicts/1"))

    assert "Was held is a repo" in text
    assert "update , the statement replaced the fact: by operator" in text


async def test_cycle_has_no_held_side(house):
    """A statement that would close a circle collides with no fact, and can be decided."""
    await house.client.states("inner -ispart outer")
    await house.client.states("outer -ispart inner")

    text = text_of(await house.see("/admin/conflicts/1"))

    assert "would close a circle" in text
    assert "Nothing is held in this dimension." in text


async def test_unknown_conflict(house):
    """A number that is none is said to be none."""
    status, page = await house.get("/admin/conflicts/99")

    assert status == 404
    assert "there is no conflict #99" in text_of(page)


async def test_other_memories(house, store):
    """A memory is chosen by its name, and its links stay within it."""
    await store.add_tenant("lab")
    await house.contradict("gnommoweb")

    page = await house.see("/admin/conflicts?tenant=lab")
    status, _ = await house.get("/admin/conflicts?tenant=nobody")
    odd, _ = await house.get("/admin/conflicts?tenant=so%0Aodd")

    assert "gnommoweb" not in page
    assert 'href="/admin/concepts?tenant=lab"' in page
    assert (status, odd) == (404, 400)
