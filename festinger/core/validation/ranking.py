"""Ranking of candidates by the value of a question, since few may be asked."""

from __future__ import annotations

from math import log2, log10
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate, Priority

_URGENCY = {Priority.CRITICAL: 0, Priority.HIGH: 1, Priority.NORMAL: 2, Priority.LOW: 3}


class RankingInput(NamedTuple):
    """Properties of a candidate's concepts and confidence that affect its rank.

    Attributes:
        saliency: Saliency of its subject or object, whichever is greater: log10 of the
            number of encounters (B4).
        novel: Whether nothing is held of the subject in this dimension.
        confidence: Calibrated confidence; None to use the raw one.
    """

    saliency: float = 0.0
    novel: bool = True
    confidence: float | None = None


NOTHING_KNOWN = RankingInput()


def urgency(priority: Priority) -> int:
    """Return the rank of a priority; 0 is the most urgent."""
    return _URGENCY[priority]


def worth(candidate: Candidate, interest: RankingInput = NOTHING_KNOWN) -> float:
    """Return the value of an answer, at least 0."""
    # A false fact about a salient concept would be told often; repeated statements matter more.
    value = interest.saliency / 2 + log10(max(candidate.statements, 1))
    clash = 1.0 if candidate.contradicts else 0.0
    novelty = 1.0 if interest.novel else 0.0
    # Calibrated where the extractor is known: its raw confidence may be far off.
    share = candidate.confidence if interest.confidence is None else interest.confidence
    # A confidence of 0.5 is worth 1 bit, a near certainty almost nothing.
    return _bits(share) + value + clash + novelty


def order(
    candidate: Candidate, interest: RankingInput = NOTHING_KNOWN
) -> tuple[int, float, float, int]:
    """Return the sort key of a candidate: urgency, worth, time of expiry, then age."""
    over = float("inf") if candidate.expires is None else candidate.expires
    # The id is the age, and makes the order total.
    return urgency(candidate.priority), -worth(candidate, interest), over, candidate.id


def _bits(share: float) -> float:
    """Return the entropy of a binary outcome of this probability, in bits."""
    if not 0.0 < share < 1.0:
        return 0.0
    return -share * log2(share) - (1.0 - share) * log2(1.0 - share)
