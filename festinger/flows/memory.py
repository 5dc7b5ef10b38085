"""The memories that are open: one world and one writer a tenant."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from festinger.config import Trust
from festinger.core.preferences import Preferences
from festinger.core.reading import Role
from festinger.core.world import World
from festinger.errors import DatabaseUnavailable, FestingerError
from festinger.flows.ports import Store
from festinger.flows.writer import Writer, reserve

HEARD_MAX = 20_000
"""Turns that a memory remembers to have read, at most."""
IDLE_SECONDS = 3600.0
"""How long a memory stays loaded without being used."""


class Heard:
    """The turns that were read lately: a repeated request teaches once (B6).

    What they stated is in the ledger as well, which outlives this.
    """

    def __init__(self) -> None:
        self._digests: dict[bytes, None] = {}

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._digests

    def add(self, digests: Iterable[bytes]) -> None:
        """Remembers turns, the nameless apart; forgets the oldest beyond a limit."""
        self._digests.update(dict.fromkeys(filter(None, digests)))
        while len(self._digests) > HEARD_MAX:
            del self._digests[next(iter(self._digests))]


@dataclass(slots=True)
class Memory:
    """A tenant's memory, loaded.

    Attributes:
        used: When it was last asked for, in seconds of `now`.
    """

    tenant: str
    world: World
    writer: Writer
    store: Store
    now: Callable[[], float]
    trust: Mapping[Role, Trust]
    preferences: Preferences
    used: float
    heard: Heard = field(default_factory=Heard)


class Memories:
    """Opens memories on first use and closes them after idleness.

    Args:
        complain: Gets a sentence for each setting that cannot be used.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float],
        trust: Mapping[Role, Trust],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self._store = store
        self._now = now
        self._trust = trust
        self._complain = complain
        self._open: dict[str, Memory] = {}
        self._opening: dict[str, asyncio.Task[Memory]] = {}

    async def get(self, tenant: str) -> Memory:
        """The memory of a tenant.

        Raises:
            TenantNotFound: There is no such tenant.
            DatabaseUnavailable: It is not loaded, and cannot be now.
        """
        memory = self._open.get(tenant)
        if memory is None:
            if tenant not in self._opening:
                self._opening[tenant] = asyncio.create_task(self._load(tenant))
            memory = await asyncio.shield(self._opening[tenant])
        memory.used = self._now()
        return memory

    async def flush(self) -> None:
        """Writes the counters of all memories, reads their settings, closes idle ones.

        Raises:
            DatabaseUnavailable: Some could not; nothing is lost.
        """
        failures = []
        for memory in list(self._open.values()):
            try:
                await memory.writer.flush()
                memory.preferences = await self._preferences(memory.tenant)
                if (
                    self._now() - memory.used > IDLE_SECONDS
                    and not memory.writer.waiting
                ):
                    del self._open[memory.tenant]
                    await memory.writer.stop()
            except DatabaseUnavailable as error:
                failures.append(error)
        if failures:
            raise failures[0]

    async def stop(self) -> None:
        """Writes what waits and closes all memories."""
        for task in list(self._opening.values()):
            with suppress(FestingerError):
                await task
        memories, self._open = list(self._open.values()), {}
        await asyncio.gather(*(memory.writer.stop() for memory in memories))

    async def _load(self, tenant: str) -> Memory:
        try:
            world = await self._store.load(tenant)
            preferences = await self._preferences(tenant)
            # The first prompt may bring new concepts already.
            await reserve(self._store, tenant, world)
            memory = Memory(
                tenant,
                world,
                Writer(tenant, world, self._store, self._now),
                self._store,
                self._now,
                self._trust,
                preferences,
                used=self._now(),
            )
            self._open[tenant] = memory
            return memory
        finally:
            self._opening.pop(tenant, None)

    async def _preferences(self, tenant: str) -> Preferences:
        preferences, complaints = await self._store.preferences(tenant)
        for complaint in complaints:
            self._complain(f"tenant {tenant}: {complaint}")
        return preferences
