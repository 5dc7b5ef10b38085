"""Labelled examples: what people decided, as a model can be taught with it."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from festinger.core.graph.candidates import Factoid, FactoidState
from festinger.core.validation.events import ValidationEvent, votes_of
from festinger.core.validation.votes import Vote, last_votes

PSEUDONYM_DIGITS = 16

Naming = Callable[[str], str]
"""What a principal is called in an example."""


def pseudonyms(key: bytes) -> Naming:
    """Names that are the same each time, and tell nothing without the key."""

    def name(principal: str) -> str:
        digest = hmac.new(key, principal.encode(), "sha256").hexdigest()
        return f"rater:{digest[:PSEUDONYM_DIGITS]}"

    return name


def by_name(principal: str) -> str:
    """The principal itself."""
    return principal


def label_of(factoid: Factoid) -> str:
    """What people decided: `confirmed`, `rejected` or `belief`; empty for nothing."""
    if factoid.state is FactoidState.REJECTED:
        return "rejected"
    if factoid.state is FactoidState.CONFIRMED:
        return "belief" if factoid.belief else "confirmed"
    return ""


def example(
    factoid: Factoid, events: list[ValidationEvent], naming: Naming
) -> dict[str, Any]:
    """A decided candidate as a labelled example.

    Args:
        events: Its answers, oldest first. Those that stand become votes.
    """
    triple = factoid.triple
    return {
        "text": factoid.evidence,
        "candidate": {
            "subject": triple.concept,
            "predicate": factoid.predicate,
            "object": triple.parent,
            "dimension": triple.dimension,
            "is_isa": triple.is_isa,
            "negated": triple.negated,
            "subject_raw": factoid.subject_raw,
            "object_raw": factoid.object_raw,
            "cid": factoid.cid,
        },
        "label": label_of(factoid),
        "votes": _votes(events, naming),
        "decision": {
            "rule": factoid.decision_rule,
            "posterior": factoid.posterior,
            "time": _moment(factoid.decided),
        },
        "confidence": factoid.confidence,
        "rule": factoid.rule,
        "source": factoid.source,
        "extractor_version": factoid.extractor_version,
        "model_version": factoid.model_version,
        "prompt_hash": factoid.prompt_hash,
        "message_cid": factoid.message_cid,
        "justification": factoid.justification,
    }


def _votes(events: Sequence[ValidationEvent], naming: Naming) -> list[dict[str, Any]]:
    return [
        {
            "rater": naming(vote.rater),
            "role": vote.role,
            "answer": vote.answer,
            "before_visible": vote.before_visible,
            "time": _moment(vote.cast_at),
        }
        for vote in sorted(last_votes(votes_of(list(events))), key=_oldest_first)
    ]


def _oldest_first(vote: Vote) -> tuple[float, str]:
    return vote.cast_at, vote.rater


def _moment(seconds: float | None) -> str:
    """A time as RFC 3339 has it; empty for none."""
    if seconds is None:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
