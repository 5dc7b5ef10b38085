"""How errors are worded on each family of routes, so that its clients read them."""

from __future__ import annotations

import json
from typing import Final

from aiohttp import hdrs, web

from festinger.shim.proxy.events import event

RETRY_AFTER_SECONDS: Final = "1"
"""When clients may ask again after a 503: what is busy now is free in a moment."""

_OPENAI: Final = {
    401: "authentication_error",
    403: "permission_error",
    408: "timeout_error",
    500: "api_error",
    502: "api_error",
    503: "api_error",
    504: "timeout_error",
}

_ANTHROPIC: Final = {
    **_OPENAI,
    404: "not_found_error",
    413: "request_too_large",
}

_REQUEST: Final = "invalid_request_error"


def is_anthropic(path: str) -> bool:
    """Whether a path is one of Anthropic's."""
    return f"{path}/".startswith("/v1/messages/")


def error_body(path: str, status: int, message: str) -> dict[str, object]:
    """An error as the clients of a path read it."""
    if is_anthropic(path):
        error = {"type": _ANTHROPIC.get(status, _REQUEST), "message": message}
        return {"type": "error", "error": error}
    if path.startswith("/v1/"):
        kind = _OPENAI.get(status, _REQUEST)
        error = {"message": message, "type": kind}
        return {"error": {**error, "code": None, "param": None}}
    return {"error": message}


def error_response(path: str, status: int, message: str) -> web.Response:
    """An answer that holds an error."""
    response = web.json_response(error_body(path, status, message), status=status)
    if status == 503:
        response.headers[hdrs.RETRY_AFTER] = RETRY_AFTER_SECONDS
    return response


def error_event(path: str, message: str, number: int) -> bytes:
    """An error as the last event of a stream.

    Args:
        path: Whose clients read it.
        message: What happened.
        number: Of the event in its stream, where events have numbers.
    """
    body, name = error_body(path, 502, message), "error"
    if path == "/v1/responses":
        body = {"type": "error", "code": "server_error", "message": message}
        body |= {"param": None, "sequence_number": number}
    elif not is_anthropic(path):
        name = ""
    return event(json.dumps(body), name)


def error_line(message: str) -> bytes:
    """An error as the last line of a stream of Ollama's own."""
    return json.dumps({"error": message}, separators=(",", ":")).encode() + b"\n"
