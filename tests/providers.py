"""A stand-in for Anthropic, OpenAI and Ollama: their APIs, and their bad days."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

KEY = "sk-secret-0123456789-wxyz"
"""The key that it accepts."""


@dataclass(frozen=True)
class Say:
    """An answer: a value, which is said as JSON, or a text."""

    said: Any
    tokens: tuple[int, int] = (20, 5)
    cut: bool = False

    @property
    def text(self) -> str:
        """The text of it."""
        return self.said if isinstance(self.said, str) else json.dumps(self.said)


@dataclass(frozen=True)
class Fail:
    """A status instead of an answer."""

    status: int
    code: str = "api_error"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Send:
    """A body with status 200 that is no answer of any API."""

    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Endless:
    """A body that never ends, with a status."""

    status: int = 200


HANG = object()
"""Nothing is answered, ever."""
CUT = object()
"""The connection breaks in the middle of an answer."""


class ProviderStandIn:
    """
    Answers each request with the next line of its script.

    Attributes:
        asked: The bodies of the requests, oldest first.
        headers: Their headers.
        knows_schemas: Whether its OpenAI API knows `json_schema`.
        counts: Whether it counts tokens.
        arrived: Set when a request came.
        left: Set when somebody did not wait for the answer.
        busy, busiest: Requests under way, and the most there were.
        hold: While it is not set, nothing is answered.
    """

    def __init__(self) -> None:
        self.script: deque[Any] = deque()
        self.asked: list[Any] = []
        self.headers: list[dict[str, str]] = []
        self.knows_schemas = True
        self.counts = True
        self.arrived = asyncio.Event()
        self.hold = asyncio.Event()
        self.hold.set()
        self.busy = self.busiest = 0
        self.left = asyncio.Event()
        self.url = ""
        self._runner: web.AppRunner | None = None

    def will(self, *lines: Any) -> None:
        """Set the next answers."""
        self.script.extend(lines)

    async def __aenter__(self) -> ProviderStandIn:
        app = web.Application()
        app.router.add_post("/v1/messages", self._claude)
        app.router.add_post("/v1/chat/completions", self._openai)
        app.router.add_post("/api/chat", self._ollama)
        self._runner = web.AppRunner(
            app, handler_cancellation=True, access_log=None, shutdown_timeout=1.0
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *why: object) -> None:
        if self._runner:
            await self._runner.cleanup()

    async def _claude(self, request: web.Request) -> web.StreamResponse:
        asked = await self._read(request)
        # Older SDKs name the key in a header of its own.
        shown = request.headers.get("x-api-key") or request.headers["authorization"]
        if shown.removeprefix("Bearer ") != KEY:
            return _claude_error(401, "authentication_error", f"invalid key {shown}")
        chosen = asked.get("tool_choice", {}).get("name")
        tools = [tool["name"] for tool in asked.get("tools", ())]
        roles = [message["role"] for message in asked["messages"]]
        if (
            "anthropic-version" not in request.headers
            or not isinstance(asked.get("max_tokens"), int)
            or chosen not in tools
            or not all(message["content"] for message in asked["messages"])
            or roles != (["user", "assistant"] * len(roles))[: len(roles)]
        ):
            return _claude_error(400, "invalid_request_error", "bad request")

        def whole(line: Say) -> Any:
            block: dict[str, Any] = {"type": "text", "text": line.text}
            if not isinstance(line.said, str):
                name = chosen
                block = {
                    "type": "tool_use",
                    "id": "t",
                    "name": name,
                    "input": line.said,
                }
            stop = "max_tokens" if line.cut else "tool_use"
            return {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": asked["model"],
                "content": [block],
                "stop_reason": stop,
                "stop_sequence": None,
                "usage": dict(
                    zip(("input_tokens", "output_tokens"), line.tokens, strict=True)
                ),
            }

        return await self._play(request, whole, _claude_error)

    async def _openai(self, request: web.Request) -> web.StreamResponse:
        asked = await self._read(request)
        shown = request.headers.get("authorization")
        if shown not in (None, f"Bearer {KEY}"):
            return _openai_error(401, "invalid_api_key", f"incorrect {shown}")
        wanted = asked["response_format"]
        if wanted["type"] == "json_schema":
            if not self.knows_schemas:
                return _openai_error(400, "unsupported", "no json_schema here")
            described = wanted["json_schema"]
            if not (described["strict"] and is_strict(described["schema"])):
                return _openai_error(400, "invalid_schema", "not strict")
        elif "JSON" not in json.dumps(asked["messages"]):
            return _openai_error(400, "invalid_request", "say JSON")

        def whole(line: Say) -> Any:
            sent, received = line.tokens
            usage = {
                "prompt_tokens": sent,
                "completion_tokens": received,
                "total_tokens": sent + received,
            }
            return {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": asked["model"],
                "choices": [
                    {
                        "index": 0,
                        "message": {"role": "assistant", "content": line.text},
                        "finish_reason": "length" if line.cut else "stop",
                    }
                ],
                "usage": usage if self.counts else None,
            }

        return await self._play(request, whole, _openai_error)

    async def _ollama(self, request: web.Request) -> web.StreamResponse:
        asked = await self._read(request)
        if asked["model"] == "missing":
            return _ollama_error(404, "", "model 'missing' not found")
        if asked.get("stream") is not False or not isinstance(asked["format"], dict):
            return _ollama_error(400, "", "bad request")

        def whole(line: Say) -> Any:
            sent, received = line.tokens
            return {
                "model": asked["model"],
                "created_at": "2026-01-01T00:00:00Z",
                "message": {"role": "assistant", "content": line.text},
                "done": True,
                "done_reason": "length" if line.cut else "stop",
                "prompt_eval_count": sent,
                "eval_count": received,
            }

        return await self._play(request, whole, _ollama_error)

    async def _read(self, request: web.Request) -> Any:
        asked = await request.json()
        self.asked.append(asked)
        self.headers.append({k.lower(): v for k, v in request.headers.items()})
        return asked

    async def _play(
        self, request: web.Request, whole: Any, error: Any
    ) -> web.StreamResponse:
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        self.arrived.set()
        try:
            await self.hold.wait()
            return await self._line(request, whole, error)
        except asyncio.CancelledError:
            self.left.set()
            raise
        finally:
            self.busy -= 1

    async def _line(
        self, request: web.Request, whole: Any, error: Any
    ) -> web.StreamResponse:
        match self.script.popleft():
            case Say() as line:
                return web.json_response(whole(line))
            case Fail(status, code, headers):
                response: web.Response = error(status, code, "as told")
                response.headers.update(headers)
                return response
            case Send(body, headers):
                return web.Response(body=body, headers=headers)
            case Endless(status):
                return await _endlessly(request, status)
            case line if line is CUT:
                out = web.StreamResponse(headers={"content-length": "1000"})
                await out.prepare(request)
                await out.write(b'{"choices')
                assert request.transport is not None
                request.transport.close()
                return out
            case _:
                await asyncio.Event().wait()
                raise AssertionError


async def _endlessly(request: web.Request, status: int) -> web.StreamResponse:
    out = web.StreamResponse(
        status=status, headers={"content-type": "application/json"}
    )
    await out.prepare(request)
    while True:
        await out.write(b" " * 65536)


def is_strict(schema: Any) -> bool:
    """Return whether OpenAI's strict mode takes a schema."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if {"$ref", "default", "minLength", "maxLength"} & schema.keys():
        return False
    if schema.get("type") == "object" and (
        schema.get("additionalProperties") is not False
        or set(schema["required"]) != schema["properties"].keys()
    ):
        return False
    inner = {**schema, **schema.get("properties", {})}
    inner.pop("properties", None)
    return all(map(is_strict, inner.values()))


def _claude_error(status: int, code: str, message: str) -> web.Response:
    error = {"type": code, "message": message}
    return web.json_response({"type": "error", "error": error}, status=status)


def _openai_error(status: int, code: str, message: str) -> web.Response:
    error = {"message": message, "type": "api_error", "param": None, "code": code}
    return web.json_response({"error": error}, status=status)


def _ollama_error(status: int, code: str, message: str) -> web.Response:
    return web.json_response({"error": message}, status=status)
