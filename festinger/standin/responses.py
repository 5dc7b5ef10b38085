"""Responses of the stand-in to POST /v1/responses."""

from __future__ import annotations

import json
from typing import Any

from festinger.standin.openai import CREATED_SECONDS, EVENTS, OpenAIStandin
from festinger.standin.speech import last_said


class ResponsesStandin(OpenAIStandin):
    """Response to POST /v1/responses: items, or a stream of numbered, named events."""

    content_type = EVENTS

    def whole(self) -> dict[str, Any]:
        """Return the body of a response that is not streamed."""
        return self._response("completed", self._items())

    def chunks(self) -> list[bytes]:
        """Return the chunks of a streamed response."""
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": self._response("in_progress", [])},
        ]
        for index, item in enumerate(self._items()):
            # All events of an item name it by index and id.
            at = {"output_index": index, "item_id": item["id"]}
            # A message is announced empty; a call with its name.
            empty = {**item, "status": "in_progress", "content": []}
            added = empty if item["type"] == "message" else item
            events.append({"type": "response.output_item.added", "item": added, **at})
            events += self._parts(item, at)
            events.append({"type": "response.output_item.done", "item": item, **at})
        # The last event repeats the whole response.
        events.append({"type": "response.completed", "response": self.whole()})
        return [_event(number, event) for number, event in enumerate(events)]

    def _parts(self, item: dict[str, Any], at: dict[str, Any]) -> list[dict[str, Any]]:
        if item["type"] == "function_call":
            kind = "response.function_call_arguments"
            arguments = item["arguments"]
            return [
                {"type": f"{kind}.delta", "delta": arguments, **at},
                {"type": f"{kind}.done", "arguments": arguments, **at},
            ]
        # The order of events that OpenAI's packages require.
        at = {**at, "content_index": 0}
        empty = {**_part(""), "text": ""}
        part = {"part": empty, **at}
        return [
            {"type": "response.content_part.added", **part},
            *(
                {"type": "response.output_text.delta", "delta": word, **at}
                for word in self._words()
            ),
            {"type": "response.output_text.done", "text": self._text, **at},
            {"type": "response.content_part.done", "part": _part(self._text), **at},
        ]

    def _items(self) -> list[dict[str, Any]]:
        if self._calls:
            return [
                {
                    "id": f"fc_{index}",
                    "type": "function_call",
                    "status": "completed",
                    "call_id": f"call_{index}",
                    "name": name,
                    "arguments": json.dumps(arguments),
                }
                for index, (name, arguments) in enumerate(self._calls)
            ]
        return [
            {
                "id": "msg_1",
                "type": "message",
                "status": "completed",
                "role": "assistant",
                "content": [_part(self._text)],
            }
        ]

    def _response(self, status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": CREATED_SECONDS,
            "status": status,
            "model": self._model,
            "output": output,
            "error": None,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }

    @staticmethod
    def _said(asked: dict[str, Any]) -> str:
        given = asked["input"]
        return given if isinstance(given, str) else last_said(given)

    @staticmethod
    def _has_result(asked: dict[str, Any]) -> bool:
        given = asked["input"]
        return not isinstance(given, str) and any(
            item.get("type") == "function_call_output" for item in given
        )


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _event(number: int, event: dict[str, Any]) -> bytes:
    # Numbered from 0 without a gap; the name of the event is its type.
    data = json.dumps({**event, "sequence_number": number})
    return f"event: {event['type']}\ndata: {data}\n\n".encode()
