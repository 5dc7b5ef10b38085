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

    def whole(self) -> dict[str, Any]:
        """Return the body of a response that is not streamed."""
        return {
            **self._said_as(self.kind, self._content(), self._finish),
            "usage": _USAGE,
        }

    def chunks(self) -> list[bytes]:
        """Return the chunks of a streamed response."""
        *pieces, last = self._pieces()
        events = [self._said_as(self.chunk_kind, piece, None) for piece in pieces]
        # The reason to finish comes in a last chunk of its own.
        events.append(self._said_as(self.chunk_kind, last, self._finish))
        return [*(b"data: " + json.dumps(it).encode() + b"\n\n" for it in events), _END]

    @property
    def _finish(self) -> str:
        return "tool_calls" if self._calls else "stop"

    def _content(self) -> dict[str, Any]:
        raise NotImplementedError

    def _pieces(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def _said_as(
        self, kind: str, content: dict[str, Any], finish: str | None
    ) -> dict[str, Any]:
        return {
            "id": "1",
            "object": kind,
            "created": CREATED_SECONDS,
            "model": self._model,
            "choices": [{"index": 0, **content, "finish_reason": finish}],
        }


class ChatCompletion(OpenAIStandin):
    """Response to POST /v1/chat/completions."""

    kind, chunk_kind = "chat.completion", "chat.completion.chunk"

    def _content(self) -> dict[str, Any]:
        message = {"role": "assistant", "content": self._text, **self._tool_calls()}
        return {"message": message}

    def _pieces(self) -> list[dict[str, Any]]:
        # One word a chunk, so that a stream has several.
        said = [{"content": word} for word in self._words()]
        deltas = [self._tool_calls()] if self._calls else said
        spoken = [{"delta": {"role": "assistant", **delta}} for delta in deltas]
        return [*spoken, {"delta": {}}]

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

    def _content(self) -> dict[str, Any]:
        return {"text": self._text}

    def _pieces(self) -> list[dict[str, Any]]:
        return [{"text": word} for word in (*self._words(), "")]

    @property
    def _finish(self) -> str:
        return "stop"

    @staticmethod
    def _said(asked: dict[str, Any]) -> str:
        if not isinstance(asked["prompt"], str):
            # Ollama refuses a list of prompts with a 400 too.
            raise TypeError("prompt must be a string")
        return asked["prompt"]
