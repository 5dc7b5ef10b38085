"""Prometheus' reading of an answer of `/metrics`, with its complaints."""

from __future__ import annotations

import re
from math import inf

from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_UNITS = ("milliseconds", "ms", "minutes", "kilobytes", "kb", "mb", "percent")


def families(text: str) -> dict[str, Metric]:
    """Return the metrics of an answer by their name."""
    parsed = list(text_string_to_metric_families(text))
    assert len({it.name for it in parsed}) == len(parsed)
    return {it.name: it for it in parsed}


def value(text: str, name: str, **labels: str) -> float:
    """Return the value of one sample."""
    samples = [
        sample.value
        for family in families(text).values()
        for sample in family.samples
        if sample.name == name and sample.labels == labels
    ]
    assert len(samples) == 1, (name, labels, samples)
    return samples[0]


def complaints(text: str) -> list[str]:
    """Violation of the conventions, by the rules of `promtool check metrics`."""
    found = []
    for name, family in families(text).items():
        if not _NAME.fullmatch(name):
            found.append(f"{name}: a name is lowercase words with underscores")
        if not family.documentation:
            found.append(f"{name}: no HELP")
        if family.type == "unknown":
            found.append(f"{name}: no TYPE")
        if any(name.endswith(f"_{unit}") for unit in _UNITS):
            found.append(f"{name}: not in base units")
        if family.type in {"gauge", "histogram"} and name.endswith(
            ("_total", "_count", "_sum", "_bucket")
        ):
            found.append(f"{name}: the suffix is not for a {family.type}")
        if family.type == "counter":
            found += [
                f"{it.name}: a counter ends with _total"
                for it in family.samples
                if not it.name.endswith(("_total", "_created"))
            ]
        if family.type == "histogram":
            found += _of_histogram(family)
        said = [(it.name, tuple(sorted(it.labels.items()))) for it in family.samples]
        if len(said) != len(set(said)):
            found.append(f"{name}: the same labels twice")
    return found


def _of_histogram(family: Metric) -> list[str]:
    buckets = [it for it in family.samples if it.name.endswith("_bucket")]
    bounds = [float(it.labels["le"]) for it in buckets]
    counts = [it.value for it in buckets]
    count = [it.value for it in family.samples if it.name.endswith("_count")]
    fine = bounds == sorted(bounds) and bounds[-1] == inf
    fine = fine and counts == sorted(counts) and [counts[-1]] == count
    return [] if fine else [f"{family.name}: its buckets do not add up"]
