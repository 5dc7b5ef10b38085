"""The transcripts of Cursor's agents: JSONL below `~/.cursor/projects`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from festinger.cli.memories.formats.records import (
    ROLES,
    PlacedRecord,
    object_of,
    spoken,
    text_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource
from festinger.core.language.turns import Role

_QUERY: Final = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
"""What the person typed; what stands around it is the program's."""


def _recognises(sample: FileSample) -> bool:
    # A list of messages without `message` is the general chat.
    return any(
        it.get("role") in ROLES
        and isinstance(message := it.get("message"), dict)
        and "content" in message
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, found in source.objects():
        role = ROLES.get(word_of(found.get("role")))
        text = text_of(object_of(found.get("message")).get("content"))
        # Without the tag all of it counts as typed.
        if role is Role.USER and (typed := _QUERY.findall(text)):
            text = "\n".join(typed)
        # A file is a conversation.
        yield from spoken(place, role, text, source.path.stem, None)


FORMAT: Final = FileFormat(
    "cursor", "a transcript of an agent of Cursor (JSONL)", _recognises, _read
)
