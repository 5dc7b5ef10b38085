from __future__ import annotations

import json

import mcp
import pytest

from tests.mcp.test_tools import STOCK, text_of


async def read(client, uri):
    """Return a resource, as JSON."""
    (content,) = (await client.read_resource(uri)).contents
    assert content.mime_type == "application/json"
    return json.loads(content.text)


async def test_why_tells_who_said_what(agent, client):
    """The fact with its words and their speaker, and what happened since."""
    async with agent() as connected:
        await connected.call_tool("remember", {"text": "gnommoweb is a repo"})
        await client.states("gnommoweb -isa container")
        told = await connected.call_tool("why", {"subject": "gnommoweb"})

    (fact,) = told.structured_content["facts"]
    assert fact["fact"] == "gnommoweb -isa repo"
    assert (fact["said"], fact["by"]) == ("gnommoweb is a repo", "local")
    assert fact["contested"]
    first, second = told.structured_content["history"]
    assert "stated (held) by local: gnommoweb -isa repo" in first
    assert "stated (conflicted) by local: gnommoweb -isa container" in second


async def test_why_of_what_is_unknown_is_an_error(agent):
    """The memory's own sentence."""
    async with agent() as connected:
        refused = await connected.call_tool("why", {"subject": "nothing_at_all"})

    assert refused.is_error
    assert "nothing_at_all" in text_of(refused)


async def test_concept_is_a_resource(agent, client):
    """With its facts, denials and conflicts."""
    for fact in ("gnommoweb -isa repo", "gnommoweb -isa container", "x -not -isa y"):
        await client.states(fact)

    async with agent() as connected:
        known = await read(connected, "memory://concept/gnommoweb")
        denied = await read(connected, "memory://concept/x")
        with pytest.raises(mcp.MCPError, match="unheard_of"):
            await read(connected, "memory://concept/unheard_of")

    assert known == {
        "name": "gnommoweb",
        "facts": ["gnommoweb -isa repo"],
        "denied": [],
        "conflicts": [1],
    }
    assert denied["denied"] == ["x -not -isa y"]


async def test_project_and_day_are_resources(agent):
    """The memories of one project, and the latest ones, are resources."""
    async with agent() as connected:
        await connected.call_tool("remember", {"text": STOCK, "project": "shop"})
        await connected.call_tool("remember", {"text": "Lena counts the shelf."})
        shop = await read(connected, "memory://project/shop")
        today = await read(connected, "memory://today")

    assert [STOCK in it["text"] for it in shop["lines"]] == [True]
    assert len(today["lines"]) >= 2


async def test_prompts_bring_what_is_known(agent, client):
    """About a topic, and what waits for a decision."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")

    async with agent() as connected:
        listed = (await connected.list_prompts()).prompts
        await connected.call_tool("remember", {"text": STOCK})
        brief = await connected.get_prompt("brief", {"topic": "stock"})
        waiting = await connected.get_prompt("contradictions")

    assert {it.name for it in listed} == {"brief", "contradictions"}
    assert STOCK in brief.messages[0].content.text
    assert "held 'gnommoweb -isa repo'" in waiting.messages[0].content.text


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("no_such_tool", {}, "no_such_tool"),
        ("remember", {}, "text"),
        ("remember", {"text": 7}, "text"),
        ("remember", {"text": ""}, "empty"),
        ("remember", {"text": "x" * 100_000}, "64000"),
        ("remember", {"text": "a\0b"}, "NUL"),
        ("remember", {"text": STOCK, "project": "a/b"}, "project"),
        ("recall", {"query": "x" * 5_000}, "4000"),
        ("recall", {"query": "x", "limit": 0}, "limit"),
        ("recall", {"query": "x", "limit": 10**9}, "limit"),
        ("forget", {"what": ""}, "exactly these words"),
        ("forget", {"what": "said-99.0"}, "said-99.0"),
        ("forget", {"what": "y" * 100_000}, "exactly these words"),
        ("forget", {"what": "gnommoweb -isa repo"}, "held"),
        ("resolve", {"conflict": 99}, "99"),
        ("resolve", {"conflict": -1}, "conflict"),
        ("why", {"subject": "two words"}, "two words"),
    ],
)
async def test_bad_call_is_told_what_is_wrong(agent, tool, arguments, told):
    """As an error that a model reads; the server goes on."""
    async with agent() as connected:
        refused = await connected.call_tool(tool, arguments)
        after = await connected.call_tool("recall", {"query": ""})

    assert refused.is_error
    assert told in text_of(refused)
    assert "Traceback" not in text_of(refused)
    assert not after.is_error


async def test_without_a_memory_server_tools_say_so(agent, client, memory):
    """With what to do; the client stays connected."""
    async with agent() as connected:
        await memory.close()
        lost = await connected.call_tool("recall", {"query": "x"})

    assert lost.is_error
