"""Real-time frame sources; unread frames are dropped.

Times are on `time.perf_counter`, finer than `time.monotonic` on Windows before Python 3.13.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Protocol

from framebrush.base.text import count_of, first_line
from framebrush.gpu.frame import Frame
from framebrush.media.live.live_sound import LiveSound
from framebrush.media.video import FrameSource, InputError, TimeRange, VideoFrame, VideoInfo

TIME_BASE = Fraction(1, 90_000)  # MPEG's, for arbitrary times
STALL_S = 5.0
"""Seconds without a frame after which a device counts as stalled."""

CLOSE_S = 2.0
"""Longest wait of closing for a driver. Its thread closes the device later."""


class Capture(Protocol):
    """Open device for one reading thread."""

    info: VideoInfo
    """Facts of its frames; its times are unused."""

    has_end: bool
    """Whether `read` ever returns None."""

    def read(self) -> Frame | None:
        """Wait for the next frame; None at the end. Raises InputError."""

    def close(self) -> None:
        """Release the device. Idempotent."""


def ignore() -> None: ...


class LiveSource(FrameSource):
    """Frames of a device, for one reading thread; dropped frames leave gaps in numbers.

    If the device is lost, iteration ends and `cut_off` is set.
    """

    live = True

    def __init__(self, capture: Capture, span: TimeRange | None = None, sound: LiveSound | None = None) -> None:
        """Start capturing, owning capture and sound. Raises InputError."""
        span = span or TimeRange()
        self.name = capture.info.name
        self.info = replace(
            capture.info, time_base=TIME_BASE, start_pts=0, duration_s=None, frame_count=None, interlaced=False
        )
        self.sound = sound
        self.dropped = 0
        """Captured frames that were not read in time."""
        self.on_fresh: Callable[[], None] = ignore
        """Called in the capturing thread for a new frame or the end. Must not wait."""
        self._origin_s = 0.0  # arrival of the first frame on `time.perf_counter`
        self._capture, self._span = capture, span
        self.has_end = capture.has_end or span.end is not None or span.frames is not None
        self._state = threading.Condition()
        self._newest: VideoFrame | None = None
        self._captured = self._given = 0
        self._last_pts = -1
        self._heard_s = time.perf_counter()
        self._error: InputError | None = None
        self._over = self._stopping = False
        if span.start is not None and span.start.value > 0:
            self._close_devices()
            raise InputError(f"{self.name} is live and has no past; leave the start out")
        self.thread = threading.Thread(target=self._run, name="capture", daemon=True)
        self.thread.start()

    @property
    def warnings(self) -> list[str]:
        """Sentences about dropped frames and lost devices."""
        verb = "was" if self.dropped == 1 else "were"
        dropped = f"{count_of(self.dropped, 'frame')} arrived while another frame was painted, and {verb} dropped"
        return [*([dropped] if self.dropped else []), *([str(self._error)] if self.cut_off else [])]

    @property
    def over(self) -> bool:
        """Whether no more frames will come."""
        with self._state:
            return self._newest is None and (self._over or self._stopping)

    @property
    def fresh(self) -> bool:
        """Whether `newest` has a frame or an error."""
        with self._state:
            return self._newest is not None or self._over

    def newest(self) -> VideoFrame | None:
        """Return the newest unread frame. Raises InputError for a lost or stalled device."""
        with self._state:
            return self._taken()

    def __next__(self) -> VideoFrame:
        with self._state:
            while True:
                try:
                    frame = self._taken()
                except InputError as error:
                    if not self._given:
                        raise
                    self._error, self.cut_off = error, True  # the recording so far is kept
                    raise StopIteration from None
                if frame is not None:
                    return frame
                if self._over or self._stopping:
                    raise StopIteration
                self._state.wait(STALL_S)

    def stop(self) -> None:
        """End the iteration. Idempotent, thread-safe."""
        with self._state:
            self._stopping = True
            self._newest = None
            self._state.notify_all()
        self.on_fresh()

    def close(self) -> None:
        self.on_fresh = ignore
        self.stop()
        if self.sound is not None:
            self.sound.close()
        self.thread.join(CLOSE_S)

    def _taken(self) -> VideoFrame | None:
        frame, self._newest = self._newest, None
        if frame is None:
            if self._error is not None:
                raise self._error
            if not (self._over or self._stopping) and time.perf_counter() - self._heard_s >= STALL_S:
                raise InputError(
                    f"{self.name} has delivered no picture for {STALL_S:g} s; check its cable and open it again"
                )
            return None
        self._given += 1
        if self._given == self._span.frames:
            self._stopping = True
        return frame

    def _run(self) -> None:
        try:
            while not self._stopping:
                frame = self._capture.read()
                if frame is None or self._stopping or not self._put(frame):
                    break
        except InputError as error:
            self._error = error
        except Exception as error:  # from a driver
            self._error = InputError(f"{self.name} failed ({first_line(error)}); open it again")
        finally:
            self._close_devices()
            with self._state:
                self._over = True
                self._state.notify_all()
            self.on_fresh()

    def _put(self, frame: Frame) -> bool:
        now_s = time.perf_counter()
        number = self._captured
        if number == 0:
            self._origin_s = now_s
            if self.sound is not None:
                self.sound.origin_s = now_s
        pts = self._last_pts = max(round((now_s - self._origin_s) / TIME_BASE), self._last_pts + 1)
        end = self._span.end
        if end is not None and (number >= end.value if end.unit == "frame" else pts * TIME_BASE >= end.value):
            return False
        with self._state:
            self._heard_s = now_s
            self._captured += 1
            if not self._stopping:
                self.dropped += self._newest is not None
                self._newest = VideoFrame(number, pts, 0, frame, captured_s=now_s)
            self._state.notify_all()
        self.on_fresh()
        return True

    def _close_devices(self) -> None:
        self._capture.close()
        if self.sound is not None:
            self.sound.close()


def open_live(capture: Capture, span: TimeRange | None, sound: Callable[[], LiveSound] | None) -> LiveSource:
    """Open a live source, or raise InputError, closing both."""
    try:
        heard = None if sound is None else sound()
    except BaseException:
        capture.close()
        raise
    return LiveSource(capture, span, heard)
