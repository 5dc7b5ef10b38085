"""HTTP server of the stand-in."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from aiohttp import web

from festinger.lifetimes import Stoppable
from festinger.standin import other_routes
from festinger.standin.anthropic import MessagesStandin
from festinger.standin.behaviour import StandinBehaviour
from festinger.standin.openai import ChatCompletion, CompletionResponse
from festinger.standin.responses import ResponsesStandin
from festinger.standin.speech import (
    ChatResponse,
    GenerateResponse,
    StandinResponse,
    text_of,
)

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_PROMPTS: Final[dict[str, type[StandinResponse]]] = {
    "/api/chat": ChatResponse,
    "/api/generate": GenerateResponse,
    "/v1/chat/completions": ChatCompletion,
    "/v1/completions": CompletionResponse,
    "/v1/responses": ResponsesStandin,
    "/v1/messages": MessagesStandin,
}


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it was received.

    Attributes:
        path: The path with the query.
    """

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, parsed as JSON."""
        return json.loads(self.body)

    @property
    def rendered(self) -> str:
        """The prompt as most chat templates render it: all system text first."""
        asked = self.json
        # `/api/generate` has one prompt instead of messages.
        messages = asked.get("messages") or [
            {"role": "user", "content": asked.get("prompt")}
        ]
        if asked.get("system"):
            messages = [{"role": "system", "content": asked["system"]}, *messages]
        # Stable: only system texts move to the front, as most templates have it.
        ordered = sorted(messages, key=lambda message: message["role"] != "system")
        return "".join(f"{m['role']}: {text_of(m.get('content'))}\n" for m in ordered)

    def header(self, name: str) -> str | None:
        """Return the value of the first header of a name; None if there is none."""
        for key, value in self.headers:
            if key.lower() == name.lower():
                return value
        return None


def evaluated(prompts: Iterable[Received]) -> list[int]:
    """Return for each prompt the number of bytes that a model has to evaluate."""
    # Those after the prefix that it shares with the prompt before: that is in the cache.
    read, before = [], b""
    for prompt in prompts:
        rendered = prompt.rendered.encode()
        pairs = zip(before, rendered, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        read.append(len(rendered) - shared)
        before = rendered
    return read


class StandIn(Stoppable):
    """HTTP server that stands in for Ollama.

    Attributes:
        requests: All received requests, oldest first.
        cancelled: The paths of requests whose client disconnected.
    """

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.cancelled: list[str] = []
        self.knobs = StandinBehaviour()
        self._runner: web.AppRunner | None = None
        self._address = ""

    @property
    def url(self) -> str:
        """The URL of the server, once it is started."""
        return f"http://{self._address}"

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> str:
        """Start listening, and return the URL. Port 0 takes a free one."""
        # No limit: prompts with images may have many megabytes.
        app = web.Application(client_max_size=0)
        app.router.add_route("*", r"/{path:[\s\S]*}", self._handle)
        self._runner = web.AppRunner(
            app,
            # Cancels the handler when a client leaves, which `cancelled` records.
            handler_cancellation=True,
            access_log=None,
            # Bodies are recorded as they were sent.
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
        """Stop the server, and break open connections."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    @property
    def prompts(self) -> list[Received]:
        """The received requests that are prompts."""
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
        kind = _PROMPTS[request.path]
        # Not even headers are sent; the client has to give up.
        if knobs.hold_after == 0:
            await asyncio.Event().wait()
        if knobs.status:
            return web.json_response(kind.error("as told"), status=knobs.status)
        try:
            asked = json.loads(_plain(request, body))
            speech = kind(asked, knobs)
        # Anything that a malformed request can raise: Ollama answers 400 as well.
        except (
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            RecursionError,
            zstd.ZstdError,
        ) as error:
            return web.json_response(kind.error(f"{error}"), status=400)
        # Routes differ in what they do if the request does not say.
        if not asked.get("stream", kind.streams):
            await asyncio.sleep(knobs.delay)
            if knobs.cut_after is not None:
                _break(request)
            return web.json_response(speech.whole())
        out = web.StreamResponse(headers={"Content-Type": speech.content_type})
        await out.prepare(request)
        # Without `write_eof`: aiohttp ends the response, unless the connection was broken.
        async for chunk in self._paced(request, speech):
            await out.write(chunk)
        return out

    async def _paced(
        self, request: web.Request, speech: StandinResponse
    ) -> AsyncIterator[bytes]:
        for number, chunk in enumerate(speech.chunks()):
            if number == self.knobs.hold_after:
                await asyncio.Event().wait()
            if number == self.knobs.cut_after:
                _break(request)
                return
            # Ends properly, but without the protocol's end marker.
            if number == self.knobs.end_after:
                return
            await asyncio.sleep(self.knobs.delay)
            yield chunk

    async def _other(self, request: web.Request, body: bytes) -> web.StreamResponse:
        if request.path == "/api/show":
            await asyncio.sleep(self.knobs.show_delay)
            if (status := self.knobs.show_status) is not None:
                # 0 stands for a broken connection; the response below is never seen.
                if not status:
                    _break(request)
                return web.json_response({"error": "as told"}, status=status or 500)
        return other_routes.answer(request.method, request.path, body, self.knobs)


def _plain(request: web.Request, body: bytes) -> bytes:
    """Return a decompressed body; Ollama accepts compression on one route only."""
    if request.path != "/v1/responses":
        return body
    compressed = request.headers.get("Content-Encoding") == "zstd"
    return zstd.decompress(body) if compressed else body


def _break(request: web.Request) -> None:
    if request.transport:
        request.transport.close()
