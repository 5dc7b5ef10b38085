"""The conversations of a ChatGPT export: `conversations.json`, or its archive."""

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

# Tools and system text are no words of the two.
_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT}
# Others are code, its output, and pages that were browsed.
_TEXTS: Final = ("text", "multimodal_text")


def _recognises(sample: FileSample) -> bool:
    # Of no other export: the tree by the ids of its nodes.
    return any(isinstance(it.get("mapping"), dict) for it in sample.objects)


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, conversation in source.objects():
        session = word_of(conversation.get("conversation_id") or conversation.get("id"))
        for node in _branch(conversation):
            if found := _message(node.get("message"), session or place):
                yield PlacedRecord(place, found)


def _branch(conversation: JsonObject) -> list[JsonObject]:
    """Return the nodes from the root to the current one, or all by their time."""
    mapping = conversation.get("mapping")
    if not isinstance(mapping, dict):
        return []
    nodes = {key: it for key, it in mapping.items() if isinstance(it, dict)}
    # Edits make branches; the one that was shown last is read.
    at, branch = conversation.get("current_node"), list[JsonObject]()
    # A hostile file has circles: each node is left once.
    while isinstance(at, str) and (node := nodes.pop(at, None)) is not None:
        branch.append(node)
        at = node.get("parent")
    # Without a current node no branch is known to be the last.
    return branch[::-1] or sorted(nodes.values(), key=_time)


def _message(found: Any, session: str) -> ChatMessage | None:
    """Return what a person or the model said; None for what neither did."""
    author = found.get("author") if isinstance(found, dict) else None
    role = _ROLES.get(word_of(author.get("role"))) if isinstance(author, dict) else None
    content, about = (found or {}).get("content"), (found or {}).get("metadata")
    if role is None or not isinstance(content, dict):
        return None
    # Custom instructions, for example, which come with each chat.
    if isinstance(about, dict) and about.get("is_visually_hidden_from_conversation"):
        return None
    if content.get("content_type", "text") not in _TEXTS:
        return None
    text = text_of(content.get("parts"))
    if not text.strip():
        return None
    time = time_of(found.get("create_time"))
    return ChatMessage(role, text, session=session, said=time)


def _time(node: JsonObject) -> float:
    message = node.get("message")
    return time_of(message.get("create_time")) if isinstance(message, dict) else 0.0


FORMAT: Final = FileFormat(
    "chatgpt", "a ChatGPT export (conversations.json or .zip)", _recognises, _read
)
