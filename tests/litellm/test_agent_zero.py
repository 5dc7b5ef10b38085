"""A conversation of Agent Zero, through LiteLLM.

User text and tool results are JSON in the user role. `[EXTRAS]`, with the time to the
second, hangs on the last message of each request and is gone from it in the next.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.litellm.conftest import Festinger
from tests.litellm.driver import LiteLLM, Provider
from tests.litellm.test_telling import BLOCK

pytestmark = pytest.mark.asyncio(loop_scope="session")

SYSTEM = (
    "You are a helpful agent. Respond only in JSON with thoughts, tool_name and "
    "tool_args. memory_load is a tool that loads memories.\n\n# Tools\n"
    "code_execution_tool is a tool for terminals."
)
ASKED = "gnommoweb is a repo of Glitch University. Please update its README."
CONTRADICTION = "Gnommoweb is a container of Glitch University"


def asked(text: str) -> str:
    """Return the text that a person wrote."""
    return json.dumps({"system_message": [], "user_message": text, "attachments": []})


def called(thought: str, code: str) -> str:
    """Return a call of the agent's."""
    return json.dumps(
        {
            "thoughts": [thought],
            "headline": "Looking",
            "tool_name": "code_execution_tool",
            "tool_args": {"runtime": "terminal", "code": code},
        }
    )


def result(text: str) -> str:
    """Return the result of a tool."""
    return json.dumps({"tool_name": "code_execution_tool", "tool_result": text})


def extras(seconds: int) -> str:
    """Return the additions to the last message."""
    now = f"- current datetime: 2026-11-21 20:12:{seconds}+00:00"
    values = {
        "current_datetime": f"# Current system date and time of user\n{now}",
        "agent_info": "# Agent info\nA flumbox is a repo.\nProfile: agent0",
    }
    return f"\n[EXTRAS]\n{json.dumps(values, indent=None)}"


CONVERSATION = (
    asked(ASKED),
    called("A grobnik is a server, I should look at it.", "ls gnommoweb"),
    result("README.md\ncompose.yaml"),
    called("The README is there.", "cat gnommoweb/README.md"),
    result(CONTRADICTION),
)

MET = {
    "gnommoweb": 2,  # once by the user, once by a tool
    "glitch_university": 2,
    "compose.yaml": 1,
}
NOT_MET = (
    "memory_load",  # the system prompt
    "code_execution_tool",
    "grobnik",  # thoughts
    "headline",
    "flumbox",  # EXTRAS
    "agent0",
    "current_datetime",
    "user_message",  # the envelope
    "tool_result",
)


def request(conversation: tuple[str, ...], seconds: int) -> dict[str, Any]:
    """Return a request: user and assistant in turn."""
    messages = [{"role": "system", "content": SYSTEM}]
    for number, text in enumerate(conversation):
        role = "assistant" if number % 2 else "user"
        messages.append({"role": role, "content": text})
    messages[-1]["content"] += extras(seconds)
    return {"messages": messages, "stream": True, "temperature": 0, "num_ctx": 8192}


def requests() -> list[dict[str, Any]]:
    """Return the three requests of the conversation."""
    turns = ((1, 33), (3, 41), (5, 50))
    return [request(CONVERSATION[:count], seconds) for count, seconds in turns]


@pytest.mark.parametrize("function", ["completion", "acompletion"])
async def test_conversation_teaches_once(
    litellm: LiteLLM, festinger: Festinger, provider: Provider, function: str
) -> None:
    """The user's fact is held; the tool's contradiction waits for a person."""
    for request in requests():
        answer = await litellm.ask(function, **provider.at(festinger.url), **request)
        await festinger.written()
        assert answer.error is None

    fact = ("gnommoweb", "repo", "glitch_university")
    candidate = ("gnommoweb", "container", "glitch_university")
    assert await festinger.facts() == [fact]
    assert await festinger.candidates() == [candidate]
    assert await festinger.conflicts() == []


async def test_words_are_met_once(
    litellm: LiteLLM, festinger: Festinger, provider: Provider
) -> None:
    """The history, sent again with each request, counts once; what surrounds it, never."""
    for request in requests():
        await litellm.ask("completion", **provider.at(festinger.url), **request)

    counted = {word: await festinger.encounters(word) for word in (*MET, *NOT_MET)}
    assert counted == MET | dict.fromkeys(NOT_MET, 0)


async def test_gutask_knows_it(
    litellm: LiteLLM, festinger: Festinger, provider: Provider
) -> None:
    """A shell is told what the agent's user said, and who said it."""
    first, *_ = requests()
    await litellm.ask("completion", **provider.at(festinger.url), **first)
    await festinger.written()
    known = await festinger.gutask("whatis", "gnommoweb")

    [edge] = known["edges"]
    assert (edge["parent"], edge["dimension"]) == ("repo", "glitch_university")
    assert edge["source"] == "inferred"


async def test_conversation_is_told(
    litellm: LiteLLM, festinger: Festinger, provider: Provider
) -> None:
    """
    After tools' results nothing is added; the fact is told with the user's next
    message, before its EXTRAS, and all else arrives as it was sent.
    """
    question = asked("Is gnommoweb done?")
    more = request((*CONVERSATION, "I am looking.", question), 59)
    for each in (*requests(), more):
        for url in (festinger.ollama.url, festinger.url):
            await litellm.ask("completion", **provider.at(url), **each)
            await festinger.written()

    *first, last = zip(*[iter(festinger.ollama.prompts)] * 2, strict=True)
    for alone, behind in first:
        assert behind.body == alone.body
    alone, behind = last
    untold, told = (json.dumps(it)[1:-1] for it in (question, f"{question}\n\n{BLOCK}"))
    assert json.dumps(behind.json) == json.dumps(alone.json).replace(untold, told)
