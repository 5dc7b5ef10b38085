"""The trail of a real confirmation, walked and verified over gRPC."""

from __future__ import annotations

import random
import uuid
from dataclasses import replace

import pytest

from festinger.api.v1 import memory_service_pb2
from festinger.api.v1.candidate_service_pb2 import ConfirmCandidateRequest
from festinger.core.provenance.chain import of_json, to_json
from festinger.core.provenance.verifying import ChainStart, verify
from festinger.core.validation.policy import Person, ValidationPolicy
from festinger.core.validation.posting import PostingReport, PostingResult
from festinger.services.validation.expiry import Expirer
from festinger.services.validation.questioner import Questioner
from festinger.store.validation.records import BotTargets
from tests.memories import DAY
from tests.rpc.provenance.test_provenance import OPERATOR, bot, trace
from tests.rpc.validation.test_answers import (
    GUEST,
    NO,
    YES,
    Event,
    answer,
    get,
    propose,
)
from tests.serving import refused

PLACE = {"concept": "alice", "dimension": "joined"}
SENTENCE = "I joined the Chess Club last week."


def problems(chain, **asked):
    """The problems that the verifier finds, server or not: in the chain, and in its file."""
    wanted = ChainStart(**asked)
    found = [step for step in verify(chain, wanted) if step.problem]
    again = [step for step in verify(of_json(to_json(chain)), wanted) if step.problem]
    assert found == again
    return found


def contents(chain, kind):
    """Return the contents of the objects of a kind."""
    return [it.content for it in chain.objects.values() if it.kind == kind]


async def test_the_example_of_the_specification_is_proven(client, clock):
    """
    A guess, its author's yes and the fact: everybody walks from the fact to who said so,
    and computes all of it again.
    """
    proposed = await propose(
        client, sentence=SENTENCE, author="alice", prompt_hash="5f0c"
    )
    heard = await answer(client, "alice", bot_id="matrix:barkeep", delivery="$1")
    clock.now += 3 * DAY

    chain = await trace(client, *GUEST, **PLACE)

    [triple] = contents(chain, "triple")
    [message] = contents(chain, "message")
    assert problems(chain, **PLACE) == []
    assert chain.objects.keys() >= {
        proposed.candidate.cid,
        proposed.candidate.message_cid,
        heard.event.cid,
    }
    assert (proposed.candidate.cid, "extractedBy", "microllm:v0.1/5f0c") in chain.links
    assert (proposed.candidate.cid, "validatedBy", "alice") in chain.links
    assert (
        proposed.candidate.cid,
        "validationEventCID",
        heard.event.cid,
    ) in chain.links
    assert (triple["rule"], triple["confidence"], triple["outcome"]) == (
        "author",
        "0.95",
        "held",
    )
    assert (message["sentence"], message["author"]) == (SENTENCE, "alice")


async def test_what_is_not_confirmed_is_walked_as_well(client, clock):
    """Of a rejected candidate there is no fact, and everything else is proven."""
    candidate = (await propose(client, sentence=SENTENCE)).candidate
    await answer(client, "bob", NO)
    await answer(client, "carol", NO)
    clock.now += 3 * DAY

    chain = await trace(client, *GUEST, cid=candidate.cid)

    assert problems(chain, cid=candidate.cid) == []
    assert contents(chain, "triple") == []
    assert {it["responder"] for it in contents(chain, "event")} == {"bob", "carol"}
    with refused() as refusal:
        await trace(client, *GUEST, **PLACE)
    assert refusal.reason == "OBJECT_NOT_FOUND"


async def test_a_question_that_was_posted_is_part_of_it(client, memories, store, clock):
    """The bot's question, and its recipient, stand between the candidate and the answer."""
    people = {"alice": Person({"matrix": "@alice:example.org"})}
    memories.validation.policy = replace(
        ValidationPolicy(), people=people, gold_share=0.0
    )
    memory = await memories.get("default")
    await propose(client, sentence=SENTENCE, author="alice")
    questioner = Questioner(memories, store.questions, now=clock)
    await questioner.ask(memory)
    lessee = str(uuid.uuid4())
    reach = BotTargets("matrix", ["alice"], [], lessee)
    [question] = (await questioner.lease(memory, reach, 20)).post
    posted = PostingReport(PostingResult.POSTED, "matrix", "$question")
    await questioner.report(memory, question.id, lessee, posted)
    await answer(client, "alice", number=0, question_id=question.id)

    chain = await trace(client, *OPERATOR, **PLACE)

    [asked] = contents(chain, "question")
    [event] = contents(chain, "event")
    assert problems(chain, **PLACE) == []
    assert (asked["recipient"], asked["text"]) == ("alice", question.text)
    assert event["question_number"] == question.id
    assert chain.objects[event["context_message"]].content == asked


async def test_a_belief_is_proven_by_both_signals(client):
    """Confirmed by its author, then denied by others: two facts, each with its answers."""
    await propose(client, author="alice")
    await answer(client, "alice")
    await answer(client, "bob", NO)
    await answer(client, "carol", NO)

    chain = await trace(client, *OPERATOR, **PLACE)

    verdicts = {it["verdict"]: len(it["events"]) for it in contents(chain, "triple")}
    assert verdicts == {"confirmed": 1, "belief": 3}
    assert problems(chain, **PLACE) == []


async def test_what_was_known_of_those_who_answered_is_written_down(client, pool):
    """
    A decision by what answers are worth is made again from the reputations of that day,
    whatever they are by now.
    """
    for rater, skill in (("bob", 0.93), ("carol", 0.8123456789012345)):
        await pool.execute(
            "insert into raters values ('default', $1, $2, 0.91, 9, 8, $1)",
            rater,
            skill,
        )
    await pool.execute("insert into ratings values ('default', 0.37, 34, now())")
    await propose(client)
    await answer(client, "bob")
    await answer(client, "carol")
    await pool.execute("update raters set yes_skill = 0.3, no_skill = 0.7")

    chain = await trace(client, *OPERATOR, **PLACE)

    [triple] = contents(chain, "triple")
    assert triple["rule"] == "posterior"
    assert triple["raters"]["carol"]["yes_skill"] == "0.8123456789012345"
    assert triple["prior"] == "0.37"
    assert problems(chain, **PLACE) == []


async def test_what_the_scanner_doubted_is_proven(client):
    """A tool's sentence that an operator confirmed by the console's button leads back to it."""
    turn = memory_service_pb2.Turn(
        role=memory_service_pb2.Turn.ROLE_TOOL, text="gnommoweb is a repo"
    )
    request = memory_service_pb2.RecollectRequest(turns=[turn])
    await client.memory.Recollect(request, metadata=GUEST)
    await client.states("last -isa statement")
    await client.candidates.ConfirmCandidate(
        ConfirmCandidateRequest(candidate_id=1), metadata=OPERATOR
    )

    chain = await trace(client, *GUEST, concept="gnommoweb", dimension="type")

    [message] = contents(chain, "message")
    [triple] = contents(chain, "triple")
    assert problems(chain, concept="gnommoweb", dimension="type") == []
    assert "gnommoweb is a repo" in message["sentence"]
    assert (triple["rule"], triple["validated_by"]) == ("moderator", ["operator"])


async def test_a_fact_that_waits_as_a_conflict_says_so(client):
    """A confirmed statement that then collided has its trail, and the outcome in it (I2)."""
    await client.states("alice -ispart go_club in context of joined")
    await propose(client, author="alice")
    await answer(client, "alice")

    chain = await trace(client, *OPERATOR, **PLACE)

    [triple] = contents(chain, "triple")
    assert (triple["parent"], triple["outcome"]) == ("chess_club", "conflicted")
    assert problems(chain, **PLACE) == []


async def test_the_same_fact_of_two_candidates_leads_to_both(
    client, memories, store, clock
):
    """
    Confirmed, taken back until nobody waited any more, and confirmed again as it stood in
    another message: both are found.
    """
    await propose(client, author="alice", sentence=SENTENCE)
    await answer(client, "alice")
    await answer(client, "alice", Event.RESPONSE_WITHDRAWN)
    clock.now += 3 * DAY
    await Expirer(memories, store, now=clock).look()
    await propose(client, author="alice", external_id="f:2", message_id="m:2")
    await answer(client, "alice", number=2)

    chain = await trace(client, *OPERATOR, **PLACE)

    names = {it["message_id"] for it in contents(chain, "message")}
    assert len(chain.start) == 2
    assert names == {"m:0x998", "m:2"}
    assert problems(chain, **PLACE) == []


async def test_nobody_is_told_before_they_answered(client):
    """
    While it is open, whoever has yet to answer walks to the candidate and no further; in
    whatever letters they write their name, whoever answered sees the rest.
    """
    candidate = (await propose(client)).candidate
    await answer(client, "bob")
    await answer(client, "carol")

    for who in (GUEST, bot("dave")):
        chain = await trace(client, *who, cid=candidate.cid)
        assert not contents(chain, "event")
        assert not contents(chain, "triple")
        assert chain.more
    chain = await trace(client, *bot("Bob"), cid=candidate.cid)
    assert problems(chain, cid=candidate.cid) == []
    assert len(contents(chain, "event")) == 2


async def test_what_is_private_stays_with_operators(client):
    """A sentence with somebody's address is in nobody's chain but theirs."""
    sentence = "Mail me at alice@example.org, I joined the Chess Club."
    candidate = (await propose(client, author="alice", sentence=sentence)).candidate
    await answer(client, "alice")
    assert (await get(client, OPERATOR)).candidate.sensitive

    hidden = await trace(client, *GUEST, cid=candidate.cid)
    shown = await trace(client, *OPERATOR, cid=candidate.cid)

    assert {it.withheld for it in hidden.objects.values()} == {"private"}
    assert not any("alice" in end for link in hidden.links for end in link)
    assert problems(shown, cid=candidate.cid) == []
    assert contents(shown, "message")[0]["sentence"] == sentence


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_people_answer_the_trail_is_proven(
    client, memories, clock, seed
):
    """
    Random answers, taken back and given again, by authors, others and moderators, some at
    one moment: every candidate's trail is whole, and every fact's decision can be made
    again.
    """
    source = random.Random(seed)
    moderators = {"mia": Person(moderator=True)}
    memories.validation.policy = replace(ValidationPolicy(), people=moderators)
    responses = [YES, YES, NO, NO, Event.RESPONSE_ABSTAIN, Event.RESPONSE_WITHDRAWN]
    cids = []
    for number in range(1, 4):
        proposed = await propose(
            client,
            external_id=f"f:{number}",
            object_raw=f"Club{number}",
            author=source.choice(["", "alice", "bob"]),
            sentence=source.choice(["", SENTENCE]),
        )
        cids.append(proposed.candidate.cid)
        for _ in range(source.randrange(9)):
            name = source.choice(["alice", "bob", "carol", "dave", "mia"])
            await answer(client, name, source.choice(responses), number)
            clock.now += source.choice([0.0, 0.000001, 60.0])
    for cid in cids:
        chain = await trace(client, *OPERATOR, cid=cid)
        assert problems(chain, cid=cid) == []
