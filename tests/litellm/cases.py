"""Requests of agents to LiteLLM."""

from __future__ import annotations

from typing import Any

from festinger.standin import StandIn
from tests.litellm.driver import FLATTENED, Provider

REPLY = "one two three"
CALL = ("get_weather", {"city": "Oslo"})
CALL_AS_TEXT = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'

FACT = "gnommoweb is a repo of Glitch University"
TEXT = "Grüß dich 😀 Please deploy gnommoweb."

SYSTEM = {"role": "system", "content": 'You are "brief".\nAnswer in one line.'}
USER = {"role": "user", "content": TEXT}

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Tells the weather.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8"
    "z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)

SCHEMA = {
    "type": "object",
    "properties": {"count": {"type": "integer"}},
    "required": ["count"],
}


def after_tool(result: str) -> dict[str, Any]:
    """Return a request that brings a tool's result."""
    call = {"name": "get_weather", "arguments": '{"city": "Oslo"}'}
    messages = [
        SYSTEM,
        USER,
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": call}],
        },
        {
            "role": "tool",
            "tool_call_id": "call_1",
            "name": "get_weather",
            "content": result,
        },
    ]
    return {"messages": messages, "tools": [TOOL]}


def said(*texts: str, system: dict[str, str] | None = SYSTEM) -> dict[str, Any]:
    """Return a request of user and assistant in turn."""
    messages = [system] if system else []
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        messages.append({"role": role, "content": text})
    return {"messages": messages}


CASES: dict[str, dict[str, Any]] = {
    "plain": said(TEXT),
    "stream": said(TEXT) | {"stream": True},
    "options": said(TEXT)
    | {"temperature": 0.2, "max_tokens": 99, "stop": ["x"], "stream": True},
    "tools": said(TEXT) | {"tools": [TOOL]},
    "tools-stream": said(TEXT) | {"tools": [TOOL], "stream": True},
    "tool-result": after_tool("sunny"),
    "image": {
        "messages": [
            SYSTEM,
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": TEXT},
                    {"type": "image_url", "image_url": {"url": PIXEL}},
                ],
            },
        ]
    },
    "json": said(TEXT) | {"response_format": {"type": "json_object"}},
    "schema": said(TEXT)
    | {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "counted", "strict": True, "schema": SCHEMA},
        }
    },
}
"""The arguments of each, beside those that say where Ollama is."""


def rehearse(ollama: StandIn, provider: Provider, case: str) -> str:
    """Tell the stand-in what to say; return what must be in LiteLLM's answer."""
    ollama.knobs.reply = REPLY
    if not case.startswith("tools"):
        return "three"
    if provider is FLATTENED:
        ollama.knobs.reply = CALL_AS_TEXT  # LiteLLM makes a call of it
    else:
        ollama.knobs.calls = (CALL,)
    return "get_weather"
