"""How far an extraction is relied on: four factors, and never more than its author (G2).

    score = explicit mention + repetition + consistency + credibility, within [0, 1]
    final = min(what the model says, score)
    final = what the model says × explicit mention / 0.30, if it is not grounded

The specification's worked examples and its table of factors disagree in one figure:
they give an explicit fact a credibility of 0.25, the table 0.40. Both hold, because a
score never exceeds what the model says: of the first example's 0.30 + 0.20 + 0.20 + 0.40
no more than 0.95 counts, so 0.25 of the last factor. `Score.breakdown` tells what counts.
"""

# ruff: noqa: RUF002 - a formula
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import isfinite

from festinger.core.memories.support import Mention, Support
from festinger.core.memories.types import MemoryType


@dataclass(frozen=True, slots=True)
class Factors:
    """What each finding is worth; configuration may replace it.

    Attributes:
        exact: It stands there; `phrases`: its words do; `similar`: half of them.
        twice: It is mentioned twice; `often`: three times or more.
        consistent: It contradicts nothing that is known, or nothing is known.
        contradicting: It does; at most 0.
        explicit_fact: A fact that was said; what else it may be, below.
    """

    exact: float = 0.30
    phrases: float = 0.20
    similar: float = 0.10
    twice: float = 0.10
    often: float = 0.20
    consistent: float = 0.20
    contradicting: float = -0.25
    explicit_fact: float = 0.40
    repeated_pattern: float = 0.35
    single_pattern: float = 0.25
    narrative: float = 0.35

    @classmethod
    def from_table(cls, table: Mapping[str, float]) -> Factors:
        """The factors of a configuration; those that it does not name are as usual.

        Raises:
            ValueError: There is no such factor, or it cannot have that value.
        """
        names = {each.name for each in fields(cls)}
        for name, value in table.items():
            if name not in names:
                raise ValueError(
                    f"{name} is no factor. There are: {', '.join(sorted(names))}"
                )
            low, high = (-1.0, 0.0) if name == "contradicting" else (0.0, 1.0)
            if not low <= value <= high:
                raise ValueError(f"{name} must be from {low:g} to {high:g}")
        if table.get("exact") == 0.0:
            raise ValueError("exact must be above 0: others are divided by it")
        return cls(**table)

    def mention(self, mention: Mention) -> float:
        """The first factor."""
        return {
            Mention.EXACT: self.exact,
            Mention.PHRASES: self.phrases,
            Mention.SIMILAR: self.similar,
            Mention.NONE: 0.0,
        }[mention]

    def repetition(self, mentions: int) -> float:
        """The second factor."""
        if mentions >= 3:
            return self.often
        return self.twice if mentions == 2 else 0.0

    def credibility(self, type: MemoryType, mentions: int, *, explicit: bool) -> float:
        """The fourth factor."""
        if type is MemoryType.SHARED_NARRATIVE:
            return self.narrative
        if type is MemoryType.USER_PATTERN:
            return self.repeated_pattern if mentions >= 2 else self.single_pattern
        return self.explicit_fact if explicit else 0.0


FACTORS = Factors()


@dataclass(frozen=True, slots=True)
class Score:
    """How far an extraction is relied on, and why.

    Attributes:
        said: How sure the model is, in [0.0, 1.0].
        weight: What the mention is worth of an exact one; used where nothing grounds.
    """

    found: Mention
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
        return round(min(1.0, max(0.0, factors)), 4)

    @property
    def final(self) -> float:
        """The confidence, in [0.0, 1.0]."""
        if not self.grounded:
            return round(min(1.0, self.said * self.weight), 4)
        return min(self.said, self.total)

    def breakdown(self) -> dict[str, float]:
        """What counts of each factor; the last is cut where the model is less sure."""
        others = self.mention + self.repetition + self.consistency
        counted = min(self.credibility, max(0.0, self.said - others))
        return {
            str(self.found): round(self.mention, 4),
            "repetition": round(self.repetition, 4),
            "consistency": round(self.consistency, 4),
            "type_credibility": round(counted, 4),
            "total": self.final,
        }


def score(
    type: MemoryType,
    confidence: float,
    support: Support,
    *,
    grounded: bool,
    contradicted: bool = False,
    explicit: bool | None = None,
    factors: Factors = FACTORS,
) -> Score:
    """Scores an extraction.

    Args:
        confidence: The model's.
        grounded: Whether its text supports it at all.
        contradicted: Whether it contradicts anything known.
        explicit: Whether the person said it; None if its mention tells.
    """
    mention = factors.mention(support.mention)
    said_so = support.mention in (Mention.EXACT, Mention.PHRASES)
    return Score(
        support.mention,
        mention,
        factors.repetition(support.mentions),
        factors.contradicting if contradicted else factors.consistent,
        factors.credibility(
            type, support.mentions, explicit=said_so and explicit is not False
        ),
        said=sure(confidence),
        weight=mention / factors.exact,
        grounded=grounded,
    )


def sure(confidence: float) -> float:
    """A model's confidence within [0.0, 1.0]; 0 if it is no number."""
    return min(1.0, max(0.0, confidence)) if isfinite(confidence) else 0.0
