"""From a guess to a fact, by way of the people who know, as a bot sees it."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import pytest

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.candidate_pb2 import Candidate
from festinger.api.v1.validation_pb2 import Question, ValidationEvent
from festinger.store.graph.rows import to_time
from tests.memories import DAY, NOW
from tests.people import EVERYBODY, EVERYWHERE, POLICY, put
from tests.serving import Client

LESSEE = str(uuid.uuid4())
YES = ValidationEvent.RESPONSE_CONFIRMED
NO = ValidationEvent.RESPONSE_REJECTED


class Bot:
    """A bot that knows nothing but the calls of ValidationService."""

    def __init__(self, client: Client):
        self._stub = client.validation
        self._who = Client.as_("shim")

    async def lease(self) -> Any:
        """Lease the questions to post and to change."""
        return await self._stub.LeaseQuestions(
            pb.LeaseQuestionsRequest(
                platform="matrix",
                recipients=EVERYBODY,
                channels=EVERYWHERE,
                lessee=LESSEE,
            ),
            metadata=self._who,
        )

    async def post(self) -> list[Any]:
        """Return the questions that it has just posted."""
        questions = []
        for question in (await self.lease()).post:
            answer = await self._stub.ReportQuestion(
                pb.ReportQuestionRequest(
                    question_id=question.id,
                    lessee=LESSEE,
                    result="posted",
                    reference=f"${question.id}",
                ),
                metadata=self._who,
            )
            questions.append(answer.question)
        return questions

    async def hear(self, question: Any, who: str, response: int, **more: Any) -> Any:
        """Return the answer to somebody's click."""
        return await self._stub.Answer(
            pb.AnswerRequest(
                question_id=question.id,
                response=response,  # type: ignore[arg-type]
                bot_id="matrix:barkeep",
                delivery=f"{question.id}/{who}/{response}",
                **more,
            ),
            metadata=Client.as_("shim", principal=who),
        )


@pytest.fixture
async def client(serve, memories):
    """A client of a server that asks people."""
    memories.validation.policy = POLICY
    _, client = await serve()
    return client


@pytest.fixture
def bot(client):
    """The bot of a platform that reaches everybody."""
    return Bot(client)


async def propose(client: Client, **fields: Any) -> Any:
    """Return the candidate of the specification, as a model puts it forward."""
    values: dict[str, Any] = {
        "external_id": "f:0x123",
        "subject_raw": "Alice",
        "predicate": "t:joined",
        "object_raw": "Chess Club",
        "confidence": 0.36,
        "sentence": "I joined the Chess Club",
        "author": "alice",
        "message_id": "m:0x998",
        "extractor_version": "microllm:v0.1",
    }
    request = pb.ProposeCandidateRequest(**values | fields)
    answer = await client.validation.ProposeCandidate(
        request, metadata=Client.as_("guest")
    )
    return answer.candidate


async def read(client: Client, name: str = "f:0x123") -> Any:
    """Return a candidate as it is now."""
    request = pb.GetCandidateRequest(external_id=name)
    answer = await client.validation.GetCandidate(
        request, metadata=Client.as_("operator")
    )
    return answer


async def test_alice_says_yes(client, questioner, bot):
    """The specification's example: one question, one click, one fact."""
    await propose(client)
    await questioner.look()
    [question] = await bot.post()

    heard = await bot.hear(question, "alice", YES)

    assert question.text.startswith(
        "Hey @Alice — quick check: did you join the Chess Club?"
    )
    assert question.why == "We read “I joined” — is this true?"
    assert heard.candidate.state == Candidate.STATE_CONFIRMED
    assert heard.candidate.decision_rule == "author"
    alice = await client.concept("alice")
    assert [(it.parent, it.dimension) for it in alice.edges] == [
        ("chess_club", "joined")
    ]
    told = await read(client)
    [event] = told.events
    assert event.question_id == question.id
    assert event.context_message_cid
    [update] = (await bot.lease()).update
    assert update.closed_because in ("answered", "decided")
    assert update.outcome


async def test_what_was_decided_meanwhile_is_withdrawn_everywhere(
    client, questioner, bot, clock
):
    """The author is asked in person, then the community; a moderator is faster than both."""
    await propose(client)
    await questioner.look()
    [first] = await bot.post()
    clock.now += 1.1 * DAY
    await questioner.look()
    [second] = await bot.post()

    await bot.hear(second, "mo", NO)

    closed = (await bot.lease()).update
    assert {it.id for it in closed} == {first.id, second.id}
    assert {it.state for it in closed} == {Question.STATE_CLOSED}
    assert (await read(client)).candidate.state == Candidate.STATE_REJECTED


async def test_an_author_who_is_not_sure_is_not_asked_again(client, questioner, bot):
    """The community is."""
    await propose(client)
    await questioner.look()
    [question] = await bot.post()
    await bot.hear(question, "alice", ValidationEvent.RESPONSE_ABSTAIN)

    await questioner.look()
    asked = await bot.post()

    assert [bool(it.channel) for it in asked] == [True]


async def test_a_known_answer_decides_nothing(client, questioner, bot, pool, memories):
    """It is kept as what it tells of whoever gave it."""
    memories.validation.policy = replace(POLICY, gold_share=0.5)
    await put(
        pool,
        1000,
        author="bob",
        subject_raw="Bob",
        status="confirmed",
        decided_by="mo",
        decided_at=to_time(NOW - DAY),
        expires_at=None,
    )
    await propose(client)
    await questioner.look()
    asked = {it.candidate_id: it for it in await bot.post()}

    await bot.hear(asked.pop(1000), "alice", NO)

    async with pool.acquire() as connection:
        audits = await connection.fetch("select responder, answer from audits")
        state = await connection.fetchval(
            "select status from candidates where id = 1000"
        )
    assert [tuple(row) for row in audits] == [("alice", False)]
    assert state == "confirmed"
    assert len(asked) == 1


async def test_nothing_private_is_put_to_anybody_but_moderators(
    client, questioner, bot
):
    """Whatever the lane would be."""
    await propose(client, sentence="I joined, write to alice@example.org")
    await questioner.look()

    [question] = await bot.post()

    assert question.text.startswith("Moderators:")
    assert question.channel == POLICY.moderator_channel
