"""A daily handful of the inbox's items is put to moderators in chats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import grpc
import pytest

from festinger.api.v1 import inbox_service_pb2, line_service_pb2
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.inbox_pb2 import InboxDecision
from festinger.api.v1.validation_pb2 import Question, ValidationEvent
from festinger.core.memories.types import MemoryKind, MemoryType, Status
from tests.console.house import doubt
from tests.memories import DAY
from tests.people import POLICY, put
from tests.rpc.validation.test_asking_people import Bot
from tests.services.review.offers import EXTRACTED, interact, records, write
from tests.serving import Client, refused

CODE = grpc.StatusCode
YES = ValidationEvent.RESPONSE_CONFIRMED
NO = ValidationEvent.RESPONSE_REJECTED
LATER = ValidationEvent.RESPONSE_ABSTAIN
TAKEN_BACK = ValidationEvent.RESPONSE_WITHDRAWN
ACCEPT, REJECT = InboxDecision.ACTION_ACCEPT, InboxDecision.ACTION_REJECT
OPERATOR = Client.as_("operator")
LINE = "Kassel delivers the stock file at 05:40 every morning."
IN_PERSON = replace(POLICY, moderator_channel="")


@pytest.fixture
async def client(serve, memories):
    """A server whose moderators are asked in their channel."""
    memories.validation.policy = POLICY
    _, client = await serve()
    return client


@pytest.fixture
async def memory(memories):
    """The memory that it serves."""
    return await memories.get("default")


@pytest.fixture
def bot(client):
    """The bot of a platform that reaches everybody."""
    return Bot(client)


@pytest.fixture
async def conflict(client):
    """A contradiction."""
    await client.states("gnommoweb -isa repo")
    answer = await client.states("gnommoweb -isa container")
    return f"conflict-{answer.outcome.conflict_id}"


@pytest.fixture
async def one_of_each(client, memory, pool, conflict):
    """An item of each of the six kinds."""
    await interact(pool)
    await doubt(client, "billing is hosted by fly")
    await write(memory, "Use Postgres.", confidence=0.5)
    entity = {"kind": MemoryKind.ENTITY, "type": MemoryType.DECISION}
    await write(memory, "Releases are on Mondays.", confidence=0.5, **entity)
    await settle_again(client)
    said = line_service_pb2.SayRequest(text=LINE)
    told = await client.lines.Say(said, metadata=Client.as_("shim", principal="nadia"))
    wrong = line_service_pb2.RateLineRequest(
        name=told.lines[0].name, verdict="VERDICT_WRONG"
    )
    await client.lines.RateLine(wrong, metadata=Client.as_("shim", principal="theo"))


async def decide(client: Client, item_id: str, action: Any) -> None:
    """Decide about an item in the console."""
    request = inbox_service_pb2.DecideInboxRequest(item_ids=[item_id], action=action)
    await client.inbox.DecideInbox(request, metadata=OPERATOR)


async def settle_again(client: Client) -> None:
    """Make a statement that was settled against, and that a machine states again."""
    await client.states("berlin -isa city")
    answer = await client.states("berlin -isa village")
    await decide(client, f"conflict-{answer.outcome.conflict_id}", REJECT)
    await client.says("Berlin is a village.")
    await client.states("last -isa statement")


async def waiting(client: Client) -> list[str]:
    """Return the items that wait in the inbox."""
    request = inbox_service_pb2.ListInboxRequest()
    page = await client.inbox.ListInbox(request, metadata=OPERATOR)
    return [item.id for item in page.items]


async def held(client: Client, token: str) -> list[str]:
    """Return the facts of a concept."""
    concept = await client.concept(token)
    return [edge.parent for edge in concept.edges]


async def asked(bot: Bot, questioner: Any) -> list[Question]:
    """Return the present questions."""
    await questioner.look()
    return await bot.post()


async def test_moderators_are_asked_about_every_kind(
    bot, questioner, one_of_each, memories
):
    """Items of all six kinds are put to moderators, with the answers that decide."""
    memories.validation.policy = replace(POLICY, inbox_items_max=20)

    questions = await asked(bot, questioner)

    kinds = {it.item_id.rpartition("-")[0] for it in questions}
    assert kinds == {"conflict", "candidate", "record", "settled", "feedback"}
    assert len(questions) == 6
    assert {tuple(it.options) for it in questions} == {("Accept", "Reject", "Later")}


async def test_costliest_come_first_and_no_more_than_a_handful(
    bot, questioner, one_of_each, client, clock, memories
):
    """So many a day as the setting says, the costliest first, and the rest on the next day."""
    memories.validation.policy = replace(POLICY, inbox_items_max=4)
    order = await waiting(client)

    first = await asked(bot, questioner)
    again = await asked(bot, questioner)
    clock.now += DAY
    next_day = await asked(bot, questioner)

    assert [it.item_id for it in first] == order[:4]
    assert again == []
    assert [it.item_id for it in next_day] == order[4:]


async def test_digest_holds_no_more_than_a_handful(
    bot, questioner, one_of_each, clock, memories
):
    """With a digest the items come in one message, which nobody has to wait for twice."""
    memories.validation.policy = replace(
        POLICY, inbox_items_max=4, digest_schedule="0 9 * * *"
    )

    now = await asked(bot, questioner)
    clock.now += DAY
    digest = await bot.lease()

    assert now == []
    assert len(digest.post) == 4
    assert len({it.digest_id for it in digest.post}) == 1


async def test_nothing_is_asked_where_the_setting_says_so(
    bot, questioner, conflict, memories
):
    """With 0 items a day nobody is asked about the inbox."""
    memories.validation.policy = replace(POLICY, inbox_items_max=0)

    assert await asked(bot, questioner) == []


async def test_moderators_in_person_share_the_items(
    bot, questioner, one_of_each, memories
):
    """No item is on two desks at once, and none goes to somebody who decides nothing."""
    memories.validation.policy = replace(
        IN_PERSON, inbox_items_max=3, person_questions_max=9
    )

    questions = await asked(bot, questioner)

    assert sorted(it.recipient for it in questions) == ["max"] * 3 + ["mo"] * 3
    assert len({it.item_id for it in questions}) == 6


async def test_what_only_one_person_knows_is_asked_of_nobody_else(
    bot, questioner, pool, memories
):
    """
    A statement of a moderator about themselves goes to that moderator, not to the channel;
    one of somebody else waits in the inbox.
    """
    await put(pool, 1, author="alice", expires_at=None)
    await put(pool, 2, author="mo", expires_at=None)

    questions = await asked(bot, questioner)

    assert [(it.item_id, it.recipient) for it in questions] == [("candidate-2", "mo")]


async def test_memory_of_a_person_is_asked_of_that_person(
    bot, questioner, client, memory, pool
):
    """No moderator can know what Alice loves; Mo is asked about himself, with his own words."""
    await interact(pool)
    said = replace(EXTRACTED, quote="I love tea.")
    about = {"type": MemoryType.USER_FACT, "origin": said, "confidence": 0.5}
    await write(memory, "Loves fettuccini", subject="alice", **about)
    await write(memory, "Loves tea", subject="mo", **about)

    [question] = await asked(bot, questioner)

    assert (question.recipient, question.text.splitlines()) == (
        "mo",
        [
            "Is this right about you, and worth remembering: \u201cLoves tea\u201d "
            "(Accept / Reject / Later)",
            "\u201cI love tea.\u201d \u2014 mo",
        ],
    )
    wanted = inbox_service_pb2.InboxFilter(answerer="@alice")
    page = await client.inbox.ListInbox(
        inbox_service_pb2.ListInboxRequest(filter=wanted), metadata=OPERATOR
    )
    assert [item.record.content for item in page.items] == ["Loves fettuccini"]


async def test_nobody_is_asked_about_what_they_proposed(
    bot, questioner, client, memory, pool, memories
):
    """A record goes to another moderator than the one who proposed it."""
    memories.validation.policy = IN_PERSON
    await interact(pool)
    await write(memory, "Use Postgres.", confidence=0.5, proposer="max")

    [question] = await asked(bot, questioner)

    assert question.recipient == "mo"


async def test_question_has_words_quote_and_speaker(bot, questioner, client):
    """A question names things in words, with the sentence below it and who said it."""
    await client.states("gnommoweb -isa code_repo")
    await client.says(
        "gnommoweb is a container.", who=Client.as_("shim", principal="bob")
    )
    await client.states("last -isa statement")

    [question] = await asked(bot, questioner)

    assert question.text.splitlines() == [
        "We are told that gnommoweb is a kind of container, but we hold that gnommoweb is a "
        "kind of code repo: is the new one right? (Accept / Reject / Later)",
        "\u201cgnommoweb is a container.\u201d \u2014 bob",
    ]
    assert question.why == (
        "It was stated once, but it is held that gnommoweb is a kind of code repo, and "
        "both cannot be."
    )


async def test_private_sentence_is_not_quoted(bot, questioner, pool):
    """A candidate with private data is asked about without the sentence."""
    await put(pool, author="", lane="moderator", sensitive=True, expires_at=None)

    [question] = await asked(bot, questioner)

    assert "last week" not in question.text


async def test_acceptance_in_the_thread_decides(bot, questioner, client, conflict):
    """
    "Accept" replaces the fact, as it does in the console.
    """
    [question] = await asked(bot, questioner)

    answer = await bot.hear(question, "mo", YES)

    assert answer.message == "Accepted."
    assert await held(client, "gnommoweb") == ["container"]
    assert await waiting(client) == []


async def test_rejection_in_the_thread_decides(bot, questioner, client, conflict):
    """
    "Reject" leaves the fact, and nothing waits.
    """
    [question] = await asked(bot, questioner)

    await bot.hear(question, "mo", NO)

    assert await held(client, "gnommoweb") == ["repo"]
    assert await waiting(client) == []


async def test_later_puts_it_aside(bot, questioner, client, conflict):
    """
    "Later" defers the item, and its message says so.
    """
    [question] = await asked(bot, questioner)

    await bot.hear(question, "mo", LATER)
    [update] = (await bot.lease()).update

    assert await waiting(client) == []
    assert update.outcome == "mo: Put aside: the inbox keeps it for later."


async def test_own_words_take_the_place_of_a_conflict(
    bot, questioner, client, conflict
):
    """A moderator's correction is held, whatever contradicted it."""
    [question] = await asked(bot, questioner)

    answer = await bot.hear(question, "mo", NO, instead="gnommoweb is a library.")

    assert answer.message == (
        "Rejected. Your words are kept: gnommoweb -isa library in context of type."
    )
    assert await held(client, "gnommoweb") == ["library"]
    assert await waiting(client) == []


async def test_own_words_correct_a_memory(bot, questioner, client, memory, pool):
    """A memory is accepted in the words that a moderator writes instead."""
    await interact(pool)
    await write(memory, "Use Postgres.", confidence=0.5)
    [question] = await asked(bot, questioner)

    answer = await bot.hear(question, "mo", NO, instead="Use Postgres 16.")

    [record] = await records(memory, Status.ACTIVE)
    assert answer.message == "Accepted in your words."
    assert record.content == "Use Postgres 16."


async def test_own_words_stay_when_the_answer_is_taken_back(
    bot, questioner, client, memory, pool
):
    """The acceptance is undone; the memory waits in the words that were written."""
    await interact(pool)
    await write(memory, "Use Postgres.", confidence=0.5)
    [question] = await asked(bot, questioner)

    await bot.hear(question, "mo", NO, instead="Use Postgres 16.")
    await bot.hear(question, "mo", TAKEN_BACK)

    [record] = await records(memory)
    assert (record.status, record.content) == (Status.CANDIDATE, "Use Postgres 16.")


async def test_refused_acceptance_leaves_the_words(
    bot, questioner, client, memory, pool
):
    """Whoever may not accept a memory, as its proposer, has not edited it either."""
    await interact(pool)
    await write(memory, "Use Postgres.", confidence=0.5, proposer="mo")
    [question] = await asked(bot, questioner)

    with refused() as refusal:
        await bot.hear(question, "mo", NO, instead="Use Postgres 16.")

    [record] = await records(memory)
    assert refusal.code == CODE.PERMISSION_DENIED
    assert (record.status, record.content) == (Status.CANDIDATE, "Use Postgres.")


async def test_second_answer_changes_nothing_and_says_so(
    bot, questioner, client, conflict
):
    """Whoever answers after the decision is told who decided."""
    [question] = await asked(bot, questioner)
    await bot.hear(question, "mo", YES)

    with refused() as refusal:
        await bot.hear(question, "max", NO)

    assert refusal.code == CODE.FAILED_PRECONDITION
    assert "mo" in refusal.message
    assert await held(client, "gnommoweb") == ["container"]


async def test_repeated_delivery_is_the_same_answer(bot, questioner, client, conflict):
    """A bot that brings an answer twice, as after a kill, gets the same thanks."""
    [question] = await asked(bot, questioner)

    first = await bot.hear(question, "mo", YES)
    second = await bot.hear(question, "mo", YES)

    assert first.message == second.message == "Accepted."


async def test_repeated_delivery_closes_the_question_that_a_kill_left_open(
    bot, questioner, client, conflict, pool
):
    """The item is decided in a transaction of its own, before the question is closed."""
    [question] = await asked(bot, questioner)
    await bot.hear(question, "mo", YES)
    await pool.execute(
        "update questions set status = 'posted', closed_because = '', closed_at = null"
    )

    await bot.hear(question, "mo", YES)

    rows = await pool.fetch("select status, closed_because from questions")
    assert [tuple(row) for row in rows] == [("closed", "answered")]


async def test_community_decides_nothing(bot, questioner, client, conflict):
    """In a channel others may read a question; only moderators answer it."""
    [question] = await asked(bot, questioner)

    with refused() as refusal:
        await bot.hear(question, "alice", YES)

    assert refusal.code == CODE.PERMISSION_DENIED
    assert await waiting(client) == [conflict]


async def test_answer_is_taken_back(bot, questioner, client, conflict):
    """A person who takes an answer back undoes the decision; others cannot."""
    [question] = await asked(bot, questioner)
    await bot.hear(question, "mo", YES)

    with refused() as refusal:
        await bot.hear(question, "max", TAKEN_BACK)
    await bot.hear(question, "mo", TAKEN_BACK)

    assert " was accepted by mo on 20" in refusal.message
    assert await held(client, "gnommoweb") == ["repo"]
    assert await waiting(client) == [conflict]


async def test_item_decided_in_the_console_is_closed_in_the_thread(
    bot, questioner, client, conflict
):
    """Its message says who decided."""
    [question] = await asked(bot, questioner)

    await decide(client, conflict, ACCEPT)
    await questioner.look()
    [update] = (await bot.lease()).update

    assert update.id == question.id
    assert update.state == Question.STATE_CLOSED
    assert update.outcome.startswith("It was accepted by operator on 20")


async def test_item_decided_before_it_was_posted_is_not_posted(
    bot, questioner, client, conflict
):
    """A question that is due about what does not wait any more is left out."""
    await questioner.look()

    await decide(client, conflict, ACCEPT)

    assert list((await bot.lease()).post) == []


async def test_stop_is_heard_and_kept(bot, questioner, client, conflict, memories):
    """A moderator who says "stop" is asked about nothing, and what waits for them is closed."""
    memories.validation.policy = replace(IN_PERSON, people={"mo": POLICY.people["mo"]})
    [question] = await asked(bot, questioner)

    stop = pb.SetOptOutRequest(opted_out=True)
    await client.validation.SetOptOut(stop, metadata=Client.as_("shim", principal="mo"))
    await client.states("berlin -isa city")
    await client.states("berlin -isa village")
    await questioner.look()
    leased = await bot.lease()

    assert [it.id for it in leased.update] == [question.id]
    assert list(leased.post) == []
