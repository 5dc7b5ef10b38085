from __future__ import annotations

import asyncio

import pytest


class Door:
    """Holds the store's loads until a test opens it."""

    def __init__(self, store, monkeypatch):
        self._load = store.load
        self.loads = 0
        self.reached, self.opened = asyncio.Event(), asyncio.Event()
        monkeypatch.setattr(store, "load", self.load)

    async def load(self, tenant):
        """Load when the door is open."""
        self.loads += 1
        self.reached.set()
        await self.opened.wait()
        return await self._load(tenant)


@pytest.fixture
def door(store, monkeypatch):
    """A door before the test's store."""
    door = Door(store, monkeypatch)
    yield door
    door.opened.set()


@pytest.fixture
async def acme(store):
    """Another tenant, which is not loaded."""
    await store.add_tenant("acme")
