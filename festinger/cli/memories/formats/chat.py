"""Conversations as lists of messages with a role and a content, in one of many ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from festinger.cli.memories.formats.records import (
    PlacedRecord,
    text_of,
    time_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource, JsonObject
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

# The words for one role in different programs: OpenAI's, LangChain's, Gemini's.
_ROLES: Final = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}
_LISTS: Final = ("turns", "messages")


def _recognises(sample: FileSample) -> bool:
    return any(
        "role" in it or any(isinstance(it.get(key), list) for key in _LISTS)
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, found in source.objects():
        if "role" in found:
            yield PlacedRecord(place, _message(source, place, found, {}))
            continue
        messages = next((it for key in _LISTS if (it := found.get(key))), None)
        if not isinstance(messages, list):
            raise source.unreadable(
                place,
                "there is no conversation in it. It must be a message with role and "
                "content, or an object that has a list of them as its messages or turns",
            )
        for number, each in enumerate(messages, 1):
            within = f"{place}, message {number}"
            yield PlacedRecord(within, _message(source, within, each, found, place))


def _message(
    source: ImportSource,
    place: str,
    found: Any,
    conversation: JsonObject,
    session: str = "",
) -> ChatMessage:
    role = (
        _ROLES.get(word_of(found.get("role")).lower())
        if isinstance(found, dict)
        else None
    )
    # An unknown role is an error and not skipped: half a conversation answers nothing.
    if role is None:
        raise source.unreadable(place, "it has no role that is known")
    named = word_of(found.get("session") or conversation.get("session"))
    return ChatMessage(
        role,
        text_of(found.get("content", found.get("text"))),
        word_of(found.get("speaker") or found.get("name")),
        word_of(found.get("project") or conversation.get("project")),
        # The file's name keeps two files with equal places apart.
        f"{source.path.name} {session} {named}".strip(),
        time_of(found.get("time") or found.get("timestamp")),
    )


FORMAT: Final = FileFormat(
    "chat", "lists of messages with role and content (JSON, JSONL)", _recognises, _read
)
