"""Encounters are counted once each, however many prompts and flushes there are at once."""

from __future__ import annotations

import asyncio

from tests.structures import soas_by_token

PROMPTS = 120
TEXT = "Dobby met gnommoweb, and Dobby went on."


async def test_counters_are_exact_under_concurrent_prompts_and_flushes(
    client, memories, pool
):
    """
    A word counts once a prompt: in memory, and in the database after the last flush,
    with a reload in between as well.
    """
    await memories.get("default")
    done = asyncio.Event()

    async def flush():
        flushes = 0
        while not done.is_set():
            await memories.flush()
            flushes += 1
        return flushes

    flushing = asyncio.create_task(flush())
    prompts = [client.says(TEXT) for _ in range(PROMPTS)]
    await asyncio.gather(*prompts[: PROMPTS // 2])
    await asyncio.gather(*prompts[PROMPTS // 2 :], memories.reload("default"))
    done.set()
    flushes = await flushing
    await memories.flush()

    rows = await pool.fetch(
        "select token, encounter_count from concepts "
        "where token in ('dobby', 'gnommoweb')"
    )
    world = (await memories.get("default")).world
    expected = {"dobby": PROMPTS, "gnommoweb": PROMPTS}
    assert flushes > 1
    assert {row["token"]: row["encounter_count"] for row in rows} == expected
    assert {
        token: soas_by_token(world)[token].encounter_count for token in expected
    } == expected
    assert world.vocabulary.drain() == []
