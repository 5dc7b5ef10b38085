"""The shim's own answers for a stopped agent, if the configuration wants them.

Their text names Festinger and the reason. A stream that is cut ends differently: with
an error of its protocol, never with an invented answer.
"""

from __future__ import annotations

import json
from typing import Any, Final

from festinger.shim.proxy.wording import event

NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"

# Constant: the answer is no model's, and clients only parse these members.
_CREATED: Final = "1970-01-01T00:00:00Z"
_ID: Final = "festinger"


def answer(
    path: str, asked: dict[str, Any], text: str, *, enveloped: bool
) -> tuple[str, bytes] | None:
    """Return an assistant's message in place of a model's.

    Args:
        enveloped: True if the client expects Agent Zero's JSON notation.

    Returns:
        The content type and the body; None if the route has no such message.
    """
    # Agent Zero ends its turn only at a call of its `response` tool.
    if enveloped:
        response = {"tool_name": "response", "tool_args": {"text": text}}
        text = json.dumps({"thoughts": [], **response})
    model = asked.get("model")
    if path == "/api/chat":
        said: dict[str, Any] = {"message": {"role": "assistant", "content": text}}
    elif path == "/api/generate":
        said = {"response": text}
    elif path == "/v1/chat/completions":
        return _openai(model, text, streams=asked.get("stream") is True)
    elif path == "/v1/messages":
        return _anthropic(model, text, streams=asked.get("stream") is True)
    else:
        # /v1/responses and /v1/completions: these are refused with the error instead.
        return None
    head = {"model": model, "created_at": _CREATED}
    # One line is a whole stream of Ollama's, so both modes have the same body.
    whole = {**head, **said, "done": True, "done_reason": "stop"}
    # Ollama streams unless it is told not to; the `/v1` routes only if they are told to.
    streams = asked.get("stream") is not False
    return (NDJSON if streams else "application/json"), _line(whole)


def _openai(model: Any, text: str, *, streams: bool) -> tuple[str, bytes]:
    message = {"role": "assistant", "content": text}
    head = {"id": _ID, "created": 0, "model": model}
    choice: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
    if not streams:
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        choice["message"] = message
        whole = {**head, "object": "chat.completion", "choices": [choice]}
        return "application/json", _line({**whole, "usage": usage})
    choice["delta"] = message
    chunk = {**head, "object": "chat.completion.chunk", "choices": [choice]}
    return SSE, event(_json(chunk)) + event("[DONE]")


def _anthropic(model: Any, text: str, *, streams: bool) -> tuple[str, bytes]:
    usage = {"input_tokens": 0, "output_tokens": 0}
    message = {"id": _ID, "type": "message", "role": "assistant", "model": model}
    message |= {"content": [], "stop_reason": None, "stop_sequence": None}
    ending = {"stop_reason": "end_turn", "stop_sequence": None}
    block = {"type": "text", "text": text}
    if not streams:
        whole = {**message, **ending, "content": [block], "usage": usage}
        return "application/json", _line(whole)
    # The sequence that Anthropic's clients require, with one delta.
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "usage": usage}},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        },
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": text},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ending, "usage": usage},
        {"type": "message_stop"},
    ]
    return SSE, b"".join(event(_json(it), it["type"]) for it in events)


def _line(value: dict[str, Any]) -> bytes:
    return f"{_json(value)}\n".encode("utf-8", "replace")


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
