"""Contradictions: the client asks its user, and nobody else decides."""

from __future__ import annotations

import pytest
from mcp_types import ElicitResult

from festinger.mcp.memory import LocalCaller
from tests.mcp.test_tools import text_of

ERAS = ["legacy", "2026-07-28"]
"""Versions of the protocol: a question of its own, and one that is a result."""


class Person:
    """Somebody who answers what a client asks, and remembers it."""

    def __init__(self, holds="", action="accept"):
        self.holds, self.action = holds, action
        self.asked = []

    async def __call__(self, context, params):
        """Return the answer to a question."""
        self.asked.append(params.message)
        content = {"holds": self.holds} if self.action == "accept" else None
        return ElicitResult(action=self.action, content=content)


async def parent_of(client, concept):
    """Return the parent of a concept."""
    return (await client.concept(concept)).edges[0].parent


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("holds", "parent", "state"),
    [("the new one", "container", 2), ("what is held", "repo", 3)],
)
async def test_person_decides_what_is_remembered(
    agent, client, mode, holds, parent, state
):
    """The client shows both sides, and the memory does what the person chose."""
    await client.states("gnommoweb -isa repo")
    person = Person(holds)

    async with agent(mode=mode, elicitation_callback=person) as connected:
        told = await connected.call_tool(
            "remember", {"text": "gnommoweb is a container"}
        )

    answer = told.structured_content
    assert answer["decision"] == f"A person decided: {holds}."
    (question,) = person.asked
    assert "Held: gnommoweb -isa repo" in question
    assert "New: gnommoweb -isa container" in question
    assert await parent_of(client, "gnommoweb") == parent
    conflict = await client.conflict(answer["contradictions"][0]["conflict"])
    assert conflict.state == state
    assert conflict.statement_count == 1


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    "person",
    [
        Person("decide later"),
        Person(action="decline"),
        Person(action="cancel"),
        Person("whatever the agent wants"),
    ],
    ids=["later", "declined", "cancelled", "nonsense"],
)
async def test_without_a_decision_it_waits(agent, client, mode, person):
    """The held fact stays, and the conflict is pending."""
    await client.states("gnommoweb -isa repo")

    async with agent(mode=mode, elicitation_callback=person) as connected:
        told = await connected.call_tool(
            "remember", {"text": "gnommoweb is a container"}
        )

    answer = told.structured_content
    assert "waits for a person" in answer["decision"]
    conflict = await client.conflict(answer["contradictions"][0]["conflict"])
    assert conflict.state == 1


async def test_nobody_is_asked_where_nothing_contradicts(agent):
    """A fact is remembered without a question."""
    person = Person("the new one")

    async with agent(elicitation_callback=person) as connected:
        await connected.call_tool("remember", {"text": "gnommoweb is a repo"})

    assert person.asked == []


async def test_decision_needs_the_operators_token(agent, client, tmp_path):
    """If it cannot be read, the person is told where to decide."""
    await client.states("gnommoweb -isa repo")
    callers = LocalCaller(tmp_path / "elsewhere")

    async with agent(callers, elicitation_callback=Person("the new one")) as connected:
        told = await connected.call_tool(
            "remember", {"text": "gnommoweb is a container"}
        )

    assert "no credential" in told.structured_content["decision"]
    assert await parent_of(client, "gnommoweb") == "repo"


@pytest.mark.parametrize("mode", ERAS)
async def test_waiting_contradiction_is_listed_and_resolved(agent, client, mode):
    """By its number; what the agent says about it is shown to the person."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")
    person = Person("the new one")

    async with agent(mode=mode, elicitation_callback=person) as connected:
        listed = await connected.call_tool("conflicts", {"about": "gnommoweb"})
        (waiting,) = listed.structured_content["conflicts"]
        done = await connected.call_tool(
            "resolve", {"conflict": waiting["conflict"], "reason": "It was renamed"}
        )
        left = await connected.call_tool("conflicts", {})
        again = await connected.call_tool("resolve", {"conflict": waiting["conflict"]})

    assert waiting["held"] == "gnommoweb -isa repo"
    assert done.structured_content == {"decision": "A person decided: the new one."}
    assert "The agent says: It was renamed" in person.asked[0]
    assert left.structured_content == {"conflicts": [], "more": False}
    assert "settled already" in again.structured_content["decision"]
    assert await parent_of(client, "gnommoweb") == "container"


async def test_agent_resolves_nothing_by_itself(agent, client):
    """A client that cannot ask its user is told where a person decides."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")

    async with agent() as connected:
        refused = await connected.call_tool("resolve", {"conflict": 1})

    assert refused.is_error
    assert "festinger inbox" in text_of(refused)
    assert (await client.conflict(1)).state == 1
