"""What the player does, one call at a time: play, seek, step, paint and repaint.

Frames are dropped before the network runs on them, never after. The position in the video (`_at`) runs ahead of the
frame on the screen (`_current`) by the dropped frames and the one that is being painted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from framebrush.gpu.device import list_devices
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.jobs.spec import SOURCE_SIZE, SizeSpec
from framebrush.media.video import Position, VideoFrame, VideoInfo
from framebrush.models.style import StyleError
from framebrush.playback import events
from framebrush.playback.clock import Clock
from framebrush.playback.events import QT_TRANSLATE_NOOP
from framebrush.playback.pacing import Pace, pace
from framebrush.playback.playback_stats import PlaybackStats
from framebrush.playback.presenter import MakeSurface, Presenter
from framebrush.playback.sound import Sound, open_sound
from framebrush.playback.video_source import VideoSource
from framebrush.styles import PLAIN, default_style, open_style

Emit = Callable[[events.Event], None]
SaveFrame = Callable[[Frame, VideoInfo, Path], Path]

STYLE_REFUSED = QT_TRANSLATE_NOOP("Player", "This style cannot be used: {reason}")
DEVICE_REFUSED = QT_TRANSLATE_NOOP("Player", "This device cannot be used, so the CPU paints: {reason}")
CANNOT_SEEK = QT_TRANSLATE_NOOP("Player", "This source cannot seek: its frames come in order.")
CANNOT_STEP_BACK = QT_TRANSLATE_NOOP(
    "Player", "This source cannot seek, and the frames before this one are no longer in memory."
)
NOT_WRITTEN = QT_TRANSLATE_NOOP("Player", "The screenshot could not be written to {path}: {reason}")


class Engine:
    """For one thread. Any method may raise InputError and DeviceError; it can be used further after that."""

    def __init__(
        self,
        emit: Emit,
        make_surface: MakeSurface,
        save_frame: SaveFrame,
        *,
        sizes: SizeSpec = SOURCE_SIZE,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """monotonic: the clock that playback keeps to, in seconds."""
        self._emit, self._save_frame = emit, save_frame
        self._clock = Clock(monotonic)
        self.presenter = Presenter(make_surface, sizes)
        self._video: VideoSource | None = None
        self._sound: Sound | None = None
        self._current: VideoFrame | None = None  # on the screen
        self._at: VideoFrame | None = None  # the last one taken from the video
        self._coming: VideoFrame | None = None  # prepared, not yet due
        self._first: events.Mark | None = None
        self._last: events.Mark | None = None
        self._look = Look()
        self.style_name = PLAIN
        self.playing = self._loop = self._busy = False
        self._play_when_ready = False
        self.speed, self._volume = 1.0, 1.0
        self._stats = PlaybackStats(monotonic)
        self._warned: set[str] = set()

    def idle_s(self) -> float | None:
        """How long nothing needs to be done: until the next frame is due; None, without an end, while paused."""
        if not self.playing:
            return None
        if self._coming is None or self._video is None:
            return 0.0
        return max(0.0, (self._video.time_s(self._coming) - self._clock.now()) / self.speed)

    def advance(self) -> None:
        """One turn of playing: show the frame that is due, or take the next and drop it or begin to paint it."""
        video, at = self._video, self._at
        if video is None or at is None or not self.presenter.ready:
            self.stop()
            return
        if self._coming is not None:
            self._present(self._coming)
            return
        frame = self._next_frame(video, at)
        if frame is None:
            self.stop()
            self._warn(video)
            return
        self._at = frame
        due_s = video.time_s(frame)
        latency_s = self.presenter.latency_s
        late_s, period_s = (self._clock.now() - due_s) / self.speed, video.period_s / self.speed
        match pace(late_s, latency_s=latency_s, period_s=period_s, gap_s=self._stats.gap_s):
            case Pace.SET_BACK:
                self._run_clock(due_s)
            case Pace.DROP:
                self._stats.dropped += 1
                return
        self.presenter.prepare(frame)
        self._coming = frame

    def _next_frame(self, video: VideoSource, at: VideoFrame) -> VideoFrame | None:
        """The frame to play next; where it loops, that of the in mark after that of the out mark or the end."""
        past_mark = self._last is not None and at.number == self._last.number
        frame = None if past_mark and self._loop else video.forward(at.number)
        if frame is None and self._loop:
            frame = video.seek(self._beginning())
            if frame is not None:  # the frame before it has its own time on the screen
                self._run_clock(video.time_s(frame) - video.period_s)
        return frame

    def _beginning(self) -> Position:
        return Position(Fraction(self._first.number if self._first else 0), "frame")

    def _present(self, frame: VideoFrame) -> None:
        begin = time.perf_counter()
        self.presenter.present()
        self._stats.shown(time.perf_counter() - begin)
        self._current, self._coming = frame, None
        self._emit(events.Shown(self._mark_of(frame)))
        if self.playing and self._video is not None:
            figures = self._stats.read(self.presenter, self._video)
            if figures is not None:
                self._emit(figures)

    def _show(self, frame: VideoFrame | None) -> None:
        """Put a frame on the screen now, whatever was coming."""
        self._coming = None
        if frame is None:
            return
        self._current = self._at = frame
        if self.presenter.ready:
            self.presenter.prepare(frame)
            self._present(frame)

    def _repaint(self) -> None:
        """After a change of style or device: what is coming is painted anew, or what is on the screen."""
        if self._coming is not None and self.presenter.ready:
            self.presenter.prepare(self._coming)
        elif not self.playing:
            self._show(self._current)

    # What the commands do

    def open(self, source: str) -> None:
        """Open what `open_frame_source` takes and show the first frame."""
        self._be_busy("opening")
        self.close_video()
        self._video = video = VideoSource(source)
        first, info = video.forward(-1), video.info
        if info.path is not None:
            self._sound = open_sound(info.path, float(info.start_pts * info.time_base), self._clock)
        if self._sound is not None:
            self._sound.volume = self._volume
        self._current = self._at = first
        self._emit(events.Opened(info, self._sound is not None, video.can_seek))
        self._warned = set()
        self._warn(video)
        self.presenter.use_video(info)
        self._show(first)

    def _warn(self, video: VideoSource) -> None:
        """Emit the warnings that are new: damage may be why the video ends early."""
        for warning in video.warnings:
            if warning not in self._warned:
                self._warned.add(warning)
                self._emit(events.Notification(warning))

    def close_video(self) -> None:
        """Close the video; nothing is on the screen then."""
        self.stop()
        self._current = self._at = self._sound = None
        if self._video is None:
            return
        self.clear_marks()
        video, self._video = self._video, None
        video.close()
        self._emit(events.Closed())
        self.presenter.use_video(None)

    def close(self) -> None:
        """Free everything."""
        with ExitStack() as stack:
            stack.callback(self.presenter.close)
            if self._video is not None:
                stack.callback(self._video.close)
            self.stop()
            self._video = self._current = self._at = None

    def play(self, on: bool) -> None:
        """Play or pause. At the end, playing begins again."""
        video, current = self._video, self._current
        self._play_when_ready = on and video is not None and not self.presenter.ready
        if not on or video is None or current is None or not self.presenter.ready:
            self.stop()
            self._emit(events.Playing(False))  # the button may show it as playing already
            return
        if self.playing:
            return
        if video.is_last(current.number):
            self.seek(self._beginning())
        self.playing = True
        self._stats.start()
        self._run_clock(video.time_s(self._current or current))
        self._emit(events.Playing(True))

    def stop(self) -> None:
        """Pause at the frame that is on the screen."""
        self._clock.stop()
        if self._sound is not None:
            self._sound.stop()
        if self._coming is not None:
            self._coming = None
            with suppress(DeviceError):  # this is also what follows an error
                self.presenter.drop()
        self._at = self._current
        if self.playing:
            self.playing = False
            self._emit(events.Playing(False))

    def _run_clock(self, at_s: float) -> None:
        self._clock.start(at_s, self.speed)
        if self._sound is not None:
            self._sound.start(at_s, self.speed)

    def seek(self, position: Position) -> None:
        """Go to a position, exactly."""
        if self._video is None:
            return
        self._be_busy("seeking")
        frame = self._video.seek(position)
        if frame is None:
            if not self._video.can_seek:
                self._emit(events.Notification.of_text(CANNOT_SEEK))
            return
        self._show(frame)
        if self.playing:
            self._run_clock(self._video.time_s(frame))

    def skip(self, seconds: Fraction) -> None:
        """Go forward or back by a time."""
        if self._video is None or self._current is None:
            return
        here = Fraction(self._current.pts - self._video.info.start_pts) * self._video.info.time_base
        self.seek(Position(max(Fraction(0), here + seconds), "s"))

    def step(self, frames: int) -> None:
        """Go so many frames forward, or back (below 0), as far as there are frames, and pause there."""
        self.stop()
        if self._video is None or self._current is None:
            return
        step = self._video.forward if frames > 0 else self._video.back
        frame = None
        for _ in range(abs(frames)):
            following = step((frame or self._current).number)
            if following is None:
                break
            frame = following
        if frame is None and frames < 0 and self._current.number > 0 and not self._video.can_seek:
            self._emit(events.Notification.of_text(CANNOT_STEP_BACK))
        self._show(frame)

    def set_speed(self, speed: float) -> None:
        """Play so many times as fast."""
        self.speed = speed
        if self.playing:
            self._run_clock(self._clock.now())

    def set_loop(self, on: bool) -> None:
        """Begin again at the in mark, or the beginning, after the out mark, or the end."""
        self._loop = on

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0..1."""
        self._volume = volume
        if self._sound is not None:
            self._sound.volume = volume

    def mark(self, *, first: bool) -> None:
        """Set the in mark (first) or the out mark to the frame on the screen."""
        if self._current is None:
            return
        mark = self._mark_of(self._current)
        if first:
            self._first, self._last = mark, self._last if self._last and self._last.number >= mark.number else None
        else:
            self._first, self._last = self._first if self._first and self._first.number <= mark.number else None, mark
        self._emit(events.Marked(self._first, self._last))

    def clear_marks(self) -> None:
        """Forget both marks."""
        self._first = self._last = None
        self._emit(events.Marked(None, None))

    def _mark_of(self, frame: VideoFrame) -> events.Mark:
        assert self._video is not None
        return events.Mark(frame.number, self._video.time_s(frame))

    def use_style(self, name: str) -> None:
        """Paint in another style: PLAIN for none, "" for the default. One that cannot be used leaves the one before."""
        self._be_busy("style")
        name = name or default_style()
        try:
            opened = open_style(name)
            self.presenter.use_style(opened.style)
        except DeviceLostError:
            raise
        except (DeviceError, StyleError) as error:  # the device refuses it, or the file is no style
            if name == PLAIN:
                raise
            self._emit(events.Notification.of(STYLE_REFUSED, error, reason=str(error)))
            if self.presenter.has_style:
                self._repaint()
            else:  # at the start: the one remembered is gone
                self.use_style(PLAIN)
            return
        self.style_name = name
        self._look = replace(self._look, mix=opened.mix)
        self.presenter.use_look(self._look)
        card = opened.style.card
        self._emit(events.StyleInUse(name, card, opened.mix, (*card.notes, *self.presenter.notes)))
        self._repaint()

    def use_look(self, look: Look) -> None:
        """Show frames with this look; a paused one is repainted."""
        repaints = look.mix != self._look.mix or look.tone_map != self._look.tone_map
        self._look = look
        self.presenter.use_look(look)
        if self.playing or self._current is None or not self.presenter.ready:
            return
        if repaints:
            self.presenter.prepare(self._current)
        self.presenter.present()

    def use_device(self, name: str) -> None:
        """Paint on another device, or on the CPU if it cannot be opened."""
        self._be_busy("device")
        try:
            self.presenter.use_device(name)
        except DeviceError as error:
            if name == "cpu":
                raise
            self._emit(events.Notification.of(DEVICE_REFUSED, error, reason=str(error)))
            self.presenter.use_device("cpu")
        self._emit(events.DeviceInUse(self.presenter.device.info, self.presenter.device.note))
        self._repaint()

    def list_devices(self) -> None:
        """Emit which devices there are. In this thread, so that no driver is asked twice at the same time."""
        self._emit(events.DevicesFound(tuple(list_devices())))

    def attach(self) -> None:
        """The window that a GPU presents into is on the screen now."""
        if self.presenter.attach():
            self._repaint()
            if self._play_when_ready:
                self.play(True)

    def renew_surface(self) -> None:
        """Make the surface anew, because its bits a colour have changed."""
        self.presenter.renew_surface()
        self._repaint()

    def resize(self, width_px: int, height_px: int) -> None:
        """The view's size in physical pixels."""
        self.presenter.resize(width_px, height_px)
        if not self.playing and self._current is not None and self.presenter.ready:
            self.presenter.present()

    def screenshot(self, path: Path) -> None:
        """Write the frame on the screen, with its look, as a picture of this name or one like it that is free."""
        if self._video is None or self._current is None:
            return
        try:
            saved = self._save_frame(self.presenter.fetch(self._current), self._video.info, path)
            self._emit(events.Saved(str(saved)))
        except OSError as error:
            self._emit(events.Notification.of(NOT_WRITTEN, error, path=str(path), reason=str(error.strerror)))
        if self._coming is not None:
            self.presenter.prepare(self._coming)

    def _be_busy(self, what: events.Work) -> None:
        self._busy = True
        self._emit(events.Busy(what))

    def be_idle(self) -> None:
        """Emit that a long operation is over."""
        if self._busy:
            self._busy = False
            self._emit(events.Busy(""))
