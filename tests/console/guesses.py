"""Candidates as a small model guesses them, and people who answer."""

from __future__ import annotations

from typing import Any

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_pb2 import ValidationEvent
from tests.serving import Client

YES = ValidationEvent.RESPONSE_CONFIRMED
NO = ValidationEvent.RESPONSE_REJECTED
OPERATOR = Client.as_("operator")
GUESSER = Client.as_("guest")
"""Whoever puts candidates forward: it may not answer for them."""

EXAMPLE: dict[str, Any] = {
    "factoid_cid": "f:0x123",
    "subject_raw": "Alice",
    "predicate_candidate": "t:joined",
    "object_raw": "Chess Club",
    "confidence": 0.36,
    "provenance": {"msg_cid": "m:0x998", "extractor": "microllm:v0.1"},
}
"""The candidate of the specification's end-to-end example, as it stands there."""


async def guess(
    client: Client,
    subject: str,
    object: str,
    predicate: str = "t:joined",
    who: Any = GUESSER,
    **fields: Any,
) -> Any:
    """Put a candidate forward; the candidate."""
    said: dict[str, Any] = {
        "subject_raw": subject,
        "object_raw": object,
        "predicate": predicate,
        "confidence": 0.36,
        "sentence": f"{subject} joined the {object} in spring.",
        "extractor_version": "microllm:v0.1",
        "justification": "We read “joined”, which says that somebody is a member.",
    }
    request = pb.ProposeCandidateRequest(**said | fields)
    return (await client.validation.ProposeCandidate(request, metadata=who)).candidate


async def says(client: Client, name: str, number: int, response: Any = YES) -> Any:
    """Bring somebody's answer, as a bot does; the candidate as it is now."""
    request = pb.AnswerRequest(
        candidate_id=number, response=response, bot_id="matrix:barkeep"
    )
    who = Client.as_("shim", principal=name)
    return (await client.validation.Answer(request, metadata=who)).candidate


async def read(client: Client, number: int) -> Any:
    """Return a candidate with its history, as the operator may see it."""
    request = pb.GetCandidateRequest(candidate_id=number)
    return await client.validation.GetCandidate(request, metadata=OPERATOR)
