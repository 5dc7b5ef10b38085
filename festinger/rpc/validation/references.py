"""References to candidates in requests."""

from __future__ import annotations

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.rpc import convert
from festinger.services.validation.reference import CandidateReference

NAME_CHARACTERS_MAX = 200


def reference_of(
    request: pb.GetCandidateRequest | pb.GetQuestionRequest | pb.AnswerRequest,
) -> CandidateReference:
    """Return the reference of a request to a candidate."""
    # All three are passed on; `CandidateReference.read` takes the first that is set.
    return CandidateReference(
        request.candidate_id,
        convert.checked(request.candidate_cid, "candidate_cid", NAME_CHARACTERS_MAX),
        convert.checked(request.external_id, "external_id", NAME_CHARACTERS_MAX),
    )
