"""Parser of Agent Zero's envelopes: JSON in the text of user and assistant messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import Enum, auto
from itertools import islice
from typing import Any, Final, NamedTuple

ENVELOPES_MAX: Final = 100
"""Maximum number of envelopes of a message; the rest is treated as bare text."""

# The time to the second, memories and the like, appended to the last message of each
# request and removed from it in the next.
_EXTRAS = re.compile(r"(?:\A|(?<=[\n}]))\[EXTRAS\]\s*(?=\{)")

# The start of an envelope after bare text: consecutive messages are joined by a
# newline.
_SEAM = re.compile(
    r'\n(?=\{"(?:system_message|user_message|user_intervention|tool_name|system_warning'
    r'|system_info|messages_summary)": ?)'
)

# LiteLLM writes a native tool call into the assistant's text in one of two ways.
_CALLS_HEADING = re.compile(r"Tool Calls: \[\s*\{")

_DECODER = json.JSONDecoder()


class CallNotation(Enum):
    """Notation of a tool call in an assistant's text; `NONE` without a call."""

    NONE = auto()
    PLAIN = auto()
    """LiteLLM's: the result follows without an envelope."""
    AGENT_ZERO = auto()
    """Agent Zero's: the result follows in an envelope."""


class EnvelopePart(NamedTuple):
    """A part of a message: the content of an envelope, or bare text.

    Attributes:
        role: `user`, `tool` or `system`.
        offset: Start of the part in the message, including the envelope.
        end: End of the part, before white space and the volatile end of the message.
    """

    role: str
    text: str
    offset: int
    end: int
    enveloped: bool


def open_message(text: str, *, seams: bool = False) -> Iterator[EnvelopePart]:
    """Yield the parts of a user message, without its volatile end.

    Args:
        seams: Whether to search for envelopes after bare text as well.
    """
    # Searching for the word first is ten times faster than the expression alone.
    if "[EXTRAS]" in text and (match := _EXTRAS.search(text)):
        text = text[: match.start()]
    position = _skip(text, 0)
    if seams and (start := _envelope(text, position)) > position:
        end = len(text[position:start].rstrip()) + position
        yield EnvelopePart("user", text[position:end], position, end, enveloped=False)
        position = start
    # Consecutive messages are merged by clients, so several envelopes may follow
    # one another, and bare text after them.
    for _ in range(ENVELOPES_MAX):
        if not text.startswith("{", position):
            break
        value, end = decoded(text, position)
        opened = _open(value)
        if opened is None:
            break
        yield EnvelopePart(*opened, position, end, enveloped=True)
        position = _skip(text, end)
    if position < len(text):
        end = len(text.rstrip())
        yield EnvelopePart("user", text[position:], position, end, enveloped=False)


def open_answer(text: str) -> tuple[str, CallNotation]:
    """Return an assistant's text for people, and the notation of its tool call."""
    if "Tool Calls: " in text and (heading := _CALLS_HEADING.search(text)):
        return text[: heading.start()], CallNotation.PLAIN
    start = _skip(text, 0)
    if not text.startswith("{", start):
        return text, CallNotation.NONE
    value, _ = decoded(text, start)
    if not isinstance(value, dict):
        return text, CallNotation.NONE
    if isinstance(value.get("tool_name"), str):
        # Only this tool's text is for people; thoughts and other arguments teach nothing.
        if value["tool_name"] == "response":
            return _response(value.get("tool_args")), CallNotation.NONE
        return "", CallNotation.AGENT_ZERO
    if isinstance(value.get("name"), str) and "arguments" in value:
        return "", CallNotation.PLAIN
    # Thoughts without a call are not for people either.
    if "thoughts" in value:
        return "", CallNotation.NONE
    return text, CallNotation.NONE


def _open(value: Any) -> tuple[str, str] | None:
    """Return the role and text of an envelope; None if the value is no envelope."""
    if not isinstance(value, dict):
        return None
    # {"tool_name": "code_execution", "tool_result": "…"}, sent in the user's role.
    if "tool_name" in value and "tool_result" in value:
        return "tool", _text(value["tool_result"])
    # An intervention is what the person types while the agent works.
    for key in ("user_message", "user_intervention"):
        if isinstance(value.get(key), str):
            return "user", value[key]
    # Agent Zero's own words, whatever their role in the request.
    for key in ("system_warning", "messages_summary"):
        if key in value:
            return "system", _text(value[key])
    return None


def _envelope(text: str, position: int) -> int:
    """Return the start of the first envelope after bare text; else `position`."""
    if text.startswith("{", position):
        return position
    for seam in islice(_SEAM.finditer(text, position), ENVELOPES_MAX):
        # A seam that only looks like an envelope, such as pasted JSON, stays text.
        if _open(decoded(text, seam.end())[0]):
            return seam.end()
    return position


def _response(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return ""
    said = arguments.get("text", arguments.get("message"))
    return said if isinstance(said, str) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def decoded(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value at an offset and its end; None and the offset for none."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position
