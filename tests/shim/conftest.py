from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import grpc
import pytest
from google.protobuf import any_pb2, duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from festinger.api.v1 import (
    extraction_service_pb2,
    extraction_service_pb2_grpc,
    memory_service_pb2_grpc,
)
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.channels import SERVER_OPTIONS
from festinger.config import ServerSettings, ShimSettings
from festinger.shim.app import Shim
from festinger.shim.proxy.tokens import NameOf
from festinger.standin import StandIn

SAMPLES = Path(__file__).parents[2].parent / "shared" / "samples"

BLOCK = "<recollection>\ngnommoweb: [glitch_university] repo\n</recollection>"

POSITIONS = pb.RecollectResponse.Position


class FakeMemory(
    memory_service_pb2_grpc.MemoryServiceServicer,
    extraction_service_pb2_grpc.ExtractionServiceServicer,
):
    """A memory server that answers what a test tells it to, over real gRPC."""

    def __init__(self):
        self.block = ""
        self.position = POSITIONS.POSITION_SYSTEM
        self.lines: list[pb.RecollectResponse.Line] = []
        self.changes: list[pb.RecollectResponse.Change] = []
        self.outcomes: list[Outcome] = []
        self.stale = False
        self.delay = 0.0
        self.answered = 0
        self.abort: grpc.StatusCode | None = None
        self.busy_seconds = 0.0
        self.domain = "festinger"
        self.outcome = Outcome(verdict=Outcome.VERDICT_HELD)
        self.refusal: tuple[str, str] | None = None
        self.recollects: list[pb.RecollectRequest] = []
        self.asserts: list[pb.AssertRequest] = []
        self.metadata: list[dict[str, str]] = []
        self.address = ""
        self.health = health.aio.HealthServicer()
        self.echo = False
        self.breaks: grpc.StatusCode | None = None
        self.streaming = True
        self.opened = self.streams = 0
        self.streamed = 0
        self.calls = 0
        self.delays: dict[str, float] = {}
        self.holds: set[str] = set()
        self.let_go = asyncio.Event()
        self.captures: list[extraction_service_pb2.CaptureRequest] = []
        self.captured_for: list[dict[str, str]] = []
        self.refuses_captures: grpc.StatusCode | None = None
        self.capturing = asyncio.Event()
        self.capturing.set()
        self.writing = asyncio.Lock()

    async def start(self, port: int = 0) -> None:
        """Start to listen."""
        self.server = grpc.aio.server(options=SERVER_OPTIONS)
        memory_service_pb2_grpc.add_MemoryServiceServicer_to_server(self, self.server)
        extraction_service_pb2_grpc.add_ExtractionServiceServicer_to_server(
            self, self.server
        )
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        bound = self.server.add_insecure_port(f"127.0.0.1:{port}")
        await self.server.start()
        self.address = f"127.0.0.1:{bound}"
        for service in ("", "database"):
            await self.set_health(service, ready=True)

    async def set_health(self, service: str, *, ready: bool) -> None:
        """Set what the health service says."""
        states = health_pb2.HealthCheckResponse
        await self.health.set(service, states.SERVING if ready else states.NOT_SERVING)

    async def stop(self):
        """Stop."""
        await self.server.stop(None)

    @property
    def busy(self) -> status_pb2.Status:
        """Answer that there is too much to do."""
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(int(self.busy_seconds * 1000))
        details = [any_pb2.Any(), any_pb2.Any()]
        info = error_details_pb2.ErrorInfo(
            reason="ERROR_REASON_OVERLOADED", domain=self.domain
        )
        details[0].Pack(info)
        details[1].Pack(error_details_pb2.RetryInfo(retry_delay=delay))
        return status_pb2.Status(
            code=code_pb2.UNAVAILABLE, message="busy", details=details
        )

    @property
    def turns(self) -> list[tuple[str, str, bool]]:
        """Role, text and `seen` of the turns that came last."""
        return [
            (pb.Turn.Role.Name(t.role).removeprefix("ROLE_").lower(), t.text, t.seen)
            for t in self.recollects[-1].turns
        ]

    async def Recollect(self, request, context):
        """Answer as told."""
        self.calls += 1
        answer = await self._answer(request, dict(context.invocation_metadata()))
        if self.abort:
            await context.abort(self.abort, "as told")
        if self.busy_seconds:
            await context.abort_with_status(rpc_status.to_status(self.busy))
        return answer

    async def RecollectStream(self, requests, context):
        """Answer as told, each request when it is ready."""
        self.opened += 1
        if not self.streaming:
            await context.abort(grpc.StatusCode.UNIMPLEMENTED, "no such method")
        await context.send_initial_metadata(())
        self.streams += 1
        try:
            async with asyncio.TaskGroup() as group:
                async for request in requests:
                    self.streamed += 1
                    if self.breaks:
                        await context.abort(self.breaks, "as told")
                    group.create_task(self._stream(request, context))
        finally:
            self.streams -= 1

    async def _stream(self, request, context):
        who = {
            "festinger-principal": request.principal,
            "festinger-subject": request.subject,
            "festinger-project": request.project,
        }
        answer = await self._answer(
            request.request, dict(context.invocation_metadata()) | who
        )
        result = {"response": answer}
        if self.abort:
            result = {"error": {"code": self.abort.value[0], "message": "as told"}}
        if self.busy_seconds:
            busy = self.busy
            result = {"error": {"code": busy.code, "details": busy.details}}
        async with self.writing:
            await context.write(pb.RecollectStreamResponse(id=request.id, **result))

    async def _answer(self, request, metadata):
        self.recollects.append(request)
        self.metadata.append(metadata)
        text = request.turns[-1].text if request.turns else ""
        if text in self.holds:
            await self.let_go.wait()
        await asyncio.sleep(self.delays.get(text, self.delay))
        self.answered += 1
        block = text if self.echo else self.block
        return pb.RecollectResponse(
            lines=self.lines,
            block=block,
            position=self.position,
            changes=self.changes,
            outcomes=self.outcomes,
            stale=self.stale,
        )

    async def Capture(self, request, context):
        """Take what was said, when it is let."""
        self.captures.append(request)
        self.captured_for.append(dict(context.invocation_metadata()))
        await self.capturing.wait()
        if self.refuses_captures:
            await context.abort(self.refuses_captures, "as told")
        return extraction_service_pb2.CaptureResponse()

    async def Assert(self, request, context):
        """Answer as told."""
        self.asserts.append(request)
        self.metadata.append(dict(context.invocation_metadata()))
        if self.refusal:
            reason, message = self.refusal
            detail = any_pb2.Any()
            detail.Pack(error_details_pb2.ErrorInfo(reason=reason, domain="festinger"))
            status = status_pb2.Status(
                code=code_pb2.INVALID_ARGUMENT, message=message, details=[detail]
            )
            await context.abort_with_status(rpc_status.to_status(status))
        if self.abort:
            await context.abort(self.abort, "as told")
        return pb.AssertResponse(outcome=self.outcome)


@pytest.fixture
async def memory() -> AsyncIterator[FakeMemory]:
    """A fake memory server."""
    fake = FakeMemory()
    await fake.start()
    yield fake
    await fake.stop()


@pytest.fixture
async def ollama() -> AsyncIterator[StandIn]:
    """A stand-in for Ollama."""
    async with StandIn() as standin:
        yield standin


StartShim = Callable[..., Awaitable[Shim]]


@pytest.fixture
async def start_shim(memory: FakeMemory, ollama: StandIn) -> AsyncIterator[StartShim]:
    """Start shims with settings of the test's own, and stop them after it."""
    started: list[Shim] = []

    async def start(
        server: str | None = None,
        token: str | None = "secret",
        name_of: NameOf = lambda token: None,
        **values: Any,
    ) -> Shim:
        values = {
            "address": "127.0.0.1:0",
            "upstream": ollama.url,
            # Ample, so that a busy machine does not make tests fail.
            "memory_milliseconds_max": 5000,
            "drain_seconds": 1.0,
            **values,
        }
        section, address = ShimSettings(**values), server or memory.address
        shim = Shim(
            section, ServerSettings(address=address), lambda: token, name_of=name_of
        )
        await shim.start()
        started.append(shim)
        return shim

    yield start
    for shim in started:
        await shim.stop()


@pytest.fixture
async def shim(start_shim: StartShim) -> Shim:
    """A shim between the two."""
    return await start_shim()


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    """A client of the shim. Tests need not read an answer to its end."""
    answers: list[aiohttp.ClientResponse] = []

    async def keep(session: object, context: object, ended: Any) -> None:
        answers.append(ended.response)

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(keep)
    async with aiohttp.ClientSession(
        auto_decompress=False, trace_configs=[trace]
    ) as session:
        yield session
        for answer in answers:
            answer.close()


def chat(*said: str, system: str | None = None, **more: Any) -> dict[str, Any]:
    """Return a request of /api/chat: user and assistant in turn."""
    messages = [{"role": "system", "content": system}] if system else []
    for number, text in enumerate(said):
        role = "assistant" if number % 2 else "user"
        messages.append({"role": role, "content": text})
    return {"model": "llama3", "stream": False, "messages": messages, **more}


def samples() -> list[Path]:
    """Return the captured requests, to be replayed."""
    return sorted(SAMPLES.rglob("*.json"))


def load(sample: Path) -> dict[str, Any]:
    """Return a captured request; its body as bytes in `raw`."""
    captured: dict[str, Any] = json.loads(sample.read_text(encoding="utf-8"))
    body = captured["body"]
    if body is None:
        captured["raw"] = b""
    elif isinstance(body, str):
        captured["raw"] = body.encode()
    else:
        # As httpx and Python's json write it, spaces and escapes included.
        captured["raw"] = json.dumps(body).encode()
    return captured


async def exchange(url: str, raw: bytes, *, read_all: bool = True) -> bytes:
    """Send bytes over a connection of its own and read what comes back."""
    host, port = url.removeprefix("http://").rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(raw)
    try:
        return await (reader.read() if read_all else reader.readuntil(b"\r\n\r\n"))
    finally:
        writer.close()
        await writer.wait_closed()


class RawUpstream:
    """An upstream that answers bytes as they are told, whole or piece by piece."""

    def __init__(self):
        self.answer = b""
        self.received = b""
        self.closes = False
        self._writer: asyncio.StreamWriter | None = None

    async def start(self):
        """Start to listen."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"

    def send(self, data: bytes) -> None:
        """Send to the client that came last."""
        assert self._writer is not None
        self._writer.write(data)

    def close(self):
        """Close the connection of the client that came last."""
        assert self._writer is not None
        self._writer.close()

    async def stop(self):
        """Stop."""
        self._server.close()
        if self._writer:
            self._writer.close()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._writer = writer
        while data := await reader.read(65536):
            self.received += data
            if self.answer:
                writer.write(self.answer)
                if self.closes:
                    break
        writer.close()


@pytest.fixture
async def raw_upstream() -> AsyncIterator[RawUpstream]:
    """An upstream that answers bytes."""
    upstream = RawUpstream()
    await upstream.start()
    yield upstream
    await upstream.stop()


@pytest.fixture
def deaf() -> Iterator[str]:
    """A port whose queue of connections is full."""
    sockets = [socket.socket() for _ in range(4)]
    listening, *others = sockets
    listening.bind(("127.0.0.1", 0))
    listening.listen(0)
    for other in others:
        other.setblocking(False)
        other.connect_ex(listening.getsockname())
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    for each in sockets:
        each.close()
