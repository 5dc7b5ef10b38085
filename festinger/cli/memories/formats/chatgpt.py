"""The conversations of a ChatGPT export: `conversations.json`, or its archive."""

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
    time_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource, JsonObject

# Others are code, its output, and pages that were browsed.
_TEXTS: Final = ("text", "multimodal_text")


def _recognises(sample: FileSample) -> bool:
    # Of no other export: the tree by the ids of its nodes.
    return any(isinstance(it.get("mapping"), dict) for it in sample.objects)


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, conversation in source.objects():
        session = word_of(conversation.get("conversation_id") or conversation.get("id"))
        nodes = object_of(conversation.get("mapping"))
        branch = branch_of(nodes, conversation.get("current_node"), "parent")
        # Without a current node no branch is known to be the last: all by their time.
        for node in branch or sorted(objects_of([*nodes.values()]), key=_time):
            message = object_of(node.get("message"))
            role = ROLES.get(word_of(object_of(message.get("author")).get("role")))
            time = message.get("create_time")
            yield from spoken(place, role, _text(message), session or place, time)


def _text(message: JsonObject) -> str:
    """Return what a person or the model said; empty for what neither did."""
    content = object_of(message.get("content"))
    about = object_of(message.get("metadata"))
    # Custom instructions, for example, which come with each chat.
    if about.get("is_visually_hidden_from_conversation"):
        return ""
    if content.get("content_type", "text") not in _TEXTS:
        return ""
    return text_of(content.get("parts"))


def _time(node: JsonObject) -> float:
    return time_of(object_of(node.get("message")).get("create_time"))


FORMAT: Final = FileFormat(
    "chatgpt", "a ChatGPT export (conversations.json or .zip)", _recognises, _read
)
