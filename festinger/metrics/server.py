"""Metrics of a memory server for Prometheus."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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

from festinger.counting import Durations
from festinger.errors import FestingerError
from festinger.listening import HttpListener
from festinger.metrics import validation
from festinger.services.world.memory import Memories


def listener_of(
    address: str,
    registry: CollectorRegistry,
    check: Callable[[web.BaseRequest], None],
    encryption: ssl.SSLContext | None = None,
) -> HttpListener:
    """Return the HTTP server of GET /metrics, in the event loop of the measured process.

    Args:
        check: Raises a `FestingerError` for a request that is to be refused.
    """

    async def answer(request: web.Request) -> web.Response:
        """Return the current values."""
        try:
            # Host names and tokens, as the shim checks them.
            check(request)
        except FestingerError as error:
            return web.json_response({"error": error.message}, status=403)
        return web.Response(
            body=generate_latest(registry),
            headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4},
        )

    app = web.Application()
    app.router.add_get("/metrics", answer)
    return HttpListener(
        address,
        app,
        encryption,
        # For the error about an address that is taken: which setting changes it.
        failure="cannot serve metrics on",
        setting="server.metrics_address (FESTINGER_SERVER__METRICS_ADDRESS)",
        # Scrapers hold connections open; stopping does not wait for them.
        close_seconds=1.0,
    )


def registry_of(
    memories: Memories, now: Callable[[], float], silence: Callable[[], float]
) -> CollectorRegistry:
    """Return a registry with the metrics of a server and its process.

    Args:
        silence: Returns the seconds since the database last answered.
    """
    # A registry of its own: the global one would collect what libraries register.
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_ServerCollector(memories, now, silence))
    # Memory, descriptors and processor time, read from /proc when asked.
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


@dataclass(eq=False)
class _ServerCollector(Collector):
    _memories: Memories
    _now: Callable[[], float]
    _silence: Callable[[], float]

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics with their current values."""
        # Collected on request: nothing is counted twice, and nothing runs between requests.
        yield from self._done()
        yield from self._held()
        yield from self._late()
        yield from validation.families(self._memories.statistics.validation.values())

    def _done(self) -> Iterator[Metric]:
        statistics = self._memories.statistics
        yield _histogram(
            "festinger_recollect_seconds",
            "Time to read a prompt and to answer what is known of it.",
            statistics.recollections,
        )
        yield _histogram(
            "festinger_commit_seconds",
            "Time to judge and commit a batch of statements.",
            statistics.commits,
        )
        yield CounterMetricFamily(
            "festinger_prompts_dropped",
            "Prompts that were dropped unread because more came than can be answered.",
            statistics.dropped,
        )
        statements = CounterMetricFamily(
            "festinger_statements",
            "Statements that were judged and committed.",
            labels=("source", "outcome"),
        )
        for (source, verdict), count in sorted(statistics.statements.items()):
            statements.add_metric((source.value, verdict.value), count)
        yield statements

    def _held(self) -> Iterator[Metric]:
        # Of loaded memories only, since a request must not load or query anything.
        loaded = self._memories.loaded
        worlds = [memory.world for memory in loaded]
        for name, text, value in (
            ("worlds_loaded", "Memories that are loaded.", len(worlds)),
            (
                "concepts",
                "Concepts in the loaded memories.",
                sum(len(world.vocabulary) for world in worlds),
            ),
            (
                "edges",
                "Facts in the loaded memories.",
                sum(len(world.graph) for world in worlds),
            ),
            (
                "conflicts_pending",
                "Contradictions in the loaded memories that wait for a decision.",
                sum(len(world.conflicts) for world in worlds),
            ),
            (
                "writer_queue_length",
                "Jobs that wait to be written.",
                sum(memory.writer.waiting for memory in loaded),
            ),
        ):
            yield GaugeMetricFamily(f"festinger_{name}", text, value)

    def _late(self) -> Iterator[Metric]:
        statistics = self._memories.statistics
        yield GaugeMetricFamily(
            "festinger_flush_lag_seconds",
            "Time since all encounters were written to the database.",
            # A clock that was set back would make it negative.
            max(0.0, self._now() - statistics.flushed),
        )
        yield CounterMetricFamily(
            "festinger_flush_failures",
            "Times that encounters could not be written; they are written later.",
            statistics.flush_failures,
        )
        yield GaugeMetricFamily(
            "festinger_follower_lag_seconds",
            "Time since the database was last asked what other servers wrote.",
            self._silence(),
        )


def _histogram(name: str, text: str, durations: Durations) -> Metric:
    return HistogramMetricFamily(
        name, text, buckets=durations.cumulative(), sum_value=durations.seconds
    )
