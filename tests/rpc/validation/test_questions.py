"""ValidationService, as far as bots and those who are asked use it."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import grpc
import pytest

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_pb2 import (
    BOT_BARKEEP,
    LANE_AUTHOR,
    LANE_COMMUNITY,
    Question,
)
from festinger.store.graph.rows import to_time
from tests.memories import DAY, NOW
from tests.people import COMMUNITY, EVERYBODY, EVERYWHERE, POLICY, put
from tests.serving import Client, refused

BOT = Client.as_("shim")
OPERATOR = Client.as_("operator")
LESSEE = str(uuid.uuid4())


@pytest.fixture
async def client(serve, memories):
    """A client of a server that asks people."""
    memories.validation.policy = POLICY
    _, client = await serve()
    return client


async def lease(client: Client, **fields: Any) -> Any:
    """Lease as the bot of a platform that reaches everybody."""
    values: dict[str, Any] = {
        "platform": "matrix",
        "recipients": EVERYBODY,
        "channels": EVERYWHERE,
        "lessee": LESSEE,
    }
    request = pb.LeaseQuestionsRequest(**values | fields)
    return await client.validation.LeaseQuestions(request, metadata=BOT)


async def report(client: Client, number: int, result: str, **fields: Any) -> Any:
    """Return the question after a report."""
    values: dict[str, Any] = {"question_id": number, "lessee": LESSEE, "result": result}
    request = pb.ReportQuestionRequest(**values | fields)
    answer = await client.validation.ReportQuestion(request, metadata=BOT)
    return answer.question


async def listed(client: Client, **fields: Any) -> Any:
    """Return a page of questions."""
    request = pb.ListQuestionsRequest(**fields)
    return await client.validation.ListQuestions(request, metadata=OPERATOR)


async def test_a_bot_posts_and_finds_a_question(client, pool, questioner):
    """It gets all that it shows, and finds by its own name what somebody reacts to."""
    await put(pool)
    await questioner.look()

    [leased] = (await lease(client)).post
    posted = await report(client, leased.id, "posted", reference="$abc")
    found = await client.validation.FindQuestion(
        pb.FindQuestionRequest(platform="matrix", reference="$abc"), metadata=BOT
    )

    assert leased.state == Question.STATE_POSTING
    assert (leased.bot, leased.lane) == (BOT_BARKEEP, LANE_AUTHOR)
    assert leased.recipient == "alice"
    assert leased.candidate_cid == "bafy1"
    assert list(leased.options) == ["Yes", "No", "Not sure"]
    assert leased.more_url == ""
    assert posted.state == Question.STATE_POSTED
    assert posted.post_time.seconds == NOW
    assert [it.id for it in found.questions] == [leased.id]


@pytest.mark.parametrize(
    "url", ["https://m.example.org/", "https://m.example.org/admin"]
)
async def test_more_info_opens_the_console(client, pool, questioner, memories, url):
    """A console's address is told, which may be that of its first page."""
    memories.validation.policy = replace(POLICY, console_url=url)
    await put(pool)
    await questioner.look()

    [leased] = (await lease(client)).post

    assert leased.more_url == "https://m.example.org/admin/curation/1"


async def test_it_is_said_how_a_candidate_is_asked_about(client, pool, questioner):
    """By any of its names; and as it is, once it is asked."""
    await put(pool, external_id="f:0x123", lane="community")

    for name in (
        {"candidate_id": 1},
        {"candidate_cid": "bafy1"},
        {"external_id": "f:0x123"},
    ):
        answer = await client.validation.GetQuestion(pb.GetQuestionRequest(**name))
        question = answer.question
        assert question.id == 0
        assert question.lane == LANE_COMMUNITY
        assert question.channel == COMMUNITY
        assert question.text.startswith("Community: did Alice join the Chess Club?")
    await questioner.look()
    answer = await client.validation.GetQuestion(pb.GetQuestionRequest(candidate_id=1))
    assert answer.question.id


@pytest.mark.parametrize(
    "name",
    [{"candidate_id": 7}, {"candidate_cid": "bafy"}, {"external_id": "f:1"}],
)
async def test_there_may_be_no_such_candidate(client, name):
    """Whatever it is called."""
    with refused() as refusal:
        await client.validation.GetQuestion(pb.GetQuestionRequest(**name))

    assert refusal.code is grpc.StatusCode.NOT_FOUND
    assert refusal.reason == "CANDIDATE_NOT_FOUND"


async def test_what_is_private_is_told_to_moderators_only(client, pool):
    """And to operators."""
    await put(pool, sensitive=True)
    request = pb.GetQuestionRequest(candidate_id=1)

    for who in (Client.as_("guest"), (), Client.as_("shim", principal="bob")):
        with refused() as refusal:
            await client.validation.GetQuestion(request, metadata=who)
        assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
    for who in (OPERATOR, Client.as_("shim", principal="mo")):
        answer = await client.validation.GetQuestion(request, metadata=who)
        assert answer.question.text.startswith("Moderators:")


@pytest.mark.parametrize("who", [(), Client.as_("guest")])
@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("LeaseQuestions", pb.LeaseQuestionsRequest()),
        ("ReportQuestion", pb.ReportQuestionRequest()),
        ("FindQuestion", pb.FindQuestionRequest()),
        ("ListQuestions", pb.ListQuestionsRequest()),
        ("SetOptOut", pb.SetOptOutRequest()),
    ],
)
async def test_bots_and_operators_only(client, method, request_, who):
    """Whoever comes without a credential, or with an agent's, is refused."""
    with refused() as refusal:
        await getattr(client.validation, method)(request_, metadata=who)

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"platform": ""}, "platform"),
        ({"platform": "x" * 41}, "platform"),
        ({"lessee": "me"}, "lessee"),
        ({"page_size": -1}, "page_size"),
        ({"recipients": ["a\0"]}, "recipients"),
        ({"channels": ["x" * 401]}, "channels"),
    ],
)
async def test_a_lease_that_cannot_be_given(client, fields, field):
    """The answer says which field is wrong."""
    with refused() as refusal:
        await lease(client, **fields)

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.metadata["field"] == field


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"result": ""}, "result"),
        ({"result": "lost"}, "result"),
        ({"result": "posted"}, "reference"),
        ({"result": "posted", "reference": "a\0"}, "reference"),
        ({"result": "updated", "lessee": ""}, "lessee"),
    ],
)
async def test_a_report_that_cannot_be_kept(client, fields, field):
    """The same."""
    with refused() as refusal:
        await report(client, 1, **fields)

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.metadata["field"] == field


async def test_there_is_no_such_question(client):
    """Whatever is reported of it."""
    with refused() as refusal:
        await report(client, 7, "failed")

    assert refusal.reason == "QUESTION_NOT_FOUND"


async def test_two_messages_do_not_share_a_name(client, pool, questioner):
    """Else nobody knew which question a reaction answers."""
    await put(pool, 1)
    await put(pool, 2)
    await questioner.look()
    first, second = (await lease(client)).post
    await report(client, first.id, "posted", reference="$1")

    with refused() as refusal:
        await report(client, second.id, "posted", reference="$1")

    assert refusal.metadata["field"] == "reference"


async def test_an_empty_name_reaches_nobody(client, pool, questioner):
    """Questions to channels have no recipient, and are not given to who lists the empty one."""
    await put(pool, lane="community")
    await questioner.look()

    leased = await lease(client, recipients=[""], channels=[""])

    assert not leased.post


async def test_a_page_is_as_long_as_wanted(client, pool, questioner):
    """The rest is given with the next call."""
    for number in range(1, 5):
        await put(pool, number, lane="community")
    await questioner.look()

    assert len((await lease(client, page_size=3)).post) == 3
    assert len((await lease(client, page_size=3)).post) == 1


async def test_questions_are_listed_newest_first(client, pool, questioner):
    """In pages, of a candidate, and by state."""
    for number in range(1, 4):
        await put(pool, number)
    await questioner.look()
    [first, *_] = (await lease(client, page_size=1)).post

    page = await listed(client, page_size=2)
    rest = await listed(client, page_size=2, page_token=page.next_page_token)
    of_one = await listed(client, candidate_id=first.candidate_id)
    posting = await listed(client, states=[Question.STATE_POSTING])

    assert [it.id for it in page.questions] == [3, 2]
    assert [it.id for it in rest.questions] == [1]
    assert rest.next_page_token == ""
    assert [it.id for it in of_one.questions] == [first.id]
    assert [it.id for it in posting.questions] == [first.id]
    with refused() as refusal:
        await listed(client, states=[99])
    assert refusal.metadata["field"] == "states"


async def test_operators_see_what_was_asked_about_a_candidate(client, pool, questioner):
    """With the candidate, oldest first; others do not."""
    await put(pool, lane="moderator", priority="critical")
    await questioner.look()
    request = pb.GetCandidateRequest(candidate_id=1)

    mine = await client.validation.GetCandidate(request, metadata=OPERATOR)
    theirs = await client.validation.GetCandidate(request)

    assert [it.candidate_id for it in mine.questions] == [1]
    assert not theirs.questions


async def test_somebody_opts_out_through_a_bot(client, pool, questioner):
    """The bot says on whose behalf, and speaks for nobody else."""
    await put(pool)
    await questioner.look()
    alice = Client.as_("shim", principal="alice")

    answer = await client.validation.SetOptOut(
        pb.SetOptOutRequest(opted_out=True), metadata=alice
    )
    with refused() as refusal:
        await client.validation.SetOptOut(
            pb.SetOptOutRequest(principal="bob", opted_out=True), metadata=alice
        )

    assert (answer.principal, answer.opted_out) == ("alice", True)
    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
    assert not (await lease(client)).post
    [question] = (await listed(client)).questions
    assert question.closed_because == "opted_out"
    assert question.outcome == "You are not asked any more."


async def test_an_operator_opts_others_out(client, pool, questioner):
    """And in again; a name that nobody can have is refused."""
    for out in (True, False):
        answer = await client.validation.SetOptOut(
            pb.SetOptOutRequest(principal="alice", opted_out=out), metadata=OPERATOR
        )
        assert (answer.principal, answer.opted_out) == ("alice", out)
    with refused() as refusal:
        await client.validation.SetOptOut(
            pb.SetOptOutRequest(principal="no name"), metadata=OPERATOR
        )

    assert refusal.metadata["field"] == "principal"
    await put(pool)
    await questioner.look()
    assert len((await lease(client)).post) == 1


async def test_nobody_is_told_which_answers_are_known(
    client, pool, questioner, memories
):
    """An audit has the fields of any other question."""
    memories.validation.policy = replace(POLICY, gold_share=0.5)
    await put(
        pool, 1, author="bob", status="confirmed", decided_by="mo",
        decided_at=to_time(NOW - DAY), expires_at=None,
    )  # fmt: skip
    await put(pool, 2)
    await questioner.look()

    post = (await lease(client)).post

    assert sorted(it.candidate_id for it in post) == [1, 2]
    fields = [{field.name for field, _ in it.ListFields()} for it in post]
    # Whom a candidate is asked of says nothing either.
    assert fields[0] == fields[1]
