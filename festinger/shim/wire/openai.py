"""POST /v1/chat/completions: the content is a string or a list of parts."""

from __future__ import annotations

from typing import Any

from festinger.shim.recollection.segments import ParsedPrompt
from festinger.shim.wire.messages import read_messages, read_parts


def read(body: dict[str, Any]) -> ParsedPrompt:
    """Return the parsed prompt of a request.

    Raises:
        Untouched: The request must be forwarded unchanged.
    """
    return read_messages(body, read_parts)
