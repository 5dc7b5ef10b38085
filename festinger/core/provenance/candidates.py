"""Record a candidate in the trail, with the message that it stood in."""

from __future__ import annotations

from dataclasses import replace

from festinger.core.graph.candidates import Factoid
from festinger.core.graph.proposal import Candidacy, Evidence, Proposal
from festinger.core.provenance.trail import Trail


def record_candidate(trail: Trail, factoid: Factoid, proposal: Proposal) -> Factoid:
    """Return a candidate with its names in the trail.

    Args:
        trail: Gets the candidate and the message.
        factoid: Has no names yet.
        proposal: What it was made of.
    """
    known = proposal.candidacy or Candidacy(author=proposal.principal)
    message = _message(trail, proposal.evidence, known)
    factoid = replace(factoid, message_cid=message)
    return replace(factoid, cid=trail.candidate(factoid))


def _message(trail: Trail, evidence: Evidence, known: Candidacy) -> str:
    """Return the trail's name of the message that a statement stood in; empty for none."""
    message_id = known.message_id or evidence.segment.hex()
    if not evidence.sentence and not message_id:
        return ""
    return trail.message(
        evidence.sentence,
        author=known.author,
        message_id=message_id,
        chunk_id=known.chunk_id,
    )
