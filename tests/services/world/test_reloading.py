from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from festinger.core.graph.outcome import Verdict
from festinger.services.world.memory import IDLE_SECONDS, Memories
from festinger.store.world.batches import RaceLost, TooFarBehind
from tests.memories import TRUST, held
from tests.services.conftest import in_step, say, settled, state
from tests.structures import soas_by_token


@pytest.fixture
async def other(others):
    """The memory `default` as the other server has it."""
    return await others.get("default")


async def forget_changes(pool):
    """The log of changes does not reach back any more."""
    await pool.execute("delete from change_log")


async def counts(pool):
    """Return the number of times that each word was met, in the database."""
    rows = await pool.fetch(
        "select token, encounter_count from concepts where encounter_count > 0"
    )
    return {row["token"]: row["encounter_count"] for row in rows}


async def test_memory_that_was_closed_counts_on(memories, pool, clock):
    """A memory is closed for idleness and opened again; no encounter is lost by that."""
    for times in (1, 2, 3):
        memory = await memories.get("default")
        say(memory, "gnommoweb and dobby")
        await settled(memory)
        clock.now += 2 * IDLE_SECONDS
        await memories.flush()

        assert not memories.loaded
        known = {"gnommoweb": times, "dobby": times} if times > 1 else {}
        assert await counts(pool) == known


async def test_process_that_ends_forgets_what_was_met_once(store, pool, clock):
    """Words that were met twice are counted on, whichever process reads them."""
    for text in ("gnommoweb", "dobby and dobby", "dobby", "dobby and gnommoweb"):
        process = Memories(store, now=clock, trust=TRUST)
        memory = await process.get("default")
        for word in text.split(" and "):
            say(memory, word)
        await process.stop()

    assert await counts(pool) == {"dobby": 4}


async def test_follower_that_is_too_far_behind_loads_anew(
    memories, memory, other, store, pool
):
    """Without the log the memory itself is read, and takes the place of the old one."""
    before = memory.world
    await state(other, "gnommoweb -isa repo")
    await state(other, "gnommoweb -isa container")
    await forget_changes(pool)

    await memories.follow()

    assert memory.world is not before
    assert await in_step(memory, store)


async def test_follower_reads_nothing_that_a_batch_has_applied(
    memory, other, unreliable, store
):
    """A batch applies what others wrote, so that a request to follow finds it done."""
    asked = []

    async def news(tenant, since, places=()):
        asked.append(since)
        return await store.news(tenant, since, places)

    unreliable.news = news
    _, theirs = await state(other, "gnommoweb -isa repo")
    _, ours = await state(memory, "dobby -isa elf")
    await memory.writer.follow(theirs)
    _, newer = await state(other, "winky -isa elf")
    await memory.writer.follow(newer)

    assert asked == [ours]
    assert await in_step(memory, store)


async def test_statement_of_who_is_too_far_behind_is_judged_anew(
    memory, other, store, pool
):
    """Whoever writes before following collides with what no log tells any more."""
    await state(other, "gnommoweb -isa repo")
    await forget_changes(pool)

    outcome, version = await state(memory, "gnommoweb -isa container")

    assert (outcome.verdict, version) == (Verdict.CONFLICTED, 2)
    assert await in_step(memory, store)


async def test_prompts_go_on_counting_during_a_reload(
    memories, memory, unreliable, other, pool
):
    """A word met before, during and after a reload counts once each."""
    loading, loaded = asyncio.Event(), asyncio.Event()
    load = unreliable.load

    async def slowly(tenant):
        world = await load(tenant)
        loading.set()
        await loaded.wait()
        return world

    unreliable.load = slowly
    say(memory, "dobby and winky")
    await state(other, "gnommoweb -isa repo")
    await forget_changes(pool)
    following = asyncio.create_task(memories.follow())
    await loading.wait()
    say(memory, "dobby and hokey")
    loaded.set()
    await following
    say(memory, "dobby")
    in_memory = soas_by_token(memory.world)["dobby"].encounter_count
    await memories.flush()

    assert in_memory == 3
    assert await counts(pool) == {"dobby": 3}
    assert soas_by_token(memory.world)["winky"].encounter_count == 1


async def test_prompt_of_a_reload_teaches(memories, memory, other, store, pool):
    """A statement made while the memory was loaded anew is held in the new one."""
    await state(other, "gnommoweb -isa repo")
    await forget_changes(pool)
    reloading = asyncio.create_task(memory.writer.reload())
    say(memory, "dobby is a worker")
    say(memory, "gnommoweb is a container")
    await reloading
    await settled(memory)

    assert {fact.concept for fact in held(memory.world)} == {"gnommoweb", "dobby"}
    assert [memory.world.queued(key) for key in memory.world.conflicts] == [1]
    assert await in_step(memory, store)


async def test_race_that_is_lost_too_far_behind_is_run_again(
    memory, unreliable, monkeypatch
):
    """The rows to read after a lost race are not in the log: the next attempt sees to it."""
    writing = unreliable.writing
    lost: list[str] = []

    @asynccontextmanager
    async def losing(tenant):
        async with writing(tenant) as pen:
            if not lost:
                lost.append(tenant)
                raise RaceLost(places={1})
            yield pen

    async def gone(*arguments):
        raise TooFarBehind

    monkeypatch.setattr(unreliable, "writing", losing)
    monkeypatch.setattr(unreliable, "news", gone, raising=False)

    outcome, _ = await state(memory, "gnommoweb -isa repo")

    assert outcome.verdict is Verdict.HELD


async def test_new_words_of_two_servers_have_one_number(
    memories, memory, others, other, pool
):
    """
    Both met them first, and write them at once: each has one number, and every
    encounter counts.
    """
    words = [f"word{number}x" for number in range(50)]
    say(memory, " ".join(words))
    say(other, " ".join(reversed(words)))
    for each in (memory, other, other):
        say(each, " ".join(words[:40]))

    await asyncio.gather(memories.flush(), others.flush())

    words = words[:40]
    numbers = [[it.world.id(word) for word in words] for it in (memory, other)]
    assert numbers[0] == numbers[1]
    assert await counts(pool) == dict.fromkeys(words, 5)


async def test_new_words_of_two_statements_have_one_number(
    memories, memory, others, other, store
):
    """Both met the names of a fact in prompts, and hold facts about them at once."""
    for each in (memory, other):
        say(each, "dobby, winky and hogwarts")

    await asyncio.gather(
        state(memory, "dobby -isa houseelf"),
        state(other, "winky -isa houseelf"),
        state(memory, "dobby -ispart hogwarts"),
        state(other, "winky -ispart hogwarts"),
    )
    for each in (memories, others):
        await each.flush()
        await each.follow()

    assert len(held(memory.world)) == 4
    assert await in_step(memory, store)
    assert await in_step(other, store)
