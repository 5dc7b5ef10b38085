"""Logistic functions whose weights are data: what recollection judges by.

The numbers stand in `weights.json`, with their origin; `python -m benchmarks.relevance
--fit` makes them anew from labelled conversations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from operator import mul
from typing import Any, Final

from festinger.core.lines.index import IndexedLine
from festinger.core.recollection.features import GATE, LINE, STATEMENT, SUCCESSOR

LIMIT: Final = 40.0
"""Beyond it a logistic function is 0 or 1 as far as floats can tell."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic function.

    Attributes:
        weights: One for each feature, in their order.
    """

    bias: float
    weights: Sequence[float]

    def probability(self, values: Sequence[float]) -> float:
        """Return the function's value for the features' values, in their order."""
        total = self.bias + sum(map(mul, self.weights, values))
        return 1 / (1 + exp(-max(-LIMIT, min(LIMIT, total))))


@dataclass(frozen=True, slots=True)
class Weighing:
    """All that is fitted.

    Attributes:
        line: Whether a line helps with a prompt.
        statement: Whether a statement does that was read from words.
        gate: Whether a prompt goes better with anything from this memory.
        successor: Whether a later line changes what an earlier one says.
        open_from: What the gate must say at least.
        later_from: What `successor` must say at least.
        least: How likely a line that is told must be to help.
        share: The same, as a share of what the best line is.
    """

    line: Logistic
    statement: Logistic
    gate: Logistic
    successor: Logistic
    open_from: float
    later_from: float
    least: float
    share: float

    def of(self, line: IndexedLine) -> Logistic:
        """Return what a line is judged by."""
        return self.line if line.origin is None else self.statement

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Weighing:
        """Return what a file of weights holds.

        Raises:
            KeyError: A feature has no weight.
        """
        limits = data["thresholds"]
        return cls(
            _logistic(data["line"], LINE),
            _logistic(data["statement"], STATEMENT),
            _logistic(data["gate"], GATE),
            _logistic(data["successor"], SUCCESSOR),
            limits["gate"],
            limits["successor"],
            limits["least"],
            limits["share"],
        )


@cache
def shipped() -> Weighing:
    """Return the weights that Festinger comes with."""
    file = files("festinger.core.recollection").joinpath("weights.json")
    return Weighing.from_json(json.loads(file.read_text("utf-8")))


def _logistic(data: Mapping[str, Any], names: Sequence[str]) -> Logistic:
    weights = data["weights"]
    return Logistic(data["bias"], tuple(weights[name] for name in names))
