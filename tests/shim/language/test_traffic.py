from __future__ import annotations

import asyncio

import pytest

from festinger.shim.language.traffic import Traffic


@pytest.mark.parametrize("turns", range(3))
async def test_cancellation_is_not_lost_as_a_prompt_ends(turns):
    """Whoever is cancelled at that very moment ends, however far its waking has come."""
    traffic = Traffic(asyncio.get_running_loop().time)
    waiting = asyncio.create_task(traffic.wait(10))
    await asyncio.sleep(0.01)

    traffic._ended.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    cancelled = waiting.cancel()
    await asyncio.wait([waiting], timeout=5)

    assert waiting.cancelled() == cancelled
