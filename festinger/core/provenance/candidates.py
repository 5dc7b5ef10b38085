"""Recording of candidates in the trail, with their source messages."""

from __future__ import annotations

from dataclasses import replace

from festinger.core.graph.candidates import Candidate
from festinger.core.graph.proposal import CandidateDetails, Evidence, Proposal
from festinger.core.provenance.trail import Trail


def record_candidate(
    trail: Trail, candidate: Candidate, proposal: Proposal
) -> Candidate:
    """Record a candidate and its message; return the candidate with their CIDs."""
    # A statement that was not proposed as a candidate has its principal as author.
    known = proposal.candidacy or CandidateDetails(author=proposal.principal)
    # The message first, since the candidate's content names its CID.
    message = _message(trail, proposal.evidence, known)
    candidate = replace(candidate, message_cid=message)
    return replace(candidate, cid=trail.candidate(candidate))


def _message(trail: Trail, evidence: Evidence, known: CandidateDetails) -> str:
    """Record the message of a statement; return its CID, or empty if there is none."""
    # The digest of the turn identifies a message for which no client gave an id.
    message_id = known.message_id or evidence.segment.hex()
    if not evidence.sentence and not message_id:
        return ""
    return trail.message(
        evidence.sentence,
        author=known.author,
        message_id=message_id,
        chunk_id=known.chunk_id,
    )
