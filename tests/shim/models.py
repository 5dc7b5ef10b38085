"""A stand-in for an Ollama with a model loaded, for what reads while nobody asks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

LOADED = {
    "model": "llama3:latest",
    "name": "llama3:latest",
    "context_length": 8192,
    "expires_at": "2100-01-01T00:00:00Z",
}
EMPTY = '{"statements": []}'


@dataclass
class LoadedOllama:
    """
    Answers as a test says.

    `modes`: `stream`, `whole`, `evaluates` (no header before `gate`), `generates`
    (one token, then nothing before `gate`), `endless`, `huge`, `broken`, `refuses`,
    `cut`.
    """

    mode: str = "stream"
    reply: str = EMPTY
    models: list[dict[str, Any]] = field(default_factory=lambda: [dict(LOADED)])
    durations: dict[str, int] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    looked: int = 0
    hung_up: int = 0
    embedded: list[list[str]] = field(default_factory=list)
    embedding_seconds: float = 0.0
    vectors: dict[str, list[float]] = field(default_factory=dict)
    embeddings: Any = None
    chats: list[bytes] = field(default_factory=list)
    url: str = ""
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    began: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request."""
        if request.path == "/api/ps":
            self.looked += 1
            return web.json_response({"models": self.models})
        if request.path == "/api/embed":
            return await self.embed(await request.json())
        if request.path != "/api/chat":
            return web.json_response({"version": "0.24.0"})
        body = await request.json()
        if "format" not in body:
            self.chats.append(await request.read())
            return web.json_response(self.last("hello"))
        self.asked.append(body)
        try:
            return await self.answer(request)
        except (asyncio.CancelledError, ConnectionError):
            self.hung_up += 1
            raise

    async def embed(self, body: dict[str, Any]) -> web.Response:
        """Answer with the vector of the first word that a text has, or another one."""
        self.embedded.append(body["input"])
        try:
            await asyncio.sleep(self.embedding_seconds)
        except asyncio.CancelledError:
            self.hung_up += 1
            raise
        if self.embeddings is not None:
            return web.json_response({"embeddings": self.embeddings})
        found = [
            next((it for word, it in self.vectors.items() if word in text), [0.0, 1.0])
            for text in body["input"]
        ]
        return web.json_response({"model": body["model"], "embeddings": found})

    def last(self, text: str) -> dict[str, Any]:
        """Return the last line of an answer."""
        return {
            "model": "llama3",
            "message": {"role": "assistant", "content": text},
            "done": True,
            "done_reason": "stop",
            **self.durations,
        }

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer what is asked for reading."""
        if self.mode == "whole":
            return web.json_response(self.last(self.reply))
        if self.mode == "refuses":
            return web.json_response({"error": "model not found"}, status=404)
        if self.mode == "evaluates":
            self.began.set()
            await self.gate.wait()
        out = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await out.prepare(request)

        async def write(text: str) -> None:
            line = {"message": {"role": "assistant", "content": text}, "done": False}
            await out.write(json.dumps(line).encode() + b"\n")

        if self.mode == "broken":
            await out.write(b"this is no JSON\n")
        if self.mode == "generates":
            await write("{")
            self.began.set()
            await self.gate.wait()
        while self.mode in {"endless", "huge"}:
            await write("x" * (10_000 if self.mode == "huge" else 200_000))
        for at in range(0, len(self.reply), 7):
            await write(self.reply[at : at + 7])
        if self.mode != "cut":
            await out.write(json.dumps(self.last("")).encode() + b"\n")
        return out


@asynccontextmanager
async def loaded_ollama() -> AsyncIterator[LoadedOllama]:
    """One that listens."""
    ollama = LoadedOllama()
    app = web.Application()
    app.router.add_route("*", r"/{path:.*}", ollama.handle)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    ollama.url = f"http://{host}:{port}"
    try:
        yield ollama
    finally:
        ollama.gate.set()
        await runner.cleanup()
