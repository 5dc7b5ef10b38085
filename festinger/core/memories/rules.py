"""What each type of memory asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from festinger.core.memories.breaches import (
    FACT,
    NARRATIVE,
    PATTERN,
    Breach,
    Check,
)
from festinger.core.memories.support import Support
from festinger.core.memories.types import MemoryType


class Authority(StrEnum):
    """What an agent may make of a memory."""

    ADVISORY = "advisory"
    """It informs, and is never absolute."""
    SUGGESTION = "suggestion"
    """The person's word outweighs it."""
    WARMTH = "warmth"
    """It makes for a warm tone, and for nothing else."""


@dataclass(frozen=True, slots=True)
class TypeRule:
    """What a type asks for.

    Attributes:
        threshold: The confidence from which it is stored.
        active: The confidence from which it is told without being asked about; None if
            that is for people to say, whatever the confidence.
        proposal: From there to the threshold it is logged as a proposal; None if not.
        window_days: In which half of the confidence fades; None if it does not.
        breaches: What it does not take, each with its check.
    """

    threshold: float
    active: float | None
    window_days: float | None
    authority: Authority
    proposal: float | None = None
    breaches: Mapping[Breach, Check] | None = None


def breach(rule: TypeRule, claim: str, supports: Sequence[Support]) -> Breach | None:
    """What a claim is that its type does not take; None if it may be stored.

    Args:
        supports: What stands of it in the summary and, if there are, in the turns.
    """
    claim = " ".join(claim.split())
    for each, found in (rule.breaches or {}).items():
        if found(claim, supports):
            return each
    return None


_ENGINEERING = TypeRule(0.0, None, None, Authority.ADVISORY)
"""Always for people to decide; what was decided or measured does not fade."""

RULES: Mapping[MemoryType, TypeRule] = {
    **dict.fromkeys(MemoryType, _ENGINEERING),
    MemoryType.USER_FACT: TypeRule(0.80, 0.80, 30.0, Authority.ADVISORY, breaches=FACT),
    MemoryType.USER_PATTERN: TypeRule(
        0.75, 0.80, 14.0, Authority.SUGGESTION, proposal=0.60, breaches=PATTERN
    ),
    MemoryType.SHARED_NARRATIVE: TypeRule(
        0.60, 0.60, 7.0, Authority.WARMTH, breaches=NARRATIVE
    ),
}
"""The specification's three types, and the engineers'."""
