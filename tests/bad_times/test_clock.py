"""The clock jumps in the middle of things: time may be wrong, history must not be."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from typing import Any

import pytest

from festinger.core.graph.outcome import Verdict
from festinger.core.graph.statement import parse_fact
from festinger.errors import FactNotHeld
from festinger.services.graph.facts import retract_fact
from festinger.services.world.memory import IDLE_SECONDS, Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system.pool import Pool
from tests.memories import DAY, NOW, Clock
from tests.services.conftest import in_step, say, settled, state
from tests.structures import soas_by_token

HOUR, YEAR = 3600.0, 365 * DAY

JUMPS = pytest.mark.parametrize(
    "jump", [HOUR, -HOUR, YEAR, -YEAR], ids=["+1h", "-1h", "+1y", "-1y"]
)
BACK = pytest.mark.parametrize("jump", [-HOUR, -YEAR], ids=["-1h", "-1y"])


@pytest.fixture
async def memory(memories: Memories) -> TenantMemory:
    """The memory `default`."""
    return await memories.get("default")


async def retract(memory: TenantMemory, fact: str) -> Any:
    """Take a fact back."""
    return await retract_fact(memory, parse_fact(fact), principal="alice")


async def confirmed(pool: Pool, concept: str) -> float:
    """Return when a concept's one fact was last confirmed, in the database."""
    moment = await pool.fetchval(
        """
        select e.last_confirmed from urd e
        join soas c on c.tenant = e.tenant and c.id = e.id
        where c.token = $1 and e.id <> e.dim_id
        """,
        concept,
    )
    seconds: float = moment.timestamp()
    return seconds


async def negative_intervals(pool: Pool) -> int:
    """Return the number of intervals that ended before they began."""
    count: int = await pool.fetchval(
        "select count(*) from urd_history where valid_to < valid_from"
    )
    return count


@JUMPS
async def test_confirmation_never_goes_back(memory, pool, store, clock, jump):
    """A fact that is stated again is confirmed now, or when it was confirmed last."""
    await state(memory, "gnommoweb -isa repo")
    clock.now += jump

    outcome, _ = await state(memory, "gnommoweb -isa repo", "bob")

    assert outcome.verdict is Verdict.CORROBORATED
    assert await confirmed(pool, "gnommoweb") == max(NOW, NOW + jump)
    assert await in_step(memory, store)


@JUMPS
@pytest.mark.parametrize(
    "fact", ["gnommoweb -isa repo", "gnommoweb -not -isa repo"], ids=["fact", "denial"]
)
async def test_history_has_no_negative_interval(memory, pool, clock, jump, fact):
    """A retracted fact did not end before it began."""
    await state(memory, fact)
    clock.now += jump

    await retract(memory, fact)

    assert await pool.fetchval("select count(*) from urd_history") == 1
    assert await negative_intervals(pool) == 0


@JUMPS
async def test_jump_in_a_batch_changes_no_outcome(memory, pool, store, clock, jump):
    """Statements that wait while the clock jumps are judged as if it had not."""
    await state(memory, "gnommoweb -isa repo")
    stating = [
        asyncio.create_task(state(memory, fact, who))
        for fact, who in (
            ("gnommoweb -isa repo", "bob"),
            ("gnommoweb -isa container", "bob"),
            ("dobby -isa worker", "bob"),
            ("dobby -isa worker", "carol"),
        )
    ]
    await asyncio.sleep(0)
    clock.now += jump
    outcomes = [(await task)[0].verdict for task in stating]

    assert outcomes == [
        Verdict.CORROBORATED,
        Verdict.CONFLICTED,
        Verdict.HELD,
        Verdict.CORROBORATED,
    ]
    assert await in_step(memory, store)


@JUMPS
async def test_fresh_fact_is_told_after_a_jump(memory, clock, jump):
    """A new statement is told, wherever the clock went; a fact of the future too."""
    await state(memory, "gnommoweb -isa repo")
    clock.now += jump
    await state(memory, "gnommoweb -isa repo", "bob")

    told = say(memory, "What is gnommoweb?")

    assert [line.text for line in told.lines] == ["gnommoweb: [type] repo"]


@BACK
async def test_order_of_lines_is_sane_when_the_clock_was_set_back(memory, clock, jump):
    """Ages below nothing count as nothing: no line is lost, no weight is not a number."""
    names = [f"name{number}x" for number in range(4)]
    for name in names:
        await state(memory, f"{name} -isa thing")
        clock.now += jump / 4

    told = say(memory, " ".join(names))

    assert [line.concept for line in told.lines] == names
    rows = [soas_by_token(memory.world)[name] for name in names]
    assert all(math.isfinite(row.saliency) for row in rows)


@JUMPS
async def test_counters_survive_a_jump(memories, memory, pool, clock, jump):
    """Every encounter counts once, and no word was last seen before it was."""
    say(memory, "dobby")
    say(memory, "dobby again")
    await memories.flush()
    clock.now += jump
    memory = await memories.get("default")
    say(memory, "dobby")

    await memories.flush()

    row = await pool.fetchrow("select * from concepts where token = 'dobby'")
    assert row["encounter_count"] == 3
    assert row["last_seen"].timestamp() >= NOW


@JUMPS
async def test_memory_that_is_closed_by_a_jump_opens_again(
    memories, memory, pool, store, clock, jump
):
    """A clock that jumps makes a memory look idle; what it holds and counted is there."""
    await state(memory, "gnommoweb -isa repo")
    say(memory, "dobby is a worker.")
    clock.now += jump
    await memories.flush()

    again = await memories.get("default")
    outcome, _ = await state(again, "gnommoweb -isa container")

    assert (again is not memory) == (jump > IDLE_SECONDS)
    assert outcome.verdict is Verdict.CONFLICTED
    assert again.world.is_known("dobby")
    assert await in_step(again, store)


async def test_calls_that_cross_an_idle_closing_are_done(memories, store, clock, pool):
    """
    A statement that comes at any point of a memory's closing is held, in the old one
    or in the next.
    """
    memory, closings = await memories.get("default"), 0
    for moment in range(25):
        clock.now += IDLE_SECONDS + 1
        closing = asyncio.create_task(memories.flush())
        await asyncio.sleep(moment / 1000)
        opened = await memories.get("default")
        outcome, _ = await state(opened, f"name{moment}x -isa thing")
        await closing
        closings += opened is not memory
        memory = opened
        assert outcome.verdict is Verdict.HELD

    assert closings > 0
    assert await in_step(await memories.get("default"), store)
    assert await pool.fetchval("select count(*) from assertions") == 25


async def test_clock_that_jumps_all_the_time(memories, memory, pool, store):
    """Statements, retractions, prompts and flushes under a clock that knows no way."""
    jumps = (HOUR, -YEAR, YEAR, -HOUR, YEAR, -HOUR, -YEAR, HOUR)
    clock = memory.now
    assert isinstance(clock, Clock)
    for turn, jump in enumerate(jumps * 4):
        memory = await memories.get("default")
        clock.now += jump
        before = {edge: edge.last_confirmed for edge in memory.world.graph}
        await state(memory, f"name{turn % 5}x -isa repo", f"person{turn}")
        await state(memory, f"name{turn % 5}x -isa container", f"person{turn}")
        say(memory, f"name{turn % 3}x is a database. What of name{turn % 5}x?")
        if turn % 3 == 0:
            with suppress(FactNotHeld):
                await retract(memory, f"name{turn % 5}x -isa repo")
        await settled(memory)
        for edge, moment in before.items():
            now = memory.world.edge(edge.concept_id, edge.dim_id)
            if now and now.assertion_id == edge.assertion_id:
                assert now.last_confirmed >= moment
        await memories.flush()

    assert await negative_intervals(pool) == 0
    assert await in_step(await memories.get("default"), store)
