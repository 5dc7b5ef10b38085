"""Reading of a tenant's rows and settings, without those that cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from festinger.core.graph.predicates import Registry
from festinger.core.system.preferences import Preferences
from festinger.core.world.world import World
from festinger.errors import CorruptMemory
from festinger.store.postgres import PostgresStore


class TenantRows:
    """Reader of a tenant's world and settings.

    Args:
        complain: Called with a sentence for each setting or row that cannot be used.
    """

    def __init__(self, store: PostgresStore, complain: Callable[[str], None]) -> None:
        self._store = store
        self._complain = complain

    async def world(self, tenant: str) -> World:
        """Load a world from the database; broken rows are quarantined first."""
        try:
            return await self._store.load(tenant)
        # One broken row must not keep a whole tenant from its memory.
        except CorruptMemory:
            # Nothing was found to quarantine: loading again would fail again.
            if not await self.sweep(tenant):
                raise
            return await self._store.load(tenant)

    async def sweep(self, tenant: str) -> int:
        """Quarantine broken rows, complain about each, and return their number."""
        found = await self._store.sweep(tenant)
        self._complain_of(tenant, found)
        return len(found)

    async def registry(self, tenant: str) -> Registry:
        """Return a tenant's predicates."""
        registry, complaints = await self._store.registry(tenant)
        self._complain_of(tenant, complaints)
        return registry

    async def preferences(self, tenant: str) -> Preferences:
        """Return a tenant's settings."""
        preferences, complaints = await self._store.preferences(tenant)
        self._complain_of(tenant, complaints)
        return preferences

    def _complain_of(self, tenant: str, sentences: Iterable[str]) -> None:
        for sentence in sentences:
            self._complain(f"tenant {tenant}: {sentence}")
