"""What `/api/chat` and `/v1/chat/completions` have in common: a list of messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from festinger.shim.jsontext import Path, dump
from festinger.shim.segments import (
    ROLES,
    Creation,
    Message,
    Place,
    Prompt,
    Role,
    read,
)
from festinger.shim.wire.untouched import (
    Untouched,
    check_count,
    check_keys,
    model_of,
)

ContentReader = Callable[[Any, Path], tuple[str, Place | None]]
"""Reads a message's content: its text, and where a block before it goes."""

_KNOWN = frozenset({"model", "messages"})


def read_messages(body: dict[str, Any], content: ContentReader) -> Prompt:
    """Reads a request that holds messages.

    Args:
        body: The request.
        content: How the `content` of a message is read.
    """
    check_keys(body, _KNOWN)
    model = model_of(body)
    listed = body.get("messages")
    if listed is None or listed == []:
        raise Untouched("empty")  # loads or unloads the model
    if not isinstance(listed, list):
        raise Untouched("unreadable")
    check_count(listed)
    messages = [_message(item, i, content) for i, item in enumerate(listed)]
    return Prompt(model, tuple(read(messages)), _system(messages, listed))


def _message(item: Any, index: int, content: ContentReader) -> Message:
    if not isinstance(item, dict) or not isinstance(item.get("role"), str):
        raise Untouched("unreadable")
    role = ROLES.get(item["role"].lower(), Role.SYSTEM)
    text, place = content(item.get("content"), ("messages", index, "content"))
    calls = item.get("tool_calls")
    return Message(role, text, place, calls=dump(calls) if calls else "")


def _system(messages: list[Message], listed: list[Any]) -> Place | Creation:
    # A developer message is one only where there is no system message.
    for name in ("system", "developer"):
        for message, item in zip(messages, listed, strict=True):
            if item["role"].lower() == name and message.place:
                return message.place
    # Ollama looks at the first message alone to decide on the model's own SYSTEM.
    return Creation(hides_modelfile=listed[0]["role"].lower() != "system")
