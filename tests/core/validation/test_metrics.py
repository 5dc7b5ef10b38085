"""Figures of validation, and warnings for an operator."""

from __future__ import annotations

import pytest

from festinger.core.graph.candidates import Priority
from festinger.core.validation.breaker import ReversalBreaker
from festinger.core.validation.drift import RuleCounts, compare
from festinger.core.validation.metrics import (
    AlertName,
    OfPriority,
    ValidationMetrics,
    alerts,
)

DRIFTING = compare([RuleCounts("is a", True, 0, 50), RuleCounts("is a", False, 500, 0)])


def late(priority, count=1):
    """Candidates of a priority that were not decided in time."""
    return ValidationMetrics(priorities={priority: OfPriority(breached=count)})


@pytest.mark.parametrize(
    ("metrics", "name", "critical"),
    [
        (late(Priority.CRITICAL), AlertName.TTL_BREACH, True),
        (late(Priority.HIGH), AlertName.TTL_BREACH, False),
        (ValidationMetrics(expired=6, confirmed=4), AlertName.HIGH_EXPIRED_RATE, False),
        (ValidationMetrics(crowded=1), AlertName.PROMPT_SPAM, False),
        (ValidationMetrics(asked=20, opted_out=3), AlertName.OPT_OUTS, False),
        (
            ValidationMetrics(
                breaker=ReversalBreaker(9.0, "6 of 9"), breaker_open=True
            ),
            AlertName.BREAKER_OPEN,
            True,
        ),
        (ValidationMetrics(drift=DRIFTING), AlertName.DRIFT, False),
    ],
)
def test_each_alert_has_its_cause(metrics, name, critical):
    """A single defect raises its warning alone, which says what to do."""
    [alert] = alerts(metrics)

    assert (alert.name, alert.critical) == (name, critical)
    assert len(alert.message) > 40


@pytest.mark.parametrize(
    "metrics",
    [
        ValidationMetrics(),
        late(Priority.NORMAL),
        late(Priority.LOW),
        ValidationMetrics(expired=5, confirmed=5),
        ValidationMetrics(expired=9),
        ValidationMetrics(asked=40, opted_out=3),
        ValidationMetrics(asked=2, opted_out=2),
    ],
)
def test_no_alert_without_a_cause(metrics):
    """Neither where little happened, nor at the threshold itself."""
    assert alerts(metrics) == []


def test_urgent_alerts_come_first():
    """Whatever else there is."""
    metrics = ValidationMetrics(
        crowded=1,
        breaker=ReversalBreaker(9.0, "much"),
        breaker_open=True,
        drift=DRIFTING,
    )

    found = alerts(metrics)

    assert [it.critical for it in found] == [True, False, False]
    assert "much" in found[0].message


def test_every_alert_can_be_raised():
    """No name stands for nothing."""
    metrics = ValidationMetrics(
        priorities={Priority.CRITICAL: OfPriority(breached=1)},
        expired=60,
        crowded=1,
        asked=5,
        opted_out=5,
        breaker_open=True,
        drift=DRIFTING,
    )

    assert {it.name for it in alerts(metrics)} == set(AlertName)


def test_shares_of_nothing_are_zero():
    """Nobody was asked and nothing was said."""
    nothing = ValidationMetrics()

    assert nothing.labels_per_thousand == 0.0
    assert nothing.questions_per_person_day == 0.0
    assert nothing.opt_out_share == 0.0
    assert nothing.expired_share == 0.0
