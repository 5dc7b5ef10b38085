"""Responses of the stand-in to POST /v1/messages."""

from __future__ import annotations

import json
from typing import Any

from festinger.standin.openai import EVENTS
from festinger.standin.speech import StandinResponse


class MessagesStandin(StandinResponse):
    """Response to POST /v1/messages: content blocks, or a stream of named events."""

    content_type = EVENTS
    # As in Anthropic's and OpenAI's interfaces, unless the request asks for a stream.
    streams = False

    def whole(self) -> dict[str, Any]:
        """Return the body of a response that is not streamed."""
        return {**self._head(), "content": self._blocks(), "stop_reason": self._stop}

    def chunks(self) -> list[bytes]:
        """Return the chunks of a streamed response."""
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": self._head()}
        ]
        for index, block in enumerate(self._blocks()):
            # A block starts empty; the deltas bring its content.
            start: dict[str, Any] = {**block, "text": ""}
            deltas = [{"type": "text_delta", "text": word} for word in self._words()]
            if block["type"] == "tool_use":
                start = {**block, "input": {}}
                given = json.dumps(block["input"])
                # Arguments come as pieces of a JSON text.
                deltas = [{"type": "input_json_delta", "partial_json": given}]
            at = {"index": index}
            events += [
                {"type": "content_block_start", "content_block": start, **at},
                *({"type": "content_block_delta", "delta": d, **at} for d in deltas),
                {"type": "content_block_stop", **at},
            ]
        end = {"stop_reason": self._stop, "stop_sequence": None}
        events += [
            {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]
        return [
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            for event in events
        ]

    @staticmethod
    def error(message: str) -> object:
        """Return the body of an error response."""
        return {"type": "error", "error": {"type": "api_error", "message": message}}

    @property
    def _stop(self) -> str:
        return "tool_use" if self._calls else "end_turn"

    def _head(self) -> dict[str, Any]:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": self._model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    def _blocks(self) -> list[dict[str, Any]]:
        # Text or calls, never both: enough for what clients have to parse.
        if not self._calls:
            return [{"type": "text", "text": self._text}]
        return [
            {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": arguments}
            for n, (name, arguments) in enumerate(self._calls)
        ]

    @staticmethod
    def _has_result(asked: dict[str, Any]) -> bool:
        return any(
            block["type"] == "tool_result"
            for message in asked["messages"]
            # Tool results stand in the content blocks of user messages.
            if not isinstance(message["content"], str)
            for block in message["content"]
        )
