"""Pace of live source, recording and virtual camera."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from framebrush.media.live.live_sources import LiveSource, ignore
from framebrush.media.video import VideoFrame
from framebrush.playback.camera_feed import CameraFeed
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.display.screen import Emit
from framebrush.playback.playback_stats import PlaybackStats
from framebrush.playback.recorder import Recorder

LOOK_S = 1.0
"""How often a source that delivers nothing is checked."""


class LiveTurn:
    """Choice of live frames: the newest when the device is free.

    A swap chain's device counts as busy for its stages' mean time.
    """

    def __init__(
        self, source: LiveSource, presenter: Presenter, stats: PlaybackStats, wake: Callable[[], None]
    ) -> None:
        """wake: called in another thread."""
        self.source = source
        self._presenter, self._stats, self._wake = presenter, stats, wake
        self._begun_s = self._busy_until_s = 0.0
        self._dropped_before = 0
        self._recorders: list[Recorder] = []
        self._feed: CameraFeed | None = None

    def start(self) -> None:
        """Start playback and count drops anew."""
        self._dropped_before = self.source.dropped
        self.source.on_fresh = self._wake

    def stop(self) -> None:
        """Pause playback."""
        self.source.on_fresh = ignore

    def idle_s(self) -> float:
        """Return the time until work, unless woken."""
        if not self.source.fresh:
            return LOOK_S
        return max(0.0, self._busy_until_s - time.perf_counter())

    def frame(self) -> VideoFrame | None:
        """Return the frame to paint now. Raises InputError."""
        begun_s = time.perf_counter()
        if begun_s < self._busy_until_s and not self.source.over:
            return None
        self._begun_s = begun_s
        return self.source.newest()

    def presented(self, frame: VideoFrame) -> None:
        """Note that a frame was presented."""
        done_s = max(time.perf_counter(), self._begun_s + self._presenter.latency_s)
        self._busy_until_s = done_s
        self._stats.dropped = self.source.dropped - self._dropped_before
        if frame.captured_s is not None:
            self._stats.arrived(done_s - frame.captured_s)
        recorder, feed = self._recorder, self._feed if self._feed is not None and self._feed.running else None
        if (recorder is None and feed is None) or (painted := self._presenter.fetch_shown()) is None:
            return
        if recorder is not None:
            recorder.put(painted, frame.pts)
        if feed is not None:
            feed.request(painted)

    @property
    def _recorder(self) -> Recorder | None:
        return next((one for one in self._recorders if one.running), None)

    def record(self, target: Path, emit: Emit) -> None:
        """Record painted frames, unless recording."""
        pipeline = self._presenter.pipeline
        if self._recorder is not None or pipeline is None:
            return
        info = replace(self.source.info, sample_aspect=Fraction(self._presenter.plan.aspect).limit_denominator(1000))
        self._recorders.append(Recorder(info, pipeline.plan.target.size, target, self.source.sound, emit))

    def end_recording(self) -> None:
        """End the recording without waiting."""
        if (recorder := self._recorder) is not None:
            recorder.end()

    def feed(self, emit: Emit) -> None:
        """Send painted frames to a virtual camera."""
        pipeline, former = self._presenter.pipeline, self._feed
        if pipeline is None or (former is not None and former.running):
            return
        self._feed = CameraFeed(self.source.info, pipeline.plan.target.size, emit, former)

    def end_feed(self) -> None:
        """Release the virtual camera."""
        if self._feed is not None:
            self._feed.close()

    def close(self) -> None:
        """End recording and camera, and wait."""
        self.end_recording()
        self.end_feed()
        for recorder in self._recorders:
            recorder.join()
        if self._feed is not None:
            self._feed.join()
