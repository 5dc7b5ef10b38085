"""The exception for requests that are forwarded unchanged, and common checks."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

from festinger.shim.recollection.segments import SEGMENTS_MAX


class ForwardUnchanged(Exception):
    """The request must be forwarded unchanged.

    Its text is the reason in one word, for the response header. `unreadable` means that a
    value is malformed and is left for Ollama to refuse with its own error.
    """


def check_count(messages: Sized) -> None:
    """Refuse to parse so many messages that other requests would be delayed."""
    # Each message costs a digest and a place, on the thread that serves all requests.
    if len(messages) > SEGMENTS_MAX:
        raise ForwardUnchanged("too-many")


def text_of(value: Any) -> str:
    """Return a value that must be a string, or be absent: then it is empty."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ForwardUnchanged("unreadable")
    return value


def model_of(body: dict[str, Any], known: frozenset[str]) -> str:
    """Return the name of the model in a body of which some keys are read.

    Raises:
        ForwardUnchanged: It is absent, empty or not a string, or a key that is read has
            another case, such as `Prompt`.
    """
    # Ollama matches keys without regard to case, so `prompt` may not be what it reads.
    for key in body:
        if key not in known and key.lower() in known:
            raise ForwardUnchanged("unreadable")
    model = text_of(body.get("model"))
    # Without a model neither its context nor its SYSTEM is known.
    if not model:
        raise ForwardUnchanged("unreadable")
    return model
