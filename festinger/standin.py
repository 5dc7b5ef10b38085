"""A small stand-in for Ollama: speaks its routes, remembers what it was given.

It answers every prompt with a sentence about it. `festinger demo`, the tests and the
benchmarks use it where no Ollama is at hand; its knobs make it slow, broken or silent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from itertools import takewhile
from types import TracebackType
from typing import Any, Final, Self

from aiohttp import web

VERSION: Final = "0.33.0"
"""The version of Ollama that it pretends to be."""

_CREATED: Final = "2026-01-01T00:00:00.000000Z"
_NDJSON: Final = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came.

    Attributes:
        path: With the query.
        headers: Names and values in their order.
    """

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def json(self) -> Any:
        """What the body says."""
        return json.loads(self.body)

    @property
    def rendered(self) -> str:
        """The prompt as most templates write it: all system text in front."""
        asked = self.json
        messages = asked.get("messages") or [
            {"role": "user", "content": asked.get("prompt")}
        ]
        if asked.get("system"):
            messages = [{"role": "system", "content": asked["system"]}, *messages]
        ordered = sorted(messages, key=lambda message: message["role"] != "system")
        return "".join(f"{m['role']}: {_text_of(m.get('content'))}\n" for m in ordered)

    def header(self, name: str) -> str | None:
        """The first header of that name."""
        for key, value in self.headers:
            if key.lower() == name.lower():
                return value
        return None


def evaluated(prompts: Iterable[Received]) -> list[int]:
    """Bytes of each prompt that a model has to read: behind what it shares with the
    one before, which its prefix cache holds."""
    read, before = [], b""
    for prompt in prompts:
        rendered = prompt.rendered.encode()
        pairs = zip(before, rendered, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        read.append(len(rendered) - shared)
        before = rendered
    return read


@dataclass(slots=True)
class Knobs:
    """How the stand-in behaves; may be turned at any time.

    Attributes:
        reply: What it says, word by word; None for a sentence about the prompt.
        calls: Tool calls, name and arguments, that it makes until it gets a result.
        delay: Seconds before each chunk.
        status: A status to answer prompts with instead.
        cut_after: Breaks the connection after so many chunks.
        hold_after: Says nothing more after so many chunks, until it is cancelled; 0
            is before the headers.
        systems: The Modelfile's SYSTEM by model.
        contexts: The Modelfile's `num_ctx` by model.
        show_delay: Seconds before it answers `/api/show`.
    """

    reply: str | None = None
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    delay: float = 0.0
    status: int | None = None
    cut_after: int | None = None
    hold_after: int | None = None
    systems: dict[str, str] = field(default_factory=dict)
    contexts: dict[str, int] = field(default_factory=dict)
    show_delay: float = 0.0


class StandIn:
    """The stand-in, as a server.

    Attributes:
        requests: Everything that it received, oldest first.
        cancelled: The paths of requests whose client went away.
        knobs: How it behaves.
    """

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.cancelled: list[str] = []
        self.knobs = Knobs()
        self._runner: web.AppRunner | None = None
        self._address = ""

    @property
    def url(self) -> str:
        """Where it listens, once it is started."""
        return f"http://{self._address}"

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> str:
        """Starts to listen; returns the URL. Port 0 takes a free one."""
        app = web.Application(client_max_size=0)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(
            app,
            handler_cancellation=True,
            access_log=None,
            auto_decompress=False,
            shutdown_timeout=1.0,
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self._address = f"{host}:{port}"
        return self.url

    async def stop(self) -> None:
        """Stops; connections under way are broken."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.stop()

    @property
    def prompts(self) -> list[Received]:
        """The requests that a model would have answered."""
        return [r for r in self.requests if r.path.partition("?")[0] in _PROMPTS]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        try:
            body = await request.read()
            self.requests.append(
                Received(
                    request.method,
                    request.raw_path,
                    tuple(request.headers.items()),
                    body,
                )
            )
            if request.method == "POST" and request.path in _PROMPTS:
                return await self._answer(request, body)
            return await self._other(request, body)
        except asyncio.CancelledError:
            self.cancelled.append(request.path)
            raise

    async def _answer(self, request: web.Request, body: bytes) -> web.StreamResponse:
        knobs = self.knobs
        if knobs.hold_after == 0:
            await asyncio.Event().wait()
        if knobs.status:
            return web.json_response({"error": "as told"}, status=knobs.status)
        try:
            asked = json.loads(body)
            speech = _PROMPTS[request.path](asked, knobs)
        except (
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            RecursionError,
        ) as error:
            return web.json_response({"error": f"{error}"}, status=400)
        if not asked.get("stream", request.path != "/v1/chat/completions"):
            await asyncio.sleep(knobs.delay)
            if knobs.cut_after is not None:
                _break(request)
            return web.json_response(speech.whole())
        out = web.StreamResponse(headers={"Content-Type": speech.content_type})
        await out.prepare(request)
        async for chunk in self._paced(request, speech):
            await out.write(chunk)
        return out

    async def _paced(
        self, request: web.Request, speech: _Speech
    ) -> AsyncIterator[bytes]:
        for number, chunk in enumerate(speech.chunks()):
            if number == self.knobs.hold_after:
                await asyncio.Event().wait()
            if number == self.knobs.cut_after:
                _break(request)
                return
            await asyncio.sleep(self.knobs.delay)
            yield chunk

    async def _other(self, request: web.Request, body: bytes) -> web.StreamResponse:
        path = request.path
        if path == "/":
            return web.Response(text="Ollama is running")
        if path == "/api/show":
            return await self._show(body)
        if path.startswith("/api/blobs/"):
            return web.Response(status=201 if request.method == "POST" else 200)
        if path in {"/api/pull", "/api/push", "/api/create"}:
            return _progress(body)
        if path in _FIXED:
            return web.json_response(_FIXED[path])
        if path in {"/api/copy", "/api/delete"}:
            return web.Response()
        return web.Response(status=404, text="404 page not found")

    async def _show(self, body: bytes) -> web.Response:
        await asyncio.sleep(self.knobs.show_delay)
        try:
            asked = json.loads(body)
            model = asked.get("model") or asked.get("name")
        except (ValueError, AttributeError):
            return web.json_response({"error": "invalid request"}, status=400)
        shown = {"template": "{{ .Prompt }}", "details": {}, "model_info": {}}
        if system := self.knobs.systems.get(model):
            shown["system"] = system
        if context := self.knobs.contexts.get(model):
            shown["parameters"] = f'stop    "x"\nnum_ctx    {context}'
        return web.json_response(shown)


class _Speech:
    """An answer of one route, whole or in chunks."""

    content_type = _NDJSON

    def __init__(self, asked: dict[str, Any], knobs: Knobs) -> None:
        self._model = asked["model"]
        said = self._said(asked)
        self._calls = () if self._has_result(asked) else knobs.calls
        text = f"You said: {said[-80:]}" if knobs.reply is None else knobs.reply
        self._text = "" if self._calls else text

    def whole(self) -> dict[str, Any]:
        """The answer in one piece."""
        raise NotImplementedError

    def chunks(self) -> list[bytes]:
        """The answer as a stream."""
        raise NotImplementedError

    def _words(self) -> list[str]:
        return [f"{word} " for word in self._text.split()] or [""]

    @staticmethod
    def _said(asked: dict[str, Any]) -> str:
        for message in reversed(asked.get("messages") or []):
            if message["role"] == "user":
                return _text_of(message.get("content"))
        return ""

    @staticmethod
    def _has_result(asked: dict[str, Any]) -> bool:
        return any(m["role"] == "tool" for m in asked.get("messages") or [])


class _Chat(_Speech):
    def whole(self) -> dict[str, Any]:
        return {**self._part(self._text, self._calls), **_done()}

    def chunks(self) -> list[bytes]:
        parts = [self._part(word) for word in self._words()]
        if self._calls:
            parts = [self._part("", self._calls)]
        return [_line(part) for part in (*parts, {**self._part(""), **_done()})]

    def _part(self, text: str, calls: Any = ()) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {"function": {"name": name, "arguments": arguments}}
                for name, arguments in calls
            ]
        return {
            "model": self._model,
            "created_at": _CREATED,
            "message": message,
            "done": False,
        }


class _Generate(_Speech):
    def whole(self) -> dict[str, Any]:
        return {**self._part(self._text), **_done()}

    def chunks(self) -> list[bytes]:
        parts = [self._part(word) for word in self._words()]
        return [_line(part) for part in (*parts, {**self._part(""), **_done()})]

    def _part(self, text: str) -> dict[str, Any]:
        return {
            "model": self._model,
            "created_at": _CREATED,
            "response": text,
            "done": False,
        }

    @staticmethod
    def _said(asked: dict[str, Any]) -> str:
        return str(asked.get("prompt") or "")


class _OpenAI(_Speech):
    content_type = "text/event-stream"

    def whole(self) -> dict[str, Any]:
        message = {"role": "assistant", "content": self._text, **self._tool_calls()}
        choice = {"index": 0, "message": message, "finish_reason": self._finish}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {**self._head("chat.completion"), "choices": [choice], "usage": usage}

    def chunks(self) -> list[bytes]:
        deltas: list[dict[str, Any]] = [
            {"role": "assistant", "content": word} for word in self._words()
        ]
        if self._calls:
            deltas = [{"role": "assistant", **self._tool_calls()}]
        events = [self._event(delta, None) for delta in deltas]
        return [*events, self._event({}, self._finish), b"data: [DONE]\n\n"]

    @property
    def _finish(self) -> str:
        return "tool_calls" if self._calls else "stop"

    def _event(self, delta: dict[str, Any], finish: str | None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        event = {**self._head("chat.completion.chunk"), "choices": [choice]}
        return b"data: " + json.dumps(event).encode() + b"\n\n"

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": "chatcmpl-1",
            "object": kind,
            "created": 1767225600,
            "model": self._model,
        }

    def _tool_calls(self) -> dict[str, Any]:
        if not self._calls:
            return {}
        return {
            "tool_calls": [
                {
                    "index": index,
                    "id": f"call_{index}",
                    "type": "function",
                    "function": {"name": name, "arguments": json.dumps(arguments)},
                }
                for index, (name, arguments) in enumerate(self._calls)
            ]
        }


_PROMPTS: Final[dict[str, type[_Speech]]] = {
    "/api/chat": _Chat,
    "/api/generate": _Generate,
    "/v1/chat/completions": _OpenAI,
}

_FIXED: Final[dict[str, dict[str, Any]]] = {
    "/api/version": {"version": VERSION},
    "/api/tags": {
        "models": [
            {
                "name": "stand-in:latest",
                "model": "stand-in:latest",
                "modified_at": _CREATED,
                "size": 1,
                "digest": "0" * 64,
                "details": {"family": "stand-in", "format": "gguf"},
            }
        ]
    },
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
}


def _text_of(content: Any) -> str:
    if isinstance(content, list):
        return " ".join(part.get("text", "") for part in content)
    return content or ""


def _done() -> dict[str, Any]:
    return {
        "done": True,
        "done_reason": "stop",
        "total_duration": 1,
        "load_duration": 1,
        "prompt_eval_count": 1,
        "prompt_eval_duration": 1,
        "eval_count": 1,
        "eval_duration": 1,
    }


def _progress(body: bytes) -> web.Response:
    try:
        streams = json.loads(body).get("stream", True)
    except (ValueError, AttributeError):
        streams = True
    if not streams:
        return web.json_response({"status": "success"})
    lines = _line({"status": "working"}) + _line({"status": "success"})
    return web.Response(body=lines, content_type=_NDJSON)


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _break(request: web.Request) -> None:
    if request.transport:
        request.transport.close()
