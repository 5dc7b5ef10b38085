"""From the first question to what is learnt, by calls alone."""

from __future__ import annotations

import json

import pytest

from festinger.api.v1 import candidate_pb2, validation_pb2
from festinger.api.v1 import validation_service_pb2 as pb
from tests.memories import DAY, NOW

Response = validation_pb2.ValidationEvent
YES, NO = Response.RESPONSE_CONFIRMED, Response.RESPONSE_REJECTED


async def propose(client, name, **fields):
    """Return a candidate that a client puts forward; its number."""
    request = pb.ProposeCandidateRequest(
        subject_raw=name,
        predicate="t:joined",
        object_raw="Chess Club",
        confidence=0.36,
        sentence=f"{name} joined the Chess Club.",
        extractor_version="microllm:v0.1",
        prompt_hash="p-1",
        **fields,
    )
    proposed = await client.validation.ProposeCandidate(
        request, metadata=client.as_("guest")
    )
    return proposed.candidate


async def answer(client, number, name, response):
    """Answer as a person of the community, or as an operator; return the result."""
    who = client.as_("shim", principal=name)
    if name == "operator":
        who = client.as_("operator")
    return await client.validation.Answer(
        pb.AnswerRequest(candidate_id=number, response=response), metadata=who
    )


@pytest.fixture
async def decided(client):
    """Twelve candidates, of which two people confirmed the first six."""
    numbers = []
    for at in range(12):
        candidate = await propose(client, f"Person{at}")
        for name in ("bob", "cem"):
            heard = await answer(client, candidate.id, name, YES if at < 6 else NO)
        numbers.append(candidate.id)
    assert heard.candidate.state == candidate_pb2.Candidate.STATE_REJECTED
    return numbers


async def test_what_people_answered_is_learnt(client, decided, clock, tmp_path):
    """Votes, labels, calibration and metrics agree with what was asked and answered."""
    who = client.as_("operator")
    learnt = await client.validation.Learn(pb.LearnRequest(), metadata=who)
    stream = client.validation.ExportLabels(pb.ExportLabelsRequest(), metadata=who)
    labels = [json.loads(it.json) async for it in stream]
    measured = await client.validation.GetValidationMetrics(
        pb.GetValidationMetricsRequest(), metadata=who
    )

    assert (learnt.vote_count, learnt.rater_count) == (24, 2)
    [calibration] = learnt.calibrations
    assert (calibration.extractor, calibration.label_count) == ("microllm:v0.1", 12)
    assert [it["label"] for it in labels] == ["confirmed"] * 6 + ["rejected"] * 6
    assert labels[0]["text"] == "Person0 joined the Chess Club."
    assert labels[0]["candidate"]["cid"]
    assert labels[0]["prompt_hash"] == "p-1"
    assert labels[0]["decision"]["rule"] == "two_distinct"
    # Whoever answered second saw nothing of what the first one said.
    assert [it["before_visible"] for it in labels[0]["votes"]] == [True, True]
    assert (measured.confirmed_count, measured.rejected_count) == (6, 6)
    assert measured.answered_count == 24
    assert measured.backlog_count == 6


async def test_reputations_are_used_at_once(client, decided, memories):
    """The learnt values apply to the next decision."""
    await client.validation.Learn(pb.LearnRequest(), metadata=client.as_("operator"))
    memory = await memories.get("default")
    async with memory.store.reading("default") as reads:
        rated = await reads.rated()

    assert sorted(rated.reputations.of) == ["bob", "cem"]
    assert rated.reputations["bob"].judged == 12
    assert rated.reputations["bob"].known


async def test_breaker_sends_everything_to_moderators(
    client, decided, retrainer, clock
):
    """
    Once a moderator rejected five of six that were confirmed; a day later people are
    asked again.
    """
    before = await propose(client, "Dora")
    for number in decided[:5]:
        await answer(client, number, "operator", NO)
    await retrainer.watch()
    opened = await client.validation.GetValidationMetrics(
        pb.GetValidationMetricsRequest(), metadata=client.as_("operator")
    )
    during = await propose(client, "Emil")
    clock.now += DAY + 60
    await retrainer.watch()
    after = await propose(client, "Faye")

    assert clock.now > NOW + DAY
    assert opened.breaker_open
    assert "5 of 6 facts" in opened.breaker_reason
    assert "breaker_open" in {it.name for it in opened.alerts}
    lanes = [validation_pb2.Lane.Name(it.lane) for it in (before, during, after)]
    assert lanes == ["LANE_COMMUNITY", "LANE_MODERATOR", "LANE_COMMUNITY"]
