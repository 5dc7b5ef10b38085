from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from structlog.testing import capture_logs

from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Triple
from festinger.errors import DatabaseUnavailable, Overloaded
from festinger.services.world import writer
from festinger.services.world.memory import Memories
from festinger.store.language.turns import TurnWrites
from tests.memories import DAY, TRUST, held
from tests.services.conftest import in_step, key, say, settled, state
from tests.store.world.writing import read
from tests.structures import soas_by_token

REPO = Triple("gnommoweb", "repo", "type", True)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """The pauses between attempts are short enough for a test."""
    monkeypatch.setattr(writer, "RETRY_SECONDS", (0.01,))


async def test_stated_fact_fails_while_the_database_is_away(memory, unreliable):
    """Whoever waits is told at once, and nothing is held."""
    unreliable.away = True

    with pytest.raises(DatabaseUnavailable):
        await state(memory, "gnommoweb -isa repo")

    assert held(memory.world) == set()


async def test_stated_fact_lands_when_tried_again(memory, unreliable, store):
    """After the database is back the same call does what it says."""
    unreliable.away = True
    with pytest.raises(DatabaseUnavailable):
        await state(memory, "gnommoweb -isa repo", request=key())
    unreliable.away = False

    outcome, version = await state(memory, "gnommoweb -isa repo", request=key())

    assert (outcome.verdict, version) == (Verdict.HELD, 1)
    assert held(await store.load("default")) == {REPO}


async def test_prompts_land_when_the_database_is_back(memory, unreliable, store):
    """A write that nobody waits for is tried again until it is written, in order."""
    unreliable.away = True
    for text in ("gnommoweb is a repo", "gnommoweb is a container"):
        say(memory, text)
    await asyncio.sleep(0.1)
    before = held(memory.world)
    unreliable.away = False
    await settled(memory)

    (conflict,) = await read(store, "conflicts")
    assert before == set()
    assert held(memory.world) == held(await store.load("default")) == {REPO}
    assert conflict.incoming.parent == "container"


async def test_reads_go_on_while_the_database_is_away(memory, unreliable):
    """Recollecting never waits for Postgres."""
    await state(memory, "gnommoweb -isa repo")
    unreliable.away = True

    answer = say(memory, "What is gnommoweb?")

    assert [line.text for line in answer.lines] == ["gnommoweb: [type] repo"]


async def test_conflict_is_unwritten_until_it_is_written(memory, unreliable):
    """Shown at once, numbered by the commit, and gone if it is never written."""
    await state(memory, "gnommoweb -isa repo")
    unreliable.away = True
    say(memory, "gnommoweb is a container")
    (clash,) = memory.world.conflicts
    shown = memory.world.queued(clash)
    unreliable.away = False
    await settled(memory)

    assert (shown, memory.world.queued(clash)) == (0, 1)


async def test_nothing_unwritten_stays_contested_at_a_stop(
    memories, memory, unreliable, store
):
    """A server that stops while the database is away takes its marks back."""
    await state(memory, "gnommoweb -isa repo")
    unreliable.away = True
    say(memory, "gnommoweb is a container")

    await memories.stop()

    assert memory.world.conflicts.doubts.keys() == set()
    assert await read(store, "conflicts") == []


async def test_stop_ends_what_waits_while_the_database_is_away(
    memories, memory, unreliable
):
    """Nobody is left waiting by a stop, and it does not last."""
    unreliable.gate.clear()
    calls = [asyncio.create_task(state(memory, f"n{i}x -isa thing")) for i in range(3)]
    await unreliable.until_commit(1)
    calls.append(asyncio.create_task(state(memory, "late -isa thing")))
    await asyncio.sleep(0)
    unreliable.away = True
    unreliable.gate.set()

    await asyncio.wait_for(memories.stop(), 30)

    answers = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(answer) for answer in answers} == {DatabaseUnavailable}


async def test_lost_answer_is_resolved_by_the_request(memory, unreliable, store, pool):
    """Committed and never answered: the repetition gets the answer, once."""
    unreliable.answers_lost = 1
    with pytest.raises(DatabaseUnavailable):
        await state(memory, "gnommoweb -isa repo", request=key())

    outcome, version = await state(memory, "gnommoweb -isa repo", request=key())

    assert (outcome.verdict, version) == (Verdict.HELD, 1)
    assert await pool.fetchval("select count(*) from assertions") == 1


async def test_lost_answer_does_not_leave_the_memory_behind(memory, unreliable, store):
    """The next batch first takes over what the lost one wrote: fact, denial, conflict."""
    await state(memory, "gnommoweb -isa repo")
    unreliable.answers_lost = 1
    answers = await asyncio.gather(
        state(memory, "dobby -isa worker in context of tools"),
        state(memory, "gnommoweb -isa container"),
        state(memory, "gnommoweb -not -isa database"),
        return_exceptions=True,
    )
    await state(memory, "ant -isa pet")

    assert {type(answer) for answer in answers} == {DatabaseUnavailable}
    assert await in_step(memory, store)
    assert memory.world.is_known("dobby")


async def test_lost_answer_of_a_prompt_teaches_once(memory, unreliable, store):
    """A prompt whose commit was not answered is retried and found in the ledger."""
    await state(memory, "gnommoweb -isa repo")
    unreliable.answers_lost = 1
    say(memory, "gnommoweb is a container", digest=b"turn")
    await settled(memory)

    (conflict,) = await read(store, "conflicts")
    assert conflict.statements == 1
    assert [memory.world.queued(it) for it in memory.world.conflicts] == [conflict.id]


async def test_contradiction_of_a_lost_commit_collides(memory, unreliable):
    """After a lost answer the next statement is judged against what was written."""
    unreliable.answers_lost = 1
    with pytest.raises(DatabaseUnavailable):
        await state(memory, "gnommoweb -isa repo")

    outcome, _ = await state(memory, "gnommoweb -isa container")

    assert outcome.verdict is Verdict.CONFLICTED


async def test_counters_survive_an_absence(memories, memory, unreliable, store):
    """Counts made while the database was away are written once, later."""
    unreliable.away = True
    for _ in range(3):
        say(memory, "dobby")
        with suppress(DatabaseUnavailable):
            await memories.flush()
    unreliable.away = False
    await memories.flush()

    row = soas_by_token(await store.load("default"))["dobby"]
    assert row.encounter_count == 3


async def test_races_are_not_run_for_ever(memory, unreliable):
    """A batch that always loses is given back to its callers."""
    unreliable.loses = lambda batch: True

    with pytest.raises(Overloaded, match="try again"):
        await state(memory, "gnommoweb -isa repo")


async def test_prompt_that_always_loses_holds_up_no_other(memory, unreliable):
    """A turn that cannot be written is dropped alone; what is said after it is kept."""
    unreliable.loses = lambda batch: any(
        isinstance(it, TurnWrites) for it in batch.writes
    )
    say(memory, "Gnommoweb runs on podman.")

    with capture_logs() as logged:
        outcome, _ = await asyncio.wait_for(state(memory, "dobby -isa worker"), 5)

    assert outcome.verdict is Verdict.HELD
    assert [(it["event"], it["job"]) for it in logged] == [("job_failed", "PromptJob")]


async def test_writer_outlives_a_defect_without_work(memory, unreliable, monkeypatch):
    """A defect that nobody waits for neither ends the writer nor keeps it spinning."""
    calls = 0

    async def broken(tenant, kind, count):
        nonlocal calls
        calls += 1
        raise RuntimeError("a defect")

    with monkeypatch.context() as patch:
        patch.setattr(unreliable, "reserve", broken, raising=False)
        while memory.world.concept_ids.take():
            pass
        memory.writer.refill()
        await asyncio.sleep(0.1)

    outcome, _ = await state(memory, "gnommoweb -isa repo")
    assert 1 <= calls < 30
    assert outcome.verdict is Verdict.HELD


async def test_memory_that_cannot_be_opened_leaves_nothing_running(unreliable, clock):
    """The database goes away between two questions of opening: no writer is left."""
    memories = Memories(unreliable, now=clock, trust=TRUST)

    async def away(tenant):
        raise DatabaseUnavailable("away")

    unreliable.preferences = away
    with pytest.raises(DatabaseUnavailable):
        await memories.get("default")

    names = {task.get_name() for task in asyncio.all_tasks()}
    assert "writer of default" not in names


async def test_memory_opens_once_for_all(memories, unreliable):
    """Callers that come together share one load."""
    opened = await asyncio.gather(*(memories.get("default") for _ in range(10)))

    assert len({id(memory) for memory in opened}) == 1
    assert unreliable.calls.count("load") == 1


async def test_caller_who_goes_does_not_stop_the_opening(memories):
    """A cancelled call leaves the memory to those who still wait."""
    first = asyncio.create_task(memories.get("default"))
    second = asyncio.create_task(memories.get("default"))
    await asyncio.sleep(0)
    first.cancel()

    assert (await second).tenant == "default"


async def test_idle_memory_is_closed_and_opens_again(memories, memory, clock):
    """A memory that nobody asked for in an hour is unloaded, its counters written."""
    say(memory, "dobby")
    clock.now += DAY

    await memories.flush()
    again = await memories.get("default")

    assert again is not memory
    assert soas_by_token(again.world)["dobby"].encounter_count == 1


async def test_settings_change_without_a_restart(memories, memory, pool):
    """The config table is read again with every flush; what is wrong in it is told."""
    await pool.execute("update config set value = '3' where key like '%threshold'")

    await memories.flush()

    assert memory.preferences.saliency_read_threshold == 3.0


async def test_unusable_setting_is_complained_of(unreliable, clock, pool):
    """A sentence for the log, and the default."""
    complaints: list[str] = []
    await pool.execute("update config set value = 'x' where key = 'hints_per_block'")
    memories = Memories(unreliable, now=clock, trust=TRUST, complain=complaints.append)

    memory = await memories.get("default")
    await memories.stop()

    assert memory.preferences.hints_per_block == 1
    assert len(complaints) == 1
    assert complaints[0].startswith("tenant default: config hints_per_block is 'x'")
