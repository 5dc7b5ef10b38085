"""POST /v1/chat/completions: the content is a string or a list of parts."""

from __future__ import annotations

from typing import Any

from festinger.shim.recollection.segments import ParsedPrompt
from festinger.shim.wire.messages import read_messages, read_parts


def read(body: dict[str, Any]) -> ParsedPrompt:
    """Reads a request. Raises `Untouched` if it has to stay as it is."""
    return read_messages(body, read_parts)
