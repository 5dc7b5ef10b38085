"""State that all prompts share: settings, clients of other services, caches and counters."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from festinger.api.v1.embedding_pb2 import Embedding
from festinger.config import ShimSettings
from festinger.counting import Durations
from festinger.shim.language.embedder import Embedder
from festinger.shim.language.reader import IdleReader
from festinger.shim.language.traffic import Traffic
from festinger.shim.memories.capture_queue import CaptureQueue
from festinger.shim.proxy.upstreams import Upstreams
from festinger.shim.recollection.client_summaries import ClientTextPrefixes
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.recollection.message_digests import DigestCache
from festinger.shim.recollection.modelfile import Modelfiles
from festinger.shim.recollection.quotes import Quotes
from festinger.shim.recollection.request_records import SessionAccounts
from festinger.shim.recollection.sessions import Sessions
from festinger.shim.site import Site

ADDED_SECONDS: Final = (
    0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.02, 0.03, 0.05, 0.1, 1.0,
)  # fmt: skip
"""Upper bounds in seconds of the histogram of added latency."""


@dataclass(slots=True)
class RequestStatistics:
    """Counters of requests by result.

    Attributes:
        requests: Number of prompts by route and result of the enrichment.
        refused: Number of requests that the shim answered with an error, by status.
        added: Histogram of the latency added to prompts.
    """

    requests: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: Counter[int] = field(default_factory=Counter)
    added: Durations = field(default_factory=lambda: Durations(ADDED_SECONDS))


class ShimState:
    """State of the shim that the steps of all prompts share.

    Attributes:
        site: Handler of further paths; None for none.
        modelfiles: Cache of the models' own SYSTEM and context lengths.
        words: First words of texts that clients write themselves.
        results: Number of prompts by result, and of missed recollections by cause.
        unknown_positions: Positions of an answer that were logged as unknown.
    """

    def __init__(
        self, settings: ShimSettings, memory: MemoryClient, site: Site | None
    ) -> None:
        self.settings = settings
        self.memory = memory
        self.site = site
        self.upstreams = Upstreams(settings)
        # Made at the start, since they run tasks.
        self.reader: IdleReader | None = None
        self.embedder: Embedder | None = None
        self.modelfiles = Modelfiles(
            lambda *asked: self.upstreams.first.ask("/api/show", *asked)
        )
        self.traffic = Traffic(time.monotonic)
        self.captures = CaptureQueue(memory.capture)
        self.accounts = SessionAccounts()
        self.statistics = RequestStatistics()
        self.sessions = Sessions(
            sessions_max=settings.sessions_max,
            idle_seconds=settings.session_idle_seconds,
        )
        self.words = ClientTextPrefixes.of(settings.retold)
        self.quotes = Quotes()
        self.present = DigestCache()
        # By RULE:RUNG.
        self.loops: Counter[str] = Counter()
        # By the value of X-Festinger-Recollection, and `missed:WHY`.
        self.results: Counter[str] = Counter()
        self.unknown_positions: set[int] = set()

    async def embed(self, text: str) -> Embedding | None:
        """Return the embedding of a prompt; None if there is none in time."""
        return await self.embedder.embed(text) if self.embedder else None

    def apply(self, settings: ShimSettings) -> None:
        """Apply a changed configuration; requests in progress keep the old one."""
        self.settings = settings
        self.words = ClientTextPrefixes.of(settings.retold)
        # Sessions beyond the new limits are dropped by the next request.
        self.sessions.limit(
            sessions_max=settings.sessions_max,
            idle_seconds=settings.session_idle_seconds,
        )
        self.upstreams.apply(settings)
        self.modelfiles.forget()  # new upstreams may have other models of a name
        if self.site:
            self.site.apply(settings)
