from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.console.house import House, opened
from tests.memories import Clock
from tests.serving import Client


@pytest.fixture
async def house(client: Client, clock: Clock) -> AsyncIterator[House]:
    """A console that its operator looks at from the machine itself."""
    async with opened(client, now=clock) as house:
        yield house
