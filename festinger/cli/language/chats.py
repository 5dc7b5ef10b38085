"""Parsing of files with conversations, such as the exports of chat clients."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from festinger.core.language.turns import Role
from festinger.errors import UnreadableFile
from festinger.services.language.evaluating import ChatMessage

BYTES_MAX: Final = 256 * 2**20
"""The maximum size of a file that is not `.jsonl`, in bytes."""
_ROLES: Final = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}


def messages_of(file: Path) -> Iterator[ChatMessage]:
    """Yield the messages of a file's conversations, in their order.

    A file has an object with `turns` or `messages`, a list of messages, a list of
    conversations, or one of these per line (`.jsonl`).

    Raises:
        UnreadableFile: The file has another format, or is too large.
        OSError: The file cannot be read.
    """
    if file.suffix == ".jsonl":
        yield from _lines(file)
        return
    size = file.stat().st_size
    if size > BYTES_MAX:
        raise UnreadableFile(
            f"{file} has {size >> 20} MB, which is more than {BYTES_MAX >> 20}: write a "
            "conversation a line, into a file that ends in .jsonl"
        )
    text = file.read_bytes()
    if not text.strip():
        raise UnreadableFile(f"{file} is empty")
    yield from _conversations(_json(text, str(file)), str(file))


def _lines(file: Path) -> Iterator[ChatMessage]:
    found = False
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                found = True
                place = f"{file}, line {number}"
                yield from _conversations(_json(line, place), place)
    if not found:
        raise UnreadableFile(f"{file} is empty")


def _json(text: bytes, place: str) -> Any:
    try:
        return json.loads(text)
    except UnicodeDecodeError:
        raise UnreadableFile(f"{place}: it is not in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{place}: it is no JSON: {error}") from None


def _conversations(value: Any, place: str) -> Iterator[ChatMessage]:
    """Yield the messages of a JSON value with one or more conversations.

    Args:
        value: The value.
        place: The name of its place, for errors and for the session of its messages.
    """
    if isinstance(value, dict):
        for key in ("turns", "messages"):
            if isinstance(value.get(key), list):
                yield from _messages(value[key], place, value)
                return
    if isinstance(value, list) and value:
        if any(isinstance(it, dict) and "role" in it for it in value):
            yield from _messages(value, place, {})
            return
        if all(isinstance(it, dict | list) for it in value):
            for number, each in enumerate(value, 1):
                yield from _conversations(each, f"{place}, conversation {number}")
            return
    raise UnreadableFile(
        f"{place}: there is no conversation in it. It must be a list of objects with "
        "role and content, or an object that has one as its messages or turns"
    )


def _messages(
    found: list[Any], place: str, conversation: dict[str, Any]
) -> Iterator[ChatMessage]:
    for number, each in enumerate(found, 1):
        role = each.get("role") if isinstance(each, dict) else None
        if not isinstance(role, str) or role.lower() not in _ROLES:
            raise UnreadableFile(f"{place}: message {number} has no role that is known")
        yield ChatMessage(
            _ROLES[role.lower()],
            _text(each.get("content", each.get("text"))),
            _word(each.get("speaker") or each.get("name")),
            _word(each.get("project") or conversation.get("project")),
            f"{place}: {_word(each.get('session'))}",
            _time(each.get("time")),
        )


def _text(content: Any) -> str:
    """Return the text of a message, whose content may be a list of parts."""
    if isinstance(content, str):
        text = content
    elif isinstance(content, list):
        parts = (it.get("text") if isinstance(it, dict) else it for it in content)
        text = "\n".join(it for it in parts if isinstance(it, str))
    else:
        text = ""
    # Replaces lone surrogates, which UTF-8 cannot encode.
    return text.encode("utf-8", "replace").decode()


def _word(value: Any) -> str:
    return _text(value) if isinstance(value, str) else ""


def _time(value: Any) -> float:
    """Parse an ISO time to seconds since the epoch; 0 if it is invalid."""
    if not isinstance(value, str):
        return 0.0
    try:
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0
