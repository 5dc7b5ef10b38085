"""Confidence of an extraction: four factors, limited by the model's confidence (G2).

score = explicit mention + repetition + consistency + credibility, within [0, 1]
final = min(model's confidence, score)
final = model's confidence × explicit mention / 0.30, if it is not grounded
"""

# ruff: noqa: RUF002 - a formula
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import isfinite

from festinger.core.memories.support import MentionKind, Support
from festinger.core.memories.types import MemoryType


@dataclass(frozen=True, slots=True)
class Factors:
    """Weights of the factors, which configuration may replace.

    Attributes:
        exact: Mention of a claim that is quoted in the text.
        phrases: Mention of a claim all of whose words are in the text.
        similar: Mention of a claim half of whose words are, or that is in other words.
        twice: Repetition of a claim with two mentions.
        often: Repetition of a claim with three mentions or more.
        consistent: Consistency of a claim that contradicts no known memory.
        contradicting: Consistency of a claim that contradicts one; at most 0.
        explicit_fact: Credibility of a fact that was stated explicitly.
        repeated_pattern: Credibility of a pattern with two mentions or more.
        single_pattern: Credibility of a pattern with fewer mentions.
    """

    exact: float = 0.30
    phrases: float = 0.20
    similar: float = 0.10
    twice: float = 0.10
    often: float = 0.20
    consistent: float = 0.20
    contradicting: float = -0.25
    # As in the specification's table. Its examples have 0.25, the part that counts of it below
    # a model's confidence of 0.95.
    explicit_fact: float = 0.40
    repeated_pattern: float = 0.35
    single_pattern: float = 0.25
    narrative: float = 0.35

    @classmethod
    def from_table(cls, table: Mapping[str, float]) -> Factors:
        """Return the factors of a configuration, with defaults for those not named.

        Raises:
            ValueError: A factor is unknown, or its value is out of range.
        """
        names = {each.name for each in fields(cls)}
        for name, value in table.items():
            if name not in names:
                raise ValueError(
                    f"{name} is no factor. There are: {', '.join(sorted(names))}"
                )
            # A contradiction may only lower a score.
            low, high = (-1.0, 0.0) if name == "contradicting" else (0.0, 1.0)
            if not low <= value <= high:
                raise ValueError(f"{name} must be from {low:g} to {high:g}")
        # The score of what is not grounded is a share of it.
        if table.get("exact") == 0.0:
            raise ValueError("exact must be above 0: others are divided by it")
        return cls(**table)

    def mention(self, mention: MentionKind) -> float:
        """Return the factor for the explicit mention."""
        return {
            MentionKind.EXACT: self.exact,
            MentionKind.PHRASES: self.phrases,
            MentionKind.SIMILAR: self.similar,
            MentionKind.NONE: 0.0,
        }[mention]

    def repetition(self, mentions: int) -> float:
        """Return the factor for the repetition."""
        if mentions >= 3:
            return self.often
        return self.twice if mentions == 2 else 0.0

    def credibility(self, type: MemoryType, mentions: int, *, explicit: bool) -> float:
        """Return the factor for the credibility of the type."""
        if type is MemoryType.SHARED_NARRATIVE:
            return self.narrative
        if type is MemoryType.USER_PATTERN:
            return self.repeated_pattern if mentions >= 2 else self.single_pattern
        return self.explicit_fact if explicit else 0.0


FACTORS = Factors()


@dataclass(frozen=True, slots=True)
class Score:
    """Score of an extraction, with its factors.

    Attributes:
        said: The model's confidence, in [0.0, 1.0].
        weight: The mention's factor as a share of that of an exact mention; used for a
            claim that is not grounded.
    """

    mention: float
    repetition: float
    consistency: float
    credibility: float
    said: float
    weight: float
    grounded: bool

    @property
    def total(self) -> float:
        """The sum of the factors, within [0.0, 1.0]."""
        factors = self.mention + self.repetition + self.consistency + self.credibility
        # Rounded: 0.3 + 0.2 + 0.2 + 0.1 is less than 0.8 in floating point.
        return round(min(1.0, max(0.0, factors)), 4)

    @property
    def final(self) -> float:
        """The resulting confidence, in [0.0, 1.0]."""
        if not self.grounded:
            return round(min(1.0, self.said * self.weight), 4)
        # The model's own confidence can only lower the score (G2).
        return min(self.said, self.total)


def score(
    type: MemoryType,
    confidence: float,
    support: Support,
    *,
    grounded: bool,
    contradicted: bool = False,
    factors: Factors = FACTORS,
) -> Score:
    """Score an extraction.

    Args:
        grounded: Whether its text supports it, fully or partly.
        contradicted: Whether it contradicts a known memory or another claim.
    """
    mention = factors.mention(support.mention)
    said_so = support.mention in (MentionKind.EXACT, MentionKind.PHRASES)
    return Score(
        mention,
        factors.repetition(support.mentions),
        factors.contradicting if contradicted else factors.consistent,
        # Only a fact that is in the text may count as stated explicitly.
        factors.credibility(type, support.mentions, explicit=said_so),
        said=sure(confidence),
        weight=mention / factors.exact,
        grounded=grounded,
    )


def sure(confidence: float) -> float:
    """Limit a model's confidence to [0.0, 1.0]; 0 if it is not finite."""
    return min(1.0, max(0.0, confidence)) if isfinite(confidence) else 0.0
