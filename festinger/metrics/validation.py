"""Metrics of validation for Prometheus, of the last day and all memories."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from prometheus_client.core import GaugeMetricFamily, Metric

from festinger.core.graph.candidates import Priority
from festinger.core.validation.metrics import (
    AlertName,
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
    # Name, attribute of one memory's metrics and description; the sum is over all memories.
    for name, key, text in (
        ("questions_posted", "posted", "Questions that were posted within a day."),
        ("answers_received", "answered", "Answers that were received within a day."),
        ("questions_waiting", "waiting", "Questions that are still to be posted."),
        ("backlog_waiting", "backlog", "Candidates that wait for a model at night."),
        (
            "channels_crowded",
            "crowded",
            "Times within a day that a person or a channel got too many questions.",
        ),
        (
            "breakers_open",
            "breaker_open",
            "Memories in which everything goes to moderators.",
        ),
    ):
        yield _gauge(name, text, sum(getattr(it, key) for it in measured))
    yield _gauge(
        "rules_drifting",
        "Rules whose statements are denied more often than before.",
        sum(len(it.drift.drifting) for it in measured),
    )
    ended = _family(
        "candidates_ended", "Candidates that ended within a day.", ("outcome",)
    )
    # The attributes of the measurement have the names of the outcomes.
    for outcome in ("confirmed", "rejected", "expired"):
        ended.add_metric((outcome,), sum(getattr(it, outcome) for it in measured))
    yield ended


def _worst(measured: Collection[ValidationMetrics]) -> Iterator[Metric]:
    # A sum of shares says nothing, so the worst memory stands for all.
    for name, text in (
        ("labels_per_thousand", "Labelled examples a thousand messages, in a day."),
        (
            "questions_per_person_day",
            "Questions within a day to a person who was asked, on average.",
        ),
        (
            "opt_out_share",
            "The share of those asked who opted out within a day, in [0, 1].",
        ),
        (
            "expired_share",
            "The share of candidates that ended undecided within a day, in [0, 1].",
        ),
    ):
        values = [getattr(it, name) for it in measured]
        yield _gauge(name, text, max(values, default=0.0))


def _of_priorities(measured: Collection[ValidationMetrics]) -> Iterator[Metric]:
    for name, key, text in (
        ("proposed", "proposed", "Candidates that were put forward within a day."),
        ("pending", "pending", "Candidates that wait for people."),
        ("late", "breached", "Candidates that were not decided in time within a day."),
    ):
        family = _family(f"candidates_{name}", text, ("priority",))
        for priority in Priority:
            counts = (getattr(it.of(priority), key) for it in measured)
            family.add_metric((priority,), sum(counts))
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
