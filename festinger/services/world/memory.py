"""Loaded memories: one world and one writer per tenant."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from festinger.config import PromptStorage, RoleTrust
from festinger.core.language.turns import Role
from festinger.core.validation.routing import CandidatePolicy
from festinger.errors import (
    CorruptMemory,
    DatabaseUnavailable,
    FestingerError,
    Overloaded,
    VersionNotReached,
)
from festinger.services.system.directory import Directory
from festinger.services.world.counters import SeldomWords
from festinger.services.world.reserving import reserve
from festinger.services.world.rows import TenantRows
from festinger.services.world.statistics import MemoryStatistics
from festinger.services.world.tenant_memory import TenantMemory, Validation
from festinger.services.world.writer import Writer
from festinger.store.postgres import PostgresStore

IDLE_SECONDS = 3600.0
"""Seconds for which an unused memory stays loaded."""
SWEEP_SECONDS = 6 * 3600.0
"""Seconds between two checks of a memory for broken rows."""
FOLLOW_SECONDS = 3600.0
"""Seconds for which the log keeps changes for other servers; a server that is further
behind reloads the memory."""


class Memories:
    """Cache of memories, which are loaded on first use and closed when idle.

    Args:
        complain: Called with a sentence for each setting or row that cannot be used.
        keeps: Which parts of prompts are stored.
        server: The name of this server in the directory.
        keep_days: Days after which a sentence is forgotten; 0 for never.

    Attributes:
        directory: Which tenants this server serves.
        stale_since: When the database last answered, in seconds since the epoch, if it
            has not for a while: other servers may have written since. Else None.
        statistics: Counts of all memories together.
    """

    def __init__(
        self,
        store: PostgresStore,
        *,
        now: Callable[[], float],
        trust: Mapping[Role, RoleTrust],
        complain: Callable[[str], None] = lambda message: None,
        validation: Validation | None = None,
        keeps: PromptStorage = PromptStorage.UTTERANCES,
        lines_max: Callable[[str], int] = lambda tenant: 0,
        server: str = "",
        keep_days: int = 0,
    ) -> None:
        self.directory = Directory(store, server)
        self.validation = validation or Validation()
        self._keeps = keeps
        self._lines_max = lines_max
        self._keep_days = keep_days
        self._reads = False
        self._store = store
        self._now = now
        self._trust = trust
        self._rows = TenantRows(store, complain)
        self._open: dict[str, TenantMemory] = {}
        self._opening: dict[str, asyncio.Task[TenantMemory]] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._seldom = SeldomWords()
        self.stale_since: float | None = None
        self.statistics = MemoryStatistics(flushed=now())

    def have_read(self, reads: bool) -> None:
        """Set in all memories whether a model is to read what people say."""
        self._reads = reads
        for memory in self._open.values():
            memory.reads = reads

    def limit_lines(self, lines_max: Callable[[str], int]) -> None:
        """Set how many lines the memory of each tenant may hold; 0 for any number."""
        self._lines_max = lines_max
        for tenant, memory in self._open.items():
            memory.lines_max = lines_max(tenant)

    @property
    def loaded(self) -> Sequence[TenantMemory]:
        """The memories that are loaded."""
        return tuple(self._open.values())

    def ready(self, tenant: str, at_least: int = 0) -> TenantMemory | None:
        """Return a tenant's memory; None if it is not loaded or behind a version."""
        memory = self._open.get(tenant)
        if memory is None or (at_least and memory.world.version < at_least):
            return None
        memory.used = self._now()
        return memory

    async def get(self, tenant: str, at_least: int = 0) -> TenantMemory:
        """Return the memory of a tenant, loaded if necessary.

        Args:
            at_least: Version that the memory must reflect.

        Raises:
            TenantNotFound: There is no such tenant.
            ServedElsewhere: Another server serves it.
            Behind: The database itself does not have that version.
        """
        memory = self._open.get(tenant)
        if memory is None:
            if tenant not in self._opening:
                self._opening[tenant] = asyncio.create_task(self._load(tenant))
            # A cancelled caller must not cancel the load of others.
            memory = await asyncio.shield(self._opening[tenant])
        memory.used = self._now()
        if memory.world.version < at_least:
            await self._reach(memory, at_least)
        return memory

    async def follow(self) -> None:
        """Apply what other servers wrote to the loaded memories."""
        if not self._open:
            return
        behind = []
        for tenant, head in (await self._store.heads(list(self._open))).items():
            if (memory := self._open.get(tenant)) is None:
                continue
            # Given to another server: what is queued is written, while calls are refused.
            if not self.directory.gives(head.server):
                # In a task: closing waits for the queue, and others must not wait for that.
                task = asyncio.create_task(self._close(memory))
                self._closing.add(task)
                task.add_done_callback(self._closing.discard)
            elif memory.world.version < head.version:
                behind.append(memory.writer.follow(head.version))
        await asyncio.gather(*behind)

    async def require_served(self, tenant: str) -> None:
        """Require that no other server serves a tenant. Raises `ServedElsewhere`."""
        # A loaded memory was checked when it was loaded; `follow` closes it if it moves.
        if tenant not in self._open:
            await self.directory.require(tenant)

    async def reload(self, tenant: str) -> TenantMemory:
        """Reload a memory while the loaded one goes on answering.

        Broken rows are quarantined. If it fails, the loaded memory stays as it is.

        Raises:
            TenantNotFound: There is no such tenant.
            CorruptMemory: A row can neither be loaded nor quarantined.
        """
        is_new = tenant not in self._open and tenant not in self._opening
        memory = await self.get(tenant)
        if is_new:
            return memory
        try:
            await memory.writer.reload()
        # A broken row is put aside, so that one row cannot keep a tenant from reloading.
        except CorruptMemory:
            if not await self._rows.sweep(tenant):
                raise
            await memory.writer.reload()
        await self._read_settings(memory)
        return memory

    async def read_settings(self, tenant: str) -> None:
        """Reload settings and predicates now instead of at the next flush."""
        await self._read_settings(await self.get(tenant))

    async def with_old_words(self, before: float) -> list[str]:
        """Return the tenants, loaded or not, that keep utterances from before a time."""
        return await self.directory.served(await self._store.with_old_words(before))

    async def sweep(self) -> None:
        """Quarantine broken rows in the memories that are due for a check."""
        for memory in list(self._open.values()):
            if memory.swept is None or self._now() - memory.swept > SWEEP_SECONDS:
                await self._rows.sweep(memory.tenant)
                memory.swept = self._now()

    async def flush(self) -> None:
        """Write the counters of all memories, read their settings and close idle ones.

        Raises:
            DatabaseUnavailable: Some counters could not be written; nothing is lost.
        """
        failures: list[FestingerError] = []
        for memory in list(self._open.values()):
            try:
                await memory.writer.flush()
                # Servers that are further behind reload the memory.
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
                # One tenant's failure must not keep the counters of others from being written.
                failures.append(error)
        if failures:
            self.statistics.flush_failures += 1
            raise failures[0]
        self.statistics.flushed = self._now()

    async def stop(self) -> None:
        """Write what is queued and close all memories."""
        # What is being loaded must be known before it can be closed.
        for task in list(self._opening.values()):
            with suppress(FestingerError):
                await task
        # Taken away first, so that nobody gets a memory that is being closed.
        memories, self._open = list(self._open.values()), {}
        for memory in memories:
            # Before the writers stop: what is read late is still queued.
            await memory.settle()
        await asyncio.gather(*(memory.writer.stop() for memory in memories))
        await asyncio.gather(*self._closing, return_exceptions=True)

    async def _close(self, memory: TenantMemory) -> None:
        # A memory that was opened again under this name stays.
        if self._open.get(memory.tenant) is memory:
            del self._open[memory.tenant]
        await memory.settle()
        await memory.writer.stop()
        # After the last write: words that were met once have no rows.
        self._seldom.keep(memory.tenant, memory.world)

    async def _reach(self, memory: TenantMemory, version: int) -> None:
        """Follow at once instead of at the next poll."""
        await memory.writer.follow(version)
        if memory.world.version < version:
            raise VersionNotReached(
                f"this server has version {memory.world.version} of "
                f"{memory.tenant!r}, and {version} was asked for; try again in a "
                "moment, and send no festinger-min-version that no answer had",
                version=str(memory.world.version),
            )

    async def _load(self, tenant: str) -> TenantMemory:
        try:
            await self.directory.require(tenant)
            world = await self._rows.world(tenant)
            preferences = await self._rows.preferences(tenant)
            world.predicates = await self._rows.registry(tenant)
            # The first prompt may bring new concepts already.
            await reserve(self._store, tenant, world)
            await self._seldom.give_back(tenant, world, now=self._now())
            memory = TenantMemory(
                tenant,
                Writer(
                    tenant,
                    world,
                    self._store,
                    self._now,
                    self.statistics,
                    # The policy may change while the memory is loaded.
                    lambda: CandidatePolicy(memory.registry, memory.validation.policy),
                ),
                self._store,
                self._now,
                self._trust,
                preferences,
                used=self._now(),
                validation=self.validation,
                statistics=self.statistics,
                keeps=self._keeps,
                reads=self._reads,
                lines_max=self._lines_max(tenant),
                keep_days=self._keep_days,
            )
            # Only now: nobody sees a memory that is half loaded.
            self._open[tenant] = memory
            return memory
        finally:
            self._opening.pop(tenant, None)

    async def _read_settings(self, memory: TenantMemory) -> None:
        memory.preferences = await self._rows.preferences(memory.tenant)
        await memory.writer.read_predicates(partial(self._rows.registry, memory.tenant))
