"""How a request carries its history: five wire formats, read as one list of entries.

Ollama's and OpenAI's messages with `tool_calls`, Anthropic's content blocks, the items
of OpenAI's responses, and LiteLLM's flattened prompt, in which Agent Zero and LiteLLM
write calls as text. An entry is opened only when somebody asks what it says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from festinger.shim.recollection import agent_zero
from festinger.shim.recollection.agent_zero import Call as Notation
from festinger.shim.recollection.flattened import is_flattened, sections
from festinger.shim.recollection.jsontext import Path, dump
from festinger.shim.recollection.segments import ROLES, Place, Role

_DECODER: Final = json.JSONDecoder()
_CALLS_HEADING: Final = "Tool Calls: ["
_TEXT_TYPES: Final = frozenset({"text", "input_text", "output_text"})
_THOUGHT_TYPES: Final = frozenset({"thinking", "redacted_thinking", "reasoning"})


class Call(NamedTuple):
    """A call of a tool."""

    name: str
    arguments: Any


class Said(NamedTuple):
    """What an assistant's entry says.

    Attributes:
        notation: Whether the calls were written as text, and how.
    """

    text: str
    calls: tuple[Call, ...]
    notation: Notation = Notation.NONE


class Heard(NamedTuple):
    """A part of what came back: a user's text, a tool's result, a warning.

    Attributes:
        failed: True if the wire format says so.
    """

    role: Role
    text: str
    failed: bool = False


@dataclass(eq=False)
class Entry:
    """A message, an item or a section.

    Attributes:
        role: Who speaks, as the wire format has it.
        value: The object, or the section's text.
        start: Its index in the list, or where its heading starts in the prompt.
    """

    role: Role
    value: Any
    start: int

    @cached_property
    def said(self) -> Said:
        """What it says, as an assistant's."""
        if isinstance(self.value, str):
            return _written(self.value)
        calls = tuple(_calls(self.value))
        text = "\n".join(h.text for h in _contents(self.value, Role.ASSISTANT))
        return Said(text, calls) if calls else _written(text)

    def heard(self, notation: Notation) -> list[Heard]:
        """What it says, as anybody else's.

        Args:
            notation: How the assistant before it calls tools.
        """
        if isinstance(self.value, str):
            if notation is Notation.PLAIN:
                return [Heard(Role.TOOL, self.value)]
            return list(_opened(self.value, notation))
        parts: list[Heard] = []
        for part in _contents(self.value, self.role):
            opens = part.role is Role.USER
            parts += _opened(part.text, Notation.NONE) if opens else [part]
        return parts


@dataclass(frozen=True)
class Conversation:
    """The history of a request.

    Attributes:
        path: Leads to the list of entries, or to the flattened prompt.
        entries: Without system messages, oldest first.
        flattened: True if they are sections of one prompt.
    """

    path: Path
    entries: tuple[Entry, ...]
    flattened: bool = False


def read(body: dict[str, Any]) -> Conversation:
    """Reads the history of a request; it is empty where there is none."""
    for key in ("messages", "input"):
        if isinstance(listed := body.get(key), list):
            entries = (
                Entry(_role(item), item, index)
                for index, item in enumerate(listed)
                if isinstance(item, dict)
            )
            return Conversation((key,), _spoken(entries))
    prompt = body.get("prompt")
    if isinstance(prompt, str) and is_flattened(prompt):
        found = (
            Entry(m.role, m.text, m.place.offset - len(f"### {m.role}:\n"))
            for m in sections(prompt)
            if isinstance(m.place, Place)
        )
        return Conversation(("prompt",), _spoken(found), flattened=True)
    return Conversation((), ())


def _spoken(entries: Iterator[Entry]) -> tuple[Entry, ...]:
    """Without system messages, which are no part of what is said in turn."""
    return tuple(entry for entry in entries if entry.role is not Role.SYSTEM)


def _role(item: dict[str, Any]) -> Role:
    name = item.get("role")
    if isinstance(name, str):
        return ROLES.get(name.lower(), Role.SYSTEM)
    kind = str(item.get("type", ""))  # an item of /v1/responses
    return Role.TOOL if kind.endswith("_output") else Role.ASSISTANT


def _calls(item: dict[str, Any]) -> Iterator[Call]:
    """The native calls of a message or item."""
    for call in _objects(item.get("tool_calls")):
        function = call.get("function", call)
        if isinstance(function, dict):
            yield _call(function.get("name"), function.get("arguments"))
    for block in _objects(item.get("content")):
        if block.get("type") == "tool_use":
            yield _call(block.get("name"), block.get("input"))
    if "role" not in item and str(item.get("type", "")).endswith("_call"):
        yield _call(item.get("name", item.get("type")), item.get("arguments"))


def _call(name: Any, arguments: Any) -> Call:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return Call(str(name), arguments)
    return Call(str(name), arguments)


def _contents(item: dict[str, Any], role: Role) -> Iterator[Heard]:
    """The parts of a message's content; images count as what they are written as."""
    content = item.get("content", item.get("output"))
    if isinstance(content, str):
        yield Heard(role, content)
    for part in _objects(content):
        kind = part.get("type")
        if kind in _TEXT_TYPES:
            yield Heard(role, str(part.get("text")))
        elif kind == "tool_result":
            text = "\n".join(heard.text for heard in _contents(part, Role.TOOL))
            yield Heard(Role.TOOL, text, failed=part.get("is_error") is True)
        elif role is not Role.ASSISTANT and kind not in _THOUGHT_TYPES:
            yield Heard(Role.TOOL, dump(part))
    if role is not Role.ASSISTANT and item.get("images"):
        yield Heard(Role.TOOL, dump(item["images"]))


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (part for part in value if isinstance(part, dict))


def _opened(text: str, notation: Notation) -> Iterator[Heard]:
    """A user's text, out of Agent Zero's envelopes."""
    for part in agent_zero.open_message(text):
        role = ROLES[part.role]
        if not part.enveloped and notation is Notation.AGENT_ZERO:
            role = Role.TOOL
        yield Heard(role, part.text)


def _written(text: str) -> Said:
    """Calls that are written as text: by Agent Zero, by LiteLLM."""
    said, notation = agent_zero.open_answer(text)
    if notation is Notation.PLAIN and (start := text.find(_CALLS_HEADING)) >= 0:
        listed = _decoded(text, start + len(_CALLS_HEADING) - 1)
        if calls := tuple(_calls({"tool_calls": listed})):
            return Said(said, calls, notation)
    # Models put a fence or a sentence before the object; Agent Zero reads it still.
    value = _decoded(text, text.find("{")) if '"' in text else None
    if isinstance(value, dict):
        if notation is Notation.PLAIN and "arguments" in value:
            return Said("", (_call(value.get("name"), value["arguments"]),), notation)
        name = value.get("tool_name")
        if isinstance(name, str) and name != "response":
            called = Call(name, value.get("tool_args"))
            return Said("", (called,), Notation.AGENT_ZERO)
    return Said(said or text, (), notation)


def _decoded(text: str, start: int) -> Any:
    if start < 0:
        return None
    try:
        return _DECODER.raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None
