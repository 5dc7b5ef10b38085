"""Embeddings by a model of the upstream: of lines in idle time, of prompts in a budget."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.api.v1.embedding_pb2 import Embedding
from festinger.config import EmbeddingSettings
from festinger.core.lines.vectors import quantised
from festinger.lifetimes import cancel_all
from festinger.shim.language.loaded import listed, names_in, tagged
from festinger.shim.language.traffic import Traffic
from festinger.shim.proxy.proxy import Upstream, answered
from festinger.shim.proxy.upstreams import Upstreams
from festinger.shim.system.calls import Call, MemoryRefused

log = structlog.get_logger(__name__)

BATCH: Final = 16
"""Number of lines that are embedded by one request, which a prompt may have to wait for."""
PROMPT_CHARACTERS: Final = 1_200
"""Number of characters at the end of a prompt that are embedded."""
# Limits of one request to the model.
ANSWER_SECONDS_MAX: Final = 30.0
ANSWER_BYTES_MAX: Final = 4_000_000
PAUSE_SECONDS: Final = 30.0
"""Pause in seconds while there is nothing to embed, unless a prompt ends earlier."""
# Otherwise every prompt would wait its whole budget while the model is being loaded.
REST_SECONDS: Final = 30.0
"""Seconds for which no prompt is embedded after one had to go on without."""


class NoEmbedding(Exception):
    """The upstream gives no embeddings now; the message is the reason."""


@dataclass(slots=True)
class EmbedderStatistics:
    """Counters of embeddings.

    Attributes:
        missed: Number of prompts that had to go on without.
        waiting: Number of lines without an embedding, when the memory was last asked.
    """

    state: str = "nothing is embedded, as embeddings.model says"
    lines: int = 0
    prompts: int = 0
    missed: int = 0
    waiting: int = 0


class Embedder:
    """Background task that has lines embedded, and embedder of prompts."""

    def __init__(
        self,
        settings: EmbeddingSettings,
        call: Call,
        upstreams: Upstreams,
        traffic: Traffic,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._call = call
        self._upstreams = upstreams
        self._traffic = traffic
        self._clock = clock
        self._rests_until = 0.0
        self._request: asyncio.Task[list[bytes]] | None = None
        self._task: asyncio.Task[None] | None = None
        self.statistics = EmbedderStatistics()
        traffic.gives_way.append(self._give_way)

    def apply(self, settings: EmbeddingSettings) -> None:
        """Apply changed settings."""
        self._settings = settings

    def start(self) -> None:
        """Start the background task."""
        self._task = asyncio.create_task(self._run(), name="embedder")

    async def stop(self) -> None:
        """Cancel the background task."""
        await cancel_all([self._task])

    # Prompts

    async def embed(self, text: str) -> Embedding | None:
        """Return the embedding of a prompt's end; None if there is none in time."""
        settings = self._settings
        # Embeddings are optional: without one the lines are chosen by words alone (J17).
        if not settings.model or not text.strip() or self._clock() < self._rests_until:
            return None
        try:
            async with asyncio.timeout(settings.prompt_milliseconds_max / 1000):
                upstream = await self._find()
                (vector,) = await _ask(
                    upstream, settings.model, [text[-PROMPT_CHARACTERS:]]
                )
        except (NoEmbedding, TimeoutError):
            self._rests_until = self._clock() + REST_SECONDS
            self.statistics.missed += 1
            return None
        self.statistics.prompts += 1
        return Embedding(model=_named(settings.model), vector=vector)

    # Lines

    def _give_way(self) -> None:
        """Cancel the request in progress, since a prompt arrived."""
        if self._request is not None:
            self._request.cancel()

    async def _run(self) -> None:
        while True:
            try:
                pause = await self.step()
            except Exception as error:
                # A defect must not end the task. The message might quote a line.
                log.error("embedding_failed", error=type(error).__name__)
                # A pause, so that a lasting defect does not fill the log.
                pause = REST_SECONDS
            if pause:
                await asyncio.sleep(pause)

    async def step(self) -> float:
        """Embed one batch of lines if the upstream is idle.

        Returns:
            Seconds until the next step.
        """
        settings, statistics = self._settings, self.statistics
        if not settings.model:
            statistics.state = "nothing is embedded, as embeddings.model says"
            return PAUSE_SECONDS
        idle = self._traffic.idle_seconds
        # At least 50 ms, so that rounding cannot make the loop spin.
        if idle < settings.idle_seconds:
            statistics.state = "it waits for a pause"
            return max(0.05, settings.idle_seconds - idle)
        try:
            found: pb.ListUnembeddedLinesResponse = await self._call(
                pb.ListUnembeddedLinesRequest(
                    model=_named(settings.model), page_size=BATCH
                )
            )
            statistics.waiting = found.waiting_count
            # Weights hold for the model that they were fitted to, so others are not embedded (J17).
            if not found.supported:
                statistics.state = f"there are no weights for {settings.model}"
                return PAUSE_SECONDS
            if not found.lines:
                statistics.state = "all lines are embedded"
                return max(0.05, min(PAUSE_SECONDS, settings.idle_seconds))
            upstream = await self._find()
            await self._embed(upstream, found.lines)
        except MemoryRefused:
            statistics.state = "the memory does not answer"
            return PAUSE_SECONDS
        except (NoEmbedding, TimeoutError) as error:
            statistics.state = str(error) or "the model took too long"
            return PAUSE_SECONDS
        except asyncio.CancelledError:
            # Two causes: the whole task is stopped, or only the request by `_give_way`.
            current = asyncio.current_task()
            if current and current.cancelling():
                raise
            statistics.state = "it gave way to a prompt"
            return 0.05
        return 0.0

    async def _embed(
        self, upstream: Upstream, lines: Sequence[pb.ListUnembeddedLinesResponse.Line]
    ) -> None:
        """Have lines embedded, and bring the vectors to the memory."""
        model = self._settings.model
        if self._traffic.idle_seconds == 0.0:
            return  # a prompt arrived meanwhile
        self.statistics.state = "it embeds"
        self._request = asyncio.create_task(
            _ask(upstream, model, [line.text for line in lines])
        )
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                # Awaited as a task, so that a prompt can cancel the request without this task.
                vectors = await self._request
        finally:
            self._request.cancel()
            self._request = None
        submitted = pb.SubmitEmbeddingsRequest(model=_named(model))
        for line, vector in zip(lines, vectors, strict=True):
            submitted.lines.add(key=line.key, vector=vector)
        self.statistics.lines += (await self._call(submitted)).embedded_count

    async def _find(self) -> Upstream:
        """Return the upstream that has the model loaded, or may load it.

        Raises:
            NoEmbedding: None has.
        """
        # By default a model is never loaded for this: that could push out the agents' own (F1).
        if self._settings.load:
            return self._upstreams.first
        wanted = tagged(self._settings.model)
        for member in self._upstreams.members:
            if wanted in map(tagged, names_in(await listed(member.target))):
                return member.target
        raise NoEmbedding(f"{self._settings.model} is not loaded")


def _named(model: str) -> str:
    """Return the name by which the memory knows a model."""
    # `nomic-embed-text` and `nomic-embed-text:latest` are one model.
    return model.removesuffix(":latest")


async def _ask(upstream: Upstream, model: str, texts: Sequence[str]) -> list[bytes]:
    """Return the vectors of texts.

    Raises:
        NoEmbedding: The upstream fails, refuses, or answers something else.
    """
    body = json.dumps({"model": model, "input": list(texts)}).encode()
    async with answered(upstream, "/api/embed", body, NoEmbedding) as response:
        answer = await response.content.read(ANSWER_BYTES_MAX)
        # `read` returns what is there, so it is called until the end or the limit.
        while chunk := await response.content.read(ANSWER_BYTES_MAX - len(answer)):
            answer += chunk
    try:
        return _vectors_in(json.loads(answer), len(texts))
    # No JSON, no numbers, numbers that no float holds, or JSON that is nested too deeply.
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise NoEmbedding("the upstream answers no embeddings") from None


def _vectors_in(answer: Any, count: int) -> list[bytes]:
    """Return the vectors of an answer.

    Raises:
        ValueError: They are not as many, or not vectors.
        TypeError: The same.
    """
    found = answer.get("embeddings") if isinstance(answer, dict) else None
    if not isinstance(found, list) or len(found) != count:
        raise ValueError("not as many vectors as texts")
    return [quantised([float(it) for it in each]) for each in found]
