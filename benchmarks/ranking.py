"""Fits logistic functions to labelled cases, alone or beside the others of their prompt.

What tells a line that helps from the other lines of its prompt is fitted by a conditional
logit: of thousands of lines most are unlike their prompt, and fitted to each alone, a
function learns above all to tell those. How likely the best of them help is fitted then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from festinger.core.recollection.features import LINE
from festinger.core.recollection.weighing import Logistic

ROUNDS: Final = 30
"""Maximum number of steps of Newton's method."""
FOLDS: Final = 6
"""Groups of parts; each is judged by what was fitted to the others."""
NEGLIGIBLE: Final = 1e-6
"""Size of a step behind which nothing changes any more."""
CALIBRATION_PENALTY: Final = 1e-3
"""L2 of the probability of a line, which has two features only."""
_SIZE: Final = LINE.index("size")

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass
class Cases:
    """Features of what was judged, and how it should have been."""

    values: list[Sequence[float]] = field(default_factory=list)
    labels: list[float] = field(default_factory=list)

    def add(self, values: Sequence[float], label: bool) -> None:
        """Add one."""
        self.values.append(values)
        self.labels.append(float(label))

    @classmethod
    def joined(cls, parts: Sequence[Cases]) -> Cases:
        """Return all of several."""
        return cls(
            [it for part in parts for it in part.values],
            [it for part in parts for it in part.labels],
        )

    def fit(self, penalty: float) -> Logistic:
        """Return the function that tells the labels best, by Newton's method."""
        values = np.array(self.values, dtype=np.float64)
        labels = np.array(self.labels)
        mean, spread = values.mean(0), _spread(values)
        ones = np.ones((len(values), 1))
        data = np.hstack([ones, (values - mean) / spread])
        held = np.full(data.shape[1], penalty)
        held[0] = 1e-6
        weights = np.zeros(data.shape[1])
        for _ in range(ROUNDS):
            chance = 1 / (1 + np.exp(-np.clip(data @ weights, -40, 40)))
            slope = data.T @ (labels - chance) - held * weights
            bend = (data.T * (chance * (1 - chance))) @ data + np.diag(held)
            step = np.linalg.solve(bend, slope)
            weights += step
            if np.abs(step).max() < NEGLIGIBLE:
                break
        scaled = weights[1:] / spread
        bias = float(weights[0] - (scaled * mean).sum())
        return Logistic(bias, tuple(float(it) for it in scaled))


def held_out(
    parts: Sequence[Cases],
    fitted: Sequence[Cases],
    penalty: float,
    besides: Sequence[Cases] = (),
) -> list[float]:
    """Return the probabilities of unlabelled cases by functions fitted to other parts.

    Args:
        parts: Cases that are judged, in parts.
        fitted: What is fitted of each part.
        besides: What is fitted always.
    """
    found: list[float] = []
    for fold in range(FOLDS):
        # A single part has no others.
        others = [it for at, it in enumerate(fitted) if at % FOLDS != fold] or fitted
        function = Cases.joined([*besides, *others]).fit(penalty)
        found += [
            function.probability(values)
            for held in parts[fold::FOLDS]
            for values, label in zip(held.values, held.labels, strict=True)
            if not label
        ]
    return found


@dataclass
class RankedCases:
    """The lines of prompts, and which of them help.

    Attributes:
        prompts: Of each prompt the features of its lines, a row each, and whether each helps.
    """

    prompts: list[tuple[Floats, Bools]] = field(default_factory=list)

    def add(self, lines: Iterable[tuple[Sequence[float], bool]]) -> None:
        """Add the lines of a prompt."""
        found = list(lines)
        if found:
            values, helps = zip(*found, strict=True)
            self.prompts.append((np.array(values, np.float64), np.array(helps, bool)))

    @classmethod
    def joined(cls, parts: Sequence[RankedCases]) -> RankedCases:
        """Return those of several."""
        return cls([it for part in parts for it in part.prompts])

    def fit(self, penalty: float) -> Logistic:
        """Return the function that ranks the lines of each prompt best.

        Args:
            penalty: L2 of the weights of standardised features.
        """
        spread = _spread(np.vstack([values for values, _ in self.prompts]))
        told = [
            (values / spread, helps)
            for values, helps in self.prompts
            # Nothing tells lines that all help, or none.
            if helps.any() and not helps.all()
        ]
        weights = _conditional_logit(told, penalty) / spread
        scores = Cases()
        for values, helps in self.prompts:
            for row, score, label in zip(values, values @ weights, helps, strict=True):
                # Of a small memory more lines help, however they rank.
                scores.add((float(score), float(row[_SIZE])), bool(label))
        calibrated = scores.fit(CALIBRATION_PENALTY)
        scale, of_size = calibrated.weights
        weights = scale * weights
        weights[_SIZE] += of_size
        return Logistic(calibrated.bias, tuple(float(it) for it in weights))


def _conditional_logit(
    prompts: Sequence[tuple[Floats, Bools]], penalty: float
) -> Floats:
    """Return the weights by which what helps outranks the rest, by Newton's method."""
    weights = np.zeros(prompts[0][0].shape[1])
    for _ in range(ROUNDS):
        loss, slope, bend = _loss_of(prompts, weights, penalty)
        step = np.linalg.solve(bend, slope)
        # The loss is convex, so that a shorter step always lessens it.
        while (
            np.abs(step).max() > NEGLIGIBLE
            and _loss_of(prompts, weights - step, penalty)[0] > loss
        ):
            step /= 2
        weights -= step
        if np.abs(step).max() <= NEGLIGIBLE:
            break
    return weights


def _loss_of(
    prompts: Sequence[tuple[Floats, Bools]], weights: Floats, penalty: float
) -> tuple[float, Floats, Floats]:
    """Return the loss of weights, its gradient, and its second derivatives."""
    loss = float(penalty * (weights @ weights) / 2)
    slope, bend = penalty * weights, penalty * np.eye(len(weights))
    for values, helps in prompts:
        scores = values @ weights
        odds = np.exp(scores - scores.max())
        rest, others = odds[~helps], values[~helps]
        first, second = rest @ others, (others.T * rest) @ others
        # Each line that helps competes with those that do not, and with no other that helps.
        for row, chance in zip(values[helps], odds[helps], strict=True):
            whole = chance + rest.sum()
            mean = (chance * row + first) / whole
            loss += float(np.log(whole / chance))
            slope = slope + mean - row
            bend = bend + (chance * np.outer(row, row) + second) / whole
            bend = bend - np.outer(mean, mean)
    return loss, slope, bend


def _spread(values: Floats) -> Floats:
    """Return the standard deviations of features; infinite for those that never differ."""
    spread: Floats = values.std(0)
    spread[spread < 1e-9] = np.inf
    return spread
