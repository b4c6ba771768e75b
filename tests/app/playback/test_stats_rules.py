"""Statistics of playback, with a clock set by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from framebrush.playback.events import Statistics
from framebrush.playback.playback_stats import PERIOD_S, PlaybackStats
from tests.app.playback.test_parts_rules import Watch

pytestmark = pytest.mark.unit


def read(stats: PlaybackStats, *, live: bool = False, presents: int = 4) -> Statistics | None:
    presenter = SimpleNamespace(counters=SimpleNamespace(readbacks=2, presents=presents), stages_ms={"network": 7.0})
    video = SimpleNamespace(decode_ms=3.0, live=object() if live else None, cached=9)
    return stats.read(cast(Any, presenter), cast(Any, video))


def test_frames_are_counted_since_playback_began_and_told_four_times_a_second() -> None:
    watch = Watch()
    stats = PlaybackStats(watch)
    stats.start()
    first = read(stats)
    assert first is not None
    assert (first.fps, first.shown, first.dropped, first.latency_ms) == (0.0, 0, 0, None)
    for _ in range(10):
        watch.now += PERIOD_S / 10
        stats.shown(0.02)
    watch.now = 100.0 + PERIOD_S - 2**-10
    assert read(stats) is None
    watch.now = 100.0 + PERIOD_S  # exactly, in binary
    second = read(stats)
    assert second is not None
    assert (second.shown, second.fps, second.cached) == (10, 10 / PERIOD_S, 9)
    assert second.stages_ms == {"decode": 3.0, "network": 7.0, "present": pytest.approx(20 * (1 - 0.9**10))}
    assert second.readbacks_per_frame == 0.5
    assert read(stats) is None
    stats.start()
    watch.now += 1
    again = read(stats, live=True, presents=0)
    assert again is not None
    assert (again.shown, again.fps, again.readbacks_per_frame) == (0, 0.0, 2.0)
    assert set(again.stages_ms) == {"network", "present"}  # a live source decodes in its own time


def test_a_tenth_of_the_frames_may_be_dropped_in_time() -> None:
    stats = PlaybackStats(Watch())
    stats.start()
    for _ in range(19):
        stats.shown(0.0)
    for dropped, in_time in ((0, True), (1, True), (2, False)):
        stats.dropped = dropped
        assert stats.in_time == in_time
    stats.shown(0.0)
    assert stats.in_time
    stats.start()
    assert (stats.dropped, stats.in_time) == (0, True)


def test_the_gap_is_since_the_last_frame_and_the_latency_is_smoothed() -> None:
    watch = Watch()
    stats = PlaybackStats(watch)
    stats.start()
    watch.now += 2
    assert stats.gap_s == 2
    stats.shown(0.0)
    watch.now += 0.5
    assert stats.gap_s == 0.5
    for latency_s, expected_ms in ((0.1, 100.0), (0.2, 110.0), (0.0, 99.0)):
        stats.arrived(latency_s)
        watch.now += PERIOD_S
        told = read(stats, live=True)
        assert told is not None
        assert told.latency_ms == pytest.approx(expected_ms)
    stats.start()
    watch.now += PERIOD_S
    told = read(stats)
    assert told is not None
    assert told.latency_ms is None
