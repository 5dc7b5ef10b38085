"""Loaded memory of one tenant: its world, writer, settings and newest turns."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from festinger.config import PromptStorage, RoleTrust
from festinger.core.graph.predicates import Registry
from festinger.core.language.statements import StatedBefore
from festinger.core.language.turns import Role
from festinger.core.system.preferences import Preferences, Switch
from festinger.core.validation.calibration import Calibration
from festinger.core.validation.guesses import Guesses
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.world.world import World
from festinger.services.world.statistics import MemoryStatistics
from festinger.services.world.writer import Writer
from festinger.store.postgres import PostgresStore

# Losing one costs little: what turns stated is also in the ledger.
RECENT_TURNS_MAX = 20_000
"""Maximum number of turns that a memory remembers as read."""


class RecentTurns:
    """Digests of recently read turns: a repeated request teaches once (B6)."""

    def __init__(self) -> None:
        # A dictionary as an ordered set: the oldest is dropped first.
        self._digests: dict[bytes, None] = {}

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._digests

    def add(self, digests: Iterable[bytes]) -> list[bytes]:
        """Remember turns that have a digest; drop the oldest beyond the limit.

        Returns:
            The digests that are new.
        """
        new = []
        known = self._digests
        for digest in digests:
            # Turns without a session have no digest, and cannot be recognised.
            if digest and digest not in known:
                known[digest] = None
                new.append(digest)
        while len(known) > RECENT_TURNS_MAX:
            del known[next(iter(known))]
        return new

    def forget(self, digests: Iterable[bytes]) -> None:
        """Drop turns, so that they are read again when they are sent again."""
        for digest in digests:
            self._digests.pop(digest, None)


@dataclass(slots=True)
class Validation:
    """Settings of validation, shared by the memories of this process.

    Attributes:
        policy: The policy; a change of the configuration replaces it.
    """

    policy: ValidationPolicy = field(default_factory=ValidationPolicy)


@dataclass(slots=True)
class TenantMemory:
    """Loaded memory of a tenant.

    Attributes:
        statistics: Counts of all memories together.
        used: When it was last requested, in the seconds of `now`.
        swept: When it was last checked for broken rows; None if never.
        calibrations: Calibrations of the confidence of machines, by their version.
        keeps: Which parts of prompts are stored.
        stated: The statements of each conversation, the oldest conversation first.
        long_reads: How many long messages are being read, in a thread.
        running: Tasks that read long messages, or are about to replace held facts.
        reads: Whether the configuration has a model read what people say.
        lines_max: How many lines it may hold; 0 for any number.
        keep_days: Days after which a sentence is forgotten; 0 for never.
    """

    tenant: str
    writer: Writer
    store: PostgresStore
    now: Callable[[], float]
    trust: Mapping[Role, RoleTrust]
    preferences: Preferences
    used: float
    swept: float | None = None
    recent_turns: RecentTurns = field(default_factory=RecentTurns)
    validation: Validation = field(default_factory=Validation)
    statistics: MemoryStatistics = field(default_factory=MemoryStatistics)
    guesses: Guesses = field(default_factory=Guesses)
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    keeps: PromptStorage = PromptStorage.UTTERANCES
    stated: OrderedDict[str, StatedBefore] = field(default_factory=OrderedDict)
    long_reads: int = 0
    running: set[asyncio.Task[Any]] = field(default_factory=set)
    reads: bool = False
    lines_max: int = 0
    keep_days: int = 0

    @property
    def is_full(self) -> bool:
        """True if it holds all the lines that it may."""
        # Checked before a prompt is read: a full memory answers and learns nothing.
        return 0 < self.lines_max <= len(self.world.lines)

    @property
    def is_read(self) -> bool:
        """True if a model is to read what people say in this memory."""
        wanted = self.reads and self.preferences.reading is Switch.ON
        # What is kept by nobody must not be given to a model either.
        return wanted and self.keeps is not PromptStorage.NOTHING

    @property
    def world(self) -> World:
        """The graph in memory; a reload may replace it between two awaits."""
        return self.writer.world

    @property
    def registry(self) -> Registry:
        """The predicates that statements are judged by."""
        return self.world.predicates

    def run_later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a coroutine in a task that `settle` waits for."""
        task = asyncio.create_task(work)
        # The loop holds tasks weakly: without this set, one could be collected while it runs.
        self.running.add(task)
        task.add_done_callback(self.running.discard)

    async def settle(self) -> None:
        """Wait until all that prompts left to do has been queued or has failed."""
        while self.running:
            await asyncio.gather(*self.running, return_exceptions=True)
