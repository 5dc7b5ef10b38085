"""The conversations of a Claude export: `conversations.json`, or its archive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from festinger.cli.memories.formats.markdown import blocks_of
from festinger.cli.memories.formats.records import (
    PlacedRecord,
    object_of,
    objects_of,
    spoken,
    text_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource, JsonObject
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

# In another file of the archive: what Claude remembers, in Markdown.
_MEMORY, _OF_PROJECTS = "conversations_memory", "project_memories"
_HEADING: Final = re.compile(r"\*\*[^*]+\*\*")  # `**Work context**`
_ROLES: Final = {"human": Role.USER, "assistant": Role.ASSISTANT}


def _recognises(sample: FileSample) -> bool:
    return any(
        isinstance(it.get("chat_messages"), list) or _MEMORY in it
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, conversation in source.objects():
        yield from (PlacedRecord(place, it) for it in _memories(conversation))
        session = word_of(conversation.get("uuid")) or place
        for found in objects_of(conversation.get("chat_messages")):
            role = _ROLES.get(word_of(found.get("sender")))
            # Attachments are members of their own: nobody typed them.
            text = text_of(found.get("content")) or text_of(found.get("text"))
            yield from spoken(place, role, text, session, found.get("created_at"))


def _memories(found: JsonObject) -> Iterator[ChatMessage]:
    """Yield what Claude remembers, as words of its person; a model wrote them down."""
    for text in (found.get(_MEMORY), *object_of(found.get(_OF_PROJECTS)).values()):
        # One message for each paragraph, so that each is kept and forgotten by itself.
        for words in blocks_of(text if isinstance(text, str) else ""):
            if not _HEADING.fullmatch(words):  # a heading in bold is no statement
                yield ChatMessage(Role.USER, words, session="claude memory")


FORMAT: Final = FileFormat(
    "claude", "a Claude export (conversations.json or .zip)", _recognises, _read
)
