"""Recalibrated confidence; scikit-learn says what is right."""

from __future__ import annotations

import random
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.validation.calibration import (
    CERTAIN,
    LABELS_MIN,
    Calibration,
    CalibrationMethod,
    DecidedLabel,
    brier,
    calibrate,
    isotonic,
    platt,
    reliability,
)

LABELS = st.lists(
    st.tuples(
        st.one_of(
            st.integers(0, 1000).map(lambda it: it / 1000),
            st.sampled_from([0.0, 0.25, 0.5, 1.0]),
        ),
        st.booleans(),
    ),
    min_size=1,
    max_size=60,
).map(lambda said: [DecidedLabel(*each) for each in said])


def machine(seed, count, worth):
    """Return a machine's confidences and the truth, if its confidence is worth so much."""
    source = random.Random(seed)
    said = [source.uniform(0.05, 0.95) for _ in range(count)]
    return [DecidedLabel(it, source.random() < worth(it)) for it in said]


@given(LABELS)
@settings(max_examples=40)
def test_isotonic_is_scikit_learns(labels):
    """The same steps, and the same between them and beyond."""
    oracle = pytest.importorskip("sklearn.isotonic").IsotonicRegression(
        y_min=0.0, y_max=1.0, out_of_bounds="clip"
    )
    oracle.fit([it.confidence for it in labels], [float(it.true) for it in labels])
    found = Calibration("m", CalibrationMethod.ISOTONIC, isotonic(labels))

    asked = [at / 97 for at in range(98)] + [it.confidence for it in labels]
    expected = [min(CERTAIN, max(1 - CERTAIN, it)) for it in oracle.predict(asked)]

    assert list(map(found.apply, asked)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [8, 40, 300])
def test_platt_is_scikit_learns(seed, count):
    """Its logistic regression over log-odds, given the targets of Platt as weights."""
    model = pytest.importorskip("sklearn.linear_model").LogisticRegression(
        C=1e9, tol=1e-10, max_iter=5000
    )
    labels = machine(seed, count, lambda it: 0.2 + 0.6 * it)
    true = sum(it.true for it in labels)
    high, low = (true + 1) / (true + 2), 1 / (count - true + 2)
    odds = [[log(it.confidence / (1 - it.confidence))] for it in labels]
    yes = [high if it.true else low for it in labels]
    model.fit(
        odds + odds,
        [1] * count + [0] * count,
        sample_weight=yes + [1 - it for it in yes],
    )

    ((factor, offset),) = platt(labels)

    wanted = max(0.0, model.coef_[0][0])
    assert factor == pytest.approx(wanted, abs=1e-3)
    if wanted:
        assert offset == pytest.approx(model.intercept_[0], abs=1e-3)


@given(LABELS, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_order_is_kept(labels, source):
    """
    A higher certainty is never worth less, nothing is quite certain, and the order of
    the labels means nothing.
    """
    labels = labels * 8
    shuffled = list(labels)
    source.shuffle(shuffled)

    found = calibrate("m", labels, now=0.0)

    worths = [found.apply(at / 50) for at in range(51)]
    assert worths == sorted(worths)
    assert 0.0 <= worths[0] <= worths[-1] <= 1.0
    assert calibrate("m", shuffled, now=0.0) == found


def test_too_few_labels_change_nothing():
    """Below thirty the confidence is as it is, however wrong; the error is told."""
    wrong = [DecidedLabel(0.9, False)] * (LABELS_MIN - 1)

    few = calibrate("m", wrong, now=7.0)
    enough = calibrate("m", [*wrong, DecidedLabel(0.9, False)], now=7.0)

    assert (few.method, few.apply(0.9), few.labels) == (CalibrationMethod.NONE, 0.9, 29)
    assert few.brier_before == few.brier_after == pytest.approx(0.81)
    assert enough.method is not CalibrationMethod.NONE
    assert enough.apply(0.9) < 0.1
    assert enough.fitted == 7.0


def test_machine_that_is_right_about_itself_is_believed():
    """If nothing does better, nothing is changed."""
    labels = [
        DecidedLabel(at / 10, at2 < at) for at in range(1, 10) for at2 in range(10)
    ]

    assert calibrate("m", labels, now=0.0).method is CalibrationMethod.NONE


def test_curve_for_what_is_smooth_and_steps_for_what_is_not():
    """By the error on labels that a map was not fitted to."""
    smooth = machine(3, 200, lambda it: 0.15 + 0.4 * it)
    steps = machine(3, 600, lambda it: 0.05 if it < 0.6 else 0.9)

    one, other = (calibrate("m", it, now=0.0) for it in (smooth, steps))

    assert (one.method, other.method) == (
        CalibrationMethod.PLATT,
        CalibrationMethod.ISOTONIC,
    )
    for found in (one, other):
        assert found.brier_after < found.brier_before - 0.02


def test_labels_that_were_not_seen_are_predicted_better():
    """The promise about a machine's next candidates holds, about."""
    worth = lambda it: 0.1 + 0.5 * it  # noqa: E731 - a formula
    found = calibrate("m", machine(1, 400, worth), now=0.0)
    fresh = machine(2, 4000, worth)

    after = brier(fresh, found.apply)

    assert after < brier(fresh, lambda it: it) - 0.02
    assert after == pytest.approx(found.brier_after, abs=0.03)


@given(LABELS)
@settings(max_examples=100)
def test_reliability_bins_hold_every_label(labels):
    """Each in one bin of its tenth, and none is empty."""
    bins = reliability(labels)

    assert sum(it.count for it in bins) == len(labels)
    assert all(it.count > 0 for it in bins)
    assert [it.confidence for it in bins] == sorted(it.confidence for it in bins)
    # From a tenth on, and up to the next; the whole is of the last.
    assert len(bins) == len({min(int(it.confidence * 10), 9) for it in labels})
    confirmed = sum(it.confirmed * it.count for it in bins)
    assert confirmed == pytest.approx(sum(it.true for it in labels))


def test_reliability_of_a_few():
    """Said 0.2 twice and right once, said 1.0 and right."""
    bins = reliability(
        [DecidedLabel(0.2, True), DecidedLabel(0.2, False), DecidedLabel(1.0, True)]
    )

    assert [(it.confidence, it.confirmed, it.count) for it in bins] == [
        (0.2, 0.5, 2),
        (1.0, 1.0, 1),
    ]
