from __future__ import annotations

from typing import Any

import grpc
import pytest

from festinger.api.v1 import candidate_pb2, outcome_pb2, validation_pb2
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.candidate_service_pb2 import (
    ConfirmCandidateRequest,
    ListCandidatesRequest,
)
from festinger.api.v1.concept_service_pb2 import HistoryRequest
from festinger.api.v1.conflict_service_pb2 import (
    GetConflictRequest,
    ListConflictsRequest,
)
from festinger.core.system.cid import is_cid
from festinger.store.graph.rows import to_time
from festinger.store.system.queries import sql
from tests.memories import DAY, NOW
from tests.serving import Client, refused

Event = validation_pb2.ValidationEvent
YES, NO = Event.RESPONSE_CONFIRMED, Event.RESPONSE_REJECTED
Candidate = candidate_pb2.Candidate
GUEST = Client.as_("guest")
EXAMPLE: dict[str, Any] = {
    "external_id": "f:0x123",
    "subject_raw": "Alice",
    "predicate": "t:joined",
    "object_raw": "Chess Club",
    "confidence": 0.36,
    "message_id": "m:0x998",
    "extractor_version": "microllm:v0.1",
}


async def propose(client, who=GUEST, **fields):
    """The answer to a candidate that a client puts forward: the specification's example."""
    request = pb.ProposeCandidateRequest(**EXAMPLE | fields)
    return await client.validation.ProposeCandidate(request, metadata=who)


async def answer(client, name, response=YES, number=1, **fields):
    """Return the answer to somebody's answer, which a bot brings."""
    request = pb.AnswerRequest(candidate_id=number, response=response, **fields)
    who = Client.as_("shim", principal=name)
    return await client.validation.Answer(request, metadata=who)


async def get(client, who=(), **fields):
    """Return a candidate, as somebody may see it."""
    request = pb.GetCandidateRequest(**fields or {"candidate_id": 1})
    return await client.validation.GetCandidate(request, metadata=who)


async def test_example_of_the_specification(client):
    """A doubtful guess, one click of whom it is about, and a fact that is told."""
    proposed = await propose(client)
    heard = await answer(client, "alice", number=0, external_id="f:0x123")
    told = await client.says("What does Alice do?")

    assert proposed.candidate.state == Candidate.STATE_PENDING_VALIDATION
    assert proposed.outcome.verdict == outcome_pb2.Outcome.VERDICT_CANDIDATE
    assert proposed.candidate.extractor_version == "microllm:v0.1"
    assert is_cid(proposed.candidate.cid)
    assert heard.event.role == Event.ROLE_AUTHOR
    assert heard.candidate.state == Candidate.STATE_CONFIRMED
    assert heard.candidate.decision_rule == "author"
    assert heard.outcome.edge.confidence == 0.95
    assert [line.text for line in told.lines] == ["alice: [joined] chess_club"]


async def test_candidate_is_written_with_all_that_is_known(client):
    """Names become tokens, the proposer is the credential, and the guess has its reasons."""
    proposed = await propose(
        client,
        sentence="I joined the\nChess Club",
        author="alice",
        model_version="llama:8b",
        prompt_hash="0f",
        justification='"I joined"',
        channel="matrix:!club:example.org",
    )

    candidate = (await get(client)).candidate
    triple = candidate.triple
    assert (triple.concept, triple.parent, triple.dimension) == (
        "alice",
        "chess_club",
        "joined",
    )
    assert (triple.is_isa, candidate.predicate) == (False, "t:joined")
    assert (candidate.proposer, candidate.author) == ("guest", "alice")
    assert (candidate.subject_raw, candidate.object_raw) == ("Alice", "Chess Club")
    assert candidate.evidence == "I joined the Chess Club"
    assert is_cid(candidate.message_cid)
    assert candidate.expire_time.seconds == NOW + 2 * DAY
    assert candidate == proposed.candidate


async def test_proposal_never_asserts(client):
    """However sure a client is, people are asked."""
    proposed = await propose(client, confidence=1.0)

    assert proposed.outcome.verdict == outcome_pb2.Outcome.VERDICT_CANDIDATE
    told = await client.says("What does alice do?")
    assert [line.text for line in told.lines if "[" in line.text] == []


async def test_what_is_held_is_no_candidate(client):
    """Nobody is asked what is known, and nobody's word is worth more by it."""
    await client.states("alice -ispart chess_club in context of joined")
    before = (await client.concept("alice")).edges[0]

    proposed = await propose(client)

    assert not proposed.HasField("candidate")
    assert proposed.outcome.reason == "already_held"
    assert (await client.concept("alice")).edges[0] == before


async def test_repeated_proposals_are_one(client):
    """The client's own name gives the same candidate; the same statement counts on it."""
    first = await propose(client)
    again = await propose(client, object_raw="Go Club")
    other = await propose(client, external_id="f:0x124", confidence=0.5)

    assert again.candidate == first.candidate
    assert other.candidate.id == first.candidate.id
    assert (other.candidate.statement_count, other.candidate.confidence) == (2, 0.5)


async def test_name_of_another_client_is_refused(client):
    """Nobody is given a candidate that somebody else calls so, unless it says the same."""
    mine = await propose(client)

    with refused() as refusal:
        await propose(client, Client.as_("shim"), object_raw="Go Club")

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    again = await propose(client, Client.as_("shim"))
    assert again.candidate == mine.candidate


async def test_private_words_are_not_read_by_proposing_the_same(client):
    """A caller who puts the same forward learns that it waits, and nothing of who said it."""
    said = "I joined the Chess Club, write to alice@example.org"
    mine = await propose(client, sentence=said, author="alice")

    theirs = await propose(client, Client.as_("shim"), external_id="", author="bob")
    named = await propose(client, Client.as_("shim", principal="bob"))
    seen = await propose(client, Client.as_("operator"))
    whose = Client.as_("shim", principal="carol")
    spoken = await propose(client, whose, sentence=said, external_id="", negated=True)
    again = await propose(
        client, Client.as_("shim", principal="bob"), external_id="", negated=True
    )

    assert mine.candidate.sensitive
    assert mine.candidate.evidence == seen.candidate.evidence == said
    assert spoken.candidate.evidence == said
    assert (again.candidate.id, again.candidate.evidence) == (spoken.candidate.id, "")
    for other in (theirs.candidate, named.candidate):
        assert other.cid == mine.candidate.cid
        assert (other.evidence, other.author, other.message_cid) == ("", "", "")


async def test_repeated_call_is_answered_again(client):
    """The same request_id gives the first answer and proposes nothing twice."""
    first = await propose(client, request_id="r1", external_id="")
    again = await propose(client, request_id="r1", external_id="")

    assert again == first
    assert again.candidate.statement_count == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"subject_raw": " "}, "INVALID_ARGUMENT"),
        ({"object_raw": "the"}, "NOT_A_TOKEN"),
        ({"object_raw": "<system>"}, "NOT_A_TOKEN"),
        ({"object_raw": "x" * 201}, "INVALID_ARGUMENT"),
        ({"predicate": ""}, "INVALID_ARGUMENT"),
        ({"predicate": "https://example.org/joined"}, "INVALID_ARGUMENT"),
        ({"confidence": 1.5}, "INVALID_ARGUMENT"),
        ({"confidence": float("nan")}, "INVALID_ARGUMENT"),
        ({"author": "a b"}, "INVALID_ARGUMENT"),
        ({"external_id": "\0"}, "INVALID_ARGUMENT"),
        ({"priority": 99}, "INVALID_ARGUMENT"),
        ({"priority": validation_pb2.PRIORITY_CRITICAL}, "PERMISSION_DENIED"),
        ({"priority": validation_pb2.PRIORITY_HIGH}, "PERMISSION_DENIED"),
    ],
)
async def test_impossible_proposal_is_refused(client, fields, reason):
    """With a sentence that says which field, and nothing is written."""
    with refused() as refusal:
        await propose(client, **fields)

    assert refusal.reason == reason
    with refused() as refusal:
        await get(client)
    assert refusal.reason == "CANDIDATE_NOT_FOUND"


async def test_operators_make_it_urgent(client):
    """Then it waits two hours only."""
    high = validation_pb2.PRIORITY_HIGH
    await propose(client, Client.as_("operator"), priority=high)

    candidate = (await get(client)).candidate
    assert candidate.priority == high
    assert candidate.expire_time.seconds == NOW + 7200


async def test_nobody_proposed_it_for_a_trusted_caller(client):
    """The shim speaks for alice: the words are hers, the guess is the shim's (E6)."""
    await propose(client, Client.as_("shim", principal="alice"))

    candidate = (await get(client)).candidate
    assert (candidate.proposer, candidate.author) == ("shim", "alice")
    assert (await answer(client, "alice")).event.role == Event.ROLE_AUTHOR


async def test_two_of_the_community_decide(client):
    """One is not enough, nor is one who answers twice; the second other one is."""
    await propose(client, author="dora")

    for name in ("bob", "bob", "Bob"):
        heard = await answer(client, name)
        assert heard.candidate.state == Candidate.STATE_PENDING_VALIDATION
        assert not heard.HasField("outcome")
    heard = await answer(client, "carol")

    assert heard.candidate.state == Candidate.STATE_CONFIRMED
    assert heard.candidate.decision_rule == "two_distinct"
    assert heard.candidate.decider == "bob, carol"
    assert heard.outcome.verdict == outcome_pb2.Outcome.VERDICT_HELD


async def test_rejected_candidate_waits_for_dreaming(client, pool):
    """It does not come back by itself, and a model looks into it at night."""
    await propose(client)

    heard = await answer(client, "alice", NO)
    again = await propose(client, external_id="")

    assert heard.candidate.state == Candidate.STATE_REJECTED
    assert again.outcome.reason == "settled"
    rows = await pool.fetch("select candidate_id, reason, state from backlog")
    assert [tuple(row) for row in rows] == [(1, "rejected", "waiting")]


async def test_author_against_the_community(client):
    """It is held as the author's belief, and is told as one."""
    await propose(client, author="alice")

    await answer(client, "alice")
    await answer(client, "bob", NO)
    heard = await answer(client, "carol", NO)

    assert (heard.candidate.belief, heard.candidate.flagged) == (True, True)
    assert heard.candidate.decision_rule == "author_against_community"
    assert heard.outcome.edge.belief
    told = await client.says("What does alice do?")
    assert [line.text for line in told.lines] == ["alice: [joined~] chess_club"]
    edge = (await client.concept("alice")).edges[0]
    assert (edge.belief, edge.confidence) == (True, 0.95)


async def test_belief_is_asserted_by_a_person_only(client):
    """A prompt's repetition leaves it a belief; an explicit statement makes it a fact."""
    await propose(client, author="alice")
    for name, response in (("alice", YES), ("bob", NO), ("carol", NO)):
        await answer(client, name, response)

    await client.says("alice ISPART chess_club in context of joined")
    await client.says("ping")
    repeated = (await client.concept("alice")).edges[0]
    await client.states("alice -ispart chess_club in context of joined")
    stated = (await client.concept("alice")).edges[0]

    assert (repeated.belief, stated.belief) == (True, False)


async def test_moderator_overrules_and_what_it_made_ends(client):
    """The fact goes, unless others stand for it as well."""
    await propose(client, author="alice")
    await answer(client, "alice")

    request = pb.AnswerRequest(candidate_id=1, response=NO, note="a joke")
    heard = await client.validation.Answer(request, metadata=Client.as_("operator"))

    assert heard.event.role == Event.ROLE_MODERATOR
    assert heard.candidate.state == Candidate.STATE_REJECTED
    assert heard.candidate.decision_rule == "moderator"
    assert not (await client.concept("alice")).edges


async def test_what_others_stated_outlives_the_candidate(client):
    """A rejection takes back what the confirmation alone stood for."""
    await propose(client, author="alice")
    await answer(client, "alice")
    await client.states("alice -ispart chess_club in context of joined")

    heard = await answer(client, "alice", NO)

    assert heard.candidate.state == Candidate.STATE_REJECTED
    assert (await client.concept("alice")).edges[0].parent == "chess_club"


async def test_confirmed_candidate_collides_with_its_votes(client):
    """It goes through the gate, and waits in the queue with who said what (I2)."""
    await client.states("alice -ispart go_club in context of joined")
    proposed = await propose(client, sentence="I joined the club", author="alice")

    heard = await answer(client, "alice")

    assert proposed.candidate.contradicts == (
        "alice -ispart go_club in context of joined"
    )
    assert heard.outcome.verdict == outcome_pb2.Outcome.VERDICT_CONFLICTED
    request = GetConflictRequest(conflict_id=heard.outcome.conflict_id)
    operator = Client.as_("operator")
    found = await client.conflicts.GetConflict(request, metadata=operator)
    assert found.conflict.evidence == "I joined the club (votes: yes: alice (author))"
    await answer(client, "alice", Event.RESPONSE_WITHDRAWN)
    assert (await client.conflict(1)).resolution.principal


async def test_votes_behind_a_conflict_are_blind(client):
    """Neither the conflict nor the history tells who said what; an operator is told."""
    await client.states("alice -ispart go_club in context of joined")
    await propose(client, sentence="I joined the club", author="alice")
    await answer(client, "alice")
    operator = Client.as_("operator")

    seen = (await client.conflict(1)).evidence
    texts = [await history_of(client), await history_of(client, operator)]
    listed = await client.conflicts.ListConflicts(ListConflictsRequest())

    assert seen == listed.conflicts[0].evidence == "I joined the club"
    assert ["votes" in " ".join(each) for each in texts] == [False, True]


async def test_private_candidate_is_in_no_history_of_all(client):
    """
    Its text is told to operators, and to nobody else before people confirm it; its
    sentence is not even then.
    """
    said = "I joined the Chess Club, write to alice@example.org"
    await client.states("alice -isa person")
    await propose(client, sentence=said, author="alice")
    operator = Client.as_("operator")

    waiting = await history_of(client), await history_of(client, operator)
    await answer(client, "alice")
    confirmed = await history_of(client), await history_of(client, operator)

    assert [said in each for each in waiting] == [False, True]
    assert [said in each for each in confirmed] == [False, True]
    assert (len(waiting[0]), len(waiting[1])) == (1, 2)
    assert (len(confirmed[0]), len(confirmed[1])) == (2, 4)


async def test_rejection_after_a_confirmation_is_a_reversal(client, pool):
    """The breaker sees what the gate let through and people then took back."""
    await propose(client, author="alice")
    await answer(client, "alice")
    await answer(client, "alice", NO)

    row = await pool.fetchrow(sql("reversals"), "default", to_time(NOW - DAY))

    assert tuple(row) == (1, 1)


async def history_of(client, who=()):
    """Return the texts of what happened to Alice, as somebody may read them."""
    request = HistoryRequest(token="alice")
    told = await client.concepts.History(request, metadata=who)
    return [event.text for event in told.events]


async def test_answer_counts_once_by_its_delivery(client):
    """A repeated delivery of a platform is the first answer, whatever it says by then."""
    await propose(client, author="dora")
    once = {"bot_id": "matrix:barkeep", "delivery": "$event1"}

    first = await answer(client, "bob", **once)
    again = await answer(client, "bob", NO, **once)

    assert again.event == first.event
    assert len((await get(client, Client.as_("operator"))).events) == 1


async def test_delivery_of_another_is_refused(client):
    """Their answer is not swallowed, and they are not told what the other one said."""
    await propose(client, author="dora")
    await answer(client, "bob", delivery="1")

    with refused() as refusal:
        await answer(client, "carol", NO, delivery="1")

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    await answer(client, "carol", NO, delivery="2")


async def test_answer_is_answered_again_under_its_id(client):
    """The same request_id gives the same event and counts once."""
    await propose(client)

    first = await answer(client, "alice", request_id="r1")
    again = await answer(client, "alice", request_id="r1")

    assert (again.event, again.outcome) == (first.event, first.outcome)
    assert len((await get(client, Client.as_("operator"))).events) == 1


async def test_votes_are_blind(client):
    """A person who has yet to vote is told of no votes; one who has, and an operator, is."""
    await propose(client, author="dora")
    await answer(client, "bob")

    for who, seen in (
        ((), False),
        (Client.as_("shim", principal="carol"), False),
        (Client.as_("shim", principal="bob"), True),
        (Client.as_("operator"), True),
    ):
        found = await get(client, who)
        assert bool(found.events) == found.candidate.HasField("tally") == seen


async def test_vote_after_the_outcome_tells_nothing_of_its_voter(client):
    """Before anything could be seen it does; changed, late, or an operator's it does not."""
    await propose(client, author="dora")

    heard = [
        await answer(client, "bob"),
        await answer(client, "bob", NO),
        await answer(client, "bob"),
        await answer(client, "carol"),
        await answer(client, "erin"),
    ]

    blind = [each.event.before_visible for each in heard]
    assert blind == [True, False, False, True, False]


async def test_answer_after_the_decision_counts(client):
    """Until the time is over, the decision is made anew from all answers (I4a)."""
    await propose(client, author="dora")
    for name in ("bob", "carol"):
        await answer(client, name)

    undone = await answer(client, "carol", Event.RESPONSE_WITHDRAWN)
    edges = (await client.concept("alice")).edges
    decided = await answer(client, "dora", NO)

    assert undone.candidate.state == Candidate.STATE_PENDING_VALIDATION
    assert (undone.candidate.decision_rule, undone.candidate.decider) == ("", "")
    assert not edges
    assert decided.candidate.state == Candidate.STATE_REJECTED


@pytest.mark.parametrize("decide", [False, True])
async def test_late_answer_is_refused(client, clock, decide):
    """When the time is over nothing counts any more, decided or not."""
    await propose(client)
    if decide:
        await answer(client, "alice")
    clock.now += 2 * DAY

    with refused() as refusal:
        await answer(client, "bob", NO)

    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refusal.reason == "CANDIDATE_CLOSED"
    assert "time" in refusal.message


async def test_candidate_outside_the_pilot_is_decided_once(client):
    """It waits for as long as it takes, and after that there is no time to answer."""
    await propose(client, predicate="t:locatedIn")
    heard = await answer(client, "alice")

    with refused() as refusal:
        await answer(client, "bob", NO)

    assert not heard.candidate.HasField("expire_time")
    assert refusal.reason == "CANDIDATE_CLOSED"


@pytest.mark.parametrize("name", ["guest", "Guest"])
async def test_nobody_votes_on_their_own_claim(client, name):
    """A proposer does not decide about it, however they spell themselves (E6)."""
    await propose(client)

    with refused() as refusal:
        await answer(client, name)

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    "who", [(), Client.as_("guest"), Client.as_("shim")], ids=["none", "guest", "shim"]
)
async def test_nobody_answers_for_nobody(client, who):
    """A forged answer: an agent, or a machine that says on behalf of whom it does not."""
    await propose(client, Client.as_("operator"))

    with refused() as refusal:
        request = pb.AnswerRequest(candidate_id=1, response=YES)
        await client.validation.Answer(request, metadata=who)

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


async def test_untrusted_caller_answers_for_nobody_else(client):
    """Whoever is not trusted to speak for others does not."""
    await propose(client, Client.as_("operator"))

    with refused() as refusal:
        request = pb.AnswerRequest(candidate_id=1, response=YES)
        who = Client.as_("guest", principal="alice")
        await client.validation.Answer(request, metadata=who)

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"number": 7}, "CANDIDATE_NOT_FOUND"),
        ({"number": 0}, "INVALID_ARGUMENT"),
        ({"number": 0, "external_id": "?"}, "CANDIDATE_NOT_FOUND"),
        ({"number": 0, "candidate_cid": "bnone"}, "CANDIDATE_NOT_FOUND"),
        ({"question_id": 9}, "QUESTION_NOT_FOUND"),
        ({"response": 0}, "INVALID_ARGUMENT"),
        ({"response": 42}, "INVALID_ARGUMENT"),
        ({"note": "x" * 1001}, "INVALID_ARGUMENT"),
    ],
)
async def test_answer_to_nothing_is_refused(client, fields, reason):
    """With a sentence that says what is wrong."""
    await propose(client)

    with refused() as refusal:
        await answer(client, "bob", **fields)

    assert refusal.reason == reason


async def test_operators_confirm_as_moderators_do(client):
    """The console's button leaves an event, as any other answer does."""
    await propose(client)

    await client.candidates.ConfirmCandidate(
        ConfirmCandidateRequest(candidate_id=1), metadata=Client.as_("operator")
    )

    found = await get(client, Client.as_("operator"))
    [event] = found.events
    assert (event.responder, event.role) == ("operator", Event.ROLE_MODERATOR)
    assert found.candidate.decision_rule == "moderator"


async def test_operator_directs_a_candidate(client, pool, clock):
    """It becomes urgent, evidence is asked for, and in the end a model looks into it."""
    await propose(client)
    operator = Client.as_("operator")

    async def direct(action):
        request = pb.DirectCandidateRequest(candidate_id=1, action=f"ACTION_{action}")
        answered = await client.validation.DirectCandidate(request, metadata=operator)
        return answered.candidate

    clock.now += 60
    raised = await direct("RAISE")
    await direct("REQUEST_EVIDENCE")
    dreamt = await direct("DREAM")

    assert raised.priority == validation_pb2.PRIORITY_HIGH
    assert raised.expire_time.seconds == clock.now + 7200
    assert await pool.fetchval("select evidence_wanted from candidates")
    assert dreamt.state == Candidate.STATE_EXPIRED
    assert (dreamt.decision_rule, dreamt.decider) == ("sent_to_dreaming", "operator")
    assert await pool.fetchval("select reason from backlog") == "requested"
    with refused() as refusal:
        await answer(client, "alice")
    assert refusal.reason == "CANDIDATE_CLOSED"
    with refused() as refusal:
        await direct("RAISE")
    assert refusal.reason == "CANDIDATE_CLOSED"


async def test_flag_is_taken_down(client):
    """A moderator has looked at it."""
    await propose(client, author="alice")
    for name, response in (("alice", YES), ("bob", NO), ("carol", NO)):
        heard = await answer(client, name, response)
    request = pb.DirectCandidateRequest(candidate_id=1, action="ACTION_UNFLAG")

    answered = await client.validation.DirectCandidate(
        request, metadata=Client.as_("operator")
    )

    assert heard.candidate.flagged
    assert not answered.candidate.flagged
    assert answered.candidate.belief


async def test_private_candidate_is_shown_to_few(client, pool):
    """To operators and whose it is; nobody else finds it, nor reads it by its name."""
    await propose(client, author="alice")
    await pool.execute("update candidates set sensitive = true")

    async def listed(who):
        answered = await client.candidates.ListCandidates(
            ListCandidatesRequest(), metadata=who
        )
        return len(answered.candidates)

    assert (await listed(GUEST), await listed(Client.as_("operator"))) == (0, 1)
    for who in (Client.as_("operator"), Client.as_("shim", principal="alice")):
        assert (await get(client, who)).candidate.id == 1
    with refused() as refusal:
        await get(client, GUEST)
    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
