"""By what it is decided what becomes of what a model extracted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from festinger.config import Settings, ThresholdSettings
from festinger.core.language.grounding import THRESHOLDS, Thresholds
from festinger.core.memories.rules import RULES, TypeRule
from festinger.core.memories.scoring import FACTORS, Factors
from festinger.core.memories.types import MemoryType


@dataclass(frozen=True, slots=True)
class MemoryPolicy:
    """How it is decided; configuration may replace any of it."""

    thresholds: Thresholds = THRESHOLDS
    factors: Factors = FACTORS
    rules: Mapping[MemoryType, TypeRule] = field(default_factory=lambda: RULES)


POLICY = MemoryPolicy()
"""The one of a configuration that says nothing of it."""


def policy_of(settings: Settings) -> MemoryPolicy:
    """The policy of a configuration."""
    bands, memories = settings.grounding, settings.memories
    return MemoryPolicy(
        Thresholds(bands.grounded, bands.candidate),
        Factors.from_table(memories.factors.model_dump()),
        _rules(memories.thresholds),
    )


def _rules(said: ThresholdSettings) -> dict[MemoryType, TypeRule]:
    """The rules of all types, with the confidence that is asked for."""
    fact = RULES[MemoryType.USER_FACT]
    pattern = RULES[MemoryType.USER_PATTERN]
    narrative = RULES[MemoryType.SHARED_NARRATIVE]
    return {
        **RULES,
        MemoryType.USER_FACT: replace(
            fact, threshold=said.user_fact, active=said.user_fact
        ),
        MemoryType.USER_PATTERN: replace(
            pattern,
            threshold=said.user_pattern,
            active=said.user_pattern_active,
            proposal=said.user_pattern_proposal,
        ),
        MemoryType.SHARED_NARRATIVE: replace(
            narrative, threshold=said.shared_narrative, active=said.shared_narrative
        ),
    }
