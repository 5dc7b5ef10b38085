"""The answer to a COMMIT is lost, late, or never comes: nothing counts twice or never."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from festinger.core.graph.outcome import Verdict
from festinger.core.graph.statement import parse_fact
from festinger.errors import DatabaseUnavailable, FactNotHeld
from festinger.services.graph.facts import retract_fact
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.system import pool as pools
from festinger.store.system.pool import Pool
from festinger.store.world.reads import PostgresReads
from tests.faults.conftest import STATEMENT_SECONDS
from tests.faults.proxy import Fault
from tests.services.conftest import in_step, key, say, settled, state
from tests.waiting import until

LOST = pytest.mark.parametrize(
    "fault", [Fault.CUT_BEFORE, Fault.CUT_AFTER], ids=["not_committed", "committed"]
)
TURNS = pytest.mark.parametrize("digest", [b"", b"turn"], ids=["nameless", "named"])

REQUEST = key("lost")


async def rows(pool: Pool) -> list[tuple[Any, ...]]:
    """Return the ledger: concept, parent and outcome, in order."""
    found = await pool.fetch(
        "select concept, parent, outcome from assertions order by id"
    )
    return [tuple(row) for row in found]


async def lost(memory: TenantMemory, fact: str) -> None:
    """State a fact whose COMMIT is never answered."""
    with pytest.raises(DatabaseUnavailable):
        await state(memory, fact, request=REQUEST)


# --- somebody waits, and repeats the call


@LOST
async def test_repeated_statement_gets_its_answer_once(memory, proxy, pool, fault):
    """Committed or not, the same request leads to one fact and one outcome."""
    proxy.arm(fault)
    await lost(memory, "gnommoweb -isa repo")

    outcome, version = await state(memory, "gnommoweb -isa repo", request=REQUEST)

    assert (outcome.verdict, version) == (Verdict.HELD, 1)
    assert await rows(pool) == [("gnommoweb", "repo", "held")]


@LOST
async def test_memory_equals_the_database_after_a_lost_answer(
    memory, proxy, store, fault
):
    """The repetition brings the world to what a restart would load."""
    await state(memory, "gnommoweb -isa container")
    proxy.arm(fault)
    await lost(memory, "gnommoweb -isa repo")

    await state(memory, "gnommoweb -isa repo", request=REQUEST)

    assert await in_step(memory, store)


@LOST
async def test_next_statement_is_judged_against_what_was_committed(
    memory, proxy, store, fault
):
    """If nobody repeats the call, whoever comes next finds what became of it."""
    proxy.arm(fault)
    await lost(memory, "gnommoweb -isa repo")

    outcome, _ = await state(memory, "gnommoweb -isa container")

    committed = fault is Fault.CUT_AFTER
    expected = Verdict.CONFLICTED if committed else Verdict.HELD
    assert outcome.verdict is expected
    assert await in_step(memory, store)


@LOST
async def test_repeated_contradiction_counts_once(memory, proxy, pool, fault):
    """The queue has one item that was stated once."""
    await state(memory, "gnommoweb -isa repo")
    proxy.arm(fault)
    await lost(memory, "gnommoweb -isa container")

    outcome, _ = await state(memory, "gnommoweb -isa container", request=REQUEST)

    counts = await pool.fetch("select id, statement_count from resolution_queue")
    assert [tuple(row) for row in counts] == [(outcome.conflict_id, 1)]


@LOST
async def test_repeated_retraction_gets_its_answer_once(memory, proxy, store, fault):
    """A retracted statement is not missed by the repetition."""
    fact = parse_fact("gnommoweb -isa repo")
    await state(memory, "gnommoweb -isa repo")
    proxy.arm(fault)
    with pytest.raises(DatabaseUnavailable):
        await retract_fact(memory, fact, principal="alice", request=REQUEST)

    retracted = await retract_fact(memory, fact, principal="alice", request=REQUEST)

    with pytest.raises(FactNotHeld):
        await retract_fact(memory, fact, principal="alice")
    assert retracted.version == 2
    assert await in_step(memory, store)


@LOST
async def test_repetition_that_is_lost_too_is_answered_in_the_end(
    memory, proxy, pool, fault
):
    """Several lost answers in a row are one statement."""
    proxy.arm(Fault.CUT_BEFORE, times=2)
    proxy.arm(fault)
    for _ in range(3):
        await lost(memory, "gnommoweb -isa repo")

    outcome, _ = await state(memory, "gnommoweb -isa repo", request=REQUEST)

    assert outcome.verdict is Verdict.HELD
    assert await rows(pool) == [("gnommoweb", "repo", "held")]


@LOST
async def test_everybody_in_a_lost_batch_is_answered_once(memory, proxy, pool, fault):
    """A batch of many is repeated by many, in any order."""
    proxy.arm(fault)
    names = [f"name{number}x" for number in range(20)]
    failed = await asyncio.gather(
        *(state(memory, f"{each} -isa thing", request=key(each)) for each in names),
        return_exceptions=True,
    )

    answers = await asyncio.gather(
        *(
            state(memory, f"{each} -isa thing", request=key(each))
            for each in reversed(names)
        )
    )

    assert DatabaseUnavailable in map(type, failed)
    assert {outcome.verdict for outcome, _ in answers} == {Verdict.HELD}
    assert sorted(await rows(pool)) == sorted((it, "thing", "held") for it in names)


async def test_repetition_over_a_connection_that_breaks(memory, proxy, monkeypatch):
    """A caller who is about to get the first answer again is told to try once more, too."""
    first, _ = await state(memory, "gnommoweb -isa repo", request=REQUEST)
    with monkeypatch.context() as patch:
        read = PostgresReads.outcome

        async def read_over_nothing(reads: PostgresReads, number: int) -> Any:
            proxy.cut()
            return await read(reads, number)

        patch.setattr(PostgresReads, "outcome", read_over_nothing)
        await lost(memory, "gnommoweb -isa repo")

    again, _ = await state(memory, "gnommoweb -isa repo", request=REQUEST)

    assert again == first


# --- nobody waits: what prompts state


@LOST
@TURNS
async def test_prompt_teaches_once(memory, proxy, pool, store, fault, digest):
    """A turn that nobody waits for is written exactly once, whether it has a name or not."""
    await state(memory, "gnommoweb -isa repo")
    proxy.arm(fault)
    say(memory, "dobby is a worker. gnommoweb is a container.", digest=digest)

    await proxy.met()
    await until_settled(memory)

    assert sorted(await rows(pool)) == [
        ("dobby", "worker", "held"),
        ("gnommoweb", "container", "conflicted"),
        ("gnommoweb", "repo", "held"),
    ]
    assert await in_step(memory, store)


@LOST
@TURNS
async def test_prompt_beside_a_statement_teaches_once(
    memory, proxy, pool, store, fault, digest
):
    """The same in one transaction with somebody who waits, and repeats the call."""
    proxy.arm(fault)
    say(memory, "dobby is a worker.", digest=digest)
    await lost(memory, "gnommoweb -isa repo")
    await state(memory, "gnommoweb -isa repo", request=REQUEST)

    await until_settled(memory)

    assert sorted(await rows(pool)) == [
        ("dobby", "worker", "held"),
        ("gnommoweb", "repo", "held"),
    ]
    assert await in_step(memory, store)


@LOST
@TURNS
async def test_prompt_teaches_once_though_the_memory_is_loaded_anew(
    memory, proxy, pool, store, fault, digest
):
    """A world that was loaded after the loss has the batch, and knows whose it was."""
    await state(memory, "gnommoweb -isa repo")
    proxy.arm(fault)
    say(memory, "gnommoweb is a container.", digest=digest)
    await proxy.met()
    proxy.refusing = True
    await asyncio.sleep(0.2)
    proxy.refusing = False

    await memory.writer.reload()
    await until_settled(memory)

    assert sorted(await rows(pool)) == [
        ("gnommoweb", "container", "conflicted"),
        ("gnommoweb", "repo", "held"),
    ]
    assert await in_step(memory, store)


@LOST
async def test_counters_count_once(memories, memory, proxy, pool, fault):
    """A flush whose COMMIT was not answered is sent again, and counts once."""
    say(memory, "dobby")
    say(memory, "dobby again")
    await until_settled(memory)
    proxy.arm(fault)
    with pytest.raises(DatabaseUnavailable):
        await memories.flush()
    say(memory, "dobby")

    await memories.flush()

    counts = "select encounter_count from concepts where token = 'dobby'"
    assert await pool.fetchval(counts) == 3


# --- late answers


async def test_late_commit_is_waited_for(memory, proxy, store):
    """Nobody is answered before the COMMIT is, and nothing is held until then."""
    proxy.arm(Fault.DELAY)
    stating = asyncio.create_task(state(memory, "gnommoweb -isa repo"))
    await proxy.met()
    await asyncio.sleep(0.1)
    early = stating.done() or memory.world.is_known("gnommoweb")
    proxy.gate.set()

    outcome, _ = await stating

    assert not early
    assert outcome.verdict is Verdict.HELD
    assert await in_step(memory, store)


async def test_one_byte_at_a_time(memory, proxy, store):
    """However the bytes arrive, they mean the same."""
    proxy.trickling = True
    await state(memory, "gnommoweb -isa repo")
    outcome, _ = await state(memory, "gnommoweb -isa container")

    assert outcome.verdict is Verdict.CONFLICTED
    assert await in_step(memory, store)


# --- answers that never come


async def seconds_until_told(memory: TenantMemory, fact: str) -> float:
    """Return the seconds until a statement's caller is told that nobody knows."""
    began = time.monotonic()
    await lost(memory, fact)
    return time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault", [Fault.HANG, Fault.HANG_AFTER], ids=["not_committed", "committed"]
)
async def test_hanging_commit_ends_in_time_and_recovers(
    memory, proxy, pool, store, monkeypatch, fault
):
    """
    The caller is told after the statement's time, and what is repeated is there once,
    though the dead connection still holds the pen.
    """
    monkeypatch.setattr(pools, "ACQUIRE_SECONDS_MAX", 1.0)
    proxy.arm(fault)

    seconds = await seconds_until_told(memory, "gnommoweb -isa repo")

    # One statement, and one attempt to tidy up after it.
    assert seconds < STATEMENT_SECONDS + 1.0 + 5.0
    outcome = await patiently(memory, "gnommoweb -isa repo")
    assert outcome.verdict is Verdict.HELD
    assert await rows(pool) == [("gnommoweb", "repo", "held")]
    assert await in_step(memory, store)


@pytest.mark.slow
async def test_hanging_database_ends_in_time_and_recovers(
    memory, proxy, pool, store, monkeypatch
):
    """The same where every connection hangs before anything was written."""
    monkeypatch.setattr(pools, "ACQUIRE_SECONDS_MAX", 1.0)
    await state(memory, "dobby -isa worker")
    proxy.hang()

    seconds = await seconds_until_told(memory, "gnommoweb -isa repo")
    told = say(memory, "What is dobby?")
    proxy.mend()

    assert seconds < STATEMENT_SECONDS + 1.0 + 5.0
    assert [line.text for line in told.lines] == ["dobby: [type] worker"]
    assert (await patiently(memory, "gnommoweb -isa repo")).verdict is Verdict.HELD
    assert await in_step(memory, store)


async def patiently(memory: TenantMemory, fact: str) -> Any:
    """Return the outcome of a call that is repeated under its id until there is an answer."""

    async def outcome() -> Any:
        return (await state(memory, fact, request=REQUEST))[0]

    return await until(outcome, pause=0.05, despite=DatabaseUnavailable)


async def until_settled(memory: TenantMemory) -> None:
    """Wait until everything that was offered so far is written."""
    await asyncio.wait_for(settled(memory), 30)
