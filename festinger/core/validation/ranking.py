"""Which candidates are worth a question, since few may be asked."""

from __future__ import annotations

from math import log2, log10
from typing import NamedTuple

from festinger.core.graph.candidates import Factoid, Priority

_URGENCY = {
    Priority.CRITICAL: 0,
    Priority.HIGH: 1,
    Priority.NORMAL: 2,
    Priority.LOW: 3,
}


class Interest(NamedTuple):
    """What the memory knows around a candidate.

    Attributes:
        saliency: How often its subject and object are met: log10 of the counts (B4), the
            greater of the two.
        novel: Whether nothing is held of the subject in this dimension.
        confidence: What its machine's confidence is worth; None for as much as it says.
    """

    saliency: float = 0.0
    novel: bool = True
    confidence: float | None = None


NOTHING_KNOWN = Interest()


def urgency(priority: Priority) -> int:
    """The place of a priority, the most urgent first."""
    return _URGENCY[priority]


def worth(factoid: Factoid, interest: Interest = NOTHING_KNOWN) -> float:
    """How much an answer would tell, from 0.

    It is ambiguous (a coin's toss tells 1 bit), it is of value (what it is about is met
    often, it was stated more than once, it runs against a fact), and it is new.
    """
    value = interest.saliency / 2 + log10(max(factoid.statements, 1))
    clash = 1.0 if factoid.contradicts else 0.0
    novelty = 1.0 if interest.novel else 0.0
    share = factoid.confidence if interest.confidence is None else interest.confidence
    return _bits(share) + value + clash + novelty


def order(
    factoid: Factoid, interest: Interest = NOTHING_KNOWN
) -> tuple[int, float, float, int]:
    """What candidates are sorted by: urgent, then worth it, then soon over, then old."""
    over = float("inf") if factoid.expires is None else factoid.expires
    return urgency(factoid.priority), -worth(factoid, interest), over, factoid.id


def _bits(share: float) -> float:
    """The entropy of a yes or no, in bits."""
    if not 0.0 < share < 1.0:
        return 0.0
    return -share * log2(share) - (1.0 - share) * log2(1.0 - share)
