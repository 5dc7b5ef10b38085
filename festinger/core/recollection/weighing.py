"""Logistic functions with fitted weights, as used by recollection.

The weights are in `weights.json`, with their origin; `python -m benchmarks.relevance
--fit` refits them from labelled conversations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from math import exp
from operator import mul
from typing import Any, Final

from festinger.core.lines.line import IndexedLine
from festinger.core.recollection.features import (
    EMBEDDED,
    GATE,
    GENERAL,
    LINE,
    STATEMENT,
    STATEMENT_SUCCESSOR,
    SUCCESSOR,
)

LIMIT: Final = 40.0
"""Absolute value beyond which a logistic function is 0 or 1 in floating point."""
SMALL_LINES: Final = 20
"""Number of lines of a memory below which few of them are told: in a first evening all are
somewhat like any prompt."""
SMALL_SHARE: Final = 0.2
"""Minimum of `RelevanceWeights.share` in such a memory."""
ODDS_LEAST: Final = 1e-9
"""Keeps the odds of a certain line finite."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic function.

    Attributes:
        bias: Constant term.
        weights: Weights of the features, in their order.
    """

    bias: float
    weights: Sequence[float]

    def probability(self, values: Sequence[float]) -> float:
        """Return the value of the function for the features' values, in order."""
        total = self.bias + sum(map(mul, self.weights, values))
        # `exp` overflows beyond 709; at 40 the result is 0 or 1 already.
        return 1 / (1 + exp(-max(-LIMIT, min(LIMIT, total))))


@dataclass(frozen=True, slots=True)
class RelevanceWeights:
    """All fitted weights and thresholds.

    Attributes:
        line: Probability that a line helps with a prompt.
        statement: The same of a statement with an origin.
        gate: Probability that a prompt benefits from this memory.
        general: Probability that a turn is a prompt for any model, with nothing to keep.
        successor: Probability that a later sentence changes an earlier one.
        statement_successor: The same of a statement with an origin.
        open_from: Threshold of `gate`.
        general_from: Threshold of `general`.
        later_from: Threshold of `successor` and `statement_successor`.
        told_later_from: Threshold of `successor` among the lines of a block.
        least: Minimum probability of a line that is recalled.
        share: The same, as a share of the odds of the best line.
        embedded: Weights for prompts with an embedding, by the name of its model.
    """

    line: Logistic
    statement: Logistic
    gate: Logistic
    general: Logistic
    successor: Logistic
    statement_successor: Logistic
    open_from: float
    general_from: float
    later_from: float
    told_later_from: float
    least: float
    share: float
    embedded: Mapping[str, RelevanceWeights] = field(default_factory=dict)

    def of(self, line: IndexedLine) -> Logistic:
        """Return the function that scores a line."""
        # Statements have features that sentences lack, and so weights of their own.
        return self.line if line.origin is None else self.statement

    def in_memory_of(self, lines: int) -> RelevanceWeights:
        """Return the weights for a memory of so many lines."""
        if lines >= SMALL_LINES or self.share >= SMALL_SHARE:
            return self
        return replace(self, share=SMALL_SHARE)

    def least_beside(self, best: float) -> float:
        """Return the minimum probability of a line beside the likeliest one."""
        # By odds: beside a line that answers surely, one that may help is noise.
        odds = self.share * best / max(1.0 - best, ODDS_LEAST)
        return max(self.least, odds / (1.0 + odds))

    def of_change(self, line: IndexedLine) -> Logistic:
        """Return the function that judges whether a later sentence changes a line."""
        return self.successor if line.origin is None else self.statement_successor

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RelevanceWeights:
        """Return the weights in a JSON file."""
        limits = data["thresholds"]
        plain = cls(
            _logistic(data["line"], LINE),
            _logistic(data["statement"], STATEMENT),
            _logistic(data["gate"], GATE),
            _logistic(data["general"], GENERAL),
            _logistic(data["successor"], SUCCESSOR),
            _logistic(data["statement_successor"], STATEMENT_SUCCESSOR),
            limits["gate"],
            limits["general"],
            limits["successor"],
            limits["told_successor"],
            limits["least"],
            limits["share"],
        )
        # Weights hold for the model of embeddings that they were fitted to (J17).
        embedded = {
            model: replace(
                plain,
                line=_logistic(other["line"], (*LINE, *EMBEDDED)),
                statement=_logistic(other["statement"], (*STATEMENT, *EMBEDDED)),
                gate=_logistic(other["gate"], GATE),
                open_from=other["thresholds"]["gate"],
                share=other["thresholds"]["share"],
            )
            for model, other in data.get("embedded", {}).items()
        }
        return replace(plain, embedded=embedded)


# Read once in a process: every prompt asks for them.
@cache
def shipped() -> RelevanceWeights:
    """Return the built-in weights."""
    file = files("festinger.core.recollection").joinpath("weights.json")
    return RelevanceWeights.from_json(json.loads(file.read_text("utf-8")))


def _logistic(data: Mapping[str, Any], names: Sequence[str]) -> Logistic:
    # By name, so that a feature without a weight fails loudly instead of shifting the rest.
    weights = data["weights"]
    return Logistic(data["bias"], tuple(weights[name] for name in names))
