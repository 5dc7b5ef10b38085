from __future__ import annotations

import asyncio

import asyncpg
import pytest

from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.graph.proposal import Evidence, Triple
from festinger.core.language.turns import Role, Turn
from festinger.errors import Overloaded, RequestIdReused
from festinger.services.world import tenant_memory, writer
from festinger.services.world.jobs import Assertion, PromptJob
from festinger.store.system.tenancy import transaction
from festinger.store.world.batches import RequestKey
from tests.memories import held, recollect_prompt, stated
from tests.services.conftest import key, say, settled, state
from tests.store.world.writing import read
from tests.structures import soas_by_token


async def test_answer_means_committed(memory, store):
    """When Assert answers, the fact is in Postgres, of the version that was answered."""
    outcome, version = await state(memory, "gnommoweb -isa repo")

    loaded = await store.load("default")
    assert outcome.verdict is Verdict.HELD
    assert held(loaded) == {Triple("gnommoweb", "repo", "type", True)}
    assert loaded.version == version == memory.world.version


async def test_statements_that_come_together_are_committed_together(
    memory, unreliable, store
):
    """Jobs that arrive while a commit runs are one transaction: fewer versions than facts."""
    answers = await asyncio.gather(
        *(state(memory, f"name{i}x -isa thing") for i in range(200))
    )

    loaded = await store.load("default")
    assert {outcome.verdict for outcome, _ in answers} == {Verdict.HELD}
    assert len(held(loaded)) == 200
    assert loaded.version == max(version for _, version in answers) < 10
    assert unreliable.commits == loaded.version


async def test_what_comes_while_another_server_writes_is_committed_together(
    memory, pool
):
    """Jobs that arrive while another server holds the lock join the batch that waits."""
    before = memory.world.version
    async with transaction(pool, "default", locked=True):
        waiting = [asyncio.create_task(state(memory, "first -isa thing"))]
        await asyncio.sleep(0.2)
        waiting += [
            asyncio.create_task(state(memory, f"name{i}x -isa thing"))
            for i in range(20)
        ]
        await asyncio.sleep(0.2)

    answers = await asyncio.gather(*waiting)

    assert {version for _, version in answers} == {before + 1}


async def test_what_must_be_alone_stays_alone_behind_the_lock(memory, pool):
    """A job that needs a transaction of its own joins no batch, and none joins it."""
    before = memory.world.version
    async with transaction(pool, "default", locked=True):
        waiting = [asyncio.create_task(state(memory, "first -isa thing"))]
        await asyncio.sleep(0.1)
        alone = Assertion(stated("second -isa thing"), None)
        alone.alone = True
        waiting.append(asyncio.create_task(memory.writer.submit(alone)))
        await asyncio.sleep(0.1)
        waiting.append(asyncio.create_task(state(memory, "third -isa thing")))
        await asyncio.sleep(0.1)

    versions = [version for _, version in await asyncio.gather(*waiting)]

    assert versions == [before + 1, before + 2, before + 3]


async def test_order_is_that_of_arrival(memory):
    """Of contradicting statements at once the first is held, the others collide."""
    answers = await asyncio.gather(
        *(state(memory, f"gnommoweb -isa kind{i}x") for i in range(5))
    )

    verdicts = [outcome.verdict for outcome, _ in answers]
    assert verdicts == [Verdict.HELD] + [Verdict.CONFLICTED] * 4
    assert [outcome.conflict_id for outcome, _ in answers] == [0, 1, 2, 3, 4]


async def test_a_batch_has_a_limit(memory, unreliable, monkeypatch):
    """Many statements at once are several transactions of a bearable size."""
    monkeypatch.setattr(writer, "BATCH_MAX", 10)

    await asyncio.gather(*(state(memory, f"name{i}x -isa thing") for i in range(35)))

    assert unreliable.commits >= 4


async def test_memory_is_not_ahead_of_the_database(memory, unreliable):
    """Until the commit is done, nobody sees the fact."""
    unreliable.gate.clear()
    waiting = asyncio.create_task(state(memory, "gnommoweb -isa repo"))
    await unreliable.until_commit(1)

    before = held(memory.world), memory.world.is_known("gnommoweb")
    unreliable.gate.set()
    await waiting

    assert before == (set(), False)
    assert memory.world.is_known("gnommoweb")


async def test_prompt_is_answered_without_waiting(memory, unreliable):
    """A prompt's statement is judged at once and written afterwards."""
    unreliable.gate.clear()

    answer = say(memory, "gnommoweb is a repo")
    unreliable.gate.set()
    await settled(memory)

    assert [it.verdict for it in answer.outcomes] == [Verdict.HELD]
    assert answer.lines == []
    assert held(memory.world) == {Triple("gnommoweb", "repo", "type", True)}


async def test_conflict_shows_before_it_is_written_and_stays(memory, store):
    """The answer marks the conflict, and the queue has it soon after."""
    await state(memory, "gnommoweb -isa repo")

    answer = say(memory, "gnommoweb is a container")
    await settled(memory)

    (line,) = answer.lines
    (conflict,) = await read(store, "conflicts")
    assert line.text == "gnommoweb: [type?] repo — conflict pending"
    assert conflict.type is CollisionType.ISA_ISA
    assert [memory.world.queued(it) for it in memory.world.conflicts] == [conflict.id]


async def test_repeated_turn_teaches_once(memories, memory, store, pool):
    """A turn of the same digest is in the ledger once, over restarts too."""
    await state(memory, "gnommoweb -isa repo")

    for _ in range(3):
        say(memory, "gnommoweb is a container", digest=b"turn")
        await memories.stop()
        memory = await memories.get("default")
    say(memory, "gnommoweb is a container", digest=b"other")
    say(memory, "gnommoweb is a container", digest=b"other")
    await settled(memory)

    (conflict,) = await read(store, "conflicts")
    assert conflict.statements == 2
    assert await pool.fetchval("select count(*) from assertions") == 3


async def test_repeated_turn_counts_once(memory):
    """A request that is sent again is no second encounter, but is answered again."""
    await state(memory, "gnommoweb -isa repo")

    answers = [say(memory, "gnommoweb zork", digest=b"turn") for _ in range(3)]
    say(memory, "zork")
    say(memory, "zork")

    rows = soas_by_token(memory.world)
    assert [len(answer.lines) for answer in answers] == [1, 1, 1]
    assert (rows["gnommoweb"].encounter_count, rows["zork"].encounter_count) == (1, 3)


async def test_turns_are_not_remembered_for_ever(memory, monkeypatch):
    """The oldest are forgotten, so that the memory of them stays small."""
    monkeypatch.setattr(tenant_memory, "RECENT_TURNS_MAX", 2)

    for digest in (b"1", b"2", b"3", b"3", b"1"):
        say(memory, "zork", digest=digest)

    assert soas_by_token(memory.world)["zork"].encounter_count == 4


async def test_turn_twice_in_one_prompt_teaches_once(memory, store):
    """Two turns of one digest are one, and harm nobody who shares their transaction."""
    turn = Turn(Role.USER, "gnommoweb is a repo", digest=b"turn")

    recollect_prompt(memory, [turn, turn], principal="alice")
    outcome, _ = await state(memory, "dobby -isa worker")

    loaded = await store.load("default")
    assert outcome.verdict is Verdict.HELD
    assert len(held(loaded)) == 2


async def test_one_statement_twice_in_a_batch_is_judged_once(memory, pool):
    """A statement that the ledger would refuse as a repetition is left out beforehand."""
    statement = stated("gnommoweb -isa repo", evidence=Evidence(segment=b"turn"))
    jobs = [PromptJob([statement] * 2, memory.world.conflicts, []) for _ in range(2)]

    await asyncio.gather(*map(memory.writer.submit, jobs))

    assert await pool.fetchval("select count(*) from assertions") == 1


async def test_mark_is_taken_back_if_there_is_no_conflict(memories, memory, pool):
    """A conflict that the ledger has as settled is not contested again by a repetition."""
    await state(memory, "gnommoweb -isa repo")
    say(memory, "gnommoweb is a container", digest=b"turn")
    await memories.stop()
    await pool.execute(
        "update resolution_queue set status = 'dismissed', resolved_at = now()"
    )
    memory = await memories.get("default")

    answer = say(memory, "gnommoweb is a container", digest=b"turn")
    await settled(memory)

    assert "[type?]" in answer.lines[0].text
    assert memory.world.conflicts.doubts.keys() == set()


async def test_request_is_done_once(memory, store):
    """The same name and statement: the same answer, and nothing changes."""
    first = await state(memory, "gnommoweb -isa repo", request=key("r1"))
    await state(memory, "dobby -isa worker")

    again = await state(memory, "gnommoweb -isa repo", request=key("r1"))

    assert again == first
    assert (await store.load("default")).version == 2


async def test_request_is_done_once_though_sent_at_once(memory, pool):
    """A call and its repetition in one batch: one ledger row, two equal answers."""
    answers = await asyncio.gather(
        *(state(memory, "gnommoweb -isa repo", request=key("r1")) for _ in range(5))
    )

    assert [answer == answers[0] for answer in answers] == [True] * 5
    assert await pool.fetchval("select count(*) from assertions") == 1


async def test_request_is_repeated_after_a_restart(memory, memories, store):
    """The answer is read from the ledger by whoever is asked."""
    first = await state(memory, "gnommoweb -isa repo", request=key("r1"))
    await memories.stop()

    again = await state(
        await memories.get("default"), "gnommoweb -isa repo", request=key("r1")
    )

    assert again == first


@pytest.mark.parametrize("other", [key("r1", b"y"), key("r1", method="Resolve")])
async def test_name_of_another_request_is_refused(memory, other):
    """A request_id means one call."""
    await state(memory, "gnommoweb -isa repo", request=key("r1"))

    with pytest.raises(RequestIdReused):
        await state(memory, "dobby -isa worker", request=other)


async def test_two_calls_of_one_name_at_once(memory):
    """The one that came second is refused, in the same batch too."""
    answers = await asyncio.gather(
        state(memory, "gnommoweb -isa repo", request=key("r1")),
        state(memory, "dobby -isa worker", request=key("r1", b"y")),
        return_exceptions=True,
    )

    assert isinstance(answers[1], RequestIdReused)


async def test_names_belong_to_their_principals(memory):
    """Two callers may use the same request_id."""
    await state(memory, "gnommoweb -isa repo", request=key("r1"))
    other = RequestKey("bob", "r1", "Assert", b"y")

    outcome, _ = await state(memory, "dobby -isa worker", "bob", request=other)

    assert outcome.verdict is Verdict.HELD


async def test_defect_hits_only_its_own_job(memory, store):
    """A job that the database refuses fails alone; those who shared its batch are served."""
    bad = stated("ant -isa bee", evidence=Evidence("x" * 401))

    answers = await asyncio.gather(
        state(memory, "gnommoweb -isa repo"),
        memory.writer.submit(Assertion(bad, None)),
        state(memory, "dobby -isa worker"),
        return_exceptions=True,
    )

    assert isinstance(answers[1], asyncpg.CheckViolationError)
    assert len(held(await store.load("default"))) == 2


async def test_queue_has_a_limit(memory, unreliable, monkeypatch):
    """Beyond it callers are asked to try again, and prompts are answered all the same."""
    monkeypatch.setattr(writer, "QUEUE_MAX", 2)
    await state(memory, "gnommoweb -isa repo")
    unreliable.gate.clear()
    waiting = [asyncio.create_task(state(memory, "ant -isa pet"))]
    await unreliable.until_commit(2)
    waiting += [
        asyncio.create_task(state(memory, f"bee{i}x -isa pet")) for i in range(2)
    ]
    await asyncio.sleep(0)

    with pytest.raises(Overloaded):
        await state(memory, "cat -isa pet")
    answer = say(memory, "gnommoweb is a container")
    unreliable.gate.set()
    await asyncio.gather(*waiting)

    assert [it.verdict for it in answer.outcomes] == [Verdict.CONFLICTED]
    assert memory.world.conflicts.doubts.keys() == set()


async def test_caller_may_go(memory, store):
    """A caller that gives up does not stop what it asked for."""
    call = asyncio.create_task(state(memory, "gnommoweb -isa repo"))
    await asyncio.sleep(0)
    call.cancel()
    await settled(memory)

    assert len(held(await store.load("default"))) == 1


async def test_stop_writes_what_waits(memories, memory, store):
    """Prompts, facts and counters that came before the stop are in Postgres after it."""
    asserting = asyncio.create_task(state(memory, "gnommoweb -isa repo"))
    await asyncio.sleep(0)
    say(memory, "dobby is a worker")
    # What was met once is not worth a write.
    say(memory, "dobby again")

    await memories.stop()

    loaded = await store.load("default")
    assert (await asserting)[0].verdict is Verdict.HELD
    assert len(held(loaded)) == 2
    assert soas_by_token(loaded)["dobby"].encounter_count == 2


async def test_stopped_writer_takes_nothing(memories, memory):
    """After the stop callers are asked to try again, elsewhere."""
    await memories.stop()

    with pytest.raises(Overloaded, match="stopping"):
        await state(memory, "gnommoweb -isa repo")


async def test_first_prompt_brings_new_concepts(memories):
    """A memory that was just opened has numbers for the words it meets (Test A)."""
    memory = await memories.get("default")

    say(memory, "update gnommoweb")

    assert "gnommoweb" in soas_by_token(memory.world)


async def test_numbers_are_refilled(memory, monkeypatch):
    """Prompts use up numbers for concepts; more come before they are gone."""
    for i in range(8):
        say(memory, " ".join(f"w{i}q{j}x" for j in range(480)))
        await settled(memory)

    assert len(soas_by_token(memory.world)) == 8 * 480 + 6
