"""A conversation that LibreChat exports, flat or as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from festinger.cli.memories.formats.records import (
    PlacedRecord,
    list_of,
    spoken,
    text_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource
from festinger.core.language.turns import Role

_LISTS: Final = ("messages", "messagesTree")


def _recognises(sample: FileSample) -> bool:
    return any(
        "conversationId" in it and any(key in it for key in _LISTS)
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, found in source.objects():
        session = word_of(found.get("conversationId")) or place
        # A stack instead of recursion: a tree is as deep as its conversation is long.
        # Reversed: the last is popped first.
        left = [it for key in _LISTS for it in _list(found.get(key))][::-1]
        while left:
            message = left.pop()
            if not isinstance(message, dict):
                continue
            # Behind the message, so that a branch is read to its end before the next one.
            left += _list(message.get("children"))[::-1]
            # Agents' answers have parts.
            text = text_of(message.get("text")) or text_of(message.get("content"))
            typed = message.get("isCreatedByUser") is True
            role = Role.USER if typed else Role.ASSISTANT
            yield from spoken(place, role, text, session, message.get("createdAt"))


def _list(value: Any) -> list[Any]:
    return [value] if isinstance(value, dict) else list_of(value)


FORMAT: Final = FileFormat(
    "librechat", "a conversation of LibreChat (JSON)", _recognises, _read
)
