"""Responses of the stand-in on Ollama's own routes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from festinger.standin.behaviour import StandinBehaviour

# Fixed, so that answers can be compared byte for byte.
CREATED: Final = "2026-01-01T00:00:00.000000Z"
"""Creation time of every response."""

# Durations in nanoseconds, which the shim reads from the last line.
_DONE: Final = {
    "done": True,
    "done_reason": "stop",
    "total_duration": 1,
    "load_duration": 1,
    "prompt_eval_count": 1,
    "prompt_eval_duration": 1,
    "eval_count": 1,
    "eval_duration": 1,
}

NDJSON: Final = "application/x-ndjson"
"""The content type of Ollama's own streams."""


class StandinResponse:
    """Response of one route, whole or in chunks."""

    content_type = NDJSON
    streams = True
    """Whether the response is streamed if the request does not say."""

    def __init__(self, asked: dict[str, Any], knobs: StandinBehaviour) -> None:
        self._model = asked["model"]
        said = self._said(asked)
        # Calls are made until a result comes back, so that a client's loop of tools ends.
        self._calls = () if self._has_result(asked) else knobs.calls
        # The end only, which shows whether the newest message has arrived.
        text = f"You said: {said[-80:]}" if knobs.reply is None else knobs.reply
        self._text = "" if self._calls else text

    def whole(self) -> dict[str, Any]:
        """Return the body of a response that is not streamed."""
        raise NotImplementedError

    def chunks(self) -> list[bytes]:
        """Return the chunks of a streamed response."""
        raise NotImplementedError

    @staticmethod
    def error(message: str) -> object:
        """Return the body of an error response."""
        return {"error": message}

    def _words(self) -> list[str]:
        # At least one chunk, even for an empty answer.
        return [f"{word} " for word in self._text.split()] or [""]

    @staticmethod
    def _said(asked: dict[str, Any]) -> str:
        return last_said(asked.get("messages") or [])

    @staticmethod
    def _has_result(asked: dict[str, Any]) -> bool:
        return any(m["role"] == "tool" for m in asked.get("messages") or [])


class OllamaStandin(StandinResponse):
    """Base class of the responses in Ollama's format."""

    def whole(self) -> dict[str, Any]:
        """Return the body of a response that is not streamed."""
        return {**self._part(self._text, self._calls), **_DONE}

    def chunks(self) -> list[bytes]:
        """Return the chunks of a streamed response."""
        parts = [self._part(word) for word in self._words()]
        if self._calls:
            parts = [self._part("", self._calls)]
        return [line(part) for part in (*parts, {**self._part(""), **_DONE})]

    def _part(self, text: str, calls: Any = ()) -> dict[str, Any]:
        head = {"model": self._model, "created_at": CREATED}
        return {**head, **self._content(text, calls), "done": False}

    def _content(self, text: str, calls: Any) -> dict[str, Any]:
        raise NotImplementedError


class ChatResponse(OllamaStandin):
    """Response to POST /api/chat."""

    def _content(self, text: str, calls: Any) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {"function": {"name": name, "arguments": arguments}}
                for name, arguments in calls
            ]
        return {"message": message}


class GenerateResponse(OllamaStandin):
    """Response to POST /api/generate."""

    def _content(self, text: str, calls: Any) -> dict[str, Any]:
        return {"response": text}

    @staticmethod
    def _said(asked: dict[str, Any]) -> str:
        return str(asked.get("prompt") or "")


def last_said(messages: Iterable[dict[str, Any]]) -> str:
    """Return the text of the last message of the user."""
    said = ""
    for message in messages:
        if message.get("role") == "user":
            said = text_of(message.get("content"))
    return said


def text_of(content: Any) -> str:
    """Return the text of a message's content, which may be a list of parts."""
    if isinstance(content, list):
        return " ".join(part.get("text", "") for part in content)
    return content or ""


def line(value: dict[str, Any]) -> bytes:
    """Encode a value as a line of NDJSON."""
    # Without spaces, as Ollama's own lines.
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
