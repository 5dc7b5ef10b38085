"""Common behaviour of the adapters for agents' frameworks; it needs none of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import pytest

from festinger.adapters import AgentMemory, Contradicted, ContradictionError
from festinger.client import Client
from festinger.errors import InvalidArgument, Unauthenticated
from tests import serving


@pytest.fixture
def found() -> list[Contradicted]:
    """The contradictions that prompts stated."""
    return []


@pytest.fixture
def memory(client: serving.Client, found: list[Contradicted]) -> Iterator[AgentMemory]:
    """The memory of a project."""
    with Client(client.address, token="shim", person="nadia") as blocking:
        yield AgentMemory(blocking, project="shop", on_contradiction=found.append)


async def test_search_returns_lines_with_provenance(memory):
    """A sentence is found by its words, with its speaker, place and time."""
    await asyncio.to_thread(memory.tell, "The stock file arrives at 05:40.")

    every = await asyncio.to_thread(memory.search, "stock file")

    line = next(it for it in every if it.kind == "utterance")
    assert line.quote == "The stock file arrives at 05:40."
    assert line.provenance["project"] == "shop"
    assert line.provenance["speaker"] == "nadia"
    assert line.provenance["time"]


async def test_search_leaves_out_other_projects(memory):
    """Sentences of another project are not found; facts are everybody's."""
    elsewhere = memory.scoped(project="bakery")
    await asyncio.to_thread(elsewhere.tell, "Nobody likes the oven of gnommoweb.")
    await asyncio.to_thread(memory.client.assert_fact, "gnommoweb -isa repo")

    found = await asyncio.to_thread(memory.search, "gnommoweb")

    assert [it.text for it in found] == ["gnommoweb: [type] repo"]


async def test_limit_is_judged_by_the_server(memory):
    """None is at least one line; a negative one is refused, as by the client."""
    await asyncio.to_thread(memory.tell, "The stock file arrives at 05:40.")
    everywhere = memory.scoped(project="")

    assert len(await asyncio.to_thread(memory.search, "stock file", 0)) == 1
    with pytest.raises(InvalidArgument):
        await asyncio.to_thread(everywhere.search, "stock file", -1)


async def test_contradiction_is_raised(memory):
    """With both sides and the number of the conflict; what was held stays."""
    told = await asyncio.to_thread(memory.tell, "Gnommoweb is a repo.")

    with pytest.raises(ContradictionError) as caught:
        await asyncio.to_thread(memory.tell, "Gnommoweb is a container.")

    assert told.facts == ("gnommoweb [type] repo",)
    (contradiction,) = caught.value.contradictions
    assert contradiction.held == "gnommoweb [type] repo"
    assert contradiction.told == "gnommoweb [type] container"
    assert contradiction.conflict_id == 1


async def test_prompt_is_told_and_teaches_once(memory, found):
    """A contradiction in a prompt is reported once, however often the prompt is sent."""
    await asyncio.to_thread(memory.tell, "Gnommoweb is a repo.")

    text = "Gnommoweb is a container."
    first = await asyncio.to_thread(memory.recollect, text, session="chat")
    again = await asyncio.to_thread(memory.recollect, text, session="chat")

    assert "gnommoweb: [type?] repo — conflict pending" in again.block
    assert first.contradictions == tuple(found)
    assert [it.told for it in found] == ["gnommoweb [type] container"]
    assert again.contradictions == ()


async def test_message_with_a_secret_is_not_quoted_back(memory):
    """Messages of a conversation are told in other ones only."""
    said = "The password is hunter2Zx9! The stock file of the depot arrives at 05:40."
    question = "When does the stock file of the depot arrive?"
    await asyncio.to_thread(memory.recollect, said, session="chat")
    # Committed behind what was said before it.
    await asyncio.to_thread(memory.tell, "Gnommoweb is a repo.")

    def asked(session):
        return memory.recollect(question, earlier=[said], session=session).block

    assert "05:40" in await asyncio.to_thread(asked, "other")
    assert await asyncio.to_thread(asked, "chat") == ""


async def test_contradiction_is_logged_without_its_words(client, caplog):
    """A contradiction that nobody else is told of is logged."""
    with Client(client.address) as blocking, caplog.at_level(logging.WARNING):
        memory = AgentMemory(blocking)
        await asyncio.to_thread(memory.tell, "Gnommoweb is a repo.")
        await asyncio.to_thread(memory.recollect, "Gnommoweb is a container.")

    assert caplog.messages == ["a prompt contradicts what is held: see the inbox"]


async def test_session_may_have_any_name(memory):
    """Frameworks name conversations as they like."""
    await asyncio.to_thread(memory.tell, "Gnommoweb is a repo.")

    told = await asyncio.to_thread(
        memory.recollect, "What is gnommoweb?", session="chat/ñ 7 " * 40
    )

    assert "gnommoweb: [type] repo" in told.block


async def test_slow_server_leaves_prompts_alone(client, door):
    """An agent waits no longer than its client says; a server that refuses stops it."""
    with Client(client.address, timeout=0.5) as hasty:
        told = await asyncio.to_thread(AgentMemory(hasty).recollect, "What is zork?")
    with (
        Client(client.address, token="nobody") as stranger,
        pytest.raises(Unauthenticated),
    ):
        await asyncio.to_thread(AgentMemory(stranger).recollect, "What is zork?")

    assert told.block == ""


def test_absent_server_leaves_prompts_alone(caplog):
    """There is nothing to tell, and the log says why."""
    with Client("127.0.0.1:1", timeout=3) as away, caplog.at_level(logging.WARNING):
        assert AgentMemory(away).recollect("Where is zork?").block == ""

    assert "no memory server at 127.0.0.1:1" in caplog.text
