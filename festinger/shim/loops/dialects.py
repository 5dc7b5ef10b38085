"""Conversation histories of five wire formats, read as one list of entries.

The formats are Ollama's and OpenAI's messages with `tool_calls`, Anthropic's content
blocks, the items of OpenAI's responses, and LiteLLM's flattened prompt, in which Agent
Zero and LiteLLM write calls as text. The content of an entry is parsed on demand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from festinger.shim.recollection import agent_zero
from festinger.shim.recollection.agent_zero import CallNotation as Notation
from festinger.shim.recollection.flattened import is_flattened, sections
from festinger.shim.recollection.jsontext import Path, dump
from festinger.shim.recollection.segments import ROLES, BodyPlace, SegmentRole

# LiteLLM's notation of native calls in the assistant's text.
_CALLS_HEADING: Final = "Tool Calls: ["
_TEXT_TYPES: Final = frozenset({"text", "input_text", "output_text"})
# What a model thinks differs between repeats, so it is not compared.
_THOUGHT_TYPES: Final = frozenset({"thinking", "redacted_thinking", "reasoning"})


class ToolCall(NamedTuple):
    """A call of a tool."""

    name: str
    arguments: Any


class AssistantText(NamedTuple):
    """Text and tool calls of an assistant's entry.

    Attributes:
        text: The text, without calls that are written as text.
        notation: Notation of calls that are written as text, if they are.
    """

    text: str
    calls: tuple[ToolCall, ...]
    notation: Notation = Notation.NONE


class ReturnedPart(NamedTuple):
    """A user's text, a tool's result or a warning that follows an assistant's message."""

    role: SegmentRole
    text: str
    failed: bool = False


@dataclass(eq=False)
class HistoryEntry:
    """A message, an item or a section.

    Attributes:
        role: Role of its author, according to the wire format.
        value: The object, or the section's text.
        start: Its index in the list, or the offset of its heading in the prompt.
    """

    role: SegmentRole
    value: Any
    start: int

    @cached_property
    def said(self) -> AssistantText:
        """Text and calls of the entry, read as an assistant's."""
        # A section of a flattened prompt, where calls are written as text too.
        if isinstance(self.value, str):
            return _written(self.value)
        calls = tuple(_calls(self.value))
        text = "\n".join(h.text for h in _contents(self.value, SegmentRole.ASSISTANT))
        # Native calls win; else the text may hold one that is written.
        return AssistantText(text, calls) if calls else _written(text)

    def returned(self, notation: Notation) -> list[ReturnedPart]:
        """Return the parts of the entry, read as a user's or a tool's.

        Args:
            notation: Notation of the calls of the assistant's entry before it.
        """
        if isinstance(self.value, str):
            # LiteLLM sends a plain call's result as a user's section, without an envelope.
            if notation is Notation.PLAIN:
                return [ReturnedPart(SegmentRole.TOOL, self.value)]
            return list(_opened(self.value, notation))
        parts: list[ReturnedPart] = []
        for part in _contents(self.value, self.role):
            # Agent Zero puts tool results into the user's role.
            opens = part.role is SegmentRole.USER
            parts += _opened(part.text, Notation.NONE) if opens else [part]
        return parts


@dataclass(frozen=True)
class RequestHistory:
    """The history of a request.

    Attributes:
        entries: The entries without system messages, oldest first.
        flattened: True if the entries are sections of one prompt.
    """

    path: Path
    entries: tuple[HistoryEntry, ...]
    flattened: bool = False


def read(body: dict[str, Any]) -> RequestHistory:
    """Return the history of a request; an empty one if it has none."""
    # `input` as a string, and a plain prompt, have no history.
    for key in ("messages", "input"):
        if isinstance(listed := body.get(key), list):
            entries = (
                HistoryEntry(_role(item), item, index)
                for index, item in enumerate(listed)
                if isinstance(item, dict)
            )
            return RequestHistory((key,), _spoken(entries))
    prompt = body.get("prompt")
    if isinstance(prompt, str) and is_flattened(prompt):
        found = (
            # The entry starts at its heading, so that leaving it out removes that too.
            HistoryEntry(m.role, m.text, m.place.offset - len(f"### {m.role}:\n"))
            for m in sections(prompt)
            if isinstance(m.place, BodyPlace)
        )
        return RequestHistory(("prompt",), _spoken(found), flattened=True)
    return RequestHistory((), ())


def _spoken(entries: Iterator[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    """Return the entries without system messages, which are no part of a turn."""
    return tuple(entry for entry in entries if entry.role is not SegmentRole.SYSTEM)


def _role(item: dict[str, Any]) -> SegmentRole:
    name = item.get("role")
    if isinstance(name, str):
        return ROLES.get(name.lower(), SegmentRole.SYSTEM)
    kind = str(item.get("type", ""))  # an item of /v1/responses
    return SegmentRole.TOOL if kind.endswith("_output") else SegmentRole.ASSISTANT


def _calls(item: dict[str, Any]) -> Iterator[ToolCall]:
    """Yield the native tool calls of a message or item."""
    for call in _objects(item.get("tool_calls")):
        # OpenAI's and Ollama's calls are nested, LiteLLM's written ones may not be.
        function = call.get("function", call)
        if isinstance(function, dict):
            yield _call(function.get("name"), function.get("arguments"))
    for block in _objects(item.get("content")):
        if block.get("type") == "tool_use":
            yield _call(block.get("name"), block.get("input"))
    # An item of /v1/responses: `function_call`, or `web_search_call` without a name.
    if "role" not in item and str(item.get("type", "")).endswith("_call"):
        yield _call(item.get("name", item.get("type")), item.get("arguments"))


def _call(name: Any, arguments: Any) -> ToolCall:
    # OpenAI's arguments are JSON in a string, Ollama's an object: compared as objects.
    if isinstance(arguments, str):
        with suppress(ValueError, RecursionError):
            arguments = json.loads(arguments)
    return ToolCall(str(name), arguments)


def _contents(item: dict[str, Any], role: SegmentRole) -> Iterator[ReturnedPart]:
    """Yield the parts of a message's content; an image is represented by its JSON."""
    # `output`: a call's result in /v1/responses.
    content = item.get("content", item.get("output"))
    if isinstance(content, str):
        yield ReturnedPart(role, content)
    for part in _objects(content):
        kind = part.get("type")
        if kind in _TEXT_TYPES:
            yield ReturnedPart(role, str(part.get("text")))
        elif kind == "tool_result":
            text = "\n".join(each.text for each in _contents(part, SegmentRole.TOOL))
            yield ReturnedPart(
                SegmentRole.TOOL, text, failed=part.get("is_error") is True
            )
        # An image or a document: its JSON tells whether it is the same one.
        elif role is not SegmentRole.ASSISTANT and kind not in _THOUGHT_TYPES:
            yield ReturnedPart(SegmentRole.TOOL, dump(part))
    if role is not SegmentRole.ASSISTANT and item.get("images"):
        yield ReturnedPart(SegmentRole.TOOL, dump(item["images"]))


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (part for part in value if isinstance(part, dict))


def _opened(text: str, notation: Notation) -> Iterator[ReturnedPart]:
    """Yield the parts of a user's text, extracted from Agent Zero's envelopes."""
    for part in agent_zero.open_message(text):
        role = ROLES[part.role]
        if not part.enveloped and notation is Notation.AGENT_ZERO:
            role = SegmentRole.TOOL
        yield ReturnedPart(role, part.text)


def _written(text: str) -> AssistantText:
    """Return the text and the calls that Agent Zero or LiteLLM write as text."""
    said, notation = agent_zero.open_answer(text)
    if notation is Notation.PLAIN and (start := text.find(_CALLS_HEADING)) >= 0:
        listed, _ = agent_zero.decoded(text, start + len(_CALLS_HEADING) - 1)
        if calls := tuple(_calls({"tool_calls": listed})):
            return AssistantText(said, calls, notation)
    # Models put a fence or a sentence before the object; Agent Zero accepts that.
    # The quotation mark is looked for first, since a "{" alone is seldom JSON.
    start = text.find("{") if '"' in text else -1
    value = agent_zero.decoded(text, start)[0] if start >= 0 else None
    if isinstance(value, dict):
        if notation is Notation.PLAIN and "arguments" in value:
            return AssistantText(
                "", (_call(value.get("name"), value["arguments"]),), notation
            )
        name = value.get("tool_name")
        # `response` is no act but the answer for the user.
        if isinstance(name, str) and name != "response":
            called = ToolCall(name, value.get("tool_args"))
            return AssistantText("", (called,), Notation.AGENT_ZERO)
    return AssistantText(said or text, (), notation)
