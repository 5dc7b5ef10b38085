"""The session logs of Codex: JSONL below `~/.codex/sessions`, the older ones in zstd."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from festinger.cli.memories.formats.records import (
    ROLES,
    PlacedRecord,
    text_of,
    time_of,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource, JsonObject
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

# `<environment_context>…</environment_context>`.
_WRITTEN: Final = re.compile(
    r"\s*(?:# AGENTS\.md instructions.*|<([\w-]+)[^>]*>.*</\1>\s*)", re.DOTALL
)
"""What the program writes in the person's name: of most, a tag is around it."""
_TYPED: Final = "## My request for Codex:"
"""Above it stands what an editor says of itself."""


def _recognises(sample: FileSample) -> bool:
    return any(
        it.get("type") in ("session_meta", "response_item")
        and isinstance(it.get("payload"), dict)
        for it in sample.objects
    )


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    # Until the log's first entry says more.
    session, project, is_person = source.path.stem, "", True
    for place, entry in source.objects():
        payload = entry.get("payload")
        if not isinstance(payload, dict):
            continue
        if entry.get("type") == "session_meta":
            session = word_of(payload.get("id")) or session
            project = PurePath(word_of(payload.get("cwd"))).name
            is_person = not _is_subagent(payload)
        elif entry.get("type") == "response_item":
            role, text = _message(payload)
            # A sub-agent's "user" is the model that started it; its answers count.
            if role and text.strip() and (is_person or role is not Role.USER):
                said = time_of(entry.get("timestamp"))
                message = ChatMessage(role, text, "", project, session, said)
                yield PlacedRecord(place, message)


def _message(payload: JsonObject) -> tuple[Role | None, str]:
    """Return who said what; nobody for calls of tools and what the program wrote."""
    if payload.get("type") != "message":
        return None, ""
    text = text_of(payload.get("content"))
    role = ROLES.get(word_of(payload.get("role")))
    if role is Role.USER:
        if _WRITTEN.fullmatch(text):
            return None, ""
        text = text.rpartition(_TYPED)[2]  # all of it without an editor
    return role, text


def _is_subagent(payload: JsonObject) -> bool:
    """Return whether another session speaks in the person's name."""
    source = payload.get("source")
    return (
        (isinstance(source, dict) and "subagent" in source)
        or payload.get("thread_source") == "subagent"
        or bool(payload.get("parent_thread_id"))
    )


FORMAT: Final = FileFormat(
    "codex", "a session log of Codex (JSONL)", _recognises, _read
)
