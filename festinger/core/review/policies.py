"""Policies for promoting candidates without a person; all are off by default.

A policy only states that a candidate is eligible, and changes nothing. This module does
not refer to trusted state, which nothing reaches without a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from festinger.core.memories.types import MemoryKind, MemoryType, Status

REFERENCES_MIN = 5  # interactions; the specification's N and M (7 days)
REFERENCES_SECONDS = 7 * 24 * 3600
CONFIDENCE_MIN = 0.80
"""No heading reaches the document's 0.85: the highest prior gives 0.81 (H2)."""

_HEADING = "heading"  # also `heading_section`
_PERSONAL = (MemoryType.IDENTITY, MemoryType.PREFERENCE)
# The specification's exceptions: too consequential to be promoted unseen.
_CONSEQUENTIAL = (MemoryType.DECISION, MemoryType.VALIDATION_CLAIM)
# "I am …", "I'm …", "I really prefer …": what a person says of themselves; both apostrophes.
_FIRST_PERSON = re.compile(
    r"\s*(?:i am|i['’]m|i (?:(?:really|strongly|always|much) )?prefer)\s+\S",  # noqa: RUF001
    re.IGNORECASE,
)


class PromotionPolicy(StrEnum):
    """Reason for promoting a candidate without a person."""

    REFERENCES = "references"
    """It was found in many interactions within a few days, and no reviewer saw it."""
    CONFIDENCE = "confidence"
    """A heading states it, with high confidence."""
    PERSONAL = "personal"
    """A person stated it of themselves, in the first person."""


@dataclass(frozen=True, slots=True)
class Policies:
    """Switches of the policies; all are off by default."""

    references: bool = False
    confidence: bool = False
    personal: bool = False


@dataclass(frozen=True, slots=True)
class CandidateFacts:
    """Properties of a candidate that policies check.

    Attributes:
        confidence: In [0.0, 1.0], as first written.
        interaction: Whether it was found in an interaction; otherwise in a document.
        seen: Whether a reviewer has looked at it.
        references: For each interaction in which it was found, the last time of that,
            in seconds since the epoch.
    """

    kind: MemoryKind
    type: MemoryType
    status: Status
    content: str
    rule: str
    confidence: float
    interaction: bool = False
    seen: bool = False
    references: Sequence[float] = ()


def eligible(
    entry: CandidateFacts, policies: Policies, *, now: float
) -> tuple[PromotionPolicy, ...]:
    """Return the policies that are on and by which a candidate could be promoted."""
    if entry.status is not Status.CANDIDATE or _is_consequential(entry):
        return ()
    checks = (
        (PromotionPolicy.REFERENCES, policies.references and _is_often_met(entry, now)),
        (PromotionPolicy.CONFIDENCE, policies.confidence and _is_sure(entry)),
        (PromotionPolicy.PERSONAL, policies.personal and _is_of_oneself(entry)),
    )
    return tuple(policy for policy, passes in checks if passes)


def _is_consequential(entry: CandidateFacts) -> bool:
    return entry.kind is MemoryKind.ENTITY and entry.type in _CONSEQUENTIAL


def _is_often_met(entry: CandidateFacts, now: float) -> bool:
    # Times in the future are those of a wrong clock.
    recent = [at for at in entry.references if 0 <= now - at < REFERENCES_SECONDS]
    # What a reviewer has seen is theirs to decide.
    return not entry.seen and len(recent) >= REFERENCES_MIN


def _is_sure(entry: CandidateFacts) -> bool:
    return entry.confidence >= CONFIDENCE_MIN and entry.rule.startswith(_HEADING)


def _is_of_oneself(entry: CandidateFacts) -> bool:
    """Return True for a personal memory in the first person, from an interaction."""
    return (
        entry.kind is MemoryKind.MEMORY
        and entry.type in _PERSONAL
        and entry.interaction  # in a document, "I" may be anybody
        and _FIRST_PERSON.match(entry.content) is not None
    )
