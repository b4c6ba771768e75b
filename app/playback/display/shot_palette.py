"""Fit of a palette's colour table to the shown shot.

A thread makes tables at a shot's beginning, and whenever its analysed frames double.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from framebrush.analysis.cuts import Cuts, Thumbnail, is_blank
from framebrush.jobs.job_shots import Samples
from framebrush.media.video import VideoFrame
from framebrush.models.style import Style
from framebrush.playback.display.preview_frames import NEIGHBOURS
from framebrush.styles.style_names import OpenedStyle, coloured, picture_of

EVERY_S = 0.5
"""The least time between two analysed frames of a shot."""


class ShotPalette:
    """Collector of shown colours. Not thread-safe."""

    def __init__(self, wake: Callable[[], None]) -> None:
        """Prepare. wake: called in another thread for `new_style`."""
        self._wake = wake
        self._opened: OpenedStyle | None = None
        self._worker: ThreadPoolExecutor | None = None
        self._work: Future[tuple[Samples, Style | None]] | None = None
        self._begin()

    def _begin(self) -> None:
        self._cuts, self._samples = Cuts(), Samples()
        self._last: int | None = None  # number of the last frame seen
        self._waiting: VideoFrame | None = None  # the latest one that is not blank

    def begin(self, opened: OpenedStyle, frame: VideoFrame | None) -> Style:
        """Start with another style or film; return the fitted style. Raises DeviceError."""
        self._begin()
        self._opened = opened
        if opened.palette is None or frame is None:
            return opened.style
        self._last, self._looked_s = frame.number, time.perf_counter()
        self._decide(*self._cuts.add(frame), *self._cuts.rest())
        shown, self._waiting = self._waiting, None
        style = None if shown is None else _look_at(opened, self._samples, shown)
        return style or opened.style

    def add_frame(self, frame: VideoFrame, *, more: bool) -> None:
        """Add a shown frame. more: later frames decide on shots."""
        if self._opened is None or self._opened.palette is None:
            return
        if frame.number != self._last:
            follows = self._last is not None and frame.number - self._last in NEIGHBOURS
            self._last = frame.number
            if not follows:
                self._decide(*self._cuts.rest())
            self._decide(*self._cuts.add(frame))
            more = more and follows
        if more:
            self._look()
        else:
            self.settle()

    def settle(self) -> None:
        """Decide now whether a shot began."""
        self._decide(*self._cuts.rest())
        self._look()

    def new_style(self) -> Style | None:
        """Return the style with a new table, once. Raises DeviceError, StyleError."""
        if self._work is None or not self._work.done():
            return None
        work, self._work = self._work, None
        samples, style = work.result()
        self._look()
        return style if samples is self._samples else None

    def close(self) -> None:
        """End the thread after its current table."""
        self._opened = self._work = None
        if self._worker is not None:
            self._worker.shutdown()

    def _decide(self, *frames: tuple[bool, VideoFrame, Thumbnail]) -> None:
        for begins, frame, picture in frames:
            if begins:
                self._samples, self._waiting = Samples(), None
            if not is_blank(picture):
                self._waiting = frame

    def _look(self) -> None:
        opened, samples, frame, now_s = self._opened, self._samples, self._waiting, time.perf_counter()
        if opened is None or frame is None or self._work is not None:
            return
        if samples.seen and now_s - self._looked_s < EVERY_S:
            return
        self._waiting, self._looked_s = None, now_s
        self._worker = self._worker or ThreadPoolExecutor(1, thread_name_prefix="colours")
        self._work = self._worker.submit(lambda: (samples, _look_at(opened, samples, frame)))
        self._work.add_done_callback(lambda _: self._wake())


def _look_at(opened: OpenedStyle, samples: Samples, frame: VideoFrame) -> Style | None:
    samples.offer(lambda: picture_of(opened, frame.frame), blank=False)
    is_power_of_two = not samples.seen & (samples.seen - 1)
    return coloured(opened, samples.pictures) if is_power_of_two else None
