"""GET /metrics: metrics of the shim in Prometheus' format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from festinger.shim.language.embedder import Embedder
from festinger.shim.language.reader import IdleReader
from festinger.shim.steps.state import ShimState

PATHS: Final = frozenset({"/metrics", "/festinger/metrics"})
"""Paths of the metrics; Ollama serves none of them."""

_BREAKERS: Final = ("closed", "half-open", "open")


class ShimMetrics(Collector):
    """Metrics of a shim and its process."""

    def __init__(self, shim: ShimState) -> None:
        self._shim = shim
        # Own registry: several shims may run in one process, as in tests.
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def answer(self) -> web.Response:
        """Return the response with the current values."""
        return web.Response(
            body=generate_latest(self._registry),
            headers={
                "Content-Type": CONTENT_TYPE_PLAIN_0_0_4,
                "Cache-Control": "no-store",
            },
        )

    # No counter is kept in Prometheus' classes: the values are read from the objects that
    # count them, whenever they are asked for.
    def collect(self) -> Iterator[Metric]:
        """Yield the metrics with their current values."""
        shim, statistics = self._shim, self._shim.statistics
        yield _counted(
            "requests",
            "Prompts, by route and by what X-Festinger-Recollection says.",
            ("route", "result"),
            statistics.requests.items(),
        )
        yield _counted(
            "refusals",
            "Requests that the shim answered with an error of its own.",
            ("status",),
            (((str(status),), count) for status, count in statistics.refused.items()),
        )
        # The time that users would notice (J13).
        yield HistogramMetricFamily(
            "festinger_shim_added_seconds",
            "Time for which prompts were held up by the shim and the memory.",
            buckets=statistics.added.cumulative(),
            sum_value=statistics.added.seconds,
        )
        yield _gauge("sessions", "Sessions that are remembered.", len(shim.sessions))
        yield self._misses()
        yield _counted(
            "loop_activations",
            "Loops that were met, by rule and by the highest rung in force.",
            ("rule", "rung"),
            ((met.split(":"), count) for met, count in shim.loops.items()),
        )
        yield _counted(
            "captures",
            "Requests of marked conversations, by what became of what was said: kept, or "
            "why it was dropped.",
            ("result",),
            (((result,), count) for result, count in shim.captures.results.items()),
        )
        yield _gauge(
            "capture_queue_length",
            "Requests of marked conversations that wait to be kept.",
            shim.captures.waiting,
        )
        yield _gauge(
            "prompts_in_progress",
            "Prompts that the upstreams work on.",
            shim.upstreams.queue.under_way,
        )
        yield _gauge(
            "queue_length",
            "Prompts that wait for a place among those.",
            len(shim.upstreams.queue.waiting),
        )
        yield from self._upstreams()
        if shim.reader:
            yield from _reading(shim.reader)
        if shim.embedder:
            yield from _embedding(shim.embedder)

    def _misses(self) -> Metric:
        missed: Counter[tuple[str]] = Counter()
        for result, count in self._shim.results.items():
            kind, _, why = result.partition(":")
            # `missed:WHY` with earlier blocks, `skipped:memory-WHY` without any.
            if kind == "missed" or why.startswith("memory-"):
                missed[(why,)] += count
        return _counted(
            "memory_misses",
            "Prompts to which nothing, or not all, could be told, by cause.",
            ("why",),
            missed.items(),
        )

    def _upstreams(self) -> Iterator[Metric]:
        states = GaugeMetricFamily(
            "festinger_shim_upstream_breaker_state",
            "1 for the state of an upstream's breaker: closed while it answers.",
            labels=("upstream", "state"),
        )
        busy = GaugeMetricFamily(
            "festinger_shim_upstream_requests_in_progress",
            "Requests that an upstream works on.",
            labels=("upstream",),
        )
        # Two entries of one URL count as one upstream: labels must be unique.
        members = {it.target.url: it for it in reversed(self._shim.upstreams.members)}
        for url, member in sorted(members.items()):
            now = self._shim.upstreams.state(member)
            # One series for each state, 1 for the present one, as Prometheus has no text values.
            for state in _BREAKERS:
                states.add_metric((url, state), float(state == now))
            busy.add_metric((url,), member.under_way)
        yield states
        yield busy


def _counted(
    name: str,
    text: str,
    labels: Sequence[str],
    counts: Iterable[tuple[Sequence[str], int]],
) -> Metric:
    family = CounterMetricFamily(f"festinger_shim_{name}", text, labels=labels)
    for values, count in sorted(counts):
        family.add_metric(values, count)
    return family


def _gauge(name: str, text: str, value: int) -> Metric:
    return GaugeMetricFamily(f"festinger_shim_{name}", text, value)


def _embedding(embedder: Embedder) -> Iterator[Metric]:
    """Yield the metrics of embeddings."""
    statistics = embedder.statistics
    for name, text, value in (
        ("lines", "Lines that were embedded.", statistics.lines),
        ("prompts", "Prompts that were embedded.", statistics.prompts),
        ("misses", "Prompts that had to go on without.", statistics.missed),
    ):
        yield CounterMetricFamily(f"festinger_embedder_{name}", text, value)
    yield GaugeMetricFamily(
        "festinger_embedder_waiting", "Lines without an embedding.", statistics.waiting
    )


def _reading(reader: IdleReader) -> Iterator[Metric]:
    """Yield the metrics of reading by the agents' own model."""
    statistics = reader.statistics
    for name, text, value in (
        ("batches", "Answers that were brought to the memory.", statistics.batches),
        ("yields", "Requests that gave way to a prompt.", statistics.yielded),
        ("failures", "Requests without a usable answer.", statistics.failed),
        ("statements", "Statements that were learnt.", statistics.learned),
        ("tokens", "Tokens that were read and written.", reader.budget.total),
        ("delay_seconds", "For how long prompts were held up.", statistics.delayed),
    ):
        yield CounterMetricFamily(f"festinger_reader_{name}", text, value)
    yield GaugeMetricFamily(
        "festinger_reader_reading", "Requests under way.", int(reader.is_reading)
    )
