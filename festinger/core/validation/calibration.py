"""Calibration of the confidence of extractors.

Candidates of confidence 0.8 should be confirmed eight times in ten. Two maps are fitted
to the decisions of people: an isotonic one, which only keeps the order, and Platt's
logistic curve, which needs fewer labels. Both keep the order: a higher confidence never
maps to a lower one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from math import exp, log1p
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate
from festinger.core.validation.fitting import logit, sigmoid

LABELS_MIN = 30
"""Minimum number of labels to fit a map."""
FOLDS = 5  # of the cross-validation: each map is fitted to 80 % of the labels
BINS = 10  # of the reliability plot: tenths of confidence
CERTAIN = 0.99
"""Maximum calibrated confidence; the minimum is 1 - `CERTAIN`."""
# A gain below this is an effect of rounding, and changes nothing.
CLEARLY = 1e-9
_STEPS_MAX = 50  # of Newton's method
_TOLERANCE = 1e-10
_LOGIT_MAX = 7.0
"""Limit of log-odds: a confidence of 0 or 1 is treated as 0.001 or 0.999."""


class CalibrationMethod(StrEnum):
    """Method of calibration."""

    ISOTONIC = "isotonic"
    PLATT = "platt"
    NONE = "none"
    """The raw confidence is used: there are too few labels, or no map does better."""


class DecidedLabel(NamedTuple):
    """Label of a decided candidate.

    Attributes:
        confidence: The raw confidence of its extractor.
        true: Whether people confirmed it.
    """

    confidence: float
    true: bool


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """A bin of the reliability plot.

    Attributes:
        confidence: The mean confidence of its candidates.
    """

    confidence: float
    confirmed: float
    count: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """A map from raw confidence to the share of candidates that is confirmed.

    Attributes:
        extractor: The extractor whose confidence it maps. Example: `microllm:v0.1`.
        parameters: For an isotonic map pairs of a raw and a calibrated confidence, both
            ascending; for Platt's the factor and the offset of the log-odds.
        bins: The reliability plot of the raw confidence.
        brier_before: The mean squared error of the raw confidence, in [0.0, 1.0].
        brier_after: The mean squared error of the map, on labels that it was not fitted
            to.
        fitted: Time of the fit, in seconds since the epoch.
    """

    extractor: str
    method: CalibrationMethod = CalibrationMethod.NONE
    parameters: tuple[tuple[float, float], ...] = ()
    bins: tuple[ReliabilityBin, ...] = ()
    labels: int = 0
    brier_before: float = 0.0
    brier_after: float = 0.0
    fitted: float = 0.0

    def apply(self, confidence: float) -> float:
        """Return the calibrated value of a raw confidence, in [0.0, 1.0]."""
        if self.method is CalibrationMethod.NONE:
            return confidence
        map_of = _MAPS[self.method]
        worth = map_of(self.parameters, confidence)
        # An isotonic map of few labels may give 0 or 1; nothing is quite certain.
        return min(CERTAIN, max(1.0 - CERTAIN, worth))


def machine_of(*, extractor_version: str, model_version: str, proposer: str) -> str:
    """Return the machine of a confidence: its extractor, else model, else proposer."""
    # The most specific name first: an extractor keeps its confidence under another model.
    return extractor_version or model_version or proposer


def calibrated(candidate: Candidate, calibrations: Mapping[str, Calibration]) -> float:
    """Return a candidate's calibrated confidence; raw if its extractor has no map."""
    # Not stored in the candidate: the next map is fitted to the raw confidence.
    machine = machine_of(
        extractor_version=candidate.extractor_version,
        model_version=candidate.model_version,
        proposer=candidate.proposer,
    )
    known = calibrations.get(machine)
    return known.apply(candidate.confidence) if known else candidate.confidence


def calibrate(
    extractor: str, labels: Iterable[DecidedLabel], *, now: float
) -> Calibration:
    """Fit the best map to an extractor's labels, which may be in any order."""
    ordered = sorted(labels)  # ties of confidence need the same order on each server
    before = brier(ordered, lambda confidence: confidence)
    bins = reliability(ordered)
    # Without a map that does better on labels it has not seen, the raw confidence stays.
    method, after = CalibrationMethod.NONE, before
    if len(ordered) >= LABELS_MIN:
        # The simpler method comes first, and wins a tie.
        for each in (CalibrationMethod.PLATT, CalibrationMethod.ISOTONIC):
            error = _validated(each, ordered)
            if error < after - CLEARLY:
                method, after = each, error
    parameters = _FITS[method](ordered) if method is not CalibrationMethod.NONE else ()
    return Calibration(
        extractor, method, parameters, bins, len(ordered), before, after, now
    )


def brier(labels: Sequence[DecidedLabel], worth: Callable[[float], float]) -> float:
    """Return the mean squared error (Brier score) of a map; 0 without labels."""
    if not labels:
        return 0.0
    return sum((worth(it.confidence) - it.true) ** 2 for it in labels) / len(labels)


def reliability(
    labels: Iterable[DecidedLabel], bins: int = BINS
) -> tuple[ReliabilityBin, ...]:
    """Return the reliability plot: bins of equal width, without the empty ones."""

    def place(label: DecidedLabel) -> int:
        """Return the index of a label's bin."""
        return min(bins - 1, int(label.confidence * bins))

    found = []
    for _, group in groupby(sorted(labels), key=place):
        inside = list(group)
        count = len(inside)
        found.append(
            ReliabilityBin(
                sum(it.confidence for it in inside) / count,
                sum(it.true for it in inside) / count,
                count,
            )
        )
    return tuple(found)


def isotonic(labels: Iterable[DecidedLabel]) -> tuple[tuple[float, float], ...]:
    """Fit ascending steps to labels, by pooling adjacent violators.

    Returns:
        Pairs of a raw and a calibrated confidence: the two ends of each step.
    """
    # Each pool: number of true labels, number of labels, first and last confidence.
    pools: list[tuple[float, int, float, float]] = []
    for confidence, group in groupby(sorted(labels), key=lambda it: it.confidence):
        inside = [it.true for it in group]
        pool = (float(sum(inside)), len(inside), confidence, confidence)
        # Pool with the steps before while these are not lower; shares are compared as products.
        while pools and pools[-1][0] * pool[1] >= pool[0] * pools[-1][1]:
            true, count, first, _ = pools.pop()
            pool = (true + pool[0], count + pool[1], first, pool[3])
        pools.append(pool)
    pairs = []
    for true, count, first, last in pools:
        pairs.append((first, true / count))
        if last > first:  # a step of a single confidence is one point
            pairs.append((last, true / count))
    return tuple(pairs)


def platt(labels: Iterable[DecidedLabel]) -> tuple[tuple[float, float], ...]:
    """Fit a logistic curve over the log-odds of confidence, by Newton's method."""
    points = [(_log_odds(it.confidence), it.true) for it in sorted(labels)]
    true = sum(it[1] for it in points)
    # Platt's targets: a little less than 1 and more than 0, so that few labels give no certainty.
    high, low = (true + 1.0) / (true + 2.0), 1.0 / (len(points) - true + 2.0)
    wanted = [(odds, high if is_true else low) for odds, is_true in points]
    factor, offset = _newton(wanted)
    # A falling curve would turn the order of candidates around: a constant instead.
    if factor <= 0.0:
        # The best constant is the mean.
        factor, offset = 0.0, logit(sum(it[1] for it in wanted) / len(wanted))
    return ((factor, offset),)


def _newton(wanted: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the factor and offset of the curve of maximum likelihood."""
    factor, offset = 0.0, 0.0
    loss = _loss(wanted, factor, offset)
    for _ in range(_STEPS_MAX):
        # A small ridge: if all confidences are equal, only the offset is determined.
        aa, ab, bb, da, db = 1e-9, 0.0, 1e-9, 0.0, 0.0
        for odds, target in wanted:
            # Gradient (da, db) and Hessian (aa, ab, bb) of the likelihood, summed over the labels.
            worth = sigmoid(factor * odds + offset)
            slope, off = worth * (1.0 - worth), target - worth
            aa, ab, bb = aa + slope * odds * odds, ab + slope * odds, bb + slope
            da, db = da + off * odds, db + off
        whole = aa * bb - ab * ab
        step_a, step_b = (bb * da - ab * db) / whole, (aa * db - ab * da) / whole
        # Halve the step until the loss falls: a full step may overshoot far from the optimum.
        size = 1.0
        while size > 1e-6:
            ahead = factor + size * step_a, offset + size * step_b
            if (there := _loss(wanted, *ahead)) <= loss:
                break
            size /= 2.0
        else:  # no step helps: this is the optimum
            break
        factor, offset = ahead
        if loss - there < _TOLERANCE:
            break
        loss = there
    return factor, offset


def _loss(wanted: Sequence[tuple[float, float]], factor: float, offset: float) -> float:
    """Return the negative log-likelihood of a curve."""
    whole = 0.0
    for odds, target in wanted:
        at = factor * odds + offset
        # log(1 + exp(at)), without an exponential that overflows
        whole += max(at, 0.0) + log1p(exp(-abs(at))) - target * at
    return whole


def _log_odds(confidence: float) -> float:
    # The log-odds of 0 and 1 are infinite.
    floor = sigmoid(-_LOGIT_MAX)
    return logit(min(1.0 - floor, max(floor, confidence)))


def _interpolated(pairs: Sequence[tuple[float, float]], confidence: float) -> float:
    """Interpolate linearly between the steps of an isotonic map; clamp beyond them."""
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
    ((factor, offset),) = parameters  # one pair only: the factor and the offset
    return sigmoid(factor * _log_odds(confidence) + offset)


_FITS: dict[
    CalibrationMethod,
    Callable[[Sequence[DecidedLabel]], tuple[tuple[float, float], ...]],
] = {CalibrationMethod.ISOTONIC: isotonic, CalibrationMethod.PLATT: platt}
_MAPS: dict[
    CalibrationMethod, Callable[[Sequence[tuple[float, float]], float], float]
] = {CalibrationMethod.ISOTONIC: _interpolated, CalibrationMethod.PLATT: _curve}


def _validated(method: CalibrationMethod, ordered: Sequence[DecidedLabel]) -> float:
    """Return the mean squared error of a method by cross-validation."""
    whole = 0.0
    for fold in range(FOLDS):
        # The labels are sorted by confidence, so each fold spans the whole range.
        fitted = Calibration(
            "",
            method,
            _FITS[method]([it for at, it in enumerate(ordered) if at % FOLDS != fold]),
        )
        out = ordered[fold::FOLDS]
        whole += brier(out, fitted.apply) * len(out)
    return whole / len(ordered)
