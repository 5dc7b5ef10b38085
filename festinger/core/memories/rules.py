"""Rules of the memory types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from festinger.core.memories.support import Support
from festinger.core.memories.types import MemoryType
from festinger.core.memories.violations import (
    FACT,
    NARRATIVE,
    PATTERN,
    Check,
    TypeViolation,
)


class Authority(StrEnum):
    """Use that an agent may make of a memory."""

    ADVISORY = "advisory"
    """It informs, but is never absolute."""
    SUGGESTION = "suggestion"
    """The person's word outweighs it."""
    WARMTH = "warmth"
    """It may set a warm tone, and nothing else."""


@dataclass(frozen=True, slots=True)
class TypeRule:
    """Rule of a memory type.

    Attributes:
        threshold: Minimum confidence of a stored memory.
        active: Minimum confidence of a memory that is told without a review; None if
            people decide, whatever the confidence.
        proposal: Minimum confidence of a claim below the threshold that is logged as a
            proposal; None for no proposals.
        window_days: Half-life of the confidence in days; None for no decay.
        breaches: Kinds of claims that it does not accept, each with its check.
    """

    threshold: float
    active: float | None
    window_days: float | None
    authority: Authority
    proposal: float | None = None
    breaches: Mapping[TypeViolation, Check] | None = None


def breach(
    rule: TypeRule, claim: str, supports: Sequence[Support]
) -> TypeViolation | None:
    """Return the first breach that a claim is; None if it may be stored."""
    # The patterns expect single blanks.
    claim = " ".join(claim.split())
    for each, found in (rule.breaches or {}).items():
        if found(claim, supports):
            return each
    return None


_ENGINEERING = TypeRule(0.0, None, None, Authority.ADVISORY)
"""People always decide; decisions and measurements do not fade."""

RULES: Mapping[MemoryType, TypeRule] = {
    # Every type has a rule; three replace theirs below.
    **dict.fromkeys(MemoryType, _ENGINEERING),
    MemoryType.USER_FACT: TypeRule(0.80, 0.80, 30.0, Authority.ADVISORY, breaches=FACT),
    # Between 0.75 and 0.80 people decide, from 0.60 a pattern is logged as a proposal (G3).
    MemoryType.USER_PATTERN: TypeRule(
        0.75, 0.80, 14.0, Authority.SUGGESTION, proposal=0.60, breaches=PATTERN
    ),
    MemoryType.SHARED_NARRATIVE: TypeRule(
        0.60, 0.60, 7.0, Authority.WARMTH, breaches=NARRATIVE
    ),
}
"""Rules of the specification's three types and of the engineering types."""
