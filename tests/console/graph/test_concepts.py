from __future__ import annotations

import re

import pytest

from festinger.api.v1.concept_pb2 import Concept
from festinger.api.v1.edge_pb2 import Edge
from festinger.api.v1.line_service_pb2 import SayRequest
from festinger.console.graph.neighbours import CHILDREN_MAX, PARENTS_MAX, neighbourhood
from tests.console.house import found, text_of
from tests.serving import Client


def names(page):
    """Return the concepts of a list."""
    return re.findall(r'<a class="token" data-open[^>]*>([^<]+)</a>', page)


async def test_search_finds_what_begins_so(house):
    """As it is written by people, or as it is kept; unplaced ones only if asked for."""
    for name in ("glitch_university", "glitch", "gnommoweb"):
        await house.client.states(f"{name} -isa thing")
    await house.client.says("glitchy words")

    assert names(await house.see("/admin/concepts?q=glitch")) == [
        "glitch",
        "glitch_university",
    ]
    assert names(await house.see("/admin/concepts?q=Glitch+University")) == [
        "glitch_university"
    ]
    assert names(await house.see("/admin/concepts?q=glitchy&all=1")) == ["glitchy"]
    assert names(await house.see("/admin/concepts?q=glitchy")) == []
    assert "No placed concept begins with “zebra”" in text_of(
        await house.see("/admin/concepts?q=zebra")
    )


async def test_list_goes_on(house):
    """Fifty a page, and a link to the next ones."""
    for number in range(52):
        await house.client.states(f"name_{number:02}a -isa thing")

    page = await house.see("/admin/concepts?q=name_")
    following = found(r'rel="next" href="([^"]+)"', page)
    rest = await house.see(following.replace("&amp;", "&"))

    assert len(names(page)) == 50
    assert names(rest) == ["name_50a", "name_51a"]


async def test_facts_and_where_they_came_from(house):
    """Each fact with who stated it and in which words, and all that happened since."""
    await house.client.says(
        "gnommoweb is a repo.", who=Client.as_("shim", principal="alice")
    )
    await house.client.states("gnommoweb -ispart ramanujan in context of geography")
    await house.client.states("gnommoweb -isa container")
    await house.send("/admin/inbox/accept", item="conflict-1")

    text = text_of(await house.see("/admin/concepts/gnommoweb"))

    assert "[geography] ramanujan stated by local" in text
    assert "[type] is a container stated by local" in text
    assert "[type] is a repo held by alice , found in a prompt" in text
    assert "gnommoweb is a repo." in text
    assert "[type] is a container conflicted" in text
    assert "[type] is a container update by operator · conflict #1" in text
    assert "[type] is a repo ended by conflict 1" in text


async def test_forget(house):
    """A fact is taken back, which its history tells; what is not held cannot be."""
    await house.client.states("gnommoweb -isa repo")
    fields = {"parent": "repo", "dimension": "type", "is_isa": "1"}

    status, page = await house.send("/admin/concepts/gnommoweb/forget", **fields)
    again, refusal = await house.send("/admin/concepts/gnommoweb/forget", **fields)

    assert status == 200
    assert "Nothing places it." in page
    assert "retracted" in page
    assert again in {404, 409}
    assert 'role="alert"' in refusal


async def test_neighbourhood_is_drawn(house):
    """
    A concept is shown with its parents and children, each with its dimension and a
    link.
    """
    await house.client.states("gnommoweb -isa repo")
    await house.client.states("docs -ispart gnommoweb in context of project")

    page = await house.see("/admin/concepts/gnommoweb")
    svg = page[page.index('<svg class="picture"') :].partition("</svg>")[0]

    assert [it for it in re.findall(r"<text[^>]*>([^<]+)</text>", svg)] == [
        "gnommoweb",
        "type",
        "repo",
        "project",
        "docs",
    ]
    assert 'href="/admin/concepts/repo"' in svg
    assert 'href="/admin/concepts/docs"' in svg
    assert "style=" not in page


def hub(parents, children):
    """Return a concept with so many concepts above it and below it, as it is drawn."""
    edges = [
        Edge(concept="hub", parent=f"p{n}", dimension=f"d{n}") for n in range(parents)
    ]
    below = [
        Concept(token=f"c{n}", edges=[Edge(concept=f"c{n}", parent="hub")])
        for n in range(children)
    ]
    return neighbourhood(Concept(token="hub", edges=edges), below, more=True)


def points(line):
    """Point of a path, near enough to each other to hit every box that it passes."""
    x = y = 0.0
    for step, numbers in re.findall(r"([MCV])([^MCV]*)", line):
        given = [float(number) for number in numbers.split()]
        *bends, end_x, end_y = [x, *given] if step == "V" else given
        # A straight line is a curve as well.
        x1, y1, x2, y2 = bends or (x, y, end_x, end_y)
        for t in () if step == "M" else (n / 50 for n in range(51)):
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            yield (
                a * x + b * x1 + c * x2 + d * end_x,
                a * y + b * y1 + c * y2 + d * end_y,
            )
        x, y = end_x, end_y


@pytest.mark.parametrize("parents", range(PARENTS_MAX + 1))
@pytest.mark.parametrize("children", [0, 1, 4, 5, 8, 9, CHILDREN_MAX])
def test_no_line_runs_behind_a_box(parents, children):
    """Each line can be followed from the middle to its box, around all others."""
    picture = hub(parents, children)

    width, height = picture.box
    around = picture.boxes[1:]
    for box in around:
        *passed, (x, y) = points(box.line)
        assert (x, y) in {
            (box.x + width / 2, box.y),
            (box.x + width / 2, box.y + height),
        }
        for other in around:
            assert not any(
                other.x < x < other.x + width and other.y < y < other.y + height
                for x, y in passed
            )


def test_large_neighbourhoods_are_bounded():
    """A picture has a dozen above and a dozen below, and says what it leaves out."""
    picture = hub(40, 40)

    kinds = [box.kind for box in picture.boxes]
    assert kinds.count("parent") == PARENTS_MAX
    assert kinds.count("child") == CHILDREN_MAX
    assert picture.hidden == 40 - PARENTS_MAX
    assert picture.more
    assert all(0 <= box.x <= picture.width - picture.box[0] for box in picture.boxes)
    assert all(0 <= box.y <= picture.height - picture.box[1] for box in picture.boxes)


async def test_lines_and_prompts_of_a_concept(house):
    """Its page shows what was said of it, who said it, and which prompts were told of it."""
    said = SayRequest(
        text="Gnommoweb is deployed by hand on Tuesdays, never by the robot."
    )
    await house.client.lines.Say(
        said, metadata=Client.as_("shim", principal="alice", subject="alice")
    )
    await house.client.states("gnommoweb -isa repo")
    await house.prompt(
        "How is gnommoweb deployed, by hand or by the robot?", "s7", "bob"
    )

    text = text_of(await house.see("/admin/concepts/gnommoweb"))
    await house.client.states("billing -isa service")
    other = text_of(await house.see("/admin/concepts/billing"))

    assert re.search("What was said of it .*by hand on Tuesdays.* by alice", text)
    assert re.search(r"Prompts it reached lately bob session s7 .* \[type\] repo", text)
    assert "None of the last prompts through this shim was told of it." in other
