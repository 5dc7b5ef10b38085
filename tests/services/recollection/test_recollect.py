"""An answer is given in two steps: what is told, and behind it what the memory takes."""

from __future__ import annotations

import asyncio

import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Triple
from festinger.core.graph.statement import parse_fact
from festinger.core.language.turns import Role, Turn
from festinger.core.recollection.retelling import StandingLine
from festinger.rpc.recollection import recollecting
from festinger.rpc.recollection.recollecting import tell
from festinger.rpc.system.callers import RpcCaller
from festinger.services.graph.facts import retract_fact
from festinger.services.recollection import recollect
from festinger.services.recollection.recollect import answer_prompt
from festinger.services.world import writer
from tests.memories import held, recollect_prompt
from tests.services.conftest import say, settled, state
from tests.store.world.writing import read
from tests.structures import soas_by_token

REPO = Triple("gnommoweb", "repo", "type", True)
ALICE = RpcCaller("alice", "default")
REPO_STATED = pb.RecollectRequest(
    turns=[pb.Turn(role=pb.Turn.ROLE_USER, text="gnommoweb is a repo", digest=b"turn")]
)


def answered(memory, text, digest=b"turn"):
    """Return the answer to a prompt of a person, and what must be called behind it."""
    return answer_prompt(
        memory, [Turn(Role.USER, text, digest=digest)], principal="alice"
    )


def full(monkeypatch):
    """Let a writer have no room."""
    monkeypatch.setattr(writer, "QUEUE_MAX", 0)


async def test_statements_are_offered_behind_the_answer(memory):
    """The answer tells what becomes of them; the writer gets them afterwards."""
    answer, keep = answered(memory, "gnommoweb is a repo")
    waiting = memory.writer.waiting
    keep()

    assert [it.verdict for it in answer.outcomes] == [Verdict.HELD]
    assert (waiting, memory.writer.waiting) == (0, 1)


async def test_repeated_turn_teaches_once_though_the_first_is_not_kept_yet(
    memory, store
):
    """A turn counts as heard from its answer on, whoever is kept first."""
    await state(memory, "gnommoweb -isa repo")

    _, keep = answered(memory, "gnommoweb is a container")
    again, keep_again = answered(memory, "gnommoweb is a container")
    keep_again()
    keep()
    await settled(memory)

    (conflict,) = await read(store, "conflicts")
    assert again.outcomes == []
    assert conflict.statements == 1
    assert soas_by_token(memory.world)["container"].encounter_count == 1


async def test_conflict_shows_to_others_before_it_is_offered(memory):
    """Whoever asks between the answer and what comes behind it sees it as well."""
    await state(memory, "gnommoweb -isa repo")

    _, keep = answered(memory, "gnommoweb is a container")
    meanwhile = say(memory, "gnommoweb")
    keep()

    assert "[type?]" in meanwhile.lines[0].text


async def test_candidate_that_contradicts_a_fact_casts_no_doubt_on_it(memory):
    """A tool's result may only propose (E1): else any page could make every fact doubtful."""
    await state(memory, "gnommoweb -isa repo")
    found = recollect_prompt(
        memory,
        [Turn(Role.TOOL, "gnommoweb is a container.", digest=b"tool")],
        principal="alice",
    )
    assert [it.verdict for it in found.outcomes] == [Verdict.CANDIDATE]
    await settled(memory)

    lines = say(memory, "What is gnommoweb?", digest=b"ask").lines

    assert [it.text for it in lines] == ["gnommoweb: [type] repo"]


async def test_writer_without_room_leaves_no_mark(memory, monkeypatch):
    """A turn that it does not take is neither read nor contested, and can be said again."""
    await state(memory, "gnommoweb -isa repo")

    with monkeypatch.context() as patched:
        full(patched)
        say(memory, "gnommoweb is a container", digest=b"turn")
        marked = (
            b"turn" in memory.recent_turns,
            set(memory.world.conflicts.doubts.keys()),
        )
    again = say(memory, "gnommoweb is a container", digest=b"turn")
    await settled(memory)

    assert marked == (False, set())
    assert [it.verdict for it in again.outcomes] == [Verdict.CONFLICTED]
    assert len(memory.world.conflicts.doubts.keys()) == 1


async def test_turn_that_was_heard_before_stays_so(memory, monkeypatch):
    """A writer without room takes back the marks of this prompt only."""
    old = Turn(Role.USER, "zork", digest=b"old")
    new = Turn(Role.USER, "gnommoweb is a repo", digest=b"new")
    say(memory, "zork", digest=b"old")

    full(monkeypatch)
    recollect_prompt(memory, [old, new], principal="alice")

    assert (b"old" in memory.recent_turns, b"new" in memory.recent_turns) == (
        True,
        False,
    )


async def test_what_is_marked_is_kept_though_nothing_can_be_told(memory, monkeypatch):
    """A defect behind the judgement does not leave a turn heard and not taught."""

    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(recollect, "recollect", fail)

    with pytest.raises(ZeroDivisionError):
        answered(memory, "gnommoweb is a repo")
    await settled(memory)

    assert b"turn" in memory.recent_turns
    assert held(memory.world) == {REPO}


async def test_call_that_ends_with_its_answer_is_kept(memory):
    """Whoever cancels a call right behind the answer has taught all the same."""

    async def call():
        tell(memory, REPO_STATED, ALICE, as_of=None)
        await asyncio.sleep(60)

    calling = asyncio.create_task(call())
    await asyncio.sleep(0)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    await settled(memory)

    assert held(memory.world) == {REPO}
    assert memory.statistics.recollections.cumulative()[-1] == ("+Inf", 1)


async def test_answer_that_cannot_be_written_out_is_kept(memory, monkeypatch):
    """The statements are judged by then, and their turn counts as heard."""

    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(recollecting, "fill_response", fail)

    with pytest.raises(ZeroDivisionError):
        tell(memory, REPO_STATED, ALICE, as_of=None)
    await asyncio.sleep(0)
    await settled(memory)

    assert held(memory.world) == {REPO}


async def test_committed_statement_fits_the_next_prompt(memory, store):
    """It is told by the words of its parent, until it is taken back; then it is rewritten."""
    await state(memory, "kassel_gateway -isa load_balancer")
    prompt = "which load balancer do we use for kassel?"
    line = "kassel_gateway: [type] load_balancer"

    answer = say(memory, prompt)
    told = [StandingLine(it.concept, it.text) for it in answer.lines if it.text == line]
    await retract_fact(
        memory, parse_fact("kassel_gateway -isa load_balancer"), principal="alice"
    )
    again = recollect_prompt(
        memory, [Turn(Role.USER, prompt)], principal="alice", told=told
    )

    assert len(told) == 1
    assert line not in [it.text for it in again.lines]
    assert [it.index for it in again.changes] == [0]


async def test_what_was_read_from_words_is_not_told_at_each_mention(memory):
    """It is told where it fits; a fact that somebody told the memory keeps its place."""
    await state(memory, "gnommoweb -isa repo")
    await state(memory, "kassel -isa depot")
    world = memory.world
    (edge,) = world.facts(world.id("gnommoweb"))
    world.origins[edge.assertion_id] = StatementOrigin(
        "gnommoweb is a repo", "bob", "bob", "", "s", 0.0, b"", StatementReader.MODEL
    )
    world.statements.follow(edge.concept_id)

    answer, keep = answered(memory, "explain puns: gnommoweb, kassel")
    keep()

    assert [line.text for line in answer.lines] == ["kassel: [type] depot"]


async def test_asker_is_told_the_facts_about_them(memory):
    """The words are told from which rules read a fact, and only to who said them."""
    say(memory, "I live in Utrecht. My sister moved to Lyon.")
    await settled(memory)

    told = [it.text for it in say(memory, "What do you know about me?").lines]
    others = recollect_prompt(
        memory, [Turn(Role.USER, "What do you know about me?")], principal="bob"
    )

    assert told == ['alice, 15 Jan: "I live in Utrecht. My sister moved to Lyon."']
    assert not any("Utrecht" in it.text for it in others.lines)
