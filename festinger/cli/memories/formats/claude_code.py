"""The session logs of Claude Code: JSONL below `~/.claude/projects`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Final

from festinger.cli.memories.formats.records import (
    ROLES,
    PlacedRecord,
    objects_of,
    text_of,
    time_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource, JsonObject
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

# Of an entry in the person's name that nobody typed.
_UNTYPED: Final = ("isMeta", "isSidechain", "isCompactSummary", "toolUseResult")
_WRITTEN: Final = (
    "<command-",
    "<local-command-",
    "<bash-",
    "<system-reminder>",
    "<task-notification>",
    "Caveat: ",
    "[Request interrupted",
)
"""What the program writes in the person's name begins like this."""


def _recognises(sample: FileSample) -> bool:
    return any(
        "sessionId" in it and it.get("type") in ROLES and "message" in it
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, entry in source.objects():
        role = ROLES.get(word_of(entry.get("type")))
        message = entry.get("message")
        if role is None or not isinstance(message, dict) or not _is_typed(entry, role):
            continue
        text = _spoken(message.get("content"))
        if text.strip() and not text.lstrip().startswith(_WRITTEN):
            yield PlacedRecord(
                place,
                ChatMessage(
                    role,
                    text,
                    # The folder in which it ran.
                    project=PurePath(word_of(entry.get("cwd"))).name,
                    session=word_of(entry.get("sessionId")),
                    said=time_of(entry.get("timestamp")),
                ),
            )


def _is_typed(entry: JsonObject, role: Role) -> bool:
    return role is not Role.USER or not any(entry.get(name) for name in _UNTYPED)


def _spoken(content: Any) -> str:
    """Return the text of a message without calls of tools and their results."""
    # Calls of tools and their results are parts of other types.
    if isinstance(content, list):
        content = [it for it in objects_of(content) if it.get("type") == "text"]
    return text_of(content)


FORMAT: Final = FileFormat(
    "claude-code", "a session log of Claude Code (JSONL)", _recognises, _read
)
