"""The chats that Open WebUI exports."""

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

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT}


def _recognises(sample: FileSample) -> bool:
    # `history` is the tree of all branches, `messages` the branch that is shown.
    return any(
        isinstance(chat := it.get("chat"), dict)
        and ("history" in chat or "messages" in chat)
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, found in source.objects():
        chat = found.get("chat")
        session = word_of(found.get("id")) or place
        for message in _messages(chat if isinstance(chat, dict) else {}):
            role = _ROLES.get(word_of(message.get("role")))
            text = text_of(message.get("content"))
            if role and text.strip():
                said = time_of(message.get("timestamp"))
                spoken = ChatMessage(role, text, session=session, said=said)
                yield PlacedRecord(place, spoken)


def _messages(chat: JsonObject) -> list[JsonObject]:
    """Return the messages of the branch that was shown last."""
    history: Any = chat.get("history")
    nodes = history.get("messages") if isinstance(history, dict) else None
    if isinstance(nodes, dict):
        left = {key: it for key, it in nodes.items() if isinstance(it, dict)}
        at, branch = history.get("currentId"), list[JsonObject]()
        # A hostile file has circles: each message is left once.
        while isinstance(at, str) and (message := left.pop(at, None)) is not None:
            branch.append(message)
            at = message.get("parentId")
        if branch:  # else the current message is not in the file
            return branch[::-1]
    messages = chat.get("messages")
    found = messages if isinstance(messages, list) else []
    return [it for it in found if isinstance(it, dict)]


FORMAT: Final = FileFormat(
    "open-webui", "chats of Open WebUI (JSON)", _recognises, _read
)
