"""The chats that Open WebUI exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from festinger.cli.memories.formats.records import (
    ROLES,
    PlacedRecord,
    branch_of,
    object_of,
    objects_of,
    spoken,
    text_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource


def _recognises(sample: FileSample) -> bool:
    # `history` is the tree of all branches, `messages` the branch that is shown.
    return any(
        isinstance(chat := it.get("chat"), dict)
        and ("history" in chat or "messages" in chat)
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, found in source.objects():
        chat = object_of(found.get("chat"))
        history = object_of(chat.get("history"))
        session = word_of(found.get("id")) or place
        branch = branch_of(
            history.get("messages"), history.get("currentId"), "parentId"
        )
        # None if the current message is not in the file.
        for message in branch or objects_of(chat.get("messages")):
            role = ROLES.get(word_of(message.get("role")))
            text = text_of(message.get("content"))
            yield from spoken(place, role, text, session, message.get("timestamp"))


FORMAT: Final = FileFormat(
    "open-webui", "chats of Open WebUI (JSON)", _recognises, _read
)
