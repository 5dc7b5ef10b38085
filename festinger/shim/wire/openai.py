"""POST /v1/chat/completions: the content is a string or a list of parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from festinger.shim.jsontext import Path
from festinger.shim.segments import Place, Prompt
from festinger.shim.wire.messages import read_messages
from festinger.shim.wire.untouched import Untouched, text_of


def read(body: dict[str, Any]) -> Prompt:
    """Reads a request. Raises `Untouched` if it has to stay as it is."""
    return read_messages(body, _content)


def _content(value: Any, path: Path) -> tuple[str, Place | None]:
    if not isinstance(value, list):
        return text_of(value), None if value is None else Place(path)
    texts: list[str] = []
    place = None
    length = 0
    for index, part in enumerate(value):
        if not isinstance(part, dict):
            raise Untouched("unreadable")
        if part.get("type") != "text":
            continue  # an image
        text = text_of(part.get("text"))
        if isinstance(part.get("text"), str):
            # Each part becomes a message of its own, so a block joins the first, or
            # the last.
            here = (*path, index, "text")
            place = (
                Place(here) if place is None else replace(place, last=(here, length))
            )
        texts.append(text)
        length += len(text) + 1
    return "\n".join(texts), place
