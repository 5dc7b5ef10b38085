from __future__ import annotations

from dataclasses import replace

import asyncpg
import pytest

from festinger.core.graph.candidates import CandidateState, Lane
from festinger.core.graph.proposal import (
    CandidateDetails,
    Evidence,
    Proposal,
    StatementSource,
)
from festinger.core.graph.statement import parse_fact
from festinger.core.validation.policy import Person
from festinger.core.validation.votes import EventResponse, VoterRole
from festinger.errors import CandidateClosed, InvalidArgument, PermissionDenied
from festinger.services.validation.answers import RecordAnswer
from festinger.services.validation.expiry import Expirer
from festinger.services.validation.proposals import ProposeCandidate
from festinger.services.validation.reference import CandidateReference
from festinger.services.validation.responders import ANSWERS_MAX, AnswerInput
from festinger.services.world.memory import Memories
from tests.memories import DAY, NOW, TRUST, held
from tests.services.conftest import in_step, state
from tests.store.world.writing import read

YES, NO = EventResponse.CONFIRMED, EventResponse.REJECTED
FACT = "alice -ispart chess_club in context of joined"


async def propose(memory, fact=FACT, proposer="microllm", **known):
    """Return the candidate that a client puts forward, whose author is alice."""
    proposal = Proposal(
        parse_fact(fact),
        confidence=0.36,
        source=StatementSource.EXTRACTED,
        principal=proposer,
        proposer=proposer,
        evidence=Evidence("I joined the Chess Club", "proposed"),
        candidacy=CandidateDetails(
            **{"author": "alice", "predicate": "t:joined", **known}
        ),
    )
    return (await memory.writer.submit(ProposeCandidate(proposal))).candidate


async def answer(memory, name, response=YES, number=1, **said):
    """Answer as somebody; return the result."""
    return await memory.writer.submit(
        RecordAnswer(
            CandidateReference(number),
            AnswerInput(name, response, **said),
            policy=memory.validation.policy,
        )
    )


async def ask(pool, recipient="", channel="", gold=None, status="posted", candidate=1):
    """Put a question, and give its number."""
    return await pool.fetchval(
        """
        insert into questions (tenant, id, candidate_id, bot, lane, recipient, channel,
            text, prompt_hash, gold, gold_answer, status, due_at, created_at)
        select 'default', coalesce(max(id), 0) + 1, $1, 'barkeep', 'author', $2, $3,
            'Did you?', 'asked', $4::boolean is not null, $4, $5, now(), now()
        from questions
        returning id
        """,
        candidate,
        recipient,
        channel,
        gold,
        status,
    )


async def questions(pool):
    """Return the state of each question, by number."""
    rows = await pool.fetch("select status, closed_because from questions order by id")
    return [tuple(row) for row in rows]


async def test_answer_ends_the_asking(memory, pool):
    """A person asked in person is asked no more, and nobody is about a decided candidate."""
    await propose(memory)
    mine = await ask(pool, "bob")
    await ask(pool, "carol", status="waiting")
    await ask(pool, channel="matrix:!club")

    await answer(memory, "bob", question_id=mine)
    before = await questions(pool)
    await answer(memory, "alice")

    assert before == [("closed", "answered"), ("waiting", ""), ("posted", "")]
    assert await questions(pool) == [
        ("closed", "answered"),
        ("closed", "decided"),
        ("closed", "decided"),
    ]


async def test_answer_to_an_open_question_about_what_is_decided(memory, pool):
    """Whoever had the question open still counts, until the time is over."""
    await propose(memory)
    number = await ask(pool, "bob")
    await answer(memory, "alice")

    heard = await answer(memory, "bob", NO, number=0, question_id=number)

    assert heard.event is not None
    assert (heard.event.question_id, heard.event.prompt_hash) == (number, "asked")
    assert not heard.event.before_visible
    assert heard.candidate.state is CandidateState.CONFIRMED
    assert "confirmed" in heard.message


async def test_question_is_about_its_candidate(memory, pool):
    """An answer to another candidate's question is a mistake."""
    await propose(memory)
    await propose(memory, "alice -ispart band in context of joined")
    number = await ask(pool, "bob")

    with pytest.raises(InvalidArgument):
        await answer(memory, "bob", number=2, question_id=number)


async def test_gold_question_decides_nothing(memory, pool):
    """Its answer tells of whoever gives it; they cannot tell it from another's."""
    await propose(memory)
    await propose(memory, "alice -ispart band in context of joined")
    gold = await ask(pool, "bob", gold=True)
    meant = await ask(pool, "bob", candidate=2)

    heard = await answer(memory, "bob", NO, number=0, question_id=gold)
    await answer(memory, "bob", YES, 0, question_id=gold, disputed=True, note="no!")
    other = await answer(memory, "bob", NO, number=0, question_id=meant)

    assert (heard.event, heard.outcome, heard.tally) == (None, None, None)
    assert heard.message == other.message
    assert heard.candidate.state is CandidateState.PENDING
    assert await read(memory.store, "events", 1) == []
    rows = await pool.fetch("select responder, answer, disputed, note from audits")
    assert [tuple(row) for row in rows] == [("bob", False, True, "no!")]
    assert (await questions(pool))[0] == ("closed", "answered")


async def test_open_breaker_leaves_it_to_moderators(memory, pool, clock):
    """Until it closes, what others answer is kept and decides nothing."""
    await pool.execute(
        "insert into ratings (tenant, open_until) values ('default', to_timestamp($1))",
        clock.now + 3600,
    )
    listed = await propose(memory)

    heard = [await answer(memory, name) for name in ("alice", "bob", "carol")]
    moderated = await answer(memory, "op", is_operator=True)

    assert listed.lane is Lane.MODERATOR
    assert {each.candidate.state for each in heard} == {CandidateState.PENDING}
    assert moderated.candidate.decision_rule == "moderator"


async def test_policy_says_who_is_a_moderator(memory):
    """They decide alone; about what they said themselves, they are its author."""
    policy = memory.validation.policy
    people = {"mona": Person(moderator=True), "alice": Person(moderator=True)}
    memory.validation.policy = replace(policy, people=people)
    await propose(memory)

    assert (await answer(memory, "alice")).event.role is VoterRole.AUTHOR
    heard = await answer(memory, "Mona", NO)

    assert heard.event.role is VoterRole.MODERATOR
    assert heard.event.responder == "mona"
    assert heard.candidate.state is CandidateState.REJECTED


@pytest.mark.parametrize("name", ["\u0430lice", "\u0410lice", "\u03b1lice"])
async def test_double_of_the_author_is_not_the_author(memory, name):
    """A Cyrillic or Greek letter makes another name, which nobody could tell from hers."""
    await propose(memory)

    with pytest.raises(PermissionDenied):
        await answer(memory, name)


async def test_double_of_a_voter_is_no_second_voter(memory):
    """Nor does it take the first one's vote away."""
    await propose(memory, author="dora")
    await answer(memory, "bob")

    with pytest.raises(PermissionDenied):
        await answer(memory, "b\u043eb")  # a Cyrillic o
    wide = await answer(memory, "\uff42\uff4f\uff42")

    assert wide.event.responder == "bob"
    assert wide.candidate.state is CandidateState.PENDING


async def test_private_candidate_is_for_moderators(memory, pool):
    """The community has no say about what it is not to know."""
    await propose(memory)
    await pool.execute("update candidates set sensitive = true")

    with pytest.raises(PermissionDenied):
        await answer(memory, "bob")
    assert (await answer(memory, "op", is_operator=True)).event is not None


async def test_nobody_in_the_database_votes_on_their_own_claim(memory, pool):
    """Whatever the program does: the row is refused (E6), and so is another's proposer."""
    await propose(memory)
    insert = """
        insert into validation_events (tenant, cid, candidate_id, proposer, responder, role,
            response, before_visible, created_at)
        values ('default', 'x', 1, $1, 'microllm', 'community', 'confirmed', true, now())
    """

    with pytest.raises(asyncpg.CheckViolationError):
        await pool.execute(insert, "microllm")
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await pool.execute(insert, "somebody")


@pytest.fixture
def expirer(memories, store, clock):
    """Look whose time is over, when the test has it look."""
    return Expirer(memories, store, now=clock)


async def test_what_nobody_decides_expires(memory, expirer, clock, pool):
    """It waits for dreaming, nobody is asked any more, and the rule says why."""
    await propose(memory)
    await propose(memory, "alice -ispart band in context of hosts", predicate="")
    await ask(pool, "bob")
    await answer(memory, "bob")
    clock.now += 2 * DAY - 1
    await expirer.look()
    assert (await read(memory.store, "candidate", 1)).state is CandidateState.PENDING

    clock.now += 1
    await expirer.look()

    ended, other = await read(memory.store, "candidates")
    assert (ended.state, ended.decision_rule) == (CandidateState.EXPIRED, "time_over")
    assert ended.decided == clock.now
    assert other.state is CandidateState.PENDING
    assert await questions(pool) == [("closed", "expired")]
    rows = await pool.fetch("select candidate_id, reason from backlog")
    assert [tuple(row) for row in rows] == [(1, "expired")]
    with pytest.raises(CandidateClosed):
        await answer(memory, "alice")


async def test_two_servers_expire_once(memory, expirer, store, clock, pool):
    """Whoever has the pen second finds nothing left."""
    await propose(memory)
    others = Memories(store, now=clock, trust=TRUST)
    clock.now += 2 * DAY
    again = Expirer(others, store, now=clock)

    await expirer.look()
    await again.look()
    await others.stop()

    assert await pool.fetchval("select count(*) from backlog") == 1


async def test_expired_statement_may_be_put_forward_again(memory, expirer, clock):
    """It is another candidate, with a time of its own."""
    first = await propose(memory)
    clock.now += 2 * DAY
    await expirer.look()

    second = await propose(memory)

    assert second.id != first.id
    assert second.cid != first.cid


async def test_candidate_that_waits_elsewhere_does_not_wait_twice(memory, store):
    """Whose decision is taken back while its statement was put forward anew is closed."""
    await state(memory, "alice -not -ispart chess_club in context of joined")
    await propose(memory)
    await answer(memory, "alice")
    await propose(memory)

    heard = await answer(memory, "alice", EventResponse.WITHDRAWN)

    assert heard.candidate.state is CandidateState.EXPIRED
    assert heard.candidate.decision_rule == "stated_again"
    assert (await read(store, "candidate", 2)).state is CandidateState.PENDING


async def test_taken_back_confirmation_frees_what_waited(memory, store):
    """A statement that only this fact kept waiting is held, as whenever a fact ends."""
    await propose(memory)
    await answer(memory, "alice")
    await state(memory, "alice -ispart go_club in context of joined", "bob")

    await answer(memory, "alice", NO)

    [fact] = held(memory.world)
    assert fact.parent == "go_club"
    assert await in_step(memory, store)


async def test_denied_belief_is_not_held(memory, store):
    """A statement that its author denies and the community does not is nobody's fact."""
    await propose(memory, "alice -not -ispart chess_club in context of joined")

    for name, response in (("alice", YES), ("bob", NO), ("carol", NO)):
        heard = await answer(memory, name, response)

    assert heard.candidate.belief
    assert heard.outcome is None
    assert not memory.world.denials
    assert await in_step(memory, store)


async def test_old_candidate_gets_its_name_with_the_first_answer(memory, pool):
    """One that is older than content identifiers is written down when it is answered."""
    await propose(memory)
    await pool.execute("update candidates set cid = null")

    heard = await answer(memory, "bob")

    assert heard.candidate.cid == heard.event.candidate_cid
    kinds = await pool.fetch(
        "select kind from objects where cid = any($1)",
        [heard.candidate.cid, heard.event.cid],
    )
    assert {row["kind"] for row in kinds} == {"factoid", "event"}


async def test_belief_survives_a_restart_and_its_end_is_kept(memory, store, pool):
    """The database has its modality; what it was before is history."""
    await propose(memory)
    for name, response in (("alice", YES), ("bob", NO), ("carol", NO)):
        await answer(memory, name, response)

    assert await in_step(memory, store)
    rows = await pool.fetch(
        "select modality, closed_by from urd_history order by valid_to"
    )
    assert [tuple(row) for row in rows] == [("asserted", "candidate 1")]
    assert (
        await pool.fetchval("select modality from urd where id <> dim_id") == "belief"
    )


async def test_time_is_counted_from_the_proposal(memory):
    """By the clock of the server, whatever the client thinks."""
    assert (await propose(memory)).expires == NOW + 2 * DAY


async def test_nobody_answers_for_ever(memory):
    """
    A person who changes their mind too often is heard no more; the last answer counts,
    and others are heard as before.
    """
    await propose(memory)
    for at in range(ANSWERS_MAX):
        await answer(memory, "bob", (NO, YES)[at % 2])

    with pytest.raises(PermissionDenied, match="50 times"):
        await answer(memory, "Bob", NO)
    heard = await answer(memory, "carol")

    assert heard.candidate.state is CandidateState.CONFIRMED
