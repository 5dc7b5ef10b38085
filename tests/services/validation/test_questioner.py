"""People are asked: who, when, how often, and what becomes of it."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from typing import Any

import pytest

from festinger.core.validation.posting import ATTEMPTS_MAX, PostingReport, PostingResult
from festinger.core.validation.questions import Question, QuestionState
from festinger.errors import DatabaseUnavailable, LeaseLost
from festinger.services.validation.questioner import LEASE_SECONDS, Questioner
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.graph.rows import to_time
from festinger.store.postgres import PostgresStore
from festinger.store.validation.records import BotTargets, LeasedQuestions
from tests.memories import DAY, NOW
from tests.people import (
    COMMUNITY,
    EVERYBODY,
    EVERYWHERE,
    MODERATORS,
    POLICY,
    answered,
    execute,
    put,
)

POSTED = PostingReport(PostingResult.POSTED)


class Bot:
    """Posts what it is given, as a platform that never fails."""

    def __init__(self, questioner: Questioner, memory: TenantMemory):
        self.lessee = str(uuid.uuid4())
        self._questioner = questioner
        self._memory = memory

    async def lease(
        self,
        recipients: Any = EVERYBODY,
        channels: Any = EVERYWHERE,
        *,
        limit: int = 20,
        platform: str = "matrix",
    ) -> LeasedQuestions:
        """Lease as the platform's bot."""
        reach = BotTargets(platform, recipients, channels, self.lessee)
        return await self._questioner.lease(self._memory, reach, limit)

    async def report(
        self, question: Question, result: PostingResult, **more: Any
    ) -> Question:
        """Report as the bot; return the server's result."""
        return await self._questioner.report(
            self._memory, question.id, self.lessee, PostingReport(result, **more)
        )

    async def post(self, **where: Any) -> list[Question]:
        """Post whatever is due; the questions as they are then."""
        leased = await self.lease(**where)
        return [
            await self.report(
                it,
                PostingResult.POSTED,
                reference=f"$digest{it.digest_id}" if it.digest_id else f"${it.id}",
            )
            for it in leased.post
        ]


@pytest.fixture
async def memory(memories: Memories) -> TenantMemory:
    """A memory in which people are asked, and can be."""
    memories.validation.policy = POLICY
    return await memories.get("default")


@pytest.fixture
def bot(questioner: Questioner, memory: TenantMemory) -> Bot:
    """The bot of a platform that reaches everybody."""
    return Bot(questioner, memory)


def to(question: Question) -> tuple[str, str]:
    """Whom a question is put to."""
    return question.lane, question.recipient or question.channel


async def test_an_author_is_asked_what_a_machine_guessed(questioner, pool, bot):
    """In the words of the specification, with the source below it and the reason beside it."""
    await put(pool)

    await questioner.look()
    [question] = await bot.post()

    assert question.text.startswith(
        "Hey @Alice — quick check: did you join the Chess Club? (Yes / No / Not sure)\n"
        "“I joined the Chess Club last week.”"
    )
    assert question.why == "We read “I joined” — is this true?"
    assert to(question) == ("author", "alice")
    assert question.state is QuestionState.POSTED
    assert question.candidate_cid == "bafy1"


async def test_nobody_is_asked_outside_of_the_pilot(questioner, pool, memory, store):
    """A candidate without a deadline waits for an operator."""
    await put(pool, expires_at=None)

    await questioner.look()

    assert await questioner.ask(memory) == 0
    assert await store.questions.list("default") == []


async def test_a_question_is_made_once(questioner, pool, memory, store):
    """However often, and by however many servers, somebody looks."""
    await put(pool)

    await asyncio.gather(*(questioner.ask(memory) for _ in range(5)))
    await questioner.look()

    assert len(await store.questions.list("default")) == 1


async def test_memory_that_cannot_be_loaded_keeps_nobody_else_from_being_asked(
    questioner, pool, memory, store, broken
):
    """Each look begins with the same one, so that the others would never have their turn."""
    await put(pool)
    broken(questioner.questions, "tenants")

    await questioner.look()

    assert len(await store.questions.list("default")) == 1


async def test_one_server_at_a_time_asks(pool, memories, memory, store, clock):
    """While another one has the lease, nothing is made."""
    await put(pool)
    other = PostgresStore(pool).questions
    assert await other.take_lease("default", 30)

    await Questioner(memories, store.questions, now=clock).look()

    assert await store.questions.list("default") == []


async def test_an_author_who_is_silent_leaves_it_to_others(
    questioner, pool, bot, clock
):
    """After half of the time it is the community's turn, after half of the rest moderators'."""
    await put(pool)
    asked = []
    for moment in (0, 23, 24.1, 35, 36.2, 47):
        clock.now = NOW + moment * 3600
        await questioner.look()
        asked.append([to(it) for it in await bot.post()])

    assert asked == [
        [("author", "alice")],
        [],
        [("community", COMMUNITY)],
        [],
        [("moderator", MODERATORS)],
        [],
    ]


async def test_an_unreachable_author_leaves_it_at_once(questioner, pool, bot):
    """Nobody waits for whom no platform reaches."""
    await put(pool)
    await questioner.look()
    [question] = (await bot.lease()).post

    await bot.report(question, PostingResult.UNREACHABLE, error="no such user")
    await questioner.look()

    assert [to(it) for it in await bot.post()] == [("community", COMMUNITY)]


async def test_where_there_is_no_channel_moderators_are_asked(
    questioner, pool, bot, memories
):
    """Each in person, where they have no channel either; but not who proposed it."""
    memories.validation.policy = replace(POLICY, channel="", moderator_channel="")
    await put(pool, lane="community", proposer="max")

    await questioner.look()

    assert [to(it) for it in await bot.post()] == [("moderator", "mo")]


async def test_it_is_asked_where_it_was_said(questioner, pool, bot):
    """The candidate's own channel comes before the usual one."""
    await put(pool, lane="community", channel=MODERATORS)

    await questioner.look()

    assert [to(it) for it in await bot.post()] == [("community", MODERATORS)]


@pytest.mark.parametrize(
    "columns",
    [{"sensitive": True}, {"flagged": True}, {"lane": "moderator"}],
)
async def test_what_is_private_or_flagged_is_for_moderators(
    questioner, pool, bot, columns
):
    """Whatever lane it was given."""
    await put(pool, **columns)

    await questioner.look()

    assert [to(it) for it in await bot.post()] == [("moderator", MODERATORS)]


async def test_an_open_breaker_sends_everything_to_moderators(questioner, pool, bot):
    """Until its time is over."""
    await put(pool)
    await execute(
        pool,
        "insert into ratings (tenant, prior, votes, fitted_at, open_until)"
        " values ('default', 0.5, 0, now(), $1)",
        to_time(NOW + DAY),
    )

    await questioner.look()

    assert [to(it) for it in await bot.post()] == [("moderator", MODERATORS)]


async def test_one_answer_of_the_community_makes_others_be_asked(questioner, pool, bot):
    """Two of those who can be reached, but neither who answered nor its author."""
    await put(pool, lane="community")
    await questioner.look()
    await bot.post()
    await answered(pool, 1, "bob", "confirmed")

    await questioner.look()
    asked = [to(it) for it in await bot.post()]

    assert len(asked) == 2
    assert {lane for lane, _ in asked} == {"community"}
    assert {name for _, name in asked} <= {"carol", "mo", "max"}


async def test_many_votes_that_decide_nothing_are_for_moderators(questioner, pool, bot):
    """Seven have said yes or no, and it is still open."""
    await put(pool, lane="community")
    for number in range(7):
        await answered(pool, 1, f"voter{number}", "confirmed")

    await questioner.look()

    assert [to(it) for it in await bot.post()] == [("moderator", MODERATORS)]


async def test_a_person_is_asked_three_times_a_day(questioner, pool, bot, clock):
    """The rest waits for tomorrow, which begins at midnight."""
    for number in range(1, 6):
        await put(pool, number)
    asked = []
    for moment in (0, 3600, DAY, DAY + 3600):
        clock.now = NOW + moment
        await questioner.look()
        asked.append(len(await bot.post(channels=())))

    assert asked == [3, 0, 2, 0]


async def test_a_channel_is_asked_ten_times_a_day(questioner, pool, bot):
    """However many candidates there are, and bots."""
    for number in range(1, 15):
        await put(pool, number, lane="community")

    await questioner.look()
    given = await asyncio.gather(*(bot.lease(limit=4) for _ in range(6)))

    assert sum(len(leased.post) for leased in given) == 10


async def test_bots_of_several_servers_together_ask_no_more(
    questioner, pool, memories, memory, clock
):
    """They are given questions at the same time, over connections of their own."""
    for number in range(1, 9):
        await put(pool, number, lane="community", channel=MODERATORS)
        await put(pool, 10 + number)
    await questioner.look()
    bots = [
        Bot(Questioner(memories, PostgresStore(pool).questions, now=clock), memory)
        for _ in range(8)
    ]

    given = await asyncio.gather(*(bot.lease(limit=3) for bot in bots))

    asked = [to(it) for leased in given for it in leased.post]
    assert asked.count(("author", "alice")) == 3
    assert asked.count(("community", MODERATORS)) == 8
    assert len(asked) == 11


async def test_the_most_telling_candidates_are_asked_about(questioner, pool, bot):
    """Urgent before ambiguous before the rest."""
    await put(pool, 1, confidence=0.99)
    await put(pool, 2, confidence=0.98)
    await put(pool, 3, confidence=0.5)
    await put(pool, 4, confidence=0.97, priority="high")
    await put(pool, 5, confidence=0.6)

    await questioner.look()

    assert {it.candidate_id for it in await bot.post()} == {3, 4, 5}


async def test_critical_candidates_do_not_wait_for_tomorrow(questioner, pool, bot):
    """If people's safety is concerned moderators are asked at once."""
    for number in range(1, 13):
        await put(pool, number, lane="moderator", priority="critical")

    await questioner.look()

    assert len(await bot.post()) == 12


async def test_a_digest_is_one_message_and_counts_as_one(
    questioner, pool, bot, clock, memories
):
    """Moderators get what waits for them at nine in the morning of their zone."""
    memories.validation.policy = replace(
        POLICY, digest_schedule="0 9 * * *", channel_questions_max=1
    )
    for number in range(1, 6):
        await put(pool, number, lane="moderator")
    await put(pool, 6, lane="moderator", priority="critical")
    await questioner.look()
    at_once = await bot.post()
    # 08:00 UTC is when the tests begin.
    clock.now = NOW + 3601

    digest = (await bot.lease()).post

    assert [it.candidate_id for it in at_once] == [6]
    assert digest == []
    clock.now = NOW + DAY + 3601
    digest = await bot.post()
    assert len(digest) == 5
    assert len({it.digest_id for it in digest}) == 1
    assert digest[0].digest_id
    found = await questioner.questions.find(
        "default", "matrix", f"$digest{digest[0].digest_id}"
    )
    assert [it.id for it in found] == sorted(it.id for it in digest)


async def test_a_digest_takes_no_more_than_twenty(questioner, pool, bot, memories):
    """Questions beyond the limit wait for the next lease, and are not lost."""
    memories.validation.policy = replace(POLICY, digest_schedule="0 9 * * *")
    for number in range(1, 24):
        await put(pool, number, lane="moderator")

    await questioner.look()
    await questioner.look()

    assert len(await questioner.questions.list("default", limit=50)) == 20


async def test_who_opted_out_is_neither_asked_nor_asked_about_in_public(
    questioner, pool, bot, memory
):
    """The questions to them are closed; moderators may still decide."""
    await put(pool, 1)
    await put(pool, 2, lane="community", author="bob")
    await questioner.look()
    before = await bot.post()

    await questioner.set_opt_out(memory, "alice", out=True, said_by="alice")
    await questioner.set_opt_out(memory, "bob", out=True, said_by="bob")
    closed = {it.id: it for it in await questioner.questions.list("default")}
    await questioner.look()

    assert len(before) == 2
    assert {closed[it.id].closed_because for it in before} == {"opted_out"}
    assert {to(it) for it in await bot.post()} == {("moderator", MODERATORS)}


async def test_who_opts_in_again_is_asked_again(questioner, pool, bot, memory):
    """About what comes then."""
    await questioner.set_opt_out(memory, "alice", out=True, said_by="alice")
    await questioner.set_opt_out(memory, "alice", out=False, said_by="alice")
    await put(pool)

    await questioner.look()

    assert [to(it) for it in await bot.post()] == [("author", "alice")]


async def test_opting_out_goes_by_the_name_however_it_is_spelt(
    questioner, pool, bot, memory
):
    """The open questions are closed, and a person who opts in again is asked."""
    await put(pool, 1)
    await questioner.look()
    (asked,) = await bot.post()

    await questioner.set_opt_out(memory, "Alice", out=True, said_by="Alice")
    (closed,) = await questioner.questions.list("default", candidate_id=1)
    await questioner.set_opt_out(memory, "alice", out=False, said_by="alice")
    out = await questioner.questions.opted_out("default")

    assert (closed.id, closed.closed_because) == (asked.id, "opted_out")
    assert out == frozenset()


async def test_opting_out_interrupted_is_of_no_spelling(questioner, pool, memory):
    """A person is not asked under one name and left alone under another."""
    await execute(
        pool,
        "create function refuse() returns trigger language plpgsql as $$ begin "
        "raise exception 'no room' using errcode = 'disk_full'; end $$; "
        "create trigger refused before insert on opt_outs for each row "
        "when (new.principal = 'alice') execute function refuse()",
    )

    with pytest.raises(DatabaseUnavailable):
        await questioner.set_opt_out(memory, "Alice", out=True, said_by="Alice")

    assert await questioner.questions.opted_out("default") == frozenset()


async def test_the_same_is_not_asked_twice_in_a_week(questioner, pool, bot, clock):
    """Of the same person, about another candidate that says the same."""
    await put(pool, 1, parent="chess_club")
    await questioner.look()
    await bot.post()
    await execute(
        pool,
        "update candidates set status = 'expired', decided_at = now() where id = 1",
    )
    await put(pool, 2, parent="chess_club")

    await questioner.look()

    assert await bot.post() == []
    clock.now = NOW + 0.9 * DAY
    clock.now = NOW + 8 * DAY
    await execute(
        pool,
        "update candidates set expires_at = $1 where id = 2",
        to_time(NOW + 10 * DAY),
    )
    await questioner.look()
    assert [to(it) for it in await bot.post()] == [("author", "alice")]


async def test_a_question_that_nobody_posts_is_given_out_again(
    questioner, pool, bot, memory, clock
):
    """A minute after whoever leased it fell silent."""
    await put(pool)
    await questioner.look()
    other = Bot(questioner, memory)

    assert len((await bot.lease()).post) == 1
    assert (await other.lease()).post == []
    clock.now += LEASE_SECONDS
    [question] = (await other.lease()).post
    with pytest.raises(LeaseLost):
        await bot.report(question, PostingResult.POSTED, reference="$1")
    assert (
        await other.report(question, PostingResult.POSTED, reference="$2")
    ).reference == "$2"


async def test_a_late_report_counts_if_nobody_else_has_it(questioner, pool, bot, clock):
    """The message is out: it is not posted twice."""
    await put(pool)
    await questioner.look()
    [question] = (await bot.lease()).post
    clock.now += 10 * LEASE_SECONDS

    posted = await bot.report(question, PostingResult.POSTED, reference="$1")
    again = await bot.report(question, PostingResult.POSTED, reference="$1")

    assert posted.state is again.state is QuestionState.POSTED
    assert (await bot.lease()).post == []


async def test_a_platform_that_is_down_for_an_hour_gets_it_afterwards(
    questioner, pool, bot, clock
):
    """Failures are tried again after pauses that grow, and nobody else is asked meanwhile."""
    await put(pool)
    await questioner.look()
    tries = 0
    while clock.now < NOW + 3600:
        for question in (await bot.lease()).post:
            tries += 1
            failed = await bot.report(question, PostingResult.FAILED, error="502")
            assert failed.last_error == "502"
        clock.now += 10

    clock.now += 900
    await questioner.look()
    assert [to(it) for it in await bot.post()] == [("author", "alice")]
    assert 5 < tries < ATTEMPTS_MAX


async def test_a_platform_that_never_works_leaves_it_to_others(
    questioner, pool, bot, clock
):
    """After a dozen failures the next lane is asked."""
    await put(pool)
    await questioner.look()
    for _ in range(ATTEMPTS_MAX):
        clock.now += 1000
        [question] = (await bot.lease(channels=())).post
        last = await bot.report(question, PostingResult.FAILED, error="502")

    await questioner.look()

    assert last.state is QuestionState.FAILED
    assert [to(it) for it in await bot.post()] == [("community", COMMUNITY)]


async def test_a_question_of_a_decided_candidate_is_closed_on_its_platform(
    questioner, pool, bot
):
    """Its message is brought up to date once, and says what became of it."""
    await put(pool)
    await questioner.look()
    await bot.post()
    await execute(
        pool,
        "update candidates set status = 'confirmed', decided_at = now(),"
        " decided_by = 'mo'",
    )

    await questioner.look()
    [question] = (await bot.lease()).update
    assert (await bot.lease()).update == []
    await bot.report(question, PostingResult.UPDATED)

    assert question.closed_because == "decided"
    assert question.outcome == "It was confirmed."
    assert (await bot.lease()).update == []


async def test_what_was_decided_while_it_was_posted_is_changed_afterwards(
    questioner, pool, bot
):
    """The bot had it in hand when somebody else decided."""
    await put(pool)
    await questioner.look()
    [question] = (await bot.lease()).post
    await execute(
        pool,
        "update candidates set status = 'rejected', decided_at = now(),"
        " decided_by = 'mo'",
    )
    await questioner.look()

    posted = await bot.report(question, PostingResult.POSTED, reference="$1")

    assert posted.state is QuestionState.CLOSED
    assert [it.id for it in (await bot.lease()).update] == [question.id]


async def test_questions_end_with_the_time_of_their_candidate(
    questioner, pool, bot, clock
):
    """A posted question says so; one that never was is not posted any more."""
    await put(pool, 1)
    await put(pool, 2, lane="community")
    await questioner.look()
    await bot.post(channels=())
    clock.now = NOW + 2 * DAY

    assert (await bot.lease()).post == []
    await questioner.look()
    leased = await bot.lease()

    assert leased.post == []
    assert [(it.candidate_id, it.closed_because) for it in leased.update] == [
        (1, "expired")
    ]


async def test_a_bot_gets_what_it_can_post(questioner, pool, bot):
    """Neither other people's questions nor other channels'."""
    await put(pool, 1)
    await put(pool, 2, lane="community")
    await questioner.look()

    assert (await bot.lease(("bob",), ("slack:C1",))).post == []
    assert len((await bot.lease(("alice",), ())).post) == 1


async def test_an_audit_goes_beside_a_question(questioner, pool, bot, memories):
    """It looks like any other, and is about what is settled and they know nothing of."""
    memories.validation.policy = replace(POLICY, gold_share=0.5)
    over = {"decided_at": to_time(NOW), "decided_by": "mo", "expires_at": None}
    await put(pool, 1, author="bob", status="confirmed", **over)
    await put(pool, 2, author="bob", status="rejected", sensitive=True, **over)
    await put(pool, 3, author="alice", status="rejected", **over)
    await put(pool, 4, author="bob", status="confirmed", belief=True, **over)
    await put(pool, 5)

    await questioner.look()
    asked = {it.candidate_id: it for it in await bot.post()}

    assert set(asked) == {1, 5}
    assert asked[1].gold_answer is True
    assert asked[1].recipient == "alice"
    assert asked[1].text.startswith("Hey @Alice — quick check: did you join")


async def put_decided(pool):
    """Candidate 1 of bob's, which mo has confirmed."""
    await put(
        pool,
        1,
        author="bob",
        status="confirmed",
        decided_at=to_time(NOW),
        decided_by="mo",
        expires_at=None,
    )


async def test_nobody_is_audited_about_what_they_answered(
    questioner, pool, bot, memories
):
    """Neither by a question nor by an answer."""
    memories.validation.policy = replace(POLICY, gold_share=0.5)
    await put_decided(pool)
    await answered(pool, 1, "alice", "confirmed")
    await put(pool, 2)

    await questioner.look()

    assert [it.candidate_id for it in await bot.post()] == [2]


async def test_audits_end_as_other_questions_do(questioner, pool, bot, memories, clock):
    """After two days, though their candidate was settled before."""
    memories.validation.policy = replace(POLICY, gold_share=0.5)
    await put_decided(pool)
    await put(pool, 2)
    await questioner.look()
    assert len(await bot.post()) == 2
    clock.now = NOW + 2 * DAY
    await questioner.look()

    closed = (await bot.lease()).update

    assert {it.outcome for it in closed} == {"The time for answers is over."}
    assert len(closed) == 2


async def test_an_author_is_asked_for_evidence(questioner, pool, bot):
    """Once, besides what they were asked."""
    await put(pool)
    await questioner.look()
    await bot.post()
    await execute(pool, "update candidates set evidence_wanted = true")

    await questioner.look()
    [question] = await bot.post()
    await questioner.look()

    assert "where can we read of it? (Yes / No / Not sure)" in question.text
    assert to(question) == ("author", "alice")
    assert await bot.post() == []


async def test_who_opted_out_is_not_asked_for_evidence(questioner, pool, bot, memory):
    """However their name is spelt."""
    await questioner.set_opt_out(memory, "Alice", out=True, said_by="mo")
    await put(pool, evidence_wanted=True)

    await questioner.look()

    assert [to(it) for it in await bot.post()] == [("moderator", MODERATORS)]


async def test_what_was_asked_is_on_the_trail(questioner, pool, bot):
    """The message that asked has a name that anybody can compute."""
    await put(pool)
    await questioner.look()

    [question] = await bot.post()

    async with pool.acquire() as connection:
        kind = await connection.fetchval(
            "select kind from objects where cid = $1", question.context_message_cid
        )
        links = await connection.fetch(
            "select predicate, object from meta_triples where subject = $1",
            question.context_message_cid,
        )
    assert kind == "question"
    assert [tuple(link) for link in links] == [("asksAbout", "bafy1")]


async def test_a_preview_says_how_it_would_be_asked(questioner, pool, memory, store):
    """Even outside of the pilot; and nothing is made by it."""
    await put(pool, expires_at=None)

    async with store.reading("default") as reads:
        question = await questioner.preview(memory, await reads.candidate(1))

    assert question.id == 0
    assert to(question) == ("author", "alice")
    assert await store.questions.list("default") == []
