"""A doubtful statement becomes a candidate: what is known of it, and who is asked."""

from __future__ import annotations

from typing import NamedTuple

from festinger.core.graph.candidates import Factoid, FactoidState
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.predicates import Registry
from festinger.core.graph.proposal import Candidacy
from festinger.core.validation.policy import POLICY, ValidationPolicy
from festinger.core.validation.routing import route


class CandidatePolicy(NamedTuple):
    """What candidates are listed by.

    Attributes:
        registry: What predicates are in the graph.
    """

    registry: Registry
    policy: ValidationPolicy


def standard_guide() -> CandidatePolicy:
    """What a memory goes by of which nothing else is known."""
    return CandidatePolicy(Registry(), POLICY)


def enlist(
    entry: LedgerEntry,
    number: int,
    *,
    contradicts: str,
    guide: CandidatePolicy,
    breaker_open: bool,
    now: float,
) -> Factoid:
    """The candidate that a doubtful statement is from now on.

    Args:
        number: The candidate's.
        contradicts: The fact that it runs against, in words; empty if none.
        breaker_open: Whether so much was reversed lately that moderators decide.
        now: Seconds since the epoch.
    """
    proposal, triple = entry.proposal, entry.triple
    known = proposal.candidacy or Candidacy(author=proposal.principal)
    registered = guide.registry.of(triple.dimension, triple.is_isa)
    predicate = known.predicate or (registered.uri if registered else "")
    asked = route(
        proposal,
        predicate=predicate,
        contradicts=contradicts,
        policy=guide.policy,
        breaker_open=breaker_open,
        now=now,
    )
    return Factoid(
        id=number,
        state=FactoidState.PENDING,
        triple=triple,
        confidence=proposal.confidence,
        source=proposal.source,
        rule=proposal.evidence.rule,
        reason=entry.outcome.reason,
        proposer=proposal.proposer,
        author=known.author,
        subject=proposal.subject,
        evidence=proposal.evidence.sentence,
        statements=1,
        created=now,
        external_id=known.external_id,
        predicate=predicate,
        subject_raw=known.subject_raw,
        object_raw=known.object_raw,
        chunk_id=known.chunk_id,
        channel=known.channel,
        extractor_version=known.extractor_version,
        prompt_hash=known.prompt_hash,
        model_version=known.model_version,
        justification=known.justification,
        priority=asked.priority,
        lane=asked.lane,
        sensitive=asked.sensitive,
        contradicts=contradicts,
        expires=asked.expires,
    )
