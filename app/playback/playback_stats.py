"""Statistics since playback last started."""

from __future__ import annotations

import time
from collections.abc import Callable

from framebrush.playback.display.presenter import Presenter
from framebrush.playback.events import Statistics
from framebrush.playback.video_source import VideoSource

PERIOD_S = 0.25  # a person reads them


class PlaybackStats:
    """Statistics, four times a second."""

    def __init__(self, monotonic: Callable[[], float] = time.perf_counter) -> None:
        self._monotonic = monotonic
        self._present_ms = self._last_read = 0.0
        self.start()

    def start(self) -> None:
        """Start counting anew."""
        self.dropped = self._shown = 0
        self._latency_ms: float | None = None
        self._began = self._last_shown = self._monotonic()

    def shown(self, present_s: float) -> None:
        """Count a presented frame. present_s: in the player's thread."""
        self._shown += 1
        self._present_ms += 0.1 * (1e3 * present_s - self._present_ms)
        self._last_shown = self._monotonic()

    def arrived(self, latency_s: float) -> None:
        """Note a live frame's latency."""
        before_ms = 1e3 * latency_s if self._latency_ms is None else self._latency_ms
        self._latency_ms = before_ms + 0.1 * (1e3 * latency_s - before_ms)

    @property
    def in_time(self) -> bool:
        """Whether hardly any frames were dropped."""
        return self.dropped <= self._shown // 10

    @property
    def gap_s(self) -> float:
        """Seconds since the last shown frame."""
        return self._monotonic() - self._last_shown

    def read(self, presenter: Presenter, video: VideoSource) -> Statistics | None:
        """Return statistics, every PERIOD_S."""
        now = self._monotonic()
        if now - self._last_read < PERIOD_S:
            return None
        self._last_read = now
        counters = presenter.counters
        decode = {"decode": video.decode_ms} if video.live is None else {}
        return Statistics(
            stages_ms={**decode, **presenter.stages_ms, "present": self._present_ms},
            fps=self._shown / max(1e-3, now - self._began),
            shown=self._shown,
            dropped=self.dropped,
            readbacks_per_frame=counters.readbacks / max(1, counters.presents),
            cached=video.cached,
            latency_ms=self._latency_ms,
        )
