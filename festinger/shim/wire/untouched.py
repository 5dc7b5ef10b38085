"""Why a request has to stay as it is, and what the formats check."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

from festinger.shim.recollection.segments import SEGMENTS_MAX


class Untouched(Exception):
    """The request goes on as it is.

    Args:
        why: One word for the response header. `unreadable` if a value is of a type
            that Ollama will refuse: it knows its own errors best.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def check_count(messages: Sized) -> None:
    """Refuses a request of so many messages that reading it would hold up others."""
    if len(messages) > SEGMENTS_MAX:
        raise Untouched("too-many")


def check_keys(body: dict[str, Any], known: frozenset[str]) -> None:
    """Refuses `Prompt` for `prompt`.

    Ollama matches keys without regard to case. Nobody writes them otherwise, so such
    a request is not guessed at.
    """
    for key in body:
        if key not in known and key.lower() in known:
            raise Untouched("unreadable")


def text_of(value: Any) -> str:
    """A string that may be absent."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Untouched("unreadable")
    return value


def model_of(body: dict[str, Any]) -> str:
    """The model's name, which must be there."""
    model = text_of(body.get("model"))
    if not model:
        raise Untouched("unreadable")
    return model
