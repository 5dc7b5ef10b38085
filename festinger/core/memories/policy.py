"""Policy of the decisions about a model's extractions."""

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
    """Thresholds, factors and rules of decisions; configuration may replace them."""

    thresholds: Thresholds = THRESHOLDS
    factors: Factors = FACTORS
    rules: Mapping[MemoryType, TypeRule] = field(default_factory=lambda: RULES)


POLICY = MemoryPolicy()
"""The default policy."""


def policy_of(settings: Settings) -> MemoryPolicy:
    """Return the policy of a configuration."""
    bands, memories = settings.grounding, settings.memories
    return MemoryPolicy(
        Thresholds(bands.grounded, bands.candidate),
        Factors.from_table(memories.factors.model_dump()),
        _rules(memories.thresholds),
    )


def _rules(said: ThresholdSettings) -> dict[MemoryType, TypeRule]:
    """Return the rules of all types, with the configured thresholds."""
    fact = RULES[MemoryType.USER_FACT]
    pattern = RULES[MemoryType.USER_PATTERN]
    narrative = RULES[MemoryType.SHARED_NARRATIVE]
    return {
        **RULES,
        # A fact or narrative that is stored is told; only patterns have a band for people.
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
