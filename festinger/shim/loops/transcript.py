"""Extraction of a model's text from the bytes of a stream, on all routes.

The bytes are forwarded elsewhere, unchanged and without delay.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

LINE_BYTES_MAX: Final = 2**20
"""Maximum size of a line; longer ones are skipped."""

Spoken = tuple[str, str]
"""A channel, such as the answer or the thoughts before it, and a text."""

_Channels = tuple[tuple[str, str], ...]
_CHAT: Final[_Channels] = (("content", "answer"), ("thinking", "thoughts"))
_GENERATE: Final[_Channels] = (("response", "answer"), ("thinking", "thoughts"))
_DELTA: Final[_Channels] = (
    ("content", "answer"),
    ("reasoning", "thoughts"),
    ("reasoning_content", "thoughts"),
)
_TEXT: Final[_Channels] = (("text", "answer"), ("thinking", "thoughts"))

# Called directly: `json.loads` adds more time than parsing a line takes.
_DECODE: Final = json.JSONDecoder().raw_decode


class Transcript:
    """Incremental parser of one stream of JSON lines or server-sent events.

    Attributes:
        finished: True once the stream is marked as complete or failed.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._skipping = False
        self._within_event = False
        self.finished = False

    @property
    def at_seam(self) -> bool:
        """True between two records, where a line or event of the shim may follow."""
        return not (self._rest or self._skipping or self._within_event)

    def feed(self, data: bytes) -> Iterator[Spoken]:
        """Process further bytes and yield the text in them."""
        self._rest += data
        lines: list[bytearray] = []
        if b"\n" in data:
            *lines, self._rest = self._rest.split(b"\n")
        for line in lines:
            if self._skipping:
                self._skipping = False
                continue
            if len(line) <= LINE_BYTES_MAX:
                yield from self._read(line.strip())
        if len(self._rest) > LINE_BYTES_MAX:
            self._rest, self._skipping = bytearray(), True

    def _read(self, line: bytearray) -> Iterator[Spoken]:
        # An event may have any number of lines, and ends with an empty one.
        self._within_event = line.startswith((b"data:", b"event:", b"id:", b":"))
        if line.startswith(b"data:"):
            line = line.removeprefix(b"data:").strip()
        if line == b"[DONE]":
            self.finished = True
        if not line.startswith(b"{"):
            return
        try:
            value, _ = _DECODE(line.decode())
        except (ValueError, RecursionError):
            return
        if isinstance(value, dict):
            self.finished = self.finished or _is_last(value)
            yield from _spoken(value)


def _is_last(value: dict[str, Any]) -> bool:
    if value.get("done") is True or value.get("error"):
        return True
    return value.get("type") in {"message_stop", "response.completed", "error"}


def _spoken(value: dict[str, Any]) -> Iterator[Spoken]:
    if isinstance(message := value.get("message"), dict):  # /api/chat
        yield from _texts(message, _CHAT)
    yield from _texts(value, _GENERATE)  # /api/generate
    if isinstance(choices := value.get("choices"), list):  # /v1/chat/completions
        for choice in choices:
            if isinstance(choice, dict) and isinstance(choice.get("delta"), dict):
                for channel, text in _texts(choice["delta"], _DELTA):
                    yield f"{channel} {choice.get('index', 0)}", text
            elif isinstance(choice, dict):  # /v1/completions
                for channel, text in _texts(choice, _TEXT):
                    yield f"{channel} {choice.get('index', 0)}", text
    if (delta := value.get("delta")) is None:
        return
    kind = str(value.get("type", ""))
    if isinstance(delta, dict):  # /v1/messages
        yield from _texts(delta, _TEXT)
    elif isinstance(delta, str) and kind.endswith(("_text.delta", "_summary.delta")):
        yield kind, delta  # /v1/responses


def _texts(value: dict[str, Any], channels: _Channels) -> Iterator[Spoken]:
    for key, channel in channels:
        text = value.get(key)
        if isinstance(text, str) and text:
            yield channel, text
