"""What the player does, one call at a time: play, seek, step, paint and repaint.

Frames are dropped before the network sees them, never after. The position in the video (`_at`) runs ahead of the
frame on the screen (`_current`) by the frames dropped and the one that is coming.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from app.media.video import Position, VideoFrame, VideoInfo
from app.playback import events
from app.playback.clock import Clock
from app.playback.footage import Footage
from app.playback.painter import MakeSurface, Painter
from app.playback.plain import PLAIN, plain_style
from app.playback.sound import Sound, open_sound
from gpu.device import DeviceLost, GpuError
from gpu.frame import Frame
from gpu.look import Look
from models.style import Style

Tell = Callable[[events.Event], None]
OpenStyle = Callable[[str], tuple[Style, tuple[float, ...]]]
SaveFrame = Callable[[Frame, VideoInfo, Path], None]

STATISTICS_S = 0.25
MAX_GAP_S = 0.5
"""However far behind it is, a frame is shown this often."""

MAX_LAG_S = 1.0
"""Further behind than this, time itself is set back: a slow decoder gives slow motion, not a still picture."""


class Engine:
    """For one thread. Any method may raise InputError and GpuError; it can be used further after that."""

    def __init__(self, tell: Tell, make_surface: MakeSurface, open_style: OpenStyle, save_frame: SaveFrame) -> None:
        self._tell, self._open_style, self._save_frame = tell, open_style, save_frame
        self._clock = Clock()
        self._painter = Painter(make_surface)
        self._footage: Footage | None = None
        self._sound: Sound | None = None
        self._current: VideoFrame | None = None  # on the screen
        self._coming: VideoFrame | None = None  # prepared, not yet due
        self._first: events.Mark | None = None
        self._last: events.Mark | None = None
        self._look = Look()
        self.style_name = PLAIN
        self._playing = self._loop = self._busy = False
        self._speed, self._volume = 1.0, 1.0
        self._shown_count = self._dropped = 0
        self._began = self._last_shown = self._last_measured = 0.0
    def idle_s(self) -> float | None:
        """How long nothing needs to be done: for ever, or until the frame that comes is due."""
        if not self._playing:
            return None
        if self._coming is None or self._footage is None:
            return 0.0
        return max(0.0, (self._footage.time_s(self._coming) - self._clock.now()) / self._speed)

    def advance(self) -> None:
        """One turn of playing: show the frame that is due, or fetch the next and drop it or begin to paint it."""
        footage, current = self._footage, self._current
        if footage is None or current is None or not self._painter.ready:
            self.stop()
            return
        if self._coming is not None:
            self._present(self._coming)
            return
        frame = self._next_frame(footage, current)
        if frame is None:
            self.stop()
            return
        due_s, now_s = footage.time_s(frame), self._clock.now()
        late_s = (now_s - due_s) / self._speed
        if late_s > MAX_LAG_S + self._painter.latency_s:
            self._run_clock(due_s)
        elif (
            late_s + self._painter.latency_s > footage.period_s
            and time.monotonic() - self._last_shown < MAX_GAP_S + self._painter.latency_s
        ):
            self._dropped += 1
            self._current = frame
            return
        self._painter.prepare(frame)
        self._coming = frame

    def _next_frame(self, footage: Footage, current: VideoFrame) -> VideoFrame | None:
        """The frame to play next: after the out mark or the end, that of the in mark where it loops."""
        past_mark = self._last is not None and current.number == self._last.number
        frame = None if past_mark and self._loop else footage.forward(current.number)
        if frame is None and self._loop:
            start = self._first.number if self._first else 0
            frame = footage.seek(Position(Fraction(start), "frame"))
            if frame is not None:
                self._run_clock(footage.time_s(frame))
        return frame

    def _present(self, frame: VideoFrame) -> None:
        self._painter.present()
        self._current, self._coming = frame, None
        self._last_shown = time.monotonic()
        self._shown_count += 1
        self._tell(events.Shown(self._mark_of(frame)))
        if self._playing and self._last_shown - self._last_measured > STATISTICS_S:
            self._measure()

    def _show(self, frame: VideoFrame | None) -> None:
        """Put a frame on the screen now, whatever was coming."""
        self._coming = None
        if frame is None:
            return
        if not self._painter.ready:
            self._current = frame
            return
        self._current = frame
        self._painter.prepare(frame)
        self._present(frame)

    def _repaint(self) -> None:
        """After a change of style or device: what is coming is painted anew, or what stands still."""
        if not self._painter.ready:
            return
        if self._playing and self._coming is not None:
            self._painter.prepare(self._coming)
        else:
            self._show(self._current)

    def _measure(self) -> None:
        now = time.monotonic()
        self._last_measured = now
        counters, footage = self._painter.counters, self._footage
        stages = dict(self._painter.stages_ms)
        if footage is not None:
            stages = {"decode": footage.decode_ms, **stages}
        self._tell(
            events.Statistics(
                stages_ms=stages,
                fps=self._shown_count / max(1e-3, now - self._began),
                shown=self._shown_count,
                dropped=self._dropped,
                readbacks_per_frame=counters.readbacks / max(1, counters.presents),
                cached=footage.cached if footage is not None else 0,
                latency_ms=1e3 * self._painter.latency_s,
            )
        )

    # What the commands do

    def open(self, path: Path, *, play: bool) -> None:
        self._tell(events.Busy("opening"))
        self.close_video()
        footage = Footage(path)
        try:
            self._painter.use_video(footage.info)
            first = footage.seek(Position(Fraction(0), "frame")) if footage.info else None
        except BaseException:
            footage.close()
            raise
        self._footage = footage
        info = footage.info
        self._sound = open_sound(path, float(info.start_pts * info.time_base), self._clock)
        if self._sound is not None:
            self._sound.volume = self._volume
        self._tell(events.Opened(info, self._sound is not None))
        self._show(first)
        for warning in footage.warnings:
            self._tell(events.Told(warning))
        if play:
            self.play(True)

    def close_video(self) -> None:
        self.stop()
        self._current = self._coming = None
        self.clear_marks()
        self._sound = None
        if self._footage is not None:
            footage, self._footage = self._footage, None
            footage.close()
            self._painter.use_video(None)
            self._tell(events.Closed())

    def play(self, on: bool) -> None:
        if not on or self._footage is None or self._current is None:
            self.stop()
            return
        if not self._painter.ready or self._playing:
            return
        if self._footage.at_end(self._current.number):
            self._show(self._footage.seek(Position(Fraction(self._first.number if self._first else 0), "frame")))
        self._playing = True
        self._shown_count = self._dropped = 0
        self._began = self._last_shown = time.monotonic()
        self._run_clock(self._footage.time_s(self._current))
        self._tell(events.Playing(True))

    def stop(self) -> None:
        self._clock.stop()
        self._stop_sound()
        if self._coming is not None:
            with suppress(GpuError):
                self._painter.drop()
            self._coming = None
        if self._playing:
            self._playing = False
            self._tell(events.Playing(False))

    def _run_clock(self, at_s: float) -> None:
        self._clock.start(at_s, self._speed)
        if self._sound is not None:
            self._sound.start(at_s, self._speed)

    def _stop_sound(self) -> None:
        if self._sound is not None:
            self._sound.stop()

    def seek(self, position: Position) -> None:
        if self._footage is None:
            return
        self._tell(events.Busy("seeking"))
        frame = self._footage.seek(position)
        if frame is None:
            return
        self._show(frame)
        if self._playing:
            self._run_clock(self._footage.time_s(frame))

    def skip(self, seconds: Fraction) -> None:
        if self._footage is None or self._current is None:
            return
        here = Fraction(self._current.pts - self._footage.info.start_pts) * self._footage.info.time_base
        self.seek(Position(max(Fraction(0), here + seconds), "s"))

    def step(self, frames: int) -> None:
        self.stop()
        if self._footage is None or self._current is None:
            return
        step = self._footage.forward if frames > 0 else self._footage.back
        self._show(step(self._current.number))

    def set_speed(self, speed: float) -> None:
        self._speed = speed
        if self._playing:
            self._run_clock(self._clock.now())

    def set_volume(self, volume: float) -> None:
        self._volume = volume
        if self._sound is not None:
            self._sound.volume = volume

    def mark(self, *, first: bool) -> None:
        if self._current is None:
            return
        mark = self._mark_of(self._current)
        if first:
            self._first = mark
            self._last = None if self._last and self._last.number < mark.number else self._last
        else:
            self._last = mark
            self._first = None if self._first and self._first.number > mark.number else self._first
        self._tell(events.Marked(self._first, self._last))

    def clear_marks(self) -> None:
        self._first = self._last = None
        self._tell(events.Marked(None, None))

    def _mark_of(self, frame: VideoFrame) -> events.Mark:
        assert self._footage is not None
        return events.Mark(frame.number, self._footage.time_s(frame))

    def use_style(self, name: str) -> None:
        self._tell(events.Busy("style"))
        try:
            style, mix = (plain_style(), ()) if name == PLAIN else self._open_style(name)
            self._painter.use_style(style)
        except DeviceLost:
            raise
        except (GpuError, ValueError) as error:  # the device refused it, or the file is no style
            self._tell(events.Told.of(f"This style cannot be used: {error}", error))
            self._repaint()
            return
        self.style_name = name
        self._look = replace(self._look, mix=mix)
        self._painter.use_look(self._look)
        self._tell(events.StyleInUse(name, style.card, mix, self._painter.notes))
        self._repaint()

    def use_look(self, look: Look) -> None:
        repaints = look.mix != self._look.mix or look.tone_map != self._look.tone_map
        self._look = look
        self._painter.use_look(look)
        if self._playing or self._current is None or not self._painter.ready:
            return
        if repaints:
            self._painter.prepare(self._current)
        self._painter.present()

    def use_device(self, name: str) -> None:
        self._tell(events.Busy("device"))
        try:
            self._painter.use_device(name)
        except GpuError as error:
            if name == "cpu":
                raise
            self._tell(events.Told.of(f"This device cannot be used, so the CPU paints: {error}", error))
            self._painter.use_device("cpu")
        device = self._painter.device
        self._tell(events.DeviceInUse(device.info, device.note))
        self._repaint()

    def resize(self, width_px: int, height_px: int) -> None:
        self._painter.resize(width_px, height_px)
        if not self._playing and self._current is not None and self._painter.ready:
            self._painter.present()

    def screenshot(self, path: Path) -> None:
        if self._footage is None or self._current is None:
            return
        try:
            self._save_frame(self._painter.fetch(self._current), self._footage.info, path)
            self._tell(events.Saved(str(path)))
        except OSError as error:
            self._tell(events.Told.of(f"The screenshot could not be written to {path}: {error.strerror}", error))
        if self._coming is not None:
            self._painter.prepare(self._coming)

