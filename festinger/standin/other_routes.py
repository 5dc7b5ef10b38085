"""Responses of the stand-in to requests that are not prompts."""

from __future__ import annotations

import json
from typing import Any, Final

from aiohttp import web

from festinger.standin.behaviour import StandinBehaviour
from festinger.standin.speech import CREATED, NDJSON, line

VERSION: Final = "0.33.0"
"""The version of Ollama that the stand-in reports."""

# The least that the official clients accept as an answer.
_FIXED: Final[dict[str, dict[str, Any]]] = {
    "/api/version": {"version": VERSION},
    "/api/tags": {
        "models": [
            {
                "name": "stand-in:latest",
                "model": "stand-in:latest",
                "modified_at": CREATED,
                "size": 1,
                "digest": "0" * 64,
                "details": {"family": "stand-in", "format": "gguf"},
            }
        ]
    },
    # No model is loaded, so that the shim's reader asks none.
    "/api/ps": {"models": []},
    "/v1/models": {
        "object": "list",
        "data": [
            {"id": "stand-in:latest", "object": "model", "created": 0, "owned_by": "me"}
        ],
    },
    "/api/embed": {
        "model": "stand-in",
        "embeddings": [[0.5, 0.25]],
        "prompt_eval_count": 3,
    },
    "/api/embeddings": {"embedding": [0.5, 0.25]},
    "/v1/embeddings": {
        "object": "list",
        "model": "stand-in",
        "data": [{"object": "embedding", "index": 0, "embedding": [0.5, 0.25]}],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    },
    "/v1/audio/transcriptions": {"text": "hello"},
}


def answer(
    method: str, path: str, body: bytes, knobs: StandinBehaviour
) -> web.Response:
    """Answer a request that is not a prompt."""
    if path == "/":
        return web.Response(text="Ollama is running")
    if path == "/api/show":
        return _show(body, knobs)
    # HEAD asks whether a blob is there, POST uploads it.
    if path.startswith("/api/blobs/"):
        return web.Response(status=201 if method == "POST" else 200)
    if path in {"/api/pull", "/api/push", "/api/create"}:
        return _progress(body)
    if path in _FIXED:
        return web.json_response(_FIXED[path])
    if path in {"/api/copy", "/api/delete"}:
        return web.Response()
    return web.Response(status=404, text="404 page not found")


def _show(body: bytes, knobs: StandinBehaviour) -> web.Response:
    try:
        asked = json.loads(body)
        model = asked.get("model") or asked.get("name")
    except (ValueError, AttributeError):
        return web.json_response({"error": "invalid request"}, status=400)
    shown = {"template": "{{ .Prompt }}", "details": {}, "model_info": {}}
    if system := knobs.systems.get(model):
        shown["system"] = system
    if context := knobs.contexts.get(model):
        # With a second parameter, as real answers have.
        shown["parameters"] = f'stop    "x"\nnum_ctx    {context}'
    return web.json_response(shown)


def _progress(body: bytes) -> web.Response:
    try:
        streams = json.loads(body).get("stream", True)
    except (ValueError, AttributeError):
        streams = True
    # Progress is streamed by default.
    if not streams:
        return web.json_response({"status": "success"})
    lines = line({"status": "working"}) + line({"status": "success"})
    return web.Response(body=lines, content_type=NDJSON)
