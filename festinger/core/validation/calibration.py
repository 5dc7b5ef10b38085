"""How far a machine's confidence is right, and what to take it for instead.

A machine that says 0.8 should be confirmed eight times in ten. Two maps are fitted to what
people decided: an isotonic one, which only keeps the order, and Platt's logistic curve,
which needs fewer labels. The one whose squared error (Brier score) is less on labels that it
was not fitted to is taken, and neither if the confidence as it is does as well. Both keep
the order: what is more certain is never taken for less.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from math import exp, log1p
from typing import NamedTuple

from festinger.core.graph.candidates import Factoid
from festinger.core.validation.fitting import logit, sigmoid

LABELS_MIN = 30
"""With fewer nothing is fitted."""
FOLDS = 5
BINS = 10
CERTAIN = 0.99
"""Nothing that a machine guesses is taken for more certain, or for less than 1 - that."""
CLEARLY = 1e-9
_STEPS_MAX = 50
_TOLERANCE = 1e-10
_LOGIT_MAX = 7.0
"""A confidence of 0 or 1 has no log-odds; it is taken for 0.001 or 0.999."""


class Method(StrEnum):
    """How confidence is recalibrated."""

    ISOTONIC = "isotonic"
    PLATT = "platt"
    NONE = "none"
    """It is taken as it is: too little is known, or nothing does better."""


class Label(NamedTuple):
    """A decided candidate: how far its machine relied on it, and whether it was true."""

    confidence: float
    true: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """A bin of the reliability plot.

    Attributes:
        confidence: The mean confidence of its candidates.
        confirmed: The share of them that was confirmed.
    """

    confidence: float
    confirmed: float
    count: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """A map from confidence to how often it is right.

    Attributes:
        extractor: Whose confidence. Example: `microllm:v0.1`.
        parameters: For an isotonic map pairs of a confidence and what it is worth, both
            ascending; for Platt's the factor and the offset of the log-odds.
        labels: To how many it was fitted.
        brier_before: The mean squared error of the confidence as it is, in [0.0, 1.0].
        brier_after: The same of the map, on labels that it was not fitted to.
        fitted: When, in seconds since the epoch.
    """

    extractor: str
    method: Method = Method.NONE
    parameters: tuple[tuple[float, float], ...] = ()
    bins: tuple[Bin, ...] = ()
    labels: int = 0
    brier_before: float = 0.0
    brier_after: float = 0.0
    fitted: float = 0.0

    def apply(self, confidence: float) -> float:
        """What a confidence is worth, in [0.0, 1.0]."""
        if self.method is Method.NONE:
            return confidence
        map_of = _MAPS[self.method]
        worth = map_of(self.parameters, confidence)
        return min(CERTAIN, max(1.0 - CERTAIN, worth))


def machine_of(*, extractor_version: str, model_version: str, proposer: str) -> str:
    """Whose confidence it is: the extractor's version, else the model's, else a name."""
    return extractor_version or model_version or proposer


def calibrated(factoid: Factoid, calibrations: Mapping[str, Calibration]) -> float:
    """What a candidate's confidence is worth; as it is if nothing is known of its machine.

    The candidate keeps what its machine said: the next map is fitted to that.
    """
    machine = machine_of(
        extractor_version=factoid.extractor_version,
        model_version=factoid.model_version,
        proposer=factoid.proposer,
    )
    known = calibrations.get(machine)
    return known.apply(factoid.confidence) if known else factoid.confidence


def calibrate(extractor: str, labels: Iterable[Label], *, now: float) -> Calibration:
    """Fits what does best to the labels of a machine; their order means nothing."""
    ordered = sorted(labels)
    before = brier(ordered, lambda confidence: confidence)
    bins = reliability(ordered)
    method, after = Method.NONE, before
    if len(ordered) >= LABELS_MIN:
        # In this order, where two do as well: what is simpler.
        for each in (Method.PLATT, Method.ISOTONIC):
            error = _validated(each, ordered)
            if error < after - CLEARLY:
                method, after = each, error
    parameters = _FITS[method](ordered) if method is not Method.NONE else ()
    return Calibration(
        extractor, method, parameters, bins, len(ordered), before, after, now
    )


def brier(labels: Sequence[Label], worth: Callable[[float], float]) -> float:
    """The mean squared error of a confidence; 0 is perfect, and of no labels too."""
    if not labels:
        return 0.0
    return sum((worth(it.confidence) - it.true) ** 2 for it in labels) / len(labels)


def reliability(labels: Iterable[Label], bins: int = BINS) -> tuple[Bin, ...]:
    """The reliability plot: bins of the same width, those without candidates left out."""

    def place(label: Label) -> int:
        return min(bins - 1, int(label.confidence * bins))

    found = []
    for _, group in groupby(sorted(labels), key=place):
        inside = list(group)
        count = len(inside)
        found.append(
            Bin(
                sum(it.confidence for it in inside) / count,
                sum(it.true for it in inside) / count,
                count,
            )
        )
    return tuple(found)


def isotonic(labels: Iterable[Label]) -> tuple[tuple[float, float], ...]:
    """The ascending steps nearest to the labels, by pooling adjacent violators.

    Returns:
        Pairs of a confidence and its worth: the two ends of each step.
    """
    # Each pool is a sum of what is true, a count, and its first and last confidence.
    pools: list[tuple[float, int, float, float]] = []
    for confidence, group in groupby(sorted(labels), key=lambda it: it.confidence):
        inside = [it.true for it in group]
        pool = (float(sum(inside)), len(inside), confidence, confidence)
        while pools and pools[-1][0] * pool[1] >= pool[0] * pools[-1][1]:
            true, count, first, _ = pools.pop()
            pool = (true + pool[0], count + pool[1], first, pool[3])
        pools.append(pool)
    pairs = []
    for true, count, first, last in pools:
        pairs.append((first, true / count))
        if last > first:
            pairs.append((last, true / count))
    return tuple(pairs)


def platt(labels: Iterable[Label]) -> tuple[tuple[float, float], ...]:
    """The logistic curve over the log-odds of confidence, by Newton's method.

    As Platt has it, what is true counts as a little less than 1 and what is false as a
    little more than 0, by how many there are: few labels make no certainty. Where the
    curve would fall it is level.
    """
    points = [(_log_odds(it.confidence), it.true) for it in sorted(labels)]
    true = sum(it[1] for it in points)
    high, low = (true + 1.0) / (true + 2.0), 1.0 / (len(points) - true + 2.0)
    wanted = [(odds, high if is_true else low) for odds, is_true in points]
    factor, offset = _newton(wanted)
    if factor <= 0.0:
        # The best level line: at the mean.
        factor, offset = 0.0, logit(sum(it[1] for it in wanted) / len(wanted))
    return ((factor, offset),)


def _newton(wanted: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The factor and offset whose curve is nearest, by log-likelihood."""
    factor, offset = 0.0, 0.0
    loss = _loss(wanted, factor, offset)
    for _ in range(_STEPS_MAX):
        # A trace of a ridge: where all confidences are one, only the offset is known.
        aa, ab, bb, da, db = 1e-9, 0.0, 1e-9, 0.0, 0.0
        for odds, target in wanted:
            worth = sigmoid(factor * odds + offset)
            slope, off = worth * (1.0 - worth), target - worth
            aa, ab, bb = aa + slope * odds * odds, ab + slope * odds, bb + slope
            da, db = da + off * odds, db + off
        whole = aa * bb - ab * ab
        step_a, step_b = (bb * da - ab * db) / whole, (aa * db - ab * da) / whole
        size = 1.0
        while size > 1e-6:
            ahead = factor + size * step_a, offset + size * step_b
            if (there := _loss(wanted, *ahead)) <= loss:
                break
            size /= 2.0
        else:
            break
        factor, offset = ahead
        if loss - there < _TOLERANCE:
            break
        loss = there
    return factor, offset


def _loss(wanted: Sequence[tuple[float, float]], factor: float, offset: float) -> float:
    """The negative log-likelihood of a curve."""
    whole = 0.0
    for odds, target in wanted:
        at = factor * odds + offset
        # log(1 + exp(at)), without an exponential that overflows
        whole += max(at, 0.0) + log1p(exp(-abs(at))) - target * at
    return whole


def _log_odds(confidence: float) -> float:
    floor = sigmoid(-_LOGIT_MAX)
    return logit(min(1.0 - floor, max(floor, confidence)))


def _interpolated(pairs: Sequence[tuple[float, float]], confidence: float) -> float:
    """Between the steps of an isotonic map the straight line; beyond them the last."""
    at = bisect_left(pairs, confidence, key=lambda pair: pair[0])
    if at == len(pairs):
        return pairs[-1][1]
    here = pairs[at]
    if at == 0 or here[0] == confidence:
        return here[1]
    before = pairs[at - 1]
    share = (confidence - before[0]) / (here[0] - before[0])
    return before[1] + share * (here[1] - before[1])


def _curve(parameters: Sequence[tuple[float, float]], confidence: float) -> float:
    ((factor, offset),) = parameters
    return sigmoid(factor * _log_odds(confidence) + offset)


_FITS: dict[Method, Callable[[Sequence[Label]], tuple[tuple[float, float], ...]]] = {
    Method.ISOTONIC: isotonic,
    Method.PLATT: platt,
}
_MAPS: dict[Method, Callable[[Sequence[tuple[float, float]], float], float]] = {
    Method.ISOTONIC: _interpolated,
    Method.PLATT: _curve,
}


def _validated(method: Method, ordered: Sequence[Label]) -> float:
    """The squared error of a method, each label judged by a map fitted to others."""
    whole = 0.0
    for fold in range(FOLDS):
        # In the order of confidence, so that each fold is like the whole.
        fitted = Calibration(
            "",
            method,
            _FITS[method]([it for at, it in enumerate(ordered) if at % FOLDS != fold]),
        )
        out = ordered[fold::FOLDS]
        whole += brier(out, fitted.apply) * len(out)
    return whole / len(ordered)
