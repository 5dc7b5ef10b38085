"""Conversations as scripts, and how each client writes them on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SYSTEM = "You are a helpful agent with tools."


class Step:
    """Something in a conversation."""


@dataclass(frozen=True)
class User(Step):
    """The user, or a framework in the user's name, says something."""

    text: str


@dataclass(frozen=True)
class Say(Step):
    """The assistant answers without a call."""

    text: str


@dataclass(frozen=True)
class Do(Step):
    """The assistant calls a tool, several times if it likes, and gets results."""

    name: str
    arguments: Any
    result: str
    times: int = 1
    failed: bool = False


Script = list[Step]


def requests(script: Script) -> list[Script]:
    """
    The scripts of all the requests that led to this one: after each user's message
    and each result.
    """
    return [
        script[: end + 1]
        for end, step in enumerate(script)
        if not isinstance(step, Say)
    ]


def _messages(script: Script, call: Callable[[Do, int], list[Any]]) -> list[Any]:
    messages: list[Any] = [{"role": "system", "content": SYSTEM}]
    for number, step in enumerate(script):
        if isinstance(step, Do):
            messages += call(step, number)
        elif isinstance(step, User | Say):
            role = "user" if isinstance(step, User) else "assistant"
            messages.append({"role": role, "content": step.text})
    return messages


def ollama(script: Script) -> dict[str, Any]:
    """As the official client writes it to /api/chat."""

    def call(step: Do, number: int) -> list[Any]:
        calls = [{"function": {"name": step.name, "arguments": step.arguments}}]
        return [
            {
                "role": "assistant",
                "content": f"Thought {number}.",
                "tool_calls": calls * step.times,
            },
            *[{"role": "tool", "content": step.result, "tool_name": step.name}]
            * step.times,
        ]

    return {"model": "m", "messages": _messages(script, call), "stream": False}


def openai(script: Script) -> dict[str, Any]:
    """As the openai package writes it to /v1/chat/completions."""

    def call(step: Do, number: int) -> list[Any]:
        written = json.dumps(step.arguments, indent=number % 3)
        ids = [f"call_{number}_{time}" for time in range(step.times)]
        function = {"name": step.name, "arguments": written}
        calls = [{"id": i, "type": "function", "function": function} for i in ids]
        return [
            {"role": "assistant", "tool_calls": calls},
            *({"role": "tool", "tool_call_id": i, "content": step.result} for i in ids),
        ]

    return {"model": "m", "messages": _messages(script, call)}


def anthropic(script: Script) -> dict[str, Any]:
    """As the anthropic package writes it to /v1/messages."""

    def call(step: Do, number: int) -> list[Any]:
        ids = [f"toolu_{number}_{time}" for time in range(step.times)]
        uses = [
            {"type": "tool_use", "id": i, "name": step.name, "input": step.arguments}
            for i in ids
        ]
        results = [
            {
                "type": "tool_result",
                "tool_use_id": i,
                "content": [{"type": "text", "text": step.result}],
                **({"is_error": True} if step.failed else {}),
            }
            for i in ids
        ]
        thought = {"type": "text", "text": f"Thought {number}."}
        return [
            {"role": "assistant", "content": [thought, *uses]},
            {"role": "user", "content": results},
        ]

    messages = _messages(script, call)[1:]
    return {"model": "m", "system": SYSTEM, "messages": messages, "max_tokens": 9}


def responses(script: Script) -> dict[str, Any]:
    """As the openai package writes it to /v1/responses."""

    def call(step: Do, number: int) -> list[Any]:
        written = json.dumps(step.arguments)
        ids = [f"call_{number}_{time}" for time in range(step.times)]
        head = {"type": "function_call", "name": step.name, "arguments": written}
        return [
            *({**head, "call_id": i} for i in ids),
            *(
                {"type": "function_call_output", "call_id": i, "output": step.result}
                for i in ids
            ),
        ]

    messages = _messages(script, call)[1:]
    return {"model": "m", "instructions": SYSTEM, "input": messages}


def agent_zero(script: Script) -> dict[str, Any]:
    """As Agent Zero has LiteLLM write it to /api/generate."""
    sections = [("System", SYSTEM)]
    for number, step in enumerate(script):
        if isinstance(step, User):
            sections.append(("User", json.dumps({"user_message": step.text})))
            continue
        name, arguments = "response", {"text": getattr(step, "text", "")}
        if isinstance(step, Do):
            name, arguments = step.name, step.arguments
        called = {
            "thoughts": [f"Thought {number}."],
            "headline": f"Step {number}",
            "tool_name": name,
            "tool_args": arguments,
        }
        sections.append(("Assistant", json.dumps(called)))
        if isinstance(step, Do):
            result = {"tool_name": name, "tool_result": step.result}
            sections.append(("User", json.dumps(result)))
    time = json.dumps({"current_datetime": f"2026-11-21 20:12:{len(script) % 60:02}"})
    role, text = sections.pop()
    return _flattened([*sections, (role, f"{text}\n[EXTRAS]\n{time}")])


def litellm(script: Script) -> dict[str, Any]:
    """As LiteLLM writes native calls into a flattened prompt."""
    sections = [("System", SYSTEM)]
    for number, step in enumerate(script):
        if isinstance(step, User | Say):
            role = "User" if isinstance(step, User) else "Assistant"
            sections.append((role, step.text))
        if not isinstance(step, Do):
            continue
        call = {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": step.name, "arguments": step.arguments},
        }
        calls = json.dumps([call] * step.times, indent=2)
        sections.append(("Assistant", f"Tool Calls: {calls}"))
        sections.append(("User", step.result))
    return _flattened(sections)


def _flattened(sections: list[tuple[str, str]]) -> dict[str, Any]:
    merged: list[tuple[str, str]] = []
    for role, text in sections:
        if merged and merged[-1][0] == role == "User":
            text = f"{merged.pop()[1]}\n{text}"
        merged.append((role, text))
    prompt = "".join(f"### {role}:\n{text}\n\n" for role, text in merged)
    return {"model": "m", "prompt": prompt, "stream": False, "options": {}}


DIALECTS: dict[str, tuple[str, Callable[[Script], dict[str, Any]]]] = {
    "ollama": ("/api/chat", ollama),
    "openai": ("/v1/chat/completions", openai),
    "anthropic": ("/v1/messages", anthropic),
    "responses": ("/v1/responses", responses),
    "agent_zero": ("/api/generate", agent_zero),
    "litellm": ("/api/generate", litellm),
}
"""The route, and how a script is written to it."""
