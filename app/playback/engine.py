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
from app.playback.events import QT_TRANSLATE_NOOP
from app.playback.footage import Footage
from app.playback.meter import Meter
from app.playback.painter import MakeSurface, Painter
from app.playback.sound import Sound, open_sound
from app.playback.styles import PLAIN, default_style, open_style
from gpu.device import DeviceLost, GpuError, list_devices
from gpu.frame import Frame
from gpu.look import Look
from models.style import StyleError

Tell = Callable[[events.Event], None]
SaveFrame = Callable[[Frame, VideoInfo, Path], Path]

MAX_GAP_S = 0.5
"""However far behind it is, a frame is shown this often."""

MAX_LAG_S = 1.0
"""Further behind than this, time itself is set back: a slow decoder gives slow motion, not a still picture."""

STYLE_REFUSED = QT_TRANSLATE_NOOP("Player", "This style cannot be used: {reason}")
DEVICE_REFUSED = QT_TRANSLATE_NOOP("Player", "This device cannot be used, so the CPU paints: {reason}")
NOT_WRITTEN = QT_TRANSLATE_NOOP("Player", "The screenshot could not be written to {path}: {reason}")


class Engine:
    """For one thread. Any method may raise InputError and GpuError; it can be used further after that."""

    def __init__(self, tell: Tell, make_surface: MakeSurface, save_frame: SaveFrame) -> None:
        self._tell, self._save_frame = tell, save_frame
        self._clock = Clock()
        self._painter = Painter(make_surface)
        self._footage: Footage | None = None
        self._sound: Sound | None = None
        self._current: VideoFrame | None = None  # on the screen
        self._at: VideoFrame | None = None  # the last one taken from the video
        self._coming: VideoFrame | None = None  # prepared, not yet due
        self._first: events.Mark | None = None
        self._last: events.Mark | None = None
        self._look = Look()
        self.style_name = PLAIN
        self._playing = self._loop = self._busy = False
        self._play_when_ready = False
        self._speed, self._volume = 1.0, 1.0
        self._meter = Meter()
        self._warned: set[str] = set()

    def idle_s(self) -> float | None:
        """How long nothing needs to be done: for ever, or until the frame that comes is due."""
        if not self._playing:
            return None
        if self._coming is None or self._footage is None:
            return 0.0
        return max(0.0, (self._footage.time_s(self._coming) - self._clock.now()) / self._speed)

    def advance(self) -> None:
        """One turn of playing: show the frame that is due, or take the next and drop it or begin to paint it."""
        footage, at = self._footage, self._at
        if footage is None or at is None or not self._painter.ready:
            self.stop()
            return
        if self._coming is not None:
            self._present(self._coming)
            return
        frame = self._next_frame(footage, at)
        if frame is None:
            self.stop()
            self._warn(footage)
            return
        self._at = frame
        due_s = footage.time_s(frame)
        latency_s = self._painter.latency_s
        late_s = (self._clock.now() - due_s) / self._speed
        if late_s > MAX_LAG_S + latency_s:
            self._run_clock(due_s)
        elif late_s + latency_s > footage.period_s / self._speed and self._meter.gap_s < MAX_GAP_S + latency_s:
            self._meter.dropped += 1
            return
        self._painter.prepare(frame)
        self._coming = frame

    def _next_frame(self, footage: Footage, at: VideoFrame) -> VideoFrame | None:
        """The frame to play next; where it loops, that of the in mark after that of the out mark or the end."""
        past_mark = self._last is not None and at.number == self._last.number
        frame = None if past_mark and self._loop else footage.forward(at.number)
        if frame is None and self._loop:
            frame = footage.seek(self._beginning())
            if frame is not None:  # the frame before it has its own time on the screen
                self._run_clock(footage.time_s(frame) - footage.period_s)
        return frame

    def _beginning(self) -> Position:
        return Position(Fraction(self._first.number if self._first else 0), "frame")

    def _present(self, frame: VideoFrame) -> None:
        begin = time.perf_counter()
        self._painter.present()
        self._meter.shown(time.perf_counter() - begin)
        self._current, self._coming = frame, None
        self._tell(events.Shown(self._mark_of(frame)))
        if self._playing and self._footage is not None:
            figures = self._meter.read(self._painter, self._footage)
            if figures is not None:
                self._tell(figures)

    def _show(self, frame: VideoFrame | None) -> None:
        """Put a frame on the screen now, whatever was coming."""
        self._coming = None
        if frame is None:
            return
        self._current = self._at = frame
        if self._painter.ready:
            self._painter.prepare(frame)
            self._present(frame)

    def _repaint(self) -> None:
        """After a change of style or device: what is coming is painted anew, or what is on the screen."""
        if self._coming is not None and self._painter.ready:
            self._painter.prepare(self._coming)
        elif not self._playing:
            self._show(self._current)

    # What the commands do

    def open(self, path: Path) -> None:
        """Open a video and show its first frame."""
        self._be_busy("opening")
        self.close_video()
        self._footage = footage = Footage(path)
        first = footage.forward(-1)
        info = footage.info
        self._sound = open_sound(path, float(info.start_pts * info.time_base), self._clock)
        if self._sound is not None:
            self._sound.volume = self._volume
        self._current = self._at = first
        self._tell(events.Opened(info, self._sound is not None))
        self._warned = set()
        self._warn(footage)
        self._painter.use_video(info)
        self._show(first)

    def _warn(self, footage: Footage) -> None:
        """Tell what was found to be wrong with the file since it was told last: the picture may end early for it."""
        for warning in footage.warnings:
            if warning not in self._warned:
                self._warned.add(warning)
                self._tell(events.Told(warning))

    def close_video(self) -> None:
        """Close the video; nothing is on the screen then."""
        self.stop()
        self._current = self._at = self._sound = None
        if self._footage is None:
            return
        self.clear_marks()
        footage, self._footage = self._footage, None
        footage.close()
        self._tell(events.Closed())
        self._painter.use_video(None)

    def close(self) -> None:
        """Free everything. Never fails."""
        self.stop()
        if self._footage is not None:
            self._footage.close()
            self._footage = None
        self._current = self._at = None
        self._painter.close()

    def play(self, on: bool) -> None:
        """Play, or stand still. At the end it begins again."""
        footage, current = self._footage, self._current
        self._play_when_ready = on and footage is not None and not self._painter.ready
        if not on or footage is None or current is None or not self._painter.ready:
            self.stop()
            self._tell(events.Playing(False))  # whoever asked may show it as playing already
            return
        if self._playing:
            return
        if footage.is_last(current.number):
            self._show(footage.seek(self._beginning()))
        self._playing = True
        self._meter.start()
        self._run_clock(footage.time_s(self._current or current))
        self._tell(events.Playing(True))

    def stop(self) -> None:
        """Stand still at the frame that is on the screen."""
        self._clock.stop()
        if self._sound is not None:
            self._sound.stop()
        if self._coming is not None:
            self._coming = None
            with suppress(GpuError):  # this is also what follows an error
                self._painter.drop()
        self._at = self._current
        if self._playing:
            self._playing = False
            self._tell(events.Playing(False))

    def _run_clock(self, at_s: float) -> None:
        self._clock.start(at_s, self._speed)
        if self._sound is not None:
            self._sound.start(at_s, self._speed)

    def seek(self, position: Position) -> None:
        """Go to a place, exactly."""
        if self._footage is None:
            return
        self._be_busy("seeking")
        frame = self._footage.seek(position)
        if frame is None:
            return
        self._show(frame)
        if self._playing:
            self._run_clock(self._footage.time_s(frame))

    def skip(self, seconds: Fraction) -> None:
        """Go forward or back by a time."""
        if self._footage is None or self._current is None:
            return
        here = Fraction(self._current.pts - self._footage.info.start_pts) * self._footage.info.time_base
        self.seek(Position(max(Fraction(0), here + seconds), "s"))

    def step(self, frames: int) -> None:
        """So many frames forward, or back (below 0), or as far as there are frames, and stand still there."""
        self.stop()
        if self._footage is None or self._current is None:
            return
        step = self._footage.forward if frames > 0 else self._footage.back
        frame = None
        for _ in range(abs(frames)):
            following = step((frame or self._current).number)
            if following is None:
                break
            frame = following
        self._show(frame)

    def set_speed(self, speed: float) -> None:
        """Play so many times as fast."""
        self._speed = speed
        if self._playing:
            self._run_clock(self._clock.now())

    def set_loop(self, on: bool) -> None:
        """Begin again at the in mark, or the beginning, after the out mark, or the end."""
        self._loop = on

    def set_volume(self, volume: float) -> None:
        """Of the sound, 0..1."""
        self._volume = volume
        if self._sound is not None:
            self._sound.volume = volume

    def mark(self, *, first: bool) -> None:
        """Set the in mark (first) or the out mark to the frame on the screen."""
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
        """Forget both marks."""
        self._first = self._last = None
        self._tell(events.Marked(None, None))

    def _mark_of(self, frame: VideoFrame) -> events.Mark:
        assert self._footage is not None
        return events.Mark(frame.number, self._footage.time_s(frame))

    def use_style(self, name: str) -> None:
        """Paint in another style: PLAIN for none, "" for the default. One that cannot be used leaves the one before."""
        self._be_busy("style")
        name = name or default_style()
        try:
            style, mix = open_style(name)
            self._painter.use_style(style)
        except DeviceLost:
            raise
        except (GpuError, StyleError) as error:  # the device refuses it, or the file is no style
            if name == PLAIN:
                raise
            self._tell(events.Told.of(STYLE_REFUSED, error, reason=str(error)))
            if self._painter.has_style:
                self._repaint()
            else:  # at the start: the one remembered is gone
                self.use_style(PLAIN)
            return
        self.style_name = name
        self._look = replace(self._look, mix=mix)
        self._painter.use_look(self._look)
        self._tell(events.StyleInUse(name, style.card, mix, (*style.card.notes, *self._painter.notes)))
        self._repaint()

    def use_look(self, look: Look) -> None:
        """Show frames so; a paused one is repainted."""
        repaints = look.mix != self._look.mix or look.tone_map != self._look.tone_map
        self._look = look
        self._painter.use_look(look)
        if self._playing or self._current is None or not self._painter.ready:
            return
        if repaints:
            self._painter.prepare(self._current)
        self._painter.present()

    def use_device(self, name: str) -> None:
        """Paint on another device, on the CPU where it cannot be had."""
        self._be_busy("device")
        try:
            self._painter.use_device(name)
        except GpuError as error:
            if name == "cpu":
                raise
            self._tell(events.Told.of(DEVICE_REFUSED, error, reason=str(error)))
            self._painter.use_device("cpu")
        device = self._painter.device
        self._tell(events.DeviceInUse(device.info, device.note))
        self._repaint()

    def list_devices(self) -> None:
        """Tell which devices there are. In this thread, so that no driver is asked twice at the same time."""
        self._tell(events.DevicesFound(tuple(list_devices())))

    def attach(self) -> None:
        """The window that a GPU presents into is on the screen now."""
        if self._painter.attach():
            self._repaint()
            if self._play_when_ready:
                self.play(True)

    def renew_surface(self) -> None:
        """The surface is wanted otherwise now: with more or fewer bits."""
        self._painter.renew_surface()
        self._repaint()

    def resize(self, width_px: int, height_px: int) -> None:
        """The view's size in physical pixels."""
        self._painter.resize(width_px, height_px)
        if not self._playing and self._current is not None and self._painter.ready:
            self._painter.present()

    def screenshot(self, path: Path) -> None:
        """Write the frame on the screen, with its look, as a picture of this name or one like it that is free."""
        if self._footage is None or self._current is None:
            return
        try:
            saved = self._save_frame(self._painter.fetch(self._current), self._footage.info, path)
            self._tell(events.Saved(str(saved)))
        except OSError as error:
            self._tell(events.Told.of(NOT_WRITTEN, error, path=str(path), reason=str(error.strerror)))
        if self._coming is not None:
            self._painter.prepare(self._coming)

    def _be_busy(self, what: events.Work) -> None:
        self._busy = True
        self._tell(events.Busy(what))

    def be_idle(self) -> None:
        """Say that what took a while is over."""
        if self._busy:
            self._busy = False
            self._tell(events.Busy(""))
