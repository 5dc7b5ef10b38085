from __future__ import annotations

import grpc
import pytest

from festinger.api.v1 import factoid_pb2, outcome_pb2, validation_pb2
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.core.cid import is_cid
from tests.memories import DAY, NOW
from tests.serving import Client, refused

Event = validation_pb2.ValidationEvent
YES, NO = Event.RESPONSE_CONFIRMED, Event.RESPONSE_REJECTED
Factoid = factoid_pb2.Factoid
EXAMPLE = {
    "external_id": "f:0x123",
    "subject_raw": "Alice",
    "predicate": "t:joined",
    "object_raw": "Chess Club",
    "confidence": 0.36,
    "message_id": "m:0x998",
    "extractor_version": "microllm:v0.1",
}


async def propose(client, who=Client.as_("guest"), **fields):
    """
    The answer to a candidate that a client puts forward: the specification's example.
    """
    request = pb.ProposeFactoidRequest(**EXAMPLE | fields)
    return await client.validation.ProposeFactoid(request, metadata=who)


async def answer(client, name, response=YES, number=1, **fields):
    """
    The answer to somebody's answer, which a bot brings.
    """
    request = pb.AnswerRequest(factoid_id=number, response=response, **fields)
    who = Client.as_("shim", principal=name)
    return await client.validation.Answer(request, metadata=who)


async def get(client, who=(), **fields):
    """
    A candidate, as somebody may see it.
    """
    request = pb.GetFactoidRequest(**fields or {"factoid_id": 1})
    return await client.validation.GetFactoid(request, metadata=who)


async def test_example_of_the_specification(client):
    """
    A doubtful guess, one click of whom it is about, and a fact that is told.
    """
    proposed = await propose(client)
    heard = await answer(client, "alice", number=0, external_id="f:0x123")
    told = await client.says("What does Alice do?")

    assert proposed.factoid.state == Factoid.STATE_PENDING_VALIDATION
    assert proposed.outcome.verdict == outcome_pb2.Outcome.VERDICT_CANDIDATE
    assert proposed.factoid.extractor_version == "microllm:v0.1"
    assert is_cid(proposed.factoid.cid)
    assert heard.event.role == Event.ROLE_AUTHOR
    assert heard.factoid.state == Factoid.STATE_CONFIRMED
    assert heard.factoid.decision_rule == "author"
    assert heard.outcome.edge.confidence == 0.95
    assert [line.text for line in told.lines] == ["alice: [joined] chess_club"]
