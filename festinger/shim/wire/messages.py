"""/api/chat, /v1/chat/completions, and the parts of all formats with messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from festinger.shim.recollection.jsontext import Path, dump
from festinger.shim.recollection.segments import (
    ROLES,
    BodyPlace,
    ClientMessage,
    ParsedPrompt,
    SegmentRole,
    SystemPlace,
    SystemTextCreation,
    read_segments,
)
from festinger.shim.wire.unchanged import (
    ForwardUnchanged,
    check_count,
    model_of,
    text_of,
)

# Members that are read of a body; see `model_of`.
_KNOWN = frozenset({"model", "messages"})
_TEXT = frozenset({"text"})


def read_chat(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of `/api/chat`, where a content is a string."""
    return _read(body, _string)


def read_chat_completions(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of `/v1/chat/completions`, with lists of parts as well."""
    return _read(body, read_parts)


def _read(
    body: dict[str, Any],
    content: Callable[[Any, Path], tuple[str, BodyPlace | None]],
) -> ParsedPrompt:
    model = model_of(body, _KNOWN)
    listed = list_of(body.get("messages"))
    # All roles before any content: one malformed message leaves the request unchanged.
    names = [name_of(item) for item in listed]
    messages = []
    for index, (item, name) in enumerate(zip(listed, names, strict=True)):
        # The path leads to the content itself, so that a block can be spliced in there.
        text, place = content(item.get("content"), ("messages", index, "content"))
        calls = dump(calls) if (calls := item.get("tool_calls")) else ""
        messages.append(ClientMessage(role_of(name), text, place, calls))
    return ParsedPrompt(model, read_segments(messages), system_of(names, messages))


def list_of(value: Any) -> list[Any]:
    """Return a value that is a list of messages.

    Raises:
        ForwardUnchanged: The list is absent, empty or too long, or the value is no list.
    """
    if value is None or value == []:
        raise ForwardUnchanged("empty")  # loads or unloads the model
    if not isinstance(value, list):
        raise ForwardUnchanged("unreadable")
    check_count(value)
    return value


def name_of(item: Any) -> str:
    """Return the role that a message must name, in lower case."""
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
        kinds: The types of parts that hold text.

    Raises:
        ForwardUnchanged: The content is malformed.
    """
    if not isinstance(value, list):
        return _string(value, path)
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


def _string(value: Any, path: Path) -> tuple[str, BodyPlace | None]:
    # None: a message of tool calls, which has no place for a block.
    return text_of(value), None if value is None else BodyPlace(path)


def system_of(
    names: Sequence[str], messages: Sequence[ClientMessage], field: str | None = None
) -> SystemPlace:
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
