"""Extraction of a model's text from the bytes of a stream, on all routes.

The bytes are forwarded elsewhere, unchanged and without delay.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from festinger.shim.proxy.endings import LINE_BYTES_MAX

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
_LAST: Final = ("message_stop", "response.completed", "error")

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
        objects = []
        for line in lines:
            # The end of a line that was too long to be kept.
            if self._skipping:
                self._skipping = False
            elif len(line) <= LINE_BYTES_MAX and (found := self._object(line)):
                objects.append(found)
        if len(self._rest) > LINE_BYTES_MAX:
            self._rest, self._skipping = bytearray(), True
        for value in _decoded(objects):
            last = value.get("done") is True or value.get("error")
            self.finished |= bool(last or value.get("type") in _LAST)
            yield from _spoken(value)

    def _object(self, line: bytearray) -> bytearray | None:
        """Return the JSON object of a line; None if it holds none."""
        if line.startswith(b"{"):
            self._within_event = False
            return line
        line = line.strip()
        # An event may have any number of lines, and ends with an empty one.
        self._within_event = line.startswith((b"data:", b"event:", b"id:", b":"))
        if line.startswith(b"data:"):
            line = line[5:].strip()
        if line == b"[DONE]":
            self.finished = True
        return line if line.startswith(b"{") else None


def _decoded(objects: Sequence[bytearray]) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that lines begin with, without those that are broken."""
    if len(objects) > 1:
        # Decoding all at once takes a third of the time.
        with suppress(ValueError, RecursionError):
            every, _ = _DECODE(f"[{b','.join(objects).decode()}]")
            yield from (value for value in every if isinstance(value, dict))
            return
    for line in objects:
        with suppress(ValueError, RecursionError):
            yield _DECODE(line.decode())[0]


def _spoken(value: dict[str, Any]) -> list[Spoken]:
    if isinstance(message := value.get("message"), dict):  # /api/chat
        return _texts(message, _CHAT)
    if isinstance(choices := value.get("choices"), list):
        return [
            (f"{channel} {choice.get('index', 0)}", text)
            for choice in choices
            if isinstance(choice, dict)
            for channel, text in _chosen(choice)
        ]
    delta = value.get("delta")
    if isinstance(delta, dict):  # /v1/messages
        return _texts(delta, _TEXT)
    if isinstance(delta, str):  # /v1/responses
        kind = str(value.get("type", ""))
        is_text = kind.endswith(("_text.delta", "_summary.delta"))
        return [(kind, delta)] if is_text else []
    return _texts(value, _GENERATE)  # /api/generate


def _chosen(choice: dict[str, Any]) -> list[Spoken]:
    if isinstance(delta := choice.get("delta"), dict):  # /v1/chat/completions
        return _texts(delta, _DELTA)
    return _texts(choice, _TEXT)  # /v1/completions


def _texts(value: dict[str, Any], channels: _Channels) -> list[Spoken]:
    return [
        (channel, text)
        for key, channel in channels
        if isinstance(text := value.get(key), str) and text
    ]
