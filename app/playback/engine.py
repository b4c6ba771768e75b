"""Player operations: play, seek, step, paint.

Frames are dropped before the network. `_at`, the video's position, is ahead of `_current` on the screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from fractions import Fraction

from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.errors import DeviceError
from framebrush.media.video import InputError, Position, VideoFrame
from framebrush.playback import events
from framebrush.playback.ahead.render_cache import RenderCache
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.display.fitted_surface import MakeSurface
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.display.screen import Emit
from framebrush.playback.film_screen import FilmScreen, SaveFrame, State
from framebrush.playback.live_turn import LiveTurn
from framebrush.playback.pacing import Pace, pace
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.playback.video_source import VideoSource
from framebrush.styles.specs import SOURCE_SIZE, SizeSpec

REFINE_S = 0.3
"""Delay after pausing until the frame is repainted in full quality, as many pauses are short."""

CANNOT_SEEK = QT_TRANSLATE_NOOP("Player", "This source does not support seeking.")
CANNOT_STEP_BACK = QT_TRANSLATE_NOOP(
    "Player", "This source does not support seeking, and the earlier frames are no longer in memory."
)


class PlaybackEngine(FilmScreen):
    """Player operations. Not thread-safe.

    Methods may raise InputError or DeviceError; the engine remains usable.
    """

    def __init__(
        self,
        emit: Emit,
        make_surface: MakeSurface,
        save_frame: SaveFrame,
        *,
        sizes: SizeSpec = SOURCE_SIZE,
        monotonic: Callable[[], float] = time.perf_counter,
        wake: Callable[[], None] = lambda: None,
        renders: RenderCache | None = None,
        store: RenderStore | None = None,
        reading: ReadingProcess | None = None,
    ) -> None:
        """Prepare. wake: ends a wait for `idle_s`. reading: decodes; closed here."""
        super().__init__(emit, Presenter(make_surface, sizes), wake, save_frame, monotonic, renders, store, reading)
        self._at: VideoFrame | None = None  # the last frame read from the video
        self._warned: set[str] = set()

    def idle_s(self) -> float | None:
        """Return the time until the next frame; None while paused."""
        if not self.playing:
            return REFINE_S if self._can_refine else None
        if self._live is not None:
            return self._live.idle_s()
        if self._coming is None or self._video is None:
            return 0.0
        return max(0.0, self.time.left_s(self._video.time_s(self._coming)))

    def advance(self) -> None:
        """Show the due frame, or read, drop or paint the next."""
        if self.recolour():
            return
        if not self.playing:
            self._refine()
            return
        video, at = self._video, self._at
        if video is None or at is None or not self.presenter.ready:
            self.stop()
            return
        if self._live is not None:
            self._advance_live(self._live)
            return
        if self._coming is not None:
            self._present(self._coming)
            return
        frame = self._next_frame(video, at)
        if frame is None:
            self._end(video, at)
            return
        self._at = frame
        due_s = video.time_s(frame)
        painted = self._find_painted(frame)
        latency_s = self.presenter.latency_s if painted is None else self.presenter.cached.latency_s
        late_s, period_s = -self.time.left_s(due_s), video.period_s / self.time.speed
        match pace(late_s, latency_s=latency_s, period_s=period_s, gap_s=self._stats.gap_s):
            case Pace.SET_BACK:
                self.time.run(due_s)
            case Pace.DROP:
                self._stats.dropped += 1
                return
        if painted is None and self.presenter.shows_painted:
            self._fit_quality(video)
        self._prepare(frame, painted)
        self._coming = frame

    def _advance_live(self, live: LiveTurn) -> None:
        try:
            frame = live.frame()
        except InputError:
            live.end_recording()
            raise
        if frame is not None:
            self._show(frame)
        elif live.source.over:
            live.end_recording()
            self.stop()

    def _end(self, video: VideoSource, last: VideoFrame) -> None:
        if last is not self._current:
            self._prepare(last, self._find_painted(last))
            self._present(last)
        self.stop()
        self._warn(video)
        self._emit(events.PlayedOut())

    def _next_frame(self, video: VideoSource, at: VideoFrame) -> VideoFrame | None:
        frame = None if self._loop and self._marks.is_last(at.number) else video.forward(at.number)
        if frame is None and self._loop:
            frame = video.seek(self._marks.beginning)
            if frame is not None:  # the previous frame stays on the screen for its full duration
                self.time.turn(video.time_s(at) + video.period_s - video.time_s(frame))
        return frame

    def _show(self, frame: VideoFrame | None) -> None:
        self._coming = None
        if frame is None:
            return
        self._current = self._at = frame
        if self.presenter.ready:
            self._prepare(frame, self._find_painted(frame))
            self._present(frame)
            if self.state is State.WAITING:
                self.play(True)

    def _repaint(self) -> None:
        if self._coming is not None and self.presenter.ready:
            self._prepare(self._coming, self._find_painted(self._coming))
        elif not self.playing:
            self._show(self._current)

    # Commands

    def open(self, source: str) -> None:
        """Open a source; on failure the current video stays, paused."""
        self._be_busy("opening")
        try:
            video = VideoSource(source, reading=self._reading)
            try:
                first, info = video.forward(-1), video.info
            except BaseException:
                video.close()
                raise
        except InputError:
            self._emit(events.Refused(source))
            raise
        picture = self._unpainted(first)
        self.close_video()
        self._video = video
        self._opening += 1
        self._current = self._at = first
        self._sizes = None  # so that this film's sizes are reported even if they equal the last film's
        if video.live is not None:
            self._live = LiveTurn(video.live, self.presenter, self._stats, self._wake)
        sound = self.time.open(info)
        tracks, lacks_output = self.time.tracks, self.time.lacks_output
        self._emit(events.Opened(info, sound, video.can_seek, self._live is not None, tracks, lacks_output, picture))
        self._warned = set()
        self._warn(video)
        self.presenter.use_video(info)
        self._use_film()
        self._show(first)

    def play_opened(self, source: str) -> None:
        """Play if this source was opened."""
        if self._video is not None and self._video.name == source:
            self.play(True)

    def _warn(self, video: VideoSource) -> None:
        for warning in video.warnings:
            if warning not in self._warned:
                self._warned.add(warning)
                self._emit(events.Notification(warning))

    def close_video(self) -> None:
        """Close the video and empty the screen."""
        self.stop()
        self.time.close()
        self._current = self._at = None
        if self._video is None:
            return
        live, self._live = self._live, None
        if live is not None:
            live.close()
        video, self._video = self._video, None
        video.close()
        if self._renderer is not None:
            self._renderer.use(None)
        self._emit(events.Closed())
        self.clear_marks()  # after that: the person cleared none of the film's
        self.presenter.use_video(None)
        self._end_trial()

    def close(self) -> None:
        with ExitStack() as stack:
            stack.callback(self.presenter.close)
            stack.callback(self._colours.close)
            if self._reading is not None:
                stack.callback(self._reading.close)
            if self._renderer is not None:
                stack.callback(self._renderer.close)
            if self._video is not None:
                stack.callback(self._video.close)
            if self._live is not None:
                stack.callback(self._live.close)
            self.stop()
            self._live = self._video = self._current = self._at = None

    def play(self, on: bool) -> None:
        """Pause, or play once the first frame is painted; at the end, restart."""
        video, current = self._video, self._current
        waits = on and video is not None and not self.presenter.ready
        if not on or video is None or current is None or not self.presenter.ready:
            self.stop()
            self.state = State.WAITING if waits else State.PAUSED
            self._present_again()  # with its latest colours
            self._emit(events.Playing(False))  # the button may already show that it is playing
            return
        if self.playing:
            return
        if video.is_last(current.number):
            self.seek(self._marks.beginning)
        self._complete_masks()
        self.state = State.PLAYING
        if self._find_painted(current) is None:
            self._fit_quality(video)
        self._stats.start()
        if self._live is not None:
            self._live.start()
        self.time.run(video.time_s(self._current or current))
        self._emit(events.Playing(True))

    def stop(self) -> None:
        """Pause at the shown frame."""
        self.time.stop()
        if self._live is not None:
            self._live.stop()
        if self._coming is not None:
            self._coming = None
            with suppress(DeviceError):  # also called after an error
                self.presenter.drop()
        self._at = self._current
        was_playing, self.state = self.playing, State.PAUSED
        if was_playing:
            self._colours.settle()
            self._emit(events.Playing(False))
            self._lead()

    def seek(self, position: Position, *, on_screen: bool = False) -> None:
        """Seek exactly. on_screen: between frames, to the earlier."""
        video = self._video
        if video is None:
            return
        self._be_busy("seeking")
        by_time = on_screen and position.unit == "s"
        frame = video.on_screen_at(position.value) if by_time else video.seek(position)
        if frame is None:
            if not video.can_seek:
                self._emit(events.Notification.of_text(CANNOT_SEEK))
            return
        if self.playing and self._find_painted(frame) is None:
            self._masks.lead_to(frame, video)
        self._show(frame)
        if self.playing:
            self.time.run(video.time_s(frame))

    def skip(self, seconds: Fraction) -> None:
        """Seek by seconds."""
        if self._video is None or self._current is None:
            return
        self.seek(Position(max(Fraction(0), self._video.info.time_s(self._current) + seconds), "s"))

    def step(self, frames: int) -> None:
        """Step by frames, and pause."""
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
        """Set the speed as a factor."""
        self.time.use_speed(speed, runs=self.playing)

    def use_track(self, track: int) -> None:
        self.time.use_track(track, self.time.now() if self.playing else None)

    def delay_sound(self, seconds: float) -> None:
        """Delay or advance the sound."""
        self.time.delay(seconds, self.time.now() if self.playing else None)
