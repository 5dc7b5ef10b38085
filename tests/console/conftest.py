from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from festinger.services.world.memory import Memories
from festinger.store.system.pool import Pool
from tests.console.house import House, opened
from tests.memories import Clock
from tests.records import Extractor
from tests.serving import Client


@pytest.fixture
async def house(client: Client, clock: Clock) -> AsyncIterator[House]:
    """
    A console that its operator looks at from the machine itself.
    """
    async with opened(client, now=clock) as house:
        yield house


@pytest.fixture
def extracted(memories: Memories, pool: Pool) -> Extractor:
    """
    The candidates that extractors find.
    """
    return Extractor(memories, pool)
