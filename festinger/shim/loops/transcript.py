"""Reads what a model says out of the bytes of a stream, on all routes.

The bytes themselves pass elsewhere, untouched and at once; this only looks at them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

LINE_BYTES_MAX: Final = 2**20
"""Longer lines are passed over."""

Spoken = tuple[str, str]
"""The channel, such as the answer or the thoughts before it, and the text."""


class Transcript:
    """The text of one stream: lines of JSON, or server-sent events.

    Attributes:
        finished: True once the stream has said that it is complete, or failed.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._skipping = False
        self._within_event = False
        self.finished = False

    @property
    def at_seam(self) -> bool:
        """Whether a line, or an event, of another's may follow here."""
        return not (self._rest or self._skipping or self._within_event)

    def feed(self, data: bytes) -> Iterator[Spoken]:
        """Reads on, and gives what was said."""
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
        # An event is as many lines as it likes, and ends with an empty one.
        self._within_event = line.startswith((b"data:", b"event:", b"id:", b":"))
        if line.startswith(b"data:"):
            line = line.removeprefix(b"data:").strip()
        if line == b"[DONE]":
            self.finished = True
        if not line.startswith(b"{"):
            return
        try:
            value = json.loads(line)
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
        yield from _texts(message, content="answer", thinking="thoughts")
    yield from _texts(value, response="answer", thinking="thoughts")  # /api/generate
    if isinstance(choices := value.get("choices"), list):  # /v1/chat/completions
        for choice in choices:
            if isinstance(choice, dict) and isinstance(choice.get("delta"), dict):
                index = choice.get("index", 0)
                yield from _texts(
                    choice["delta"],
                    content=f"answer {index}",
                    reasoning=f"thoughts {index}",
                    reasoning_content=f"thoughts {index}",
                )
            elif isinstance(choice, dict):  # /v1/completions
                yield from _texts(choice, text=f"answer {choice.get('index', 0)}")
    kind, delta = str(value.get("type", "")), value.get("delta")
    if isinstance(delta, dict):  # /v1/messages
        yield from _texts(delta, text="answer", thinking="thoughts")
    elif isinstance(delta, str) and kind.endswith(("_text.delta", "_summary.delta")):
        yield kind, delta  # /v1/responses


def _texts(value: dict[str, Any], **channels: str) -> Iterator[Spoken]:
    for key, channel in channels.items():
        text = value.get(key)
        if isinstance(text, str) and text:
            yield channel, text
