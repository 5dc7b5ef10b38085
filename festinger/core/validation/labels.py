"""Labelled examples of decided candidates, to train models with."""

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
"""Function that returns the name of a principal in an example."""


def pseudonyms(key: bytes) -> Naming:
    """Return a naming by stable pseudonyms, which reveal nothing without the key."""

    def name(principal: str) -> str:
        digest = hmac.new(key, principal.encode(), "sha256").hexdigest()
        return f"rater:{digest[:PSEUDONYM_DIGITS]}"

    return name


def by_name(principal: str) -> str:
    """Return the principal unchanged."""
    return principal


def label_of(factoid: Factoid) -> str:
    """Return the label: `confirmed`, `rejected` or `belief`; empty if undecided."""
    if factoid.state is FactoidState.REJECTED:
        return "rejected"
    if factoid.state is FactoidState.CONFIRMED:
        return "belief" if factoid.belief else "confirmed"
    return ""


def example(
    factoid: Factoid, events: list[ValidationEvent], naming: Naming
) -> dict[str, Any]:
    """Return a decided candidate as a labelled example.

    Args:
        factoid: The candidate.
        events: Its answers, oldest first. Those that stand become votes.
        naming: Returns the name of a voter.
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
    """Format a time in seconds since the epoch as RFC 3339; empty for None."""
    if seconds is None:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
