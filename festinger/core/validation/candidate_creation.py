"""Creation of candidates from doubtful statements."""

from __future__ import annotations

from typing import NamedTuple

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.predicates import Registry
from festinger.core.graph.proposal import CandidateDetails
from festinger.core.validation.policy import POLICY, ValidationPolicy
from festinger.core.validation.routing import route


class CandidatePolicy(NamedTuple):
    """Settings for the creation of candidates."""

    registry: Registry
    policy: ValidationPolicy


def default_candidate_policy() -> CandidatePolicy:
    """Return the settings of a tenant without a configuration."""
    return CandidatePolicy(Registry(), POLICY)


def create_candidate(
    entry: LedgerEntry,
    number: int,
    *,
    contradicts: str,
    candidate_policy: CandidatePolicy,
    breaker_open: bool,
    now: float,
) -> Candidate:
    """Create the candidate of a doubtful statement.

    Args:
        entry: The ledger row of the statement.
        contradicts: The fact that it contradicts, in words; empty if there is none.
    """
    proposal, triple = entry.proposal, entry.triple
    # Clients name the author and their own spelling (`ProposeCandidate`); a prompt has its speaker.
    known = proposal.candidacy or CandidateDetails(author=proposal.principal)
    registered = candidate_policy.registry.of(triple.dimension, triple.is_isa)
    # A predicate decides on privacy and pilots, so find one for the dimension if none is named.
    predicate = known.predicate or (registered.uri if registered else "")
    asked = route(
        proposal,
        predicate=predicate,
        contradicts=contradicts,
        policy=candidate_policy.policy,
        breaker_open=breaker_open,
        now=now,
    )
    details = known._asdict()
    # The rest of the details is the route's, or the provenance's.
    for name in ("predicate", "priority", "message_id"):
        del details[name]
    return Candidate(
        id=number,
        state=CandidateState.PENDING,
        triple=triple,
        confidence=proposal.confidence,  # raw: calibrated when it is ranked, not here
        source=proposal.source,
        rule=proposal.evidence.rule,
        reason=entry.outcome.reason,
        proposer=proposal.proposer,
        subject=proposal.subject,
        evidence=proposal.evidence.sentence,
        statements=1,  # restatements are counted later, by the ledger
        created=now,
        predicate=predicate,
        priority=asked.priority,
        lane=asked.lane,
        sensitive=asked.sensitive,
        contradicts=contradicts,  # in words, for the question ("but records show …")
        expires=asked.expires,
        **details,
    )
