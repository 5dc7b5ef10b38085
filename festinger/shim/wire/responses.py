"""POST /v1/responses: `instructions`, and an `input` of one string or of items."""

from __future__ import annotations

from typing import Any

from festinger.shim.recollection.jsontext import Path, dump
from festinger.shim.recollection.segments import (
    BodyPlace,
    ClientMessage,
    ParsedPrompt,
    SegmentRole,
    SystemPlace,
    read_segments,
)
from festinger.shim.wire.messages import (
    list_of,
    name_of,
    read_parts,
    role_of,
    system_of,
)
from festinger.shim.wire.unchanged import (
    ForwardUnchanged,
    model_of,
    text_of,
)

_KNOWN = frozenset({"model", "instructions", "input"})
_TEXTS = frozenset({"input_text", "output_text", "text"})
_FIELD = "instructions"

_Named = tuple[str, ClientMessage]
"""A message, preceded by the role that it names."""


def read(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of a request."""
    model = model_of(body, _KNOWN)
    instructions, given = text_of(body.get(_FIELD)), body.get("input")
    if isinstance(given, str) and given:
        named = [
            ("user", ClientMessage(SegmentRole.USER, given, BodyPlace(("input",))))
        ]
    else:
        # An empty string counts as absent, which `list_of` leaves unchanged.
        listed = list_of(given or None)
        named = [n for i, item in enumerate(listed) for n in _items(item, ("input", i))]
    # Items of other kinds only, such as reasoning.
    if not named:
        raise ForwardUnchanged("empty")
    messages = [message for _, message in named]
    place: SystemPlace = BodyPlace((_FIELD,))
    if instructions:
        messages.insert(
            0, ClientMessage(SegmentRole.SYSTEM, instructions, BodyPlace((_FIELD,)))
        )
    else:
        # Without `instructions` a system or developer item holds the system text.
        place = system_of([name for name, _ in named], messages, _FIELD)
    return ParsedPrompt(model, read_segments(messages), place)


def _items(item: Any, path: Path) -> list[_Named]:
    """Return the message of an item; none for an item of another kind."""
    if not isinstance(item, dict):
        raise ForwardUnchanged("unreadable")
    # The type of a message may be left out.
    kind = item.get("type") or "message"
    if not isinstance(kind, str):
        raise ForwardUnchanged("unreadable")
    if kind == "message":
        name = name_of(item)
        text, place = read_parts(item.get("content"), (*path, "content"), _TEXTS)
        return [(name, ClientMessage(role_of(name), text, place))]
    # `function_call_output`, `local_shell_call_output`, `custom_tool_call_output`
    if kind.endswith("_call_output"):
        text, _ = read_parts(item.get("output"), (*path, "output"), _TEXTS)
        return [("tool", ClientMessage(SegmentRole.TOOL, text, None))]
    if kind.endswith("_call"):
        return [
            (
                "assistant",
                ClientMessage(SegmentRole.ASSISTANT, "", None, calls=dump(item)),
            )
        ]
    return []  # reasoning, references to stored items
