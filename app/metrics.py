"""What is counted, for Prometheus. One registry for each server object, so that tests can have many."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from app.runs import Runs

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """Requests by route (never by address: that would name runs), and the state of the workers."""

    def __init__(self, runs: Runs) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "gradflow_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "gradflow_request_seconds",
            "Seconds to the first byte of an answer.",
            ["method", "route"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.refused = Counter("gradflow_rate_limited", "Requests above a rate limit.", registry=self.registry)
        self.registry.register(_Workers(runs))

    def text(self) -> bytes:
        """Everything, in Prometheus's text format."""
        return generate_latest(self.registry)


class _Workers(Collector):
    """What the pool says of itself when it is asked."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    def collect(self) -> Iterator[Metric]:
        pool = self.runs.execution.pool
        yield GaugeMetricFamily("gradflow_workers", "Worker processes.", value=len(pool.processes))
        yield GaugeMetricFamily("gradflow_waiting", "Requests that wait for a worker or are in one.", pool.waiting)
        yield GaugeMetricFamily("gradflow_commands_running", "Commands being executed.", value=self.runs.running)
        yield GaugeMetricFamily("gradflow_followers", "People who follow a run.", value=self.runs.followers)
        yield CounterMetricFamily("gradflow_worker_ends", "Workers that ended and were replaced.", value=pool.deaths)
