"""Metrics of validation for Prometheus, of the last day and all memories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from prometheus_client.core import GaugeMetricFamily, Metric

from festinger.core.graph.candidates import Priority
from festinger.core.validation.metrics import (
    AlertName,
    OfPriority,
    ValidationMetrics,
    alerts,
)


def families(measured: Collection[ValidationMetrics]) -> Iterator[Metric]:
    """Yield the metrics of all memories together."""
    # As measured up to a minute ago: a request reads no database.
    yield from _sums(measured)
    yield from _worst(measured)
    yield from _of_priorities(measured)
    yield _alerts(measured)


def _sums(measured: Collection[ValidationMetrics]) -> Iterator[Metric]:
    # Functions and not names of attributes, so that a rename is noticed. The sum is over all
    # memories.
    counts: tuple[tuple[str, str, Callable[[ValidationMetrics], float]], ...] = (
        (
            "questions_posted",
            "Questions that were posted within a day.",
            lambda it: it.posted,
        ),
        (
            "answers_received",
            "Answers that were received within a day.",
            lambda it: it.answered,
        ),
        (
            "questions_waiting",
            "Questions that are still to be posted.",
            lambda it: it.waiting,
        ),
        (
            "backlog_waiting",
            "Candidates that wait for a model at night.",
            lambda it: it.backlog,
        ),
        (
            "channels_crowded",
            "Times within a day that a person or a channel got too many questions.",
            lambda it: it.crowded,
        ),
        (
            "breakers_open",
            "Memories in which everything goes to moderators.",
            lambda it: it.breaker_open,
        ),
        (
            "rules_drifting",
            "Rules whose statements are denied more often than before.",
            lambda it: len(it.drift.drifting),
        ),
    )
    for name, text, value in counts:
        yield _gauge(name, text, sum(map(value, measured)))
    ended = _family(
        "candidates_ended", "Candidates that ended within a day.", ("outcome",)
    )
    ended.add_metric(("confirmed",), sum(it.confirmed for it in measured))
    ended.add_metric(("rejected",), sum(it.rejected for it in measured))
    ended.add_metric(("expired",), sum(it.expired for it in measured))
    yield ended


def _worst(measured: Collection[ValidationMetrics]) -> Iterator[Metric]:
    # A sum of shares says nothing, so the worst memory stands for all.
    shares: tuple[tuple[str, str, Callable[[ValidationMetrics], float]], ...] = (
        (
            "labels_per_thousand",
            "Labelled examples a thousand messages, in a day.",
            lambda it: it.labels_per_thousand,
        ),
        (
            "questions_per_person_day",
            "Questions within a day to a person who was asked, on average.",
            lambda it: it.questions_per_person_day,
        ),
        (
            "opt_out_share",
            "The share of those asked who opted out within a day, in [0, 1].",
            lambda it: it.opt_out_share,
        ),
        (
            "expired_share",
            "The share of candidates that ended undecided within a day, in [0, 1].",
            lambda it: it.expired_share,
        ),
    )
    for name, text, value in shares:
        yield _gauge(name, text, max(map(value, measured), default=0.0))


def _of_priorities(measured: Collection[ValidationMetrics]) -> Iterator[Metric]:
    counts: tuple[tuple[str, str, Callable[[OfPriority], int]], ...] = (
        (
            "candidates_proposed",
            "Candidates that were put forward within a day.",
            lambda it: it.proposed,
        ),
        (
            "candidates_pending",
            "Candidates that wait for people.",
            lambda it: it.pending,
        ),
        (
            "candidates_late",
            "Candidates that were not decided in time within a day.",
            lambda it: it.breached,
        ),
    )
    for name, text, value in counts:
        family = _family(name, text, ("priority",))
        for priority in Priority:
            total = sum(value(it.of(priority)) for it in measured)
            family.add_metric((priority,), total)
        yield family
    family = _family(
        "resolution_seconds",
        "The median time from a question to its decision, within a day.",
        ("priority",),
    )
    for priority in Priority:
        seconds = (it.of(priority).resolution_seconds for it in measured)
        family.add_metric((priority,), max(seconds, default=0.0))
    yield family


def _alerts(measured: Collection[ValidationMetrics]) -> Metric:
    family = _family("alerts", "Memories with something to look at.", ("alert",))
    raised = [alert.name for it in measured for alert in alerts(it)]
    # All alerts, with 0 for those that are not raised: a missing series cannot be watched.
    for name in AlertName:
        family.add_metric((name,), raised.count(name))
    return family


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"festinger_validation_{name}", text, value)


def _family(name: str, text: str, labels: tuple[str, ...]) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"festinger_validation_{name}", text, labels=labels)
