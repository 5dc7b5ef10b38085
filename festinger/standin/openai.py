"""Responses of the stand-in on OpenAI's routes for chat and prompt completions."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Final

from festinger.standin.speech import CREATED, StandinResponse

EVENTS: Final = "text/event-stream"
"""The content type of a stream of events."""

CREATED_SECONDS: Final = int(datetime.fromisoformat(CREATED).timestamp())
"""Creation time of every response, in seconds since the epoch."""

_USAGE: Final = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
_END: Final = b"data: [DONE]\n\n"


class OpenAIStandin(StandinResponse):
    """Base class of the responses in OpenAI's format."""

    content_type = EVENTS
    streams = False

    kind: str
    """Value of `object` in a response."""
    chunk_kind: str
    """Value of `object` in a chunk."""

    @staticmethod
    def error(message: str) -> object:
        """Return the body of an error response."""
        return {"error": {"message": message, "type": "api_error", "code": None}}

    def _answer(self, choice: dict[str, Any]) -> dict[str, Any]:
        return {**self._head(self.kind), "choices": [choice], "usage": _USAGE}

    def _event(self, choice: dict[str, Any]) -> bytes:
        event = {**self._head(self.chunk_kind), "choices": [choice]}
        return b"data: " + json.dumps(event).encode() + b"\n\n"

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": "1",
            "object": kind,
            "created": CREATED_SECONDS,
            "model": self._model,
        }


class ChatCompletion(OpenAIStandin):
    """Response to POST /v1/chat/completions."""

    kind, chunk_kind = "chat.completion", "chat.completion.chunk"

    def whole(self) -> dict[str, Any]:
        """Return the body of a response that is not streamed."""
        message = {"role": "assistant", "content": self._text, **self._tool_calls()}
        return self._answer(
            {"index": 0, "message": message, "finish_reason": self._finish}
        )

    def chunks(self) -> list[bytes]:
        """Return the chunks of a streamed response."""
        # One word a chunk, so that a stream has several.
        deltas: list[dict[str, Any]] = [
            {"role": "assistant", "content": word} for word in self._words()
        ]
        if self._calls:
            deltas = [{"role": "assistant", **self._tool_calls()}]
        events = [self._delta(delta, None) for delta in deltas]
        # The reason to finish comes in a last chunk of its own.
        return [*events, self._delta({}, self._finish), _END]

    @property
    def _finish(self) -> str:
        return "tool_calls" if self._calls else "stop"

    def _delta(self, delta: dict[str, Any], finish: str | None) -> bytes:
        return self._event({"index": 0, "delta": delta, "finish_reason": finish})

    def _tool_calls(self) -> dict[str, Any]:
        if not self._calls:
            return {}
        return {
            "tool_calls": [
                {
                    "index": index,
                    "id": f"call_{index}",
                    "type": "function",
                    # A string of JSON here, an object on Ollama's own routes.
                    "function": {"name": name, "arguments": json.dumps(arguments)},
                }
                for index, (name, arguments) in enumerate(self._calls)
            ]
        }


class CompletionResponse(OpenAIStandin):
    """Response to POST /v1/completions."""

    kind = chunk_kind = "text_completion"

    def whole(self) -> dict[str, Any]:
        """Return the body of a response that is not streamed."""
        return self._answer({"index": 0, "text": self._text, "finish_reason": "stop"})

    def chunks(self) -> list[bytes]:
        """Return the chunks of a streamed response."""
        parts = [(word, None) for word in self._words()]
        events = [
            self._event({"index": 0, "text": text, "finish_reason": finish})
            for text, finish in (*parts, ("", "stop"))
        ]
        return [*events, _END]

    @staticmethod
    def _said(asked: dict[str, Any]) -> str:
        if not isinstance(asked["prompt"], str):
            # Ollama refuses a list of prompts with a 400 too.
            raise TypeError("prompt must be a string")
        return asked["prompt"]
