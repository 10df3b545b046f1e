"""Metrics for Prometheus, served on a port of their own; needs the extra `metrics`.

A bot without the extra, or whose port is taken, says so in one line and plays on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.metrics import Metrics

_log = logging.getLogger(__name__)

_QUICK: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
_STATES: Final = ("lobby", "running", "paused", "crashed", "orphaned")


class Exporter:
    """Prometheus' own counters, in a registry of their own. ModuleNotFoundError without it."""

    def __init__(self) -> None:
        import prometheus_client as client  # noqa: PLC0415 - the package is optional

        self.registry = client.CollectorRegistry()
        place: dict[str, Any] = {"registry": self.registry}
        self._answers = client.Histogram(
            "nightwatch_acknowledgement_seconds",
            "From a click to its first answer",
            buckets=_QUICK,
            **place,
        )
        self._drawings = client.Histogram(
            "nightwatch_render_seconds", "Drawing a picture", buckets=_QUICK, **place
        )
        self._errors = client.Counter(
            "nightwatch_errors", "What went wrong, by name", ("error", "code"), **place
        )
        self._sessions = client.Gauge(
            "nightwatch_live_sessions", "Tables that have not ended", ("state",), **place
        )
        self._delay = client.Gauge(
            "nightwatch_event_loop_delay_seconds", "How late the event loop came", **place
        )

    def acknowledged(self, seconds: float) -> None:
        """See Exports."""
        self._answers.observe(seconds)

    def rendered(self, seconds: float) -> None:
        """See Exports."""
        self._drawings.observe(seconds)

    def failed(self, name: str, code: str) -> None:
        """See Exports."""
        self._errors.labels(error=name, code=code).inc()

    def looked(self, delay: float, sessions: Mapping[str, int]) -> None:
        """See Exports."""
        self._delay.set(delay)
        for state in _STATES:
            self._sessions.labels(state=state).set(sessions.get(state, 0))


def serve(metrics: Metrics, host: str, port: int) -> Callable[[], None]:
    """Serve what these metrics count from now on; calling the result ends it. Never raises."""
    try:
        exporter = Exporter()
        import prometheus_client as client  # noqa: PLC0415 - as above

        server, thread = client.start_http_server(port, host, exporter.registry)
    except ModuleNotFoundError:
        _log.warning(
            "METRICS_PORT is set, but prometheus-client is not installed: pip install"
            " 'nightwatch[metrics]'; the bot plays on without metrics"
        )
        return lambda: None
    except OSError as error:
        _log.warning(
            "metrics cannot be served on %s:%d (%s); the bot plays on without them",
            host, port, error.strerror or error,
        )  # fmt: skip
        return lambda: None
    metrics.exports.append(exporter)
    _log.info("metrics are served on http://%s:%d/metrics", host, server.server_port)

    def stop() -> None:
        metrics.exports.remove(exporter)
        server.shutdown()
        server.server_close()
        thread.join(2.0)

    return stop
