"""Memories of mem0, as its API and its export give them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from festinger.cli.memories.formats.records import (
    FileRefusal,
    PlacedRecord,
    list_of,
    time_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

_LISTS: Final = ("results", "memories")


def _recognises(sample: FileSample) -> bool:
    return any(
        isinstance(it.get("memory"), str)
        # A list of memories, or one memory a line.
        or any(_is_memory(each) for key in _LISTS for each in list_of(it.get(key))[:1])
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, found in source.objects():
        within = next((it for key in _LISTS if (it := list_of(found.get(key)))), None)
        if within is None:
            yield PlacedRecord(place, _record(found))
            continue
        for number, each in enumerate(within, 1):
            yield PlacedRecord(f"{place}, memory {number}", _record(each))


def _record(found: Any) -> ChatMessage | FileRefusal:
    """Return a memory as words of its user; a model wrote them down."""
    if not _is_memory(found) or not found["memory"].strip():
        return FileRefusal("it has no memory")
    return ChatMessage(
        Role.USER,
        found["memory"],
        # Whose memory it is: mem0 words them about its user.
        word_of(found.get("user_id")),
        word_of(found.get("app_id")),
        word_of(found.get("run_id")) or "mem0",  # a run is what others call a session
        time_of(found.get("updated_at")) or time_of(found.get("created_at")),
    )


def _is_memory(found: Any) -> bool:
    return isinstance(found, dict) and isinstance(found.get("memory"), str)


FORMAT: Final = FileFormat("mem0", "memories of mem0 (JSON)", _recognises, _read)
