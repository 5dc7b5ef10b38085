"""Common parts of the formats that hold a list of messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from festinger.shim.recollection.jsontext import Path, dump
from festinger.shim.recollection.segments import (
    ROLES,
    BlockPosition,
    BodyPlace,
    ClientMessage,
    ParsedPrompt,
    SegmentRole,
    SystemTextCreation,
    read,
)
from festinger.shim.wire.unchanged import (
    ForwardUnchanged,
    check_count,
    check_keys,
    model_of,
    text_of,
)

ContentReader = Callable[[Any, Path], tuple[str, BodyPlace | None]]
"""Returns the text of a message's content and the place of a block before it."""

# Members that this parser reads; see `check_keys`.
_KNOWN = frozenset({"model", "messages"})
_TEXT = frozenset({"text"})


def read_messages(body: dict[str, Any], content: ContentReader) -> ParsedPrompt:
    """Return the parsed prompt of `/api/chat` or `/v1/chat/completions`.

    Raises:
        Untouched: The request must be forwarded unchanged.
    """
    check_keys(body, _KNOWN)
    model = model_of(body)
    listed = list_of(body.get("messages"))
    # All roles before any content: one malformed message leaves the request unchanged.
    names = [name_of(item) for item in listed]
    messages = [
        _message(item, name, index, content)
        for index, (item, name) in enumerate(zip(listed, names, strict=True))
    ]
    return ParsedPrompt(model, tuple(read(messages)), system_of(names, messages))


def list_of(value: Any) -> list[Any]:
    """Return a value that is a list of messages.

    Raises:
        Untouched: The list is absent, empty or too long, or the value is no list.
    """
    if value is None or value == []:
        raise ForwardUnchanged("empty")  # loads or unloads the model
    if not isinstance(value, list):
        raise ForwardUnchanged("unreadable")
    check_count(value)
    return value


def name_of(item: Any) -> str:
    """Return the role that a message names, in lower case.

    Raises:
        Untouched: It names none.
    """
    if not isinstance(item, dict) or not isinstance(item.get("role"), str):
        raise ForwardUnchanged("unreadable")
    # Ollama accepts `User` as well.
    name: str = item["role"]
    return name.lower()


def role_of(name: str) -> SegmentRole:
    """Return the role for a name; `SYSTEM`, which states no facts, if it is unknown."""
    return ROLES.get(name, SegmentRole.SYSTEM)


def read_parts(
    value: Any, path: Path, kinds: frozenset[str] = _TEXT
) -> tuple[str, BodyPlace | None]:
    """Return the text of a content, and the place of a block before it.

    Args:
        value: The content: a string or a list of parts.
        path: Path of the content in the body.
        kinds: The types of parts that hold text.

    Raises:
        Untouched: The content is malformed.
    """
    # None: a message of tool calls, which has no place for a block.
    if not isinstance(value, list):
        return text_of(value), None if value is None else BodyPlace(path)
    texts: list[str] = []
    place = None
    length = 0
    # `length`: offset of the part in the joined text, with the newlines between parts.
    for index, part in enumerate(value):
        if not isinstance(part, dict):
            raise ForwardUnchanged("unreadable")
        if part.get("type") not in kinds:
            continue  # an image
        text = text_of(part.get("text"))
        if isinstance(part.get("text"), str):
            # Ollama may turn each part into a message: a block before the text goes
            # into the first part, one after it into the last.
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
) -> BodyPlace | BlockPosition | SystemTextCreation:
    """Return the start of the system text, or how to create one.

    Args:
        field: Member of the body for a created system text; None for a message.
    """
    # A developer message holds the system text only if there is no system message.
    for wanted in ("system", "developer"):
        for name, message in zip(names, messages, strict=True):
            if name == wanted and message.place:
                return message.place
    # Ollama checks only the first message to decide on the model's own SYSTEM.
    return SystemTextCreation(field, hides_modelfile=names[0] != "system")


def _message(
    item: dict[str, Any], name: str, index: int, content: ContentReader
) -> ClientMessage:
    role = role_of(name)
    # The path leads to the content itself, so that a block can be spliced in there.
    text, place = content(item.get("content"), ("messages", index, "content"))
    calls = item.get("tool_calls")
    return ClientMessage(role, text, place, calls=dump(calls) if calls else "")
