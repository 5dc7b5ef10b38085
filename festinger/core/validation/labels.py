"""Labelled examples of decided candidates, to train models with."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.system.wordsets import word_list
from festinger.core.validation.votes import ValidationEvent, last_votes, votes_of

PSEUDONYM_DIGITS = 16  # 64 bits: no two raters of a tenant share one

Naming = Callable[[str], str]
"""Function that returns the name of a principal in an example."""


# Keyed: without the key, names could be guessed and hashed to compare.
def pseudonyms(key: bytes) -> Naming:
    """Return a naming by stable pseudonyms, which reveal nothing without the key."""

    def name(principal: str) -> str:
        """Return a principal's pseudonym."""
        digest = hmac.new(key, principal.encode(), "sha256").hexdigest()
        return f"rater:{digest[:PSEUDONYM_DIGITS]}"

    return name


def by_name(principal: str) -> str:
    """Return the principal unchanged."""
    return principal


def label_of(candidate: Candidate) -> str:
    """Return the label: `confirmed`, `rejected` or `belief`; empty if undecided."""
    if candidate.state is CandidateState.REJECTED:
        return "rejected"
    # A belief is neither true nor false to a model that learns: it has its own label.
    if candidate.state is CandidateState.CONFIRMED:
        return "belief" if candidate.belief else "confirmed"
    return ""


def example(
    candidate: Candidate, events: list[ValidationEvent], naming: Naming
) -> dict[str, Any]:
    """Return a decided candidate as a labelled example.

    Args:
        events: Its answers, oldest first. Those that stand become votes.
    """
    triple = candidate.triple
    # These names are the format of the exported file.
    return {
        "text": candidate.evidence,
        "candidate": {
            "subject": triple.concept,
            "predicate": candidate.predicate,
            "object": triple.parent,
            "dimension": triple.dimension,
            "is_isa": triple.is_isa,
            "negated": triple.negated,
            "subject_raw": candidate.subject_raw,
            "object_raw": candidate.object_raw,
            "cid": candidate.cid,
        },
        "label": label_of(candidate),
        "votes": _votes(events, naming),
        "decision": {
            "rule": candidate.decision_rule,
            "posterior": candidate.posterior,
            "time": _moment(candidate.decided),
        },
        **{
            name: getattr(candidate, name)
            for name in word_list("""
                confidence rule source extractor_version model_version prompt_hash
                message_cid justification
            """)
        },
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
        for vote in sorted(
            last_votes(votes_of(list(events))), key=lambda it: (it.cast_at, it.rater)
        )
    ]


def _moment(seconds: float | None) -> str:
    """Format a time in seconds since the epoch as RFC 3339; empty for None."""
    if seconds is None:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
