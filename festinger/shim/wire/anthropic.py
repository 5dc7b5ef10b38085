"""POST /v1/messages: `system` beside the messages, and content in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from festinger.shim.recollection.jsontext import Path, dump
from festinger.shim.recollection.segments import (
    BlockPosition,
    BodyPlace,
    ClientMessage,
    ParsedPrompt,
    SegmentRole,
    SystemPlace,
    SystemTextCreation,
    read_segments,
)
from festinger.shim.wire.messages import list_of, name_of, read_parts, role_of
from festinger.shim.wire.unchanged import (
    ForwardUnchanged,
    check_count,
    model_of,
    text_of,
)

_KNOWN = frozenset({"model", "system", "messages"})
_FIELD = "system"


def read(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of a request."""
    model = model_of(body, _KNOWN)
    listed = list_of(body.get("messages"))
    system = body.get(_FIELD)
    messages = list(_content(SegmentRole.SYSTEM, system, (_FIELD,)))
    for index, item in enumerate(listed):
        role, path = role_of(name_of(item)), ("messages", index, "content")
        messages += _content(role, item.get("content"), path)
    check_count(messages)
    # A list of blocks gets a block of its own, a string is extended, else one is created.
    place: SystemPlace
    if isinstance(system, list):
        place = BlockPosition((_FIELD,))
    elif system:
        place = BodyPlace((_FIELD,))
    else:
        # Ollama puts `system` before the messages, of which the first may be a system one.
        place = SystemTextCreation(
            _FIELD, hides_modelfile=name_of(listed[0]) != "system"
        )
    return ParsedPrompt(model, read_segments(messages), place)


def _content(role: SegmentRole, value: Any, path: Path) -> Iterator[ClientMessage]:
    """Yield a message for a string, or for each block with text or a tool call."""
    if not isinstance(value, list):
        if text := text_of(value):
            yield ClientMessage(role, text, BodyPlace(path))
        return
    for index, block in enumerate(value):
        kind = block.get("type") if isinstance(block, dict) else None
        # Anthropic's blocks all name their type; Ollama refuses others itself.
        if not isinstance(kind, str):
            raise ForwardUnchanged("unreadable")
        if kind == "text":
            yield ClientMessage(
                role, text_of(block.get("text")), BlockPosition(path, index)
            )
        # Also `web_search_tool_result`, and below `server_tool_use`.
        elif kind.endswith("tool_result"):
            yield ClientMessage(
                SegmentRole.TOOL, _result(block.get("content"), path), None
            )
        elif kind.endswith("tool_use"):
            yield ClientMessage(SegmentRole.ASSISTANT, "", None, calls=dump(block))


def _result(value: Any, path: Path) -> str:
    if isinstance(value, dict):
        return ""  # an error's code
    text, _ = read_parts(value, path)
    return text
