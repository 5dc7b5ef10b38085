"""The memories that are open: one world and one writer a tenant."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from festinger.config import Keeping, Trust
from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.predicates import Registry
from festinger.core.language.turns import Role
from festinger.core.system.preferences import Preferences, Switch
from festinger.core.validation.calibration import Calibration
from festinger.core.validation.enlisting import CandidatePolicy
from festinger.core.validation.guessing import Guesses
from festinger.core.world.world import World
from festinger.errors import (
    Behind,
    CorruptMemory,
    DatabaseUnavailable,
    FestingerError,
    Overloaded,
)
from festinger.services.validation.settings import Validation
from festinger.services.world.committer import reserve
from festinger.services.world.statistics import MemoryStatistics
from festinger.services.world.writer import Writer
from festinger.store.postgres import PostgresStore

HEARD_MAX = 20_000
"""Turns that a memory remembers to have read, at most."""
IDLE_SECONDS = 3600.0
"""How long a memory stays loaded without being used."""
SWEEP_SECONDS = 6 * 3600.0
"""How long after a memory was looked through for broken rows it is again."""
FOLLOW_SECONDS = 3600.0
"""For how long the log tells other servers what changed; later they load it anew."""
SELDOM_AT_A_TIME = 2_000
"""Words met once that are taken back at once, so that others have their turn."""


class RecentTurns:
    """The turns that were read lately: a repeated request teaches once (B6).

    What they stated is in the ledger as well, which outlives this.
    """

    def __init__(self) -> None:
        self._digests: dict[bytes, None] = {}

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._digests

    def add(self, digests: Iterable[bytes]) -> list[bytes]:
        """Remembers turns, the nameless apart; forgets the oldest beyond a limit.

        Returns:
            Those that are new.
        """
        new = []
        known = self._digests
        for digest in digests:
            if digest and digest not in known:
                known[digest] = None
                new.append(digest)
        while len(known) > HEARD_MAX:
            del known[next(iter(known))]
        return new

    def forget(self, digests: Iterable[bytes]) -> None:
        """Forgets turns, as if they had never been read."""
        for digest in digests:
            self._digests.pop(digest, None)


@dataclass(slots=True)
class TenantMemory:
    """A tenant's memory, loaded.

    Attributes:
        statistics: What was done, of all memories together.
        used: When it was last asked for, in seconds of `now`.
        registry: What predicates are in the graph.
        swept: When it was last looked through for broken rows; None if never.
        calibrations: What machines' confidence is worth, by their version.
        keeps: What is kept of prompts.
        stated: What each conversation's last turn stated, the oldest first.
        settling: Changes that are about to replace what is held.
        reads: Whether the configuration has a model read what people say.
    """

    tenant: str
    writer: Writer
    store: PostgresStore
    now: Callable[[], float]
    trust: Mapping[Role, Trust]
    preferences: Preferences
    used: float
    swept: float | None = None
    registry: Registry = field(default_factory=Registry)
    heard: RecentTurns = field(default_factory=RecentTurns)
    validation: Validation = field(default_factory=Validation)
    statistics: MemoryStatistics = field(default_factory=MemoryStatistics)
    guesses: Guesses = field(default_factory=Guesses)
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    keeps: Keeping = Keeping.UTTERANCES
    stated: dict[str, Sequence[ReadStatement]] = field(default_factory=dict)
    settling: set[asyncio.Task[Any]] = field(default_factory=set)
    reads: bool = False

    @property
    def is_read(self) -> bool:
        """Whether a model is to read what people say here."""
        wanted = self.reads and self.preferences.reading is Switch.ON
        return wanted and self.keeps is not Keeping.NOTHING

    @property
    def world(self) -> World:
        """What is known; another world may take its place between two steps."""
        return self.writer.world


class Memories:
    """Opens memories on first use and closes them after idleness.

    Args:
        complain: Gets a sentence for each setting or row that cannot be used.
        validation: What validation goes by.
        keeps: What is kept of prompts.

    Attributes:
        stale: Whether other servers may have written what nobody here knows, because
            the database has not answered for a while.
        statistics: What was done, in numbers.
    """

    def __init__(
        self,
        store: PostgresStore,
        *,
        now: Callable[[], float],
        trust: Mapping[Role, Trust],
        complain: Callable[[str], None] = lambda message: None,
        validation: Validation | None = None,
        keeps: Keeping = Keeping.UTTERANCES,
    ) -> None:
        self.validation = validation or Validation()
        self._keeps = keeps
        self._reads = False
        self._store = store
        self._now = now
        self._trust = trust
        self._complain = complain
        self._open: dict[str, TenantMemory] = {}
        self._opening: dict[str, asyncio.Task[TenantMemory]] = {}
        self._seldom: dict[str, str] = {}
        self.stale = False
        self.statistics = MemoryStatistics(flushed=now())

    def have_read(self, reads: bool) -> None:
        """Say whether a model is to read what people say, in all memories."""
        self._reads = reads
        for memory in self._open.values():
            memory.reads = reads

    @property
    def loaded(self) -> Sequence[TenantMemory]:
        """The memories that are open."""
        return tuple(self._open.values())

    def ready(self, tenant: str, at_least: int = 0) -> TenantMemory | None:
        """The memory of a tenant, if nobody has to wait for it."""
        memory = self._open.get(tenant)
        if memory is None or (at_least and memory.world.version < at_least):
            return None
        memory.used = self._now()
        return memory

    def opened(self) -> list[TenantMemory]:
        """The memories that are loaded."""
        return list(self._open.values())

    async def get(self, tenant: str, at_least: int = 0) -> TenantMemory:
        """The memory of a tenant.

        Args:
            at_least: The version that it must reflect.

        Raises:
            TenantNotFound: There is no such tenant.
            DatabaseUnavailable: It is not loaded, or behind, and cannot be read now.
            Behind: The database itself does not have that version.
        """
        memory = self._open.get(tenant)
        if memory is None:
            if tenant not in self._opening:
                self._opening[tenant] = asyncio.create_task(self._load(tenant))
            memory = await asyncio.shield(self._opening[tenant])
        memory.used = self._now()
        if memory.world.version < at_least:
            await self._reach(memory, at_least)
        return memory

    async def follow(self) -> None:
        """Takes over what other servers wrote into the open memories.

        Raises:
            DatabaseUnavailable: It cannot be read now.
        """
        if not self._open:
            return
        heads = await self._store.heads(list(self._open))
        behind = [
            memory.writer.follow()
            for tenant, version in heads.items()
            if (memory := self._open.get(tenant)) and memory.world.version < version
        ]
        await asyncio.gather(*behind)

    async def reload(self, tenant: str) -> TenantMemory:
        """Loads a memory anew, beside the one that answers meanwhile.

        Broken rows are set aside. What fails leaves the old memory as it is.

        Raises:
            TenantNotFound: There is no such tenant.
            DatabaseUnavailable: It cannot be read now.
            CorruptMemory: A row cannot be part of it, nor be set aside.
            Overloaded: The server stops.
        """
        is_new = tenant not in self._open and tenant not in self._opening
        memory = await self.get(tenant)
        if is_new:
            return memory
        try:
            await memory.writer.reload()
        except CorruptMemory:
            if not await self._sweep(tenant):
                raise
            await memory.writer.reload()
        await self._read_settings(memory)
        return memory

    async def read_settings(self, tenant: str) -> None:
        """Reads settings and predicates of a memory now, not with its next counters.

        Raises:
            TenantNotFound: There is no such tenant.
            DatabaseUnavailable: They cannot be read now.
        """
        await self._read_settings(await self.get(tenant))

    async def with_old_words(self, before: float) -> list[str]:
        """The tenants that keep words that people said before a moment, loaded or not.

        Raises:
            DatabaseUnavailable: Nobody can say.
        """
        return await self._store.with_old_words(before)

    async def sweep(self) -> None:
        """Sets broken rows aside in the memories that were not looked through lately.

        Raises:
            DatabaseUnavailable: Some could not be.
        """
        for memory in list(self._open.values()):
            if memory.swept is None or self._now() - memory.swept > SWEEP_SECONDS:
                await self._sweep(memory.tenant)
                memory.swept = self._now()

    async def flush(self) -> None:
        """Write the counters of all memories, read their settings, close idle ones.

        What only served other servers goes, once these had time enough.

        Raises:
            DatabaseUnavailable: Some could not; nothing is lost.
        """
        failures: list[FestingerError] = []
        for memory in list(self._open.values()):
            try:
                await memory.writer.flush()
                await self._store.forget_changes(
                    memory.tenant, self._now() - FOLLOW_SECONDS
                )
                await self._read_settings(memory)
                if (
                    self._now() - memory.used > IDLE_SECONDS
                    and not memory.writer.waiting
                ):
                    await self._close(memory)
            except (DatabaseUnavailable, Overloaded) as error:
                failures.append(error)
        if failures:
            self.statistics.flush_failures += 1
            raise failures[0]
        self.statistics.flushed = self._now()

    async def stop(self) -> None:
        """Writes what waits and closes all memories."""
        for task in list(self._opening.values()):
            with suppress(FestingerError):
                await task
        memories, self._open = list(self._open.values()), {}
        settling = [task for memory in memories for task in memory.settling]
        await asyncio.gather(*settling, return_exceptions=True)
        await asyncio.gather(*(memory.writer.stop() for memory in memories))

    async def _close(self, memory: TenantMemory) -> None:
        del self._open[memory.tenant]
        await memory.writer.stop()
        # As text, which takes a tenth of the room.
        seldom = [f"{number} {token}" for number, token in memory.world.seldom()]
        if seldom:
            self._seldom[memory.tenant] = "\n".join(seldom)

    async def _take_back(self, tenant: str, world: World) -> None:
        """Have a memory that is opened again know the words that it met once."""
        lines = self._seldom.pop(tenant, "").splitlines()
        for start in range(0, len(lines), SELDOM_AT_A_TIME):
            pairs = [
                line.split(" ") for line in lines[start : start + SELDOM_AT_A_TIME]
            ]
            world.meet_again(
                [(int(number), token) for number, token in pairs], now=self._now()
            )
            await asyncio.sleep(0)

    async def _reach(self, memory: TenantMemory, version: int) -> None:
        """Follows at once, instead of at the next poll."""
        await memory.writer.follow()
        if memory.world.version < version:
            raise Behind(
                f"this server has version {memory.world.version} of "
                f"{memory.tenant!r}, and {version} was asked for; try again in a "
                "moment, and send no festinger-min-version that no answer had",
                version=str(memory.world.version),
            )

    async def _load(self, tenant: str) -> TenantMemory:
        try:
            world = await self._read(tenant)
            preferences = await self._preferences(tenant)
            registry = world.predicates = await self._registry(tenant)
            # The first prompt may bring new concepts already.
            await reserve(self._store, tenant, world)
            await self._take_back(tenant, world)
            memory = TenantMemory(
                tenant,
                Writer(
                    tenant,
                    world,
                    self._store,
                    self._now,
                    self.statistics,
                    # What it goes by may change while it is open.
                    lambda: CandidatePolicy(memory.registry, memory.validation.policy),
                ),
                self._store,
                self._now,
                self._trust,
                preferences,
                used=self._now(),
                registry=registry,
                validation=self.validation,
                statistics=self.statistics,
                keeps=self._keeps,
                reads=self._reads,
            )
            self._open[tenant] = memory
            return memory
        finally:
            self._opening.pop(tenant, None)

    async def _read(self, tenant: str) -> World:
        """A memory from the database; broken rows do not keep the rest from it."""
        try:
            return await self._store.load(tenant)
        except CorruptMemory:
            if not await self._sweep(tenant):
                raise
            return await self._store.load(tenant)

    async def _sweep(self, tenant: str) -> int:
        """Sets broken rows aside and complains of each; how many there were."""
        found = await self._store.sweep(tenant)
        for sentence in found:
            self._complain(f"tenant {tenant}: {sentence}")
        return len(found)

    async def _read_settings(self, memory: TenantMemory) -> None:
        memory.preferences = await self._preferences(memory.tenant)
        memory.registry = await self._registry(memory.tenant)
        memory.world.predicates = memory.registry

    async def _registry(self, tenant: str) -> Registry:
        registry, complaints = await self._store.registry(tenant)
        for complaint in complaints:
            self._complain(f"tenant {tenant}: {complaint}")
        return registry

    async def _preferences(self, tenant: str) -> Preferences:
        preferences, complaints = await self._store.preferences(tenant)
        for complaint in complaints:
            self._complain(f"tenant {tenant}: {complaint}")
        return preferences
