"""What the formats that hold a list of messages have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from festinger.shim.recollection.jsontext import Path, dump
from festinger.shim.recollection.segments import (
    ROLES,
    BodyPlace,
    ClientMessage,
    Creation,
    ParsedPrompt,
    SegmentRole,
    Slot,
    read,
)
from festinger.shim.wire.untouched import (
    Untouched,
    check_count,
    check_keys,
    model_of,
    text_of,
)

ContentReader = Callable[[Any, Path], tuple[str, BodyPlace | None]]
"""Reads a message's content: its text, and where a block before it goes."""

_KNOWN = frozenset({"model", "messages"})
_TEXT = frozenset({"text"})


def read_messages(body: dict[str, Any], content: ContentReader) -> ParsedPrompt:
    """Reads a request of `/api/chat` or `/v1/chat/completions`.

    Args:
        body: The request.
        content: How the `content` of a message is read.
    """
    check_keys(body, _KNOWN)
    model = model_of(body)
    listed = list_of(body.get("messages"))
    messages = [_message(item, i, content) for i, item in enumerate(listed)]
    names = [name_of(item) for item in listed]
    return ParsedPrompt(model, tuple(read(messages)), system_of(names, messages))


def list_of(value: Any) -> list[Any]:
    """A list of messages that may be absent."""
    if value is None or value == []:
        raise Untouched("empty")  # loads or unloads the model
    if not isinstance(value, list):
        raise Untouched("unreadable")
    check_count(value)
    return value


def name_of(item: Any) -> str:
    """The role of a message as it names itself, in lower case."""
    if not isinstance(item, dict) or not isinstance(item.get("role"), str):
        raise Untouched("unreadable")
    name: str = item["role"]
    return name.lower()


def role_of(name: str) -> SegmentRole:
    """Who speaks under a name; one that nobody knows teaches nothing."""
    return ROLES.get(name, SegmentRole.SYSTEM)


def read_parts(
    value: Any, path: Path, kinds: frozenset[str] = _TEXT
) -> tuple[str, BodyPlace | None]:
    """Reads a content that is a string or a list of parts.

    Args:
        value: The content.
        path: Leads to it.
        kinds: The types of parts that hold text.
    """
    if not isinstance(value, list):
        return text_of(value), None if value is None else BodyPlace(path)
    texts: list[str] = []
    place = None
    length = 0
    for index, part in enumerate(value):
        if not isinstance(part, dict):
            raise Untouched("unreadable")
        if part.get("type") not in kinds:
            continue  # an image
        text = text_of(part.get("text"))
        if isinstance(part.get("text"), str):
            # Each part may become a message of its own: a block joins the first, or
            # the last.
            here = (*path, index, "text")
            place = (
                BodyPlace(here)
                if place is None
                else place._replace(last=(here, length))
            )
        texts.append(text)
        length += len(text) + 1
    return "\n".join(texts), place


def system_of(
    names: Sequence[str], messages: Sequence[ClientMessage], field: str | None = None
) -> BodyPlace | Slot | Creation:
    """Where the system text of a list of messages starts, or how it is made.

    Args:
        names: The roles as the messages name them.
        messages: The messages, one for each name.
        field: The member of the body that would hold it; None if a message would.
    """
    # A developer message is one only where there is no system message.
    for wanted in ("system", "developer"):
        for name, message in zip(names, messages, strict=True):
            if name == wanted and message.place:
                return message.place
    # Ollama looks at the first message alone to decide on the model's own SYSTEM.
    return Creation(field, hides_modelfile=names[0] != "system")


def _message(item: Any, index: int, content: ContentReader) -> ClientMessage:
    role = role_of(name_of(item))
    text, place = content(item.get("content"), ("messages", index, "content"))
    calls = item.get("tool_calls")
    return ClientMessage(role, text, place, calls=dump(calls) if calls else "")
