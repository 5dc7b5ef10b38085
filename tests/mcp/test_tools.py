from __future__ import annotations

import pytest
from mcp_types import CallToolResult

STOCK = "Kassel delivers the stock file at 05:40 every morning."


def text_of(result: CallToolResult) -> str:
    """Return the text of a result, as a model reads it."""
    return "\n".join(getattr(it, "text", "") for it in result.content)


async def test_tools_are_few_and_flat(stdio):
    """A small model finds six tools at most, whose arguments are no structures."""
    async with stdio() as client:
        tools = (await client.list_tools()).tools

    assert {"remember", "recall", "forget"} <= {it.name for it in tools}
    assert len(tools) <= 6
    for tool in tools:
        assert len(tool.description or "") <= 100
        assert len(tool.input_schema["properties"]) <= 3
        kinds = {it["type"] for it in tool.input_schema["properties"].values()}
        assert kinds <= {"string", "integer"}
        assert tool.output_schema is not None


async def test_what_is_remembered_is_recalled(stdio, client):
    """A fact is held by the graph, and a sentence is found by its words."""
    async with stdio("--project", "shop") as agent:
        told = await agent.call_tool("remember", {"text": "gnommoweb is a repo"})
        await agent.call_tool("remember", {"text": STOCK})
        found = await agent.call_tool("recall", {"query": "stock file"})

    assert told.structured_content["status"] == "stored"
    assert told.structured_content["facts"] == ["gnommoweb -isa repo"]
    assert (await client.concept("gnommoweb")).edges[0].parent == "repo"
    (line,) = found.structured_content["lines"]
    assert STOCK in line["text"]
    assert (line["said_by"], line["project"]) == ("local", "shop")


async def test_contradiction_is_answered_with_both_sides(stdio, client):
    """The fact that is held stays, and the statement waits for a person."""
    await client.states("gnommoweb -isa repo")

    async with stdio() as agent:
        told = await agent.call_tool("remember", {"text": "gnommoweb is a container"})

    answer = told.structured_content
    assert answer["status"] == "contradiction"
    assert answer["facts"] == ["gnommoweb -isa repo"]
    (sides,) = answer["contradictions"]
    assert (sides["held"], sides["new"]) == (
        "gnommoweb -isa repo",
        "gnommoweb -isa container",
    )
    assert (await client.conflict(sides["conflict"])).state == 1


@pytest.mark.parametrize(
    "what", ["gnommoweb is a repo", "gnommoweb -isa repo", "Gnommoweb is a repo."]
)
async def test_fact_is_forgotten_as_it_was_said(stdio, client, what):
    """In the words that were said, or in the strict form."""
    async with stdio() as agent:
        await agent.call_tool("remember", {"text": "gnommoweb is a repo"})
        gone = await agent.call_tool("forget", {"what": what})

    assert not gone.is_error
    assert (await client.concept("gnommoweb")).edges == []


async def test_line_is_forgotten_by_the_name_that_recall_gives(stdio):
    """The sentence is gone from what is recalled."""
    async with stdio() as agent:
        await agent.call_tool("remember", {"text": STOCK})
        found = await agent.call_tool("recall", {"query": "stock"})
        name = found.structured_content["lines"][0]["line"]
        gone = await agent.call_tool("forget", {"what": name})
        left = await agent.call_tool("recall", {"query": "stock"})

    assert gone.structured_content == {"forgotten": [STOCK]}
    assert left.structured_content["lines"] == []


async def test_held_fact_is_forgotten_by_its_line(stdio, client):
    """A fact that nobody said as a sentence has a line and a name, too."""
    await client.states("checkout -ispart shop")

    async with stdio() as agent:
        found = await agent.call_tool("recall", {"query": "checkout"})
        name = found.structured_content["lines"][0]["line"]
        await agent.call_tool("forget", {"what": name})

    assert (await client.concept("checkout")).edges == []


async def test_nothing_is_forgotten_by_a_word_of_it(stdio):
    """A line that is not named exactly stays, and the model is told what to do."""
    async with stdio() as agent:
        await agent.call_tool("remember", {"text": STOCK})
        refused = await agent.call_tool("forget", {"what": "stock"})
        left = await agent.call_tool("recall", {"query": "stock"})

    assert refused.is_error
    assert "Call recall" in text_of(refused)
    assert len(left.structured_content["lines"]) == 1


async def test_person_is_named_on_the_command_line(stdio):
    """A statement of the client is the client's."""
    async with stdio("--as", "nadia") as agent:
        await agent.call_tool("remember", {"text": STOCK})
        found = await agent.call_tool("recall", {"query": "stock"})

    assert found.structured_content["lines"][0]["said_by"] == "nadia"
