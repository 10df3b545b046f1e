"""What is counted, for how long it counts, and what Prometheus may read of it."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import urllib.request

import pytest

from bot.exporter import serve
from bot.metrics import SPAN, CountedChannel, Metrics, Times, code_of
from bot.sessions.ports import Address, MessageGone, NotAllowed, Unreachable
from tests.sessions.house import ListChannel


class Hand:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_times_are_of_the_last_minutes() -> None:
    """Median and worst; what is older does not count, and nothing is nothing."""
    hand = Hand()
    metrics = Metrics(hand)
    assert metrics.answers == Times()
    for seconds in (0.1, 0.3, 2.0):
        metrics.acknowledged(seconds)
    assert metrics.answers == Times(3, 0.3, 2.0)
    hand.now += SPAN - 1
    metrics.acknowledged(-0.5)
    assert metrics.answers == Times(4, 0.2, 2.0)
    hand.now += 2
    assert metrics.answers == Times(1, 0.0, 0.0)
    metrics.rendered(0.7)
    assert metrics.drawings == Times(1, 0.7, 0.7)


def test_a_busy_loop_is_noticed() -> None:
    """What should run four times a second and does not shows by how much it came late."""
    metrics = Metrics(Hand())
    for at in (0.0, 0.25, 0.5, 1.15, 1.4):
        metrics.beat(1000.0 + at, 0.25)
    assert metrics.delays.count == 1
    for at in (1.65, 1.9, 2.15, 2.4, 2.65):
        metrics.beat(1000.0 + at, 0.25)
    assert metrics.delays.count == 2
    assert metrics.delays.worst == pytest.approx(0.4)
    assert metrics.delays.median == pytest.approx(0.2)


async def test_errors_are_counted_by_name() -> None:
    """A channel's failures pass through as they are, and are counted."""
    inner = ListChannel()
    metrics = Metrics(Hand())
    channel = CountedChannel(inner, metrics)
    inner.failures = {"find": [NotAllowed("403 50013"), MessageGone()], "depth": [Unreachable("x")]}
    for kind in (NotAllowed, MessageGone):
        with pytest.raises(kind):
            await channel.find(Address(1), "mark")
    with pytest.raises(Unreachable):
        await channel.depth(1, 2, 3)
    assert await channel.find(Address(1), "mark") is None
    assert metrics.errors == {"NotAllowed": 1, "MessageGone": 1, "Unreachable": 1}


@pytest.mark.parametrize(
    ("text", "code"),
    [("403 50013", "50013"), ("TimeoutError", ""), ("", ""), ("500 0", "0"), ("1 12345678", "")],
)
def test_only_discords_numbers_become_labels(text: str, code: str) -> None:
    """A label never takes a word, or a number as long as an id."""
    assert code_of(NotAllowed(text)) == code


def read(port: int) -> str:
    """What Prometheus would get."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        return answer.read().decode()


def free_port() -> int:
    """A port that nobody has just now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


async def test_prometheus_reads_them() -> None:
    """Each of the five, in Prometheus' own form, until the bot stops."""
    pytest.importorskip("prometheus_client")
    metrics = Metrics(Hand(), lambda: {"running": 2, "lobby": 1})
    port = free_port()
    stop = serve(metrics, "127.0.0.1", port)
    metrics.acknowledged(0.2)
    metrics.rendered(0.6)
    metrics.failed("NotAllowed", "50013")
    metrics.late(0.25)
    told = await asyncio.to_thread(read, port)
    assert 'nightwatch_acknowledgement_seconds_bucket{le="0.25"} 1.0' in told
    assert "nightwatch_render_seconds_sum 0.6" in told
    assert 'nightwatch_errors_total{code="50013",error="NotAllowed"} 1.0' in told
    assert 'nightwatch_live_sessions{state="running"} 2.0' in told
    assert 'nightwatch_live_sessions{state="paused"} 0.0' in told
    assert "nightwatch_event_loop_delay_seconds 0.25" in told
    await asyncio.to_thread(stop)
    assert metrics.exports == []
    with pytest.raises(OSError, match="refused"):
        await asyncio.to_thread(read, port)


def test_without_the_package_one_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The bot plays on, and says what to install."""
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    metrics = Metrics(Hand())
    serve(metrics, "127.0.0.1", 0)()
    (line,) = [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]
    assert "pip install 'nightwatch[metrics]'" in line
    metrics.acknowledged(0.1)


def test_a_taken_port_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """So is a port that somebody else has."""
    pytest.importorskip("prometheus_client")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        serve(Metrics(Hand()), "127.0.0.1", one.getsockname()[1])()
    (line,) = [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]
    assert "metrics cannot be served on 127.0.0.1" in line
