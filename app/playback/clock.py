"""Media clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

JUMP_S = 0.15
"""A larger correction is applied at once; a smaller one gradually, so that motion stays even."""

APPROACH = 0.1
"""Share of a small correction that is applied each time: audio buffers arrive every 10 to 50 ms, with jitter."""


class Clock:
    """Media time, corrected by sound. Thread-safe."""

    def __init__(self, monotonic: Callable[[], float] = time.perf_counter) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._media_s = self._since = self._speed = 0.0  # without speed while it stands still

    def now(self) -> float:
        with self._lock:
            return self._at(self._monotonic())

    def start(self, at_s: float, speed: float = 1.0) -> None:
        """Run from a media time. speed: a factor."""
        with self._lock:
            self._media_s, self._since, self._speed = at_s, self._monotonic(), speed

    def stop(self) -> None:
        """Pause at the current time."""
        with self._lock:
            self._media_s, self._speed = self._at(self._monotonic()), 0.0

    def correct(self, media_s: float, at: float) -> None:
        """Apply a measured media time. at: the computer's time."""
        with self._lock:
            if not self._speed:
                return
            error = media_s - self._at(at)
            self._media_s += error if abs(error) > JUMP_S else error * APPROACH

    def _at(self, moment: float) -> float:
        return self._media_s + (moment - self._since) * self._speed
