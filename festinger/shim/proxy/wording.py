"""Error formats of each family of routes, and server-sent events (`event`)."""

from __future__ import annotations

import json
from typing import Final

from aiohttp import hdrs, web

from festinger.shim.proxy.guard import RequestRefused

RETRY_AFTER_SECONDS: Final = "1"
"""Value of `Retry-After` for a 503, in seconds; short, as overload is brief."""

# Type of an error by status, as the packages of OpenAI and Anthropic map them.
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


def event(data: str, name: str = "") -> bytes:
    """Return a server-sent event.

    Args:
        name: Name of the event's type; empty if the protocol does not name events.
    """
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {data}\n\n".encode("utf-8", "replace")


def is_anthropic(path: str) -> bool:
    """Return whether a path is one of Anthropic's."""
    return f"{path}/".startswith("/v1/messages/")


def error_body(path: str, status: int, message: str) -> dict[str, object]:
    """Return an error as a JSON object in the format of a path's clients."""
    if is_anthropic(path):
        error = {"type": _ANTHROPIC.get(status, _REQUEST), "message": message}
        return {"type": "error", "error": error}
    if path.startswith("/v1/"):
        kind = _OPENAI.get(status, _REQUEST)
        error = {"message": message, "type": kind}
        return {"error": {**error, "code": None, "param": None}}
    return {"error": message}


def error_response(path: str, status: int, message: str) -> web.Response:
    """Return a response that holds an error, with `Retry-After` for a 503."""
    response = web.json_response(error_body(path, status, message), status=status)
    if status == 503:
        response.headers[hdrs.RETRY_AFTER] = RETRY_AFTER_SECONDS
    return response


def refusal_response(
    request: web.BaseRequest, path: str, refusal: RequestRefused
) -> web.Response:
    """Return the response to a request that the shim refuses."""
    response = error_response(path, refusal.status, refusal.message)
    if request.can_read_body:
        response.force_close()  # the rest of the body is not read
    return response


def error_event(path: str, message: str, number: int) -> bytes:
    """Return an error as the last event of a stream.

    Args:
        number: Sequence number of the event, for `/v1/responses`.
    """
    body, name = error_body(path, 502, message), "error"
    # Its clients require the sequence numbers to go on.
    if path == "/v1/responses":
        body = {"type": "error", "code": "server_error", "message": message}
        body |= {"param": None, "sequence_number": number}
    # OpenAI's older streams do not name their events.
    elif not is_anthropic(path):
        name = ""
    return event(json.dumps(body), name)


def error_line(message: str) -> bytes:
    """Return an error as the last line of a JSON stream of Ollama's."""
    return json.dumps({"error": message}, separators=(",", ":")).encode() + b"\n"
