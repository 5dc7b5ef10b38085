"""POST /api/chat: the content of a message is a string."""

from __future__ import annotations

from typing import Any

from festinger.shim.recollection.jsontext import Path
from festinger.shim.recollection.segments import BodyPlace, ParsedPrompt
from festinger.shim.wire.messages import read_messages
from festinger.shim.wire.unchanged import text_of


def read(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of a request.

    Raises:
        Untouched: The request must be forwarded unchanged.
    """
    return read_messages(body, _content)


def _content(value: Any, path: Path) -> tuple[str, BodyPlace | None]:
    # A message of tool calls has no content, and so no place for a block.
    return text_of(value), None if value is None else BodyPlace(path)
