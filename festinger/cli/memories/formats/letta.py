"""Agent files of Letta (`.af`): an agent's memory blocks and messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from festinger.cli.memories.formats.records import (
    ROLES,
    FileRefusal,
    PlacedRecord,
    Record,
    objects_of,
    spoken,
    text_of,
    time_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource, JsonObject
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

PERSONA: Final = "persona"
"""Label of the block that tells an agent who it is."""


def _recognises(sample: FileSample) -> bool:
    return any(
        isinstance(it.get("core_memory"), list)
        or (isinstance(it.get("agents"), list) and isinstance(it.get("blocks"), list))
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    for place, found in source.objects():
        # Either in the agent, or beside all agents.
        blocks = [
            *objects_of(found.get("core_memory")),
            *objects_of(found.get("blocks")),
        ]
        for number, block in enumerate(blocks, 1):
            within = f"{place}, block {number}"
            yield from (PlacedRecord(within, it) for it in _block(block))
        for agent in [found, *objects_of(found.get("agents"))]:
            name = word_of(agent.get("name")) or place
            for number, message in enumerate(objects_of(agent.get("messages")), 1):
                role, text = _message(message)
                time = message.get("created_at")
                yield from spoken(f"{place}, message {number}", role, text, name, time)


def _block(block: JsonObject) -> Iterator[Record]:
    """Yield the lines of a memory block."""
    label = word_of(block.get("label"))
    # An agent's role is an instruction to it, and would be told as a fact about it.
    if label == PERSONA:
        yield FileRefusal("it tells an agent who it is, and nothing of the world")
        return
    said = time_of(block.get("updated_at")) or time_of(block.get("created_at"))
    # A block is one text that the agent rewrites; each line is remembered by itself.
    for line in text_of(block.get("value")).splitlines():
        if line.strip():
            session = f"letta {label}".strip()
            yield ChatMessage(Role.USER, line.strip(), session=session, said=said)


def _message(message: JsonObject) -> tuple[Role | None, str]:
    """Return who said what; nobody for anything but words."""
    role = ROLES.get(word_of(message.get("role")))
    text = text_of(message.get("content")) or text_of(message.get("text"))
    # `{"type": "user_message", "message": "…"}` is Letta's envelope; events have other types.
    return role, _unpacked(text) if role is Role.USER else text


def _unpacked(text: str) -> str:
    """Return a person's words without their envelope; empty for events."""
    if not text.lstrip().startswith("{"):
        return text
    try:
        found: Any = json.loads(text)
    # A person may type something that looks like JSON.
    except (ValueError, RecursionError):
        return text
    if not isinstance(found, dict) or "type" not in found:
        return text
    return word_of(found.get("message")) if found["type"] == "user_message" else ""


FORMAT: Final = FileFormat("letta", "an agent file of Letta (.af)", _recognises, _read)
